/** What is to be delivered to one webhook: which is next, and what it costs to find that it is none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredDelivery, StoredWebhook } from '../../src/model/webhook.ts'
import { Endpoint } from '../../src/webhooks/endpoint.ts'

const due = 1_000

test('deliveries that wait are looked at once, and not again before the first of them is due', () => {
  const endpoint = new Endpoint({} as StoredWebhook)
  let looks = 0
  endpoint.pending = Array.from({ length: 3 }, (_, i) => ({
    ...({ eventId: i, subject: `pet ${i % 2}` } as StoredDelivery),
    get nextTryAt() {
      looks++
      return due + i
    },
  }))
  assert.equal(endpoint.next(0), undefined)
  const once = looks
  for (let now = 0; now < due; now++) assert.equal(endpoint.next(now), undefined)
  assert.equal(looks, once)
  assert.equal(endpoint.next(due)?.eventId, 0)
})
