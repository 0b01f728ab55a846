/** The operations over HTTP, beyond the rules in src/conform: times, races, the end of getPet, and what depends on a setting. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { defaultScopes, scopes } from '../../src/model/key.ts'
import { addPet, addPets, cursorOf, expectError, freshCategory, idsOf, nextPage } from '../support/expect.ts'
import { operationsOf } from '../support/openapi.ts'
import { addEnded, addOrder, end, order, statusOf } from '../support/orders.ts'
import { type Answer, onBothDatabases, onOneTarget } from '../support/service.ts'

const day = 24 * 60 * 60 * 1000
const sunset = Date.UTC(2030, 11, 5)
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

onBothDatabases('Operations', (service) => {
  afterEach(() => service().setClock(null))
  const get = (path: string, key?: string) => service().call('GET', path, key === undefined ? {} : { key })
  const put = (id: number | string, name: string, headers: Record<string, string> = {}) =>
    service().call('PUT', `/categories/${id}`, { body: { name }, headers })

  /** The texts of every page, from the first on. */
  async function pages(path: string): Promise<string[]> {
    const texts: string[] = []
    for (let next: string | undefined = path; next; ) {
      const answer: Answer = await get(next)
      assert.equal(answer.status, 200, answer.text)
      texts.push(answer.text)
      next = nextPage(answer)
    }
    return texts
  }

  test('animals begin after any int64, in either order, also one that was removed [D19]', async () => {
    const categoryId = freshCategory()
    const [a, b, c] = await addPets(service(), 3, { categoryId })
    await service().call('DELETE', `/pets/${b}`)
    const from = async (after: unknown, more = '') =>
      (await pages(`/pets?categoryId=${categoryId}&limit=1&after=${after}${more}`)).flatMap((text) =>
        JSON.parse(text).map(({ id }: { id: number }) => id),
      )
    assert.deepEqual([await from(b), await from(b, '&order=desc')], [[c], [a]])
    for (const [after, isAbove] of [
      ['-9223372036854775808', false],
      ['9007199254740993', true],
      ['9223372036854775807', true],
    ] as const)
      for (const search of ['', '&search=rex']) {
        assert.deepEqual(await from(after, search), isAbove ? [] : [a, c], after)
        assert.deepEqual(await from(after, `${search}&order=desc`), isAbove ? [c, a] : [], after)
      }
  })

  test('a cursor with its own seal after an id that no animal has is refused', async () => {
    const categoryId = freshCategory()
    await addPets(service(), 2, { categoryId })
    const seal = cursorOf(await get(`/pets?categoryId=${categoryId}&limit=1`)).slice(0, 8)
    const after = (id: bigint) => get(`/pets?categoryId=${categoryId}&cursor=${seal}${id.toString(36)}`)
    for (const id of [-1n, 0n, 2n ** 53n, 2n ** 64n]) expectError(await after(id), 400, 'invalid_cursor')
    for (const id of [1n, 2n ** 53n - 1n]) assert.equal((await after(id)).status, 200)
  })

  test('of many changes to the same version one wins', async () => {
    const created = await service().call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } })
    const path = `/pets/${created.json.id}`
    const headers = { 'If-Match': created.headers.get('etag') ?? '' }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => service().call('PATCH', path, { body: { name: `${i}` }, headers })),
    )
    const [won, ...others] = answers.toSorted((a, b) => a.status - b.status) as [Answer, ...Answer[]]
    for (const answer of others) expectError(answer, 412, 'precondition_failed')
    assert.deepEqual([won.status, won.text], [200, (await get(path)).text])
  })

  test('an order is placed, and moved on, at its own time in UTC [D79]', async () => {
    const at = Date.UTC(2027, 0, 2, 3, 4, 5, 6)
    const time = '2027-01-02T03:04:05.006Z'
    const { id: petId } = await addPet(service())
    const [open, alike, sold] = [
      await addOrder(service()),
      await addOrder(service()),
      await addEnded(service(), 'complete'),
    ]
    await service().setClock(at)
    const { text, json } = await order(service(), petId)
    const times = `"createdAt":"${time}","updatedAt":"${time}"`
    assert.equal(text, `{"id":${json.id},"petId":${petId},"status":"placed",${times}}`)
    for (const [before, verb, status, pet] of [
      [open, 'complete', 'completed', 'sold'],
      [alike, 'cancel', 'cancelled', 'available'],
      [sold, 'return', 'returned', 'available'],
    ] as const) {
      const answer = await end(service(), before.id, verb)
      assert.deepEqual(answer.json, { ...before, status, updatedAt: time })
      assert.equal((await get(`/store/orders/${before.id}`)).text, answer.text)
      assert.equal(await statusOf(service(), before.petId), pet)
    }
  })

  test('of many that take an animal back at once, all get the same order, and it is sold once more', async () => {
    const { id, petId } = await addEnded(service(), 'complete')
    const answers = await Promise.all(Array.from({ length: 8 }, () => end(service(), id, 'return')))
    assert.deepEqual([...new Set(answers.map(({ status, text }) => `${status} ${text}`))].length, 1)
    assert.equal(answers[0]?.json.status, 'returned')
    await addEnded(service(), 'complete', petId)
  })

  test('an order that moves its animal has two events, and a request that repeats another none [D104]', async () => {
    const key = await service().makeKey({ scopes: ['events:read'] })
    const { id: petId } = await addPet(service())
    const start = nextPage(await get(`/events?petId=${petId}&from=now`, key)) ?? assert.fail('no link')
    const { json } = await order(service(), petId)
    for (const verb of ['complete', 'return'] as const) for (let i = 0; i < 2; i++) await end(service(), json.id, verb)
    const { json: events } = await get(start, key)
    assert.deepEqual(events.map(({ type }: { type: string }) => type).sort(), [
      ...['order.completed', 'order.placed', 'order.returned'],
      ...['pet.updated', 'pet.updated', 'pet.updated'],
    ])
    const cursor = cursorOf(await get('/events?limit=1', key))
    const ahead = `/events?cursor=${cursor.slice(0, 8)}${2 ** 52}-mwhmvow0`
    assert.match(expectError(await get(ahead, key), 410, 'events_expired'), /start over/)
  })

  test('categories are listed by id, negative ones first, a page at a time; no other cursor is taken [D87]', async () => {
    const ids = ['-9223372036854775808', '-7', '0', '7', '9223372036854775807']
    for (const id of ids) await put(id, 'Dogs')
    const found = [...(await pages('/categories?limit=1')).join().matchAll(/"id":(-?\d+)/g)].map(([, id]) => id)
    assert.deepEqual(found, ids)
    const cursor = cursorOf(await get('/categories?limit=1'))
    const seal = cursor.slice(0, 8)
    for (const other of [`${cursor}0`, `${seal}+1`, `${seal}9223372036854775807`, seal, `x${cursor.slice(1)}`])
      expectError(await get(`/categories?cursor=${encodeURIComponent(other)}`), 400, 'invalid_cursor')
    expectError(await get(`/store/inventory?by=category&cursor=${cursor}`), 400, 'invalid_cursor')
    for (const id of ids) await service().call('DELETE', `/categories/${id}`)
  })

  test('a category is not named anew with If-Match: * when the name goes at the same moment [D90]', async () => {
    const id = freshCategory()
    for (let round = 0; round < 20; round++) {
      await put(id, 'Dogs')
      const [changed] = await Promise.all([
        put(id, 'Cats', { 'If-Match': '*' }),
        service().call('DELETE', `/categories/${id}`),
      ])
      assert.ok(changed.status === 200 || changed.status === 412, changed.text)
    }
  })

  test('the inventory counts at once, in all and by category, also those with a name alone and at the ends of int64 [D92]', async () => {
    const { json: before } = await get('/store/inventory')
    const [first = 0, second = 0] = await addPets(service(), 2)
    await addPet(service(), { status: 'sold' })
    const { json: placed } = await order(service(), first)
    const { available, pending, sold } = before
    const during = { available: available + 1, pending: pending + 1, sold: sold + 1 }
    assert.deepEqual((await get('/store/inventory')).json, during)
    await end(service(), placed.id, 'complete')
    await service().call('DELETE', `/pets/${second}`)
    assert.deepEqual((await get('/store/inventory')).json, { ...before, sold: sold + 2 })
    const [least, most] = ['-9223372036854775808', '9223372036854775807']
    for (const id of [least, most])
      await service().call('POST', '/pets', { body: `{"name":"Rex","categoryId":${id},"status":"pending"}` })
    await put(least, 'Cats')
    await put('-5', 'Dogs')
    const rows = (await pages('/store/inventory?by=category&limit=1')).map((text) => text.slice(1, -1))
    const counted = '"available":0,"pending":1,"sold":0'
    assert.deepEqual(rows.slice(0, 2), [
      `{"categoryId":${least},"name":"Cats",${counted}}`,
      '{"categoryId":-5,"name":"Dogs","available":0,"pending":0,"sold":0}',
    ])
    assert.equal(rows.at(-1), `{"categoryId":${most},${counted}}`)
    const whole = (await get('/store/inventory?by=category&limit=100')).text
    assert.equal(whole, `[${rows.join()}]`)
  })

  test('sales are of the days that end with the day of the service, with zeros where nothing happened [D97]', async () => {
    const now = Date.now()
    await addPet(service())
    await service().setClock(now + 3 * day)
    assert.deepEqual(
      (await get('/store/sales?days=5')).json.map((each: { day: string; added: number; sold: number }) => [
        each.day,
        each.added > 0,
      ]),
      [-1, 0, 1, 2, 3].map((n) => [dayOf(now + n * day), n === 0]),
    )
    await service().setClock(now + 40 * day)
    const { json } = await get('/store/sales')
    assert.equal(json.length, 30)
    for (const { added, sold } of json) assert.deepEqual([added, sold], [0, 0])
  })

  const post = (idempotencyKey: string, body: unknown, key?: string) =>
    service().call('POST', '/pets', { body, headers: { 'Idempotency-Key': idempotencyKey }, ...(key && { key }) })
  const freshBody = () => ({ name: 'Rex', categoryId: freshCategory() })
  const countOf = async ({ categoryId }: { categoryId: number }) =>
    idsOf(await get(`/pets?categoryId=${categoryId}&limit=100`)).length

  test('many at once under one Idempotency-Key add one animal', async () => {
    const [key, body] = [randomUUID(), freshBody()]
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(key, body)))
    for (const answer of answers) if (answer.status !== 201) expectError(answer, 409, 'idempotency_in_progress')
    const added = answers.filter(({ status }) => status === 201)
    assert.equal(new Set(added.map(({ text }) => text)).size, 1)
    assert.equal(added.filter(({ headers }) => headers.get('idempotency-replayed') === null).length, 1)
    assert.equal(await countOf(body), 1)
  })

  test('an Idempotency-Key applies to the API key it was sent with, not to another [D48]', async () => {
    const [key, body, other] = [randomUUID(), freshBody(), await service().makeKey()]
    for (const each of [undefined, other]) {
      const answer = await post(key, body, each)
      assert.deepEqual([answer.status, answer.headers.get('idempotency-replayed')], [201, null])
    }
    assert.equal(await countOf(body), 2)
  })

  test('an Idempotency-Key is kept for 24 hours and then forgotten, with its body [D48]', async () => {
    const [key, body, start] = [randomUUID(), freshBody(), Date.now()]
    const at = async (time: number, name: string) => {
      await service().setClock(start + time)
      return post(key, { ...body, name })
    }
    const first = await at(0, 'Rex')
    assert.equal((await at(day - 1, 'Rex')).text, first.text)
    const later = await at(day, 'Ada')
    assert.deepEqual([later.status, later.headers.get('idempotency-replayed')], [201, null])
    assert.equal((await at(2 * day - 1, 'Ada')).text, later.text, 'the day begins anew')
  })

  test('an Idempotency-Key does not keep errors: the corrected request goes through', async () => {
    const [key, body] = [randomUUID(), freshBody()]
    expectError(await post(key, '{'), 400, 'malformed_json')
    expectError(await post(key, { ...body, status: 'lost' }), 400, 'invalid_field')
    expectError(await post(key, body, await service().makeKey({ scopes: ['pets:read'] })), 403, 'insufficient_scope')
    const answer = await post(key, body)
    assert.deepEqual([answer.status, answer.headers.get('idempotency-replayed')], [201, null])
  })
})

