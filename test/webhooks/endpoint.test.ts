/** What is to be delivered to one webhook: which is next, and what it costs to find that it is none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredDelivery, StoredWebhook } from '../../src/model/webhook.ts'
import { Endpoint } from '../../src/webhooks/endpoint.ts'

const due = 1_000
const hour = 60 * 60 * 1_000

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

test('a delivery that was put off by a clock that was ahead for a while is due once the clock is right', () => {
  const endpoint = new Endpoint({} as StoredWebhook)
  const ahead = 10 * 365 * 24 * hour
  endpoint.pending = [{ eventId: 1, subject: 'pet 1', nextTryAt: ahead + 27 * hour } as StoredDelivery]
  assert.equal(endpoint.next(ahead), undefined)
  assert.equal(endpoint.next(0)?.eventId, 1)
})

test('a clock that is set back by less than a pause delays a delivery by as much', () => {
  const endpoint = new Endpoint({} as StoredWebhook)
  endpoint.pending = [{ eventId: 1, subject: 'pet 1', nextTryAt: 2 * hour } as StoredDelivery]
  assert.equal(endpoint.next(hour), undefined)
  assert.equal(endpoint.next(0), undefined)
  assert.equal(endpoint.next(2 * hour)?.eventId, 1)
})
