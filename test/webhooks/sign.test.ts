/** What the service signs, receivers verify with the library of Standard Webhooks. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { readNetwork } from '../../src/config/network.ts'
import { createSender, newSecret } from '../../src/webhooks/send.ts'

const body = '{"id":7,"data":{"name":"𝔊𝔯𝔦𝔰𝔲 é"}}'
const loopback = readNetwork('127.0.0.0/8') ?? assert.fail()

describe('a signed message', () => {
  let received: Record<string, string> = {}
  const receiver = createServer(({ headers }, response) => {
    received = Object.fromEntries(
      Object.entries(headers).filter(([name]) => name.startsWith('webhook-')),
    ) as typeof received
    response.end()
  })
  before(() => once(receiver.listen(0, '127.0.0.1'), 'listening'))
  after(() => receiver.close())

  async function signed(secrets: readonly string[], now = Date.now()): Promise<Record<string, string>> {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
    const sender = createSender({ clock: () => now, allowed: [loopback] })
    assert.deepEqual(await sender.send({ url, id: 'msg_1_7', body, secrets, tries: 0 }), { status: 200 })
    return received
  }

  test('is verified by the package standardwebhooks, and its signature is that of the specification [D121]', async () => {
    const secret = newSecret()
    assert.deepEqual(new Webhook(secret).verify(body, await signed([secret])), JSON.parse(body))
    const at = new Date(1_800_000_000_999)
    const signature = new Webhook(secret).sign('msg_1_7', at, body)
    assert.deepEqual(await signed([secret], at.getTime()), {
      'webhook-id': 'msg_1_7',
      'webhook-timestamp': '1800000000',
      'webhook-signature': signature,
    })
  })

  test('is verified with either secret while one is replaced [D121]', async () => {
    const [old, fresh] = [newSecret(), newSecret()]
    const headers = await signed([fresh, old])
    for (const secret of [old, fresh]) assert.ok(new Webhook(secret).verify(body, headers))
    assert.throws(() => new Webhook(newSecret()).verify(body, headers), /No matching signature/)
  })

  test('has a secret of 256 random bits', () => {
    const secrets = new Set(Array.from({ length: 100 }, newSecret))
    assert.equal(secrets.size, 100)
    for (const secret of secrets) assert.match(secret, /^whsec_[\w+/]{43}=$/)
  })
})