onOneTarget('Words and the end of getPet', (service) => {
  test('messages are well-formed and bounded where the names of members or parameters are not', async () => {
    const post = (body: unknown) => service().call('POST', '/pets', { body })
    const unpaired = expectError(await post('{"name":"Rex","categoryId":1,"\\ud800":1}'), 400, 'unknown_field')
    assert.equal(unpaired, '\ufffd: is not a known field')
    for (const start of ['', 'x']) {
      const name = start + '🐕'.repeat(2000)
      const message = expectError(await post({ name: 'Rex', categoryId: 1, [name]: 1 }), 400, 'unknown_field')
      assert.match(message, /^x?(?:🐕)+\ufffd?…$/u)
      assert.equal(message.length, 2001)
    }
    for (const query of [`id[${'x'.repeat(8000)}]=1`, 'id[1]=1&'.repeat(1000)])
      assert.ok(expectError(await service().call('GET', `/pets?${query}`), 400, 'invalid_parameter').length < 100)
  })

  test('getPet is there until 5 December 2030, and gone from the first instant of that day on; its replacement stays [D53]', async () => {
    const pet = await addPet(service())
    const call = (method: string, path = `/pets/${pet.id}`) => service().call(method, path)
    for (const [now, status] of [
      [sunset - 1, 200],
      [sunset, 410],
      [sunset + 365 * day, 410],
    ] as const) {
      await service().setClock(now)
      assert.deepEqual([(await call('GET')).status, (await call('HEAD')).status], [status, status])
      const { json } = await service().call('GET', '//openapi.json', { key: null })
      const ids = operationsOf(json).map(({ id }) => id)
      assert.deepEqual([ids.includes('getPet'), ids.includes('listPets')], [status === 200, true])
      const allow = (await call('OPTIONS')).headers.get('allow') ?? ''
      assert.equal(/\bGET, HEAD\b/.test(allow), status === 200)
      if (status === 410)
        for (const path of ['/pets/9223372036854775807', '/pets/abc'])
          expectError(await call('GET', path), 410, 'endpoint_removed')
      assert.deepEqual((await call('GET', `/pets?id=${pet.id}`)).json, [pet])
    }
  })
})

