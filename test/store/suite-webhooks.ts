/** Webhooks and their deliveries in a store. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StoredWebhook } from '../../src/model/webhook.ts'
import type { ClaimedDelivery, NewDelivery, WebhookTable } from '../../src/store/webhooks.ts'
import type { Subject } from './subject.ts'

type DeliveryState = Parameters<WebhookTable['finish']>[1]

const at = 1_800_000_000_000
const position = (id: number) => ({ id, at: at + id })

export function webhookSuite(given: () => Subject): void {
  const table = () => given().store.webhooks
  const insert = (webhook: Partial<StoredWebhook>, max: number) =>
    table().insert(
      { url: 'https://a.example/', types: [], secret: 'whsec_a', position: position(5), createdAt: at, ...webhook },
      max,
    )
  const add = async (webhook: Partial<StoredWebhook> = {}) =>
    (await insert(webhook, 1_000)) ?? assert.fail('there are as many as there may be')
  const found = async (id: number) => (await table().find(BigInt(id))) ?? assert.fail('no such webhook')
  const never = Number.MAX_SAFE_INTEGER
  /** Claims what is due at a time that is later than any that the tests set. */
  const claim = (id: number, limit = 100, now = at + 1_000) => table().claim(id, now, never, limit)
  const idsOf = (claims: readonly ClaimedDelivery[]) => claims.map(({ eventId }) => eventId)
  const listed = (id: number) => table().deliveries(BigInt(id), never, 100)
  const event = (eventId: number): NewDelivery => ({
    eventId,
    type: 'pet.created',
    subject: `pet ${eventId}`,
    at: at + eventId,
    body: `{"id":${eventId},"name":"𝔊𝔯𝔦𝔰𝔲 \\"'"}`,
  })
  const pendingOf = (eventId: number) => ({
    ...event(eventId),
    status: 'pending',
    ...{ tries: 0, nextTryAt: 0, responseStatus: undefined, fault: undefined },
  })
  const state = (eventId: number, changed: Partial<DeliveryState> = {}): DeliveryState => ({
    ...{ eventId, lockedUntil: 0, status: 'pending', tries: 1, nextTryAt: at + 1, responseStatus: undefined },
    ...{ fault: 'timeout', ...changed },
  })
  /** A webhook with deliveries of these events. */
  async function withDeliveries(...eventIds: number[]): Promise<number> {
    const { id } = await add()
    assert.equal(await table().add(id, position(5), position(100), eventIds.map(event)), true)
    return id
  }
  /** Claims one and finishes it so. */
  async function finish(id: number, eventId: number, changed: Partial<DeliveryState>, reason?: string) {
    const claimed = (await claim(id)).find((each) => each.eventId === eventId) ?? assert.fail(`${eventId} is not due`)
    await table().finish(id, { ...state(eventId, changed), lockedUntil: claimed.lockedUntil }, reason)
  }

  describe('webhooks', () => {
    test('one is found by its id with all that was given, and listed by id', async () => {
      const [one, other] = [
        await add(),
        await add({ url: 'https://b.example/?q="\\', types: ['pet.created', 'order.placed'] }),
      ]
      assert.deepEqual(one, {
        ...{ id: one.id, url: 'https://a.example/', types: [], enabled: true, reason: undefined, createdAt: at },
        ...{ secret: 'whsec_a', oldSecret: undefined, oldSecretUntil: 0, position: position(5) },
      })
      assert.deepEqual(await found(other.id), other)
      assert.deepEqual(other.types, ['pet.created', 'order.placed'])
      assert.deepEqual(await table().page(one.id - 1, 2), [one, other])
      assert.deepEqual(await table().page(one.id - 1, 1), [one])
      assert.equal(await table().find(BigInt(other.id + 1_000_000)), undefined)
    })

    test('of many added at once, as many are stored as there may be [D131]', async () => {
      await add()
      const max = (await table().page(0, 1_000)).length + 5
      const added = await Promise.all(Array.from({ length: 50 }, () => insert({}, max)))
      assert.equal(added.filter(Boolean).length, 5)
      assert.equal((await table().page(0, 1_000)).length, max)
      await table().remove(BigInt(added.find(Boolean)?.id ?? 0))
      assert.ok(await insert({}, max), 'there is room for one again')
      assert.equal(await insert({}, max), undefined)
    })

    test('a change leaves the rest as it is, and reaches one only', async () => {
      const [webhook, other] = [await add(), await add()]
      const id = BigInt(webhook.id)
      const change = { url: 'https://c.example/' }
      assert.deepEqual(await table().update(id, change, at), { ...webhook, ...change })
      const disabled = await table().update(id, { types: ['pet.deleted'], enabled: false }, at)
      assert.deepEqual(disabled, { ...webhook, ...change, types: ['pet.deleted'], enabled: false })
      assert.deepEqual((await table().update(id, { types: [] }, at))?.types, [])
      assert.deepEqual(await found(other.id), other)
      assert.equal(await table().update(id + 1_000_000n, { enabled: true }, at), undefined)
    })

    test('a new secret keeps the old one for a while', async () => {
      const { id } = await add()
      await table().rotate(BigInt(id), 'whsec_b', at + 1)
      const rotated = await table().rotate(BigInt(id), 'whsec_c', at + 2)
      assert.partialDeepStrictEqual(rotated, { secret: 'whsec_c', oldSecret: 'whsec_b', oldSecretUntil: at + 2 })
      assert.deepEqual(await found(id), rotated)
      assert.equal(await table().rotate(BigInt(id + 1_000_000), 'whsec_d', 0), undefined)
    })

    test('one that is removed is gone, and its id is not assigned again', async () => {
      const { id } = await add()
      assert.equal(await table().remove(BigInt(id)), true)
      assert.equal(await table().remove(BigInt(id)), false)
      assert.equal(await table().find(BigInt(id)), undefined)
      assert.ok((await add()).id > id)
    })

    test('deliveries are added with the position, from where it is, or not at all [D125]', async () => {
      const { id } = await add()
      for (const from of [position(4), { id: 5, at: at + 4 }])
        assert.equal(await table().add(id, from, position(9), [event(7)]), false)
      assert.deepEqual([(await found(id)).position, await listed(id)], [position(5), []])
      const added = await Promise.all(
        [1, 2, 3].map(() => table().add(id, position(5), position(9), [event(7), event(8)])),
      )
      assert.deepEqual(added.filter(Boolean), [true], 'by one of those who have read them')
      assert.equal(await table().add(id, position(9), position(12), []), true)
      assert.deepEqual((await found(id)).position, position(12))
      assert.deepEqual(await listed(id), [pendingOf(8), pendingOf(7)])
      await table().update(BigInt(id), { enabled: false }, at)
      assert.equal(await table().add(id, position(12), position(13), [event(13)]), false, 'disabled')
    })

    test('what waits for a webhook is counted while it is enabled, with the time of the oldest event', async () => {
      const [id, other] = [await withDeliveries(7, 8, 9), await add()]
      await finish(id, 7, { status: 'delivered' })
      const queues = await table().queues()
      const queueOf = (of: number) => queues.find(({ webhook }) => webhook.id === of)
      assert.deepEqual(queueOf(id), { webhook: await found(id), waiting: 2, oldestAt: at + 8 })
      assert.deepEqual(queueOf(other.id), { webhook: other, waiting: 0, oldestAt: undefined })
      assert.deepEqual(await table().queues(id), [queueOf(id)])
      await table().update(BigInt(id), { enabled: false }, at)
      assert.deepEqual(await table().queues(id), [])
    })

    test('of many who claim at once, each delivery goes to one, the earliest events first [D125]', async () => {
      const [id, other] = [
        await withDeliveries(...Array.from({ length: 40 }, (_, i) => i + 7)),
        await withDeliveries(7),
      ]
      const claims = (await Promise.all(Array.from({ length: 8 }, () => claim(id, 5)))).flat()
      assert.equal(new Set(idsOf(claims)).size, claims.length)
      assert.ok(claims.length >= 5 && Math.max(...idsOf(claims)) < 7 + claims.length, idsOf(claims).join())
      const [first] = claims.filter(({ eventId }) => eventId === 7)
      const { lockedUntil, ...delivery } = first ?? assert.fail('the first was not claimed')
      assert.deepEqual(delivery, pendingOf(7))
      assert.equal((await claim(id)).length, 40 - claims.length, 'the others')
      assert.deepEqual(await claim(id), [])
      assert.deepEqual(idsOf(await claim(other)), [7])
    })

    test('what is put off is due at its time, or if a clock that was ahead has put it off', async () => {
      const id = await withDeliveries(7)
      await finish(id, 7, { nextTryAt: at + 5_000 })
      const [claimed] = await listed(id)
      assert.deepEqual(claimed, { ...pendingOf(7), tries: 1, nextTryAt: at + 5_000, fault: 'timeout' })
      assert.deepEqual(idsOf(await table().claim(id, at + 4_999, at + 5_000, 1)), [])
      assert.deepEqual(idsOf(await table().claim(id, at, at + 4_999, 1)), [7])
      assert.deepEqual(await table().claim(id, at + 5_000, never, 1), [], 'it is under way')
    })

    test('a try that ends late changes nothing once another has claimed or finished the delivery [D125]', async () => {
      const id = await withDeliveries(7)
      const [own] = (await claim(id)) as [ClaimedDelivery]
      const late = { ...state(7, { status: 'failed', tries: 10 }), lockedUntil: own.lockedUntil - 1 }
      assert.equal(await table().finish(id, late, 'too late'), false)
      assert.deepEqual(await claim(id), [], 'it is still under way')
      assert.equal(await table().finish(id, { ...own, status: 'delivered', responseStatus: 204 }, undefined), true)
      assert.equal(await table().finish(id, { ...state(7), lockedUntil: own.lockedUntil }, 'too late'), false)
      assert.partialDeepStrictEqual(await listed(id), [{ status: 'delivered', responseStatus: 204 }])
      assert.equal((await found(id)).enabled, true)
    })

    test('the last try disables the webhook with a reason; enabling it makes all that was not delivered due [D127]', async () => {
      const id = await withDeliveries(7, 8, 9)
      const [one, two, three] = (await claim(id)) as [ClaimedDelivery, ClaimedDelivery, ClaimedDelivery]
      await table().finish(id, { ...one, status: 'delivered' }, undefined)
      await table().finish(id, { ...two, status: 'failed', tries: 10 }, 'too late')
      await table().finish(id, { ...three, nextTryAt: at + 5_000 }, undefined)
      assert.partialDeepStrictEqual(await found(id), { enabled: false, reason: 'too late' })
      assert.deepEqual(await claim(id, 100, at + 5_000), [], 'it gets nothing')
      await table().update(BigInt(id), { enabled: true }, at + 50)
      assert.partialDeepStrictEqual(await found(id), { enabled: true, reason: undefined, position: position(100) })
      const due = (await claim(id, 100, at + 50)).map(({ eventId, tries, nextTryAt }) => [eventId, tries, nextTryAt])
      assert.deepEqual(due, [
        [8, 0, at + 50],
        [9, 0, at + 50],
      ])
      await table().update(BigInt(id), { enabled: true }, at + 60)
      assert.deepEqual(await claim(id, 100, at + 60), [], 'those under way stay locked')
    })

    test('deliveries are listed from the newest event on, those of one webhook only; one may be made due again', async () => {
      const [id, other] = [await withDeliveries(7, 8, 9), await withDeliveries(8)]
      const page = async (before: number, limit: number) =>
        (await table().deliveries(BigInt(id), before, limit)).map(({ eventId }) => eventId)
      assert.deepEqual([await page(never, 2), await page(8, 2)], [[9, 8], [7]])
      for (const each of [id, other]) await finish(each, 8, { status: 'delivered' })
      const again = await table().redeliver(BigInt(id), 8n, at + 9)
      assert.partialDeepStrictEqual(again, { status: 'pending', tries: 0, nextTryAt: at + 9 })
      assert.deepEqual(idsOf(await claim(id, 1, at + 8)), [])
      assert.deepEqual(idsOf(await claim(id, 1, at + 9)), [8])
      assert.deepEqual(await claim(other), [])
      assert.equal(await table().redeliver(BigInt(id), 10n, at), undefined)
    })

    for (const [how, makeDue] of [
      ['by itself', (id: bigint) => table().redeliver(id, 7n, at)],
      ['as its webhook is enabled', (id: bigint) => table().update(id, { enabled: true }, at)],
    ] as const)
      test(`one that is made due again while it is tried, ${how}, has all its tries before it, however that try ends`, async () => {
        const id = await withDeliveries(7)
        const [last] = (await claim(id)) as [ClaimedDelivery]
        await makeDue(BigInt(id))
        assert.equal(await table().finish(id, { ...last, status: 'failed', tries: 10 }, 'it failed'), false)
        assert.partialDeepStrictEqual(await table().deliveries(BigInt(id), 8, 1), [{ status: 'pending', tries: 0 }])
        assert.equal((await table().find(BigInt(id)))?.enabled, true)
        assert.deepEqual(await claim(id), [], 'not before the lock ends')
      })

    test('deliveries are removed with their events, also more than a portion, and no others [D139]', async () => {
      const id = await withDeliveries(...Array.from({ length: 2_500 }, (_, i) => i + 7))
      await table().update(BigInt(id), { enabled: false }, at)
      await given().store.events.purge(at + 2_500)
      const left = await table().deliveries(BigInt(id), 10_000, 100)
      assert.deepEqual(
        left.map(({ eventId }) => eventId),
        [2506, 2505, 2504, 2503, 2502, 2501, 2500],
      )
    })

    test('a delivery that is still to be tried outlives its event, until it has ended or its webhook is disabled [D139]', async () => {
      const id = await withDeliveries(7, 8, 9)
      const purged = async () => {
        await given().store.events.purge(at + 100)
        return (await table().deliveries(BigInt(id), 10_000, 100)).map(({ eventId }) => eventId)
      }
      const [one, two] = (await claim(id)) as [ClaimedDelivery, ClaimedDelivery]
      await table().finish(id, { ...one, status: 'delivered' }, undefined)
      assert.deepEqual(await purged(), [9, 8])
      await table().finish(id, { ...two, status: 'failed' }, 'no answer')
      assert.deepEqual(await purged(), [])
    })
  })
}
