/** Webhooks over HTTP: adding, changing, testing and removing them, and what a receiver gets. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, createServer as createNetServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Webhook } from 'standardwebhooks'
import { addPet, expectError, idsOf, nextPage } from '../../harness/expect.ts'
import { closed, type Node, resolve } from '../../harness/openapi.ts'
import { becomes, eventually } from '../../harness/patience.ts'
import { type Answer, onOneTarget } from '../../harness/service.ts'
import { runSql } from '../../harness/sql.ts'
import { scopes } from '../../src/model/key.ts'

const url = 'https://shop.example/hooks'

onOneTarget(
  'Webhooks',
  (service) => {
    let key: string
    let status = 204
    const received: { headers: IncomingHttpHeaders; body: string }[] = []
    const receiver = createServer(async (request, response) => {
      received.push({ headers: request.headers, body: await text(request) })
      response.writeHead(status, { Location: '/elsewhere' }).end()
    })
    before(async () => {
      key = await service().makeKey({ scopes: ['webhooks:write'] })
      receiver.listen(0, '127.0.0.1')
      await once(receiver, 'listening')
    })
    after(() => receiver.close())

    const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
      service().call(method, path, { key, ...(body !== undefined && { body }) })
    const receiverUrl = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
    const add = async (body: object = { url }): Promise<Answer> => {
      const answer = await call('POST', '/webhooks', body)
      assert.equal(answer.status, 201, answer.text)
      return answer
    }
    const remove = async ({ json }: Answer) => assert.equal((await call('DELETE', `/webhooks/${json.id}`)).status, 204)

    test('POST /webhooks refuses an Idempotency-Key, because the secret is stored nowhere else [decision 16]', async () => {
      const headers = { 'Idempotency-Key': 'a' }
      const answers = [1, 2].map(() => service().call('POST', '/webhooks', { key, headers, body: { url } }))
      const [one, other] = (await Promise.all(answers)) as [Answer, Answer]
      assert.notEqual(one.json.id, other.json.id)
      assert.notEqual(one.json.secret, other.json.secret)
      for (const each of [one, other]) await remove(each)
    })

    test('Webhooks are listed in pages in the order of their ids, from the oldest on', async () => {
      const added = [await add(), await add(), await add()]
      const first = await call('GET', '/webhooks?limit=2')
      const second = await call('GET', nextPage(first) ?? assert.fail('there is no second page'))
      assert.deepEqual(
        [idsOf(first), idsOf(second), nextPage(second)],
        [added.slice(0, 2).map(({ json }) => json.id), [added[2]?.json.id], undefined],
      )
      for (const each of added) await remove(each)
    })

    test('The URL of a webhook is stored in normal form and must be public or allowed, and its types must exist [decision 16]', async () => {
      for (const [given, kept] of [
        ['HTTPS://Shop.Example:443/a/../b', 'https://shop.example/b'],
        ['https://2130706433/', 'https://127.0.0.1/'],
      ]) {
        const added = await add({ url: given })
        assert.equal(added.json.url, kept)
        await remove(added)
      }
      for (const [body, message] of [
        [{ url: 'https://127.0.0.2/' }, /^url: must be an https URL on port 443/],
        [{ url, types: ['pet.sold'] }, /^types: must be a list of at most 100, each one of pet\.created, /],
      ] as const)
        assert.match(expectError(await call('POST', '/webhooks', body), 400, 'invalid_field'), message)
    })

    test('A test event is sent immediately, and the response says what happened [decision 16]', async () => {
      const { json } = await add({ url: receiverUrl() })
      await call('PATCH', `/webhooks/${json.id}`, { enabled: false })
      assert.deepEqual((await call('POST', `/webhooks/${json.id}/test`)).json, { delivered: true, responseStatus: 204 })
      const { headers, body } = received.at(-1) ?? assert.fail('nothing was received')
      const event = new Webhook(json.secret).verify(body, headers as Record<string, string>)
      assert.partialDeepStrictEqual(event, { type: 'webhook.test', data: { id: json.id } })
      status = 302
      assert.deepEqual((await call('POST', `/webhooks/${json.id}/test`)).json, {
        delivered: false,
        responseStatus: 302,
      })
      status = 204
      await call('PATCH', `/webhooks/${json.id}`, { url: 'http://localhost:1/' })
      const { fault } = (await call('POST', `/webhooks/${json.id}/test`)).json
      // If the name also has an IPv6 address, that address is not allowed.
      assert.ok(['connection_failed', 'address_not_allowed'].includes(fault), fault)
      await remove({ json } as Answer)
    })

    test('At most 64 test events are sent concurrently, so that hanging receivers harm no others [decision 16]', async () => {
      const sockets: Socket[] = []
      const hanging = createNetServer((socket) => void sockets.push(socket.on('error', () => {}))).listen(
        0,
        '127.0.0.1',
      )
      await once(hanging, 'listening')
      const { json } = await add({ url: `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/` })
      const tests = Array.from({ length: 65 }, () => call('POST', `/webhooks/${json.id}/test`))
      expectError(await Promise.race(tests), 503, 'unavailable')
      await becomes(async () => sockets.length, 64)
      for (const socket of sockets) socket.destroy()
      const answers = await Promise.all(tests)
      assert.equal(answers.filter((answer) => answer.json.fault === 'no_response').length, 64)
      hanging.close()
      assert.equal((await call('POST', `/webhooks/${json.id}/test`)).json.fault, 'connection_failed')
      await remove({ json } as Answer)
    })

    test('The deliveries of a webhook are listed newest first, and can be repeated with the same id', async () => {
      const { json } = await add({ url: receiverUrl(), types: ['pet.created'] })
      const path = `/webhooks/${json.id}`
      const gets = (name: string) =>
        eventually(
          async () => received.filter(({ body }) => body.includes(name)),
          (found) => found.length > 0,
        )
      const first = await addPet(service(), { name: 'first' })
      const [{ headers, body }] = (await gets('"first"')) as [(typeof received)[number]]
      const event = JSON.parse(body)
      assert.deepEqual([event.type, event.data], ['pet.created', first])
      assert.equal(headers['webhook-id'], `msg_${json.id}_${event.id}-${Date.parse(event.at).toString(36)}`)

      const listed = await eventually(
        async () => (await call('GET', `${path}/deliveries`)).json,
        ([delivery]) => delivery?.status === 'delivered',
      )
      assert.partialDeepStrictEqual(listed, [{ id: event.id, type: 'pet.created', tries: 1, responseStatus: 204 }])
      assert.ok(!('nextTryAt' in listed[0]) && !('fault' in listed[0]))

      received.length = 0
      const again = await call('POST', `${path}/deliveries/${event.id}/redeliver`)
      assert.partialDeepStrictEqual(again.json, { id: event.id, status: 'pending', tries: 0 })
      const [repeated] = (await gets('"first"')) as [(typeof received)[number]]
      assert.equal(repeated.headers['webhook-id'], headers['webhook-id'])

      await addPet(service(), { name: 'second' })
      await gets('"second"')
      const newest = await call('GET', `${path}/deliveries?limit=1`)
      const next = await call('GET', nextPage(newest) ?? '')
      assert.ok(newest.json[0].id > event.id, 'the newest first')
      assert.deepEqual(idsOf(next), [event.id])
      assert.equal(nextPage(next), undefined)

      await call('PATCH', path, { enabled: false })
      await runSql(
        service().databaseUrl,
        `UPDATE deliveries SET status = 'pending', next_try_at = 0 WHERE event_id = ${event.id}`,
      )
      const [waiting] = (await call('GET', nextPage(newest) ?? '')).json
      assert.equal(waiting.nextTryAt, event.at, 'it has been due since its event')
      await remove({ json } as Answer)
    })

    test('A delivery of an unknown webhook gets the error for the webhook, not for the delivery', async () => {
      const { json } = await add()
      expectError(await call('POST', `/webhooks/${json.id}/deliveries/1/redeliver`), 404, 'delivery_not_found')
      await remove({ json } as Answer)
      for (const [method, path] of [
        ['POST', '/deliveries/1/redeliver'],
        ['GET', '/deliveries'],
      ] as const)
        expectError(await call(method, `/webhooks/${json.id}${path}`), 404, 'webhook_not_found')
    })

    test('A webhook that the service has disabled shows the reason until it is enabled again', async () => {
      const { json } = await add()
      const path = `/webhooks/${json.id}`
      const shown = async () => (await call('GET', path)).json
      assert.ok(!('reason' in (await shown())))
      await runSql(
        service().databaseUrl,
        `UPDATE webhooks SET enabled = 0, reason = 'It is gone.' WHERE id = ${json.id}`,
      )
      assert.partialDeepStrictEqual(await shown(), { enabled: false, reason: 'It is gone.' })
      await call('PATCH', path, { enabled: true })
      assert.ok(!('reason' in (await shown())))
      await remove({ json } as Answer)
    })

    test('Every type of event is sent exactly as the document describes it', async () => {
      const document = (await service().call('GET', '//openapi.json', { key: null })).json
      const hook = await add({ url: receiverUrl() })
      received.length = 0
      const full = await service().makeKey({ scopes: [...scopes] })
      const ask = async (method: string, path: string, body?: unknown) => {
        const answer = await service().call(method, path, { key: full, ...(body !== undefined && { body }) })
        assert.ok(answer.status < 300, answer.text)
        return answer.json
      }
      const { id: petId } = await addPet(service(), { name: 'Max' })
      for (const moves of [['cancel'], ['complete', 'return']]) {
        const { id } = await ask('POST', '/store/orders', { petId })
        for (const move of moves) await ask('POST', `/store/orders/${id}/${move}`)
      }
      const { id: held } = await ask('POST', '/store/orders', { petId, heldUntil: new Date(Date.now() + 86_400_000) })
      await ask('PATCH', `/store/orders/${held}`, { reference: 'Novak' })
      await runSql(
        service().databaseUrl,
        `UPDATE orders SET held_until = '2001-01-01T00:00:00.000Z' WHERE id = ${held}`,
      )
      await ask('DELETE', `/pets/${(await addPet(service())).id}`)
      await ask('PUT', '/categories/77', { name: 'Dogs' })
      await ask('DELETE', '/categories/77')
      await ask('POST', `/webhooks/${hook.json.id}/test`)
      const types = Object.keys(document.webhooks).sort()
      const typeOf = ({ body }: { body: string }): string => JSON.parse(body).type
      await eventually(
        async () => [...new Set(received.map(typeOf))].sort(),
        (sent) => isDeepStrictEqual(sent, types),
      )
      const ajv = new Ajv2020({ strict: false, validateFormats: false })
      ajv.addSchema(closed(document), 'document')
      const transport = ['host', 'user-agent', 'content-type', 'content-length', 'connection']
      for (const each of received) {
        const { parameters, requestBody } = document.webhooks[typeOf(each)].post
        const [type, { schema }] = Object.entries<Node>(requestBody.content)[0] ?? assert.fail()
        assert.equal(each.headers['content-type'], type)
        assert.ok(ajv.validate({ $ref: `document${schema.$ref}` }, JSON.parse(each.body)), ajv.errorsText())
        const headers = parameters.map((parameter: Node) => resolve(document, parameter))
        assert.deepEqual(
          Object.keys(each.headers).sort(),
          [...transport, ...headers.map(({ name }: Node) => name)].sort(),
        )
        for (const { name, schema, required } of headers) {
          assert.ok(required)
          const sent = each.headers[name]
          assert.ok(ajv.validate(schema, schema.type === 'integer' ? Number(sent) : sent), `${name}: ${sent}`)
        }
      }
      await remove(hook)
    })
  },
  { WEBHOOKS_ALLOW: '127.0.0.1' },
)
