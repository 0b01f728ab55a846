/** What the service signs, receivers verify with the library of Standard Webhooks. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { newSecret, signedHeaders } from '../../src/webhooks/send.ts'

const body = '{"id":7,"data":{"name":"𝔊𝔯𝔦𝔰𝔲 é"}}'
const signed = (secrets: readonly string[], now = Date.now()) =>
  Object.fromEntries(signedHeaders('msg_1_7', body, secrets, now))

describe('a signed message', () => {
  test('is verified by the package standardwebhooks, and its signature is that of the specification', () => {
    const secret = newSecret()
    assert.deepEqual(new Webhook(secret).verify(body, signed([secret])), JSON.parse(body))
    const at = new Date(1_800_000_000_999)
    const signature = new Webhook(secret).sign('msg_1_7', at, body)
    assert.deepEqual(signed([secret], at.getTime()), {
      'webhook-id': 'msg_1_7',
      'webhook-timestamp': '1800000000',
      'webhook-signature': signature,
    })
  })

  test('is verified with either secret while one is replaced', () => {
    const [old, fresh] = [newSecret(), newSecret()]
    const headers = signed([fresh, old])
    for (const secret of [old, fresh]) assert.ok(new Webhook(secret).verify(body, headers))
    assert.throws(() => new Webhook(newSecret()).verify(body, headers), /No matching signature/)
  })

  test('is not verified if its body, its id or its time was changed, or is too long ago', () => {
    const secret = newSecret()
    const headers = signed([secret])
    const verify = (text: string, change: object = {}) => new Webhook(secret).verify(text, { ...headers, ...change })
    assert.throws(() => verify(body.replace('7', '8')))
    assert.throws(() => verify(body, { 'webhook-id': 'msg_1_8' }))
    assert.throws(() => verify(body, { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }))
    assert.throws(() => new Webhook(secret).verify(body, signed([secret], Date.now() - 360_000)), /too old/)
  })

  test('has a secret of 256 random bits', () => {
    const secrets = new Set(Array.from({ length: 100 }, newSecret))
    assert.equal(secrets.size, 100)
    for (const secret of secrets) assert.match(secret, /^whsec_[\w+/]{43}=$/)
  })
})
