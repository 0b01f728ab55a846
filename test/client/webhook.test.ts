/** Which requests a receiver of webhooks accepts as sent by the service, and which it refuses. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { InvalidWebhookError, PetStoreError, signWebhook, verifyWebhook } from '../../client/src/index.ts'

const body = '{"id":9007199254740993,"type":"category.named","data":{"id":-9223372036854775808,"name":"Dögs"}}'
const now = 1_800_000_000_000
const [secret, other] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)].map(
  (bytes) => `whsec_${bytes.toString('base64')}`,
) as [string, string]

/** Signs a request like the library of Standard Webhooks does. */
function signed(by = secret, seconds = now / 1_000) {
  const signature = new Webhook(by).sign('msg_1', new Date(seconds * 1_000), body)
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': String(seconds), 'webhook-signature': signature }
}

test('A request that the service has signed contains its event with every digit', async () => {
  for (const headers of [signed(), new Headers(signed()), { host: 'x', ...signed(), cookie: ['a', 'b'] }])
    for (const given of [body, new TextEncoder().encode(body)]) {
      const event = await verifyWebhook(secret, headers, given, now)
      assert.deepEqual([event.id, event.data], [9007199254740993n, { id: -(2n ** 63n), name: 'Dögs' }])
    }
})

test('signWebhook makes the same request as the service, and the library of Standard Webhooks accepts it', async () => {
  const at = '2026-11-15T09:30:00.000Z'
  const event = { id: 7n, type: 'category.named', at, data: { id: -(2n ** 63n), name: 'Dögs' } } as const
  const { method, headers, body } = await signWebhook(secret, event)
  const { 'webhook-id': id, 'content-type': type } = headers
  assert.deepEqual([method, id, type], ['POST', 'msg_0_7-mwhmvow0', 'application/json'])
  assert.ok(new Webhook(secret).verify(body, headers))
  assert.deepEqual(await verifyWebhook(secret, headers, body), event)
  const late = await signWebhook(secret, event, now)
  assert.deepEqual(await verifyWebhook(secret, late.headers, late.body, now + 300_000), event)
  await assert.rejects(signWebhook('whsec_', event), { name: 'TypeError', message: /^secret: / })
})

test('One valid signature of several is enough, as while a secret is replaced', async () => {
  const both = `v2,x ${signed(other)['webhook-signature']} v1,§ ${signed()['webhook-signature']}`
  for (const known of [secret, other])
    assert.ok(await verifyWebhook(known, { ...signed(), 'webhook-signature': both }, body, now))
})

test('A signed request is accepted for 5 minutes, even if the clock is wrong by that much', async () => {
  for (const late of [-300, 300]) assert.ok(await verifyWebhook(secret, signed(secret, now / 1_000 - late), body, now))
  for (const late of [-301, 301])
    await assert.rejects(verifyWebhook(secret, signed(secret, now / 1_000 - late), body, now), InvalidWebhookError)
  const seconds = Math.floor(Date.now() / 1_000)
  assert.ok(
    await verifyWebhook(secret, signed(secret, seconds), body),
    'by the clock of the machine unless another is given',
  )
})

test('A signed request is refused if it was changed, or signed with another secret', async () => {
  const unsigned = signed()['webhook-signature'].replace('v1,', '')
  for (const [change, text, message] of [
    [{}, body.replace('Dögs', 'Cats'), /not signed with this secret/],
    [{ 'webhook-id': 'msg_2' }, body, /not signed with this secret/],
    [{ 'webhook-timestamp': String(now / 1_000 + 1) }, body, /not signed with this secret/],
    [{ 'webhook-timestamp': 'today' }, body, /5 minutes/],
    [signed(other), body, /not signed with this secret/],
    [{ 'webhook-signature': 'v1,' }, body, /not signed with this secret/],
    [{ 'webhook-signature': unsigned }, body, /not signed with this secret/],
    [{ 'webhook-signature': `v1a,${unsigned}` }, body, /not signed with this secret/],
    [{ 'webhook-signature': `v1,${unsigned.slice(0, 20)}` }, body, /not signed with this secret/],
    [{ 'webhook-id': undefined }, body, /no header webhook-id/],
    [{ 'webhook-id': ['msg_1', 'msg_1'] }, body, /no header webhook-id/],
  ] as const) {
    const error = await verifyWebhook(secret, { ...signed(), ...change }, text, now).catch((error) => error)
    assert.ok(error instanceof InvalidWebhookError && error instanceof PetStoreError, String(error))
    assert.match(error.message, message)
  }
})

test('An invalid secret verifies no request', async () => {
  for (const none of ['', 'whsec_', 'whsec_§'])
    await assert.rejects(verifyWebhook(none, signed(), body, now), { name: 'TypeError', message: /^secret: / })
})