onOneTarget(
  'Behind another address, with a rate limit',
  (service) => {
    const base = 'https://shop.example/api/v1'

    test('Location, links and what announces the end of getPet are under PUBLIC_URL, and ids rise from 1 [D39 D47]', async () => {
      const { headers, json } = await service().call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } })
      assert.deepEqual([headers.get('location'), json.id], [`${base}/pets/1`, 1])
      await addPet(service())
      const link = (await service().call('GET', '/pets?limit=1')).headers.get('link') ?? ''
      assert.match(link, /^<https:\/\/shop\.example\/api\/v1\/pets\?limit=1&cursor=[\w-]+>; rel="next"$/)
      const docs = '<https://shop.example/docs>'
      assert.equal(
        (await service().call('GET', '/pets/1')).headers.get('link'),
        `${docs}; rel="deprecation"; type="text/html", ${docs}; rel="sunset"; type="text/html", <${base}/pets>; rel="successor-version"`,
      )
    })

    test('GET /me describes the key that asks, of any scope: its name, scopes, expiry and rate, or that of the service [D102]', async () => {
      const me = async (key: string) => (await service().call('GET', '/me', { key })).json
      const usual = { requests: 6000, seconds: 60 }
      assert.deepEqual(await me(service().key), { name: 'test', scopes: [...defaultScopes], rate: usual })
      for (const scope of scopes) {
        const key = await service().makeKey({ scopes: [scope] })
        assert.deepEqual(await me(key), { name: 'test', scopes: [scope], rate: usual })
      }
      const expiresAt = Date.now() + day
      const rate = { requests: 600, seconds: 60 }
      assert.deepEqual(await me(await service().makeKey({ scopes: ['pets:read'], expiresAt, rate })), {
        ...{ name: 'test', scopes: ['pets:read'], rate },
        expiresAt: new Date(expiresAt).toISOString(),
      })
    })
  },
  { PUBLIC_URL: 'https://shop.example/api/v1', RATE_LIMIT: '6000/60' },
)
