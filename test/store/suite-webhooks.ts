/** Webhooks and their deliveries in a store. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StoredWebhook } from '../../src/model/webhook.ts'
import type { DeliveryState, Lease, NewDelivery } from '../../src/store/webhooks.ts'
import type { Subject } from './subject.ts'

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
  const leaseOf = async (id: number): Promise<Lease> =>
    (await table().leases()).find(({ webhook }) => webhook.id === id) ?? assert.fail('not among the leases')
  const take = async (id: number, holder: string) =>
    assert.deepEqual(await table().lease(holder, [await leaseOf(id)]), [id])
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
    eventId,
    ...{ status: 'pending', tries: 1, nextTryAt: at + 1, responseStatus: undefined, fault: 'timeout', ...changed },
  })
  /** A webhook that `me` delivers for, with deliveries of these events. */
  async function withDeliveries(...eventIds: number[]): Promise<number> {
    const { id } = await add()
    await take(id, 'me')
    assert.equal(await table().add(id, 'me', position(5), position(100), eventIds.map(event)), true)
    return id
  }

  describe('webhooks', () => {
    test('one is found by its id with all that was given, and listed by id', async () => {
      const [one, other] = [
        await add(),
        await add({ url: 'https://b.example/?q="\\', types: ['pet.created', 'order.placed'] }),
      ]
      assert.deepEqual(one, {
        ...{ id: one.id, url: 'https://a.example/', types: [], enabled: true, reason: undefined, createdAt: at },
        ...{ secret: 'whsec_a', oldSecret: undefined, oldSecretUntil: 0, position: position(5), revision: 0 },
      })
      assert.deepEqual(await found(other.id), other)
      assert.deepEqual(other.types, ['pet.created', 'order.placed'])
      assert.deepEqual(await table().page(one.id - 1, 2), [one, other])
      assert.deepEqual(await table().page(one.id - 1, 1), [one])
      assert.equal(await table().find(BigInt(other.id + 1_000_000)), undefined)
    })

    test('of many added at once, as many are stored as there may be', async () => {
      await add()
      const max = (await table().page(0, 1_000)).length + 5
      const added = await Promise.all(Array.from({ length: 50 }, () => insert({}, max)))
      assert.equal(added.filter(Boolean).length, 5)
      assert.equal((await table().page(0, 1_000)).length, max)
      await table().remove(BigInt(added.find(Boolean)?.id ?? 0))
      assert.ok(await insert({}, max), 'there is room for one again')
      assert.equal(await insert({}, max), undefined)
    })

    test('a change leaves the rest as it is, reaches one only, and is seen by its revision', async () => {
      const [webhook, other] = [await add(), await add()]
      const id = BigInt(webhook.id)
      const change = { url: 'https://c.example/' }
      assert.deepEqual(await table().update(id, change, at), { ...webhook, ...change, revision: 1 })
      const disabled = await table().update(id, { types: ['pet.deleted'], enabled: false }, at)
      assert.deepEqual(disabled, { ...webhook, ...change, types: ['pet.deleted'], enabled: false, revision: 2 })
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

    test('a lease goes to one of those who ask for it as it is, and is renewed by its holder until it is released', async () => {
      const { id } = await add()
      const free = await leaseOf(id)
      assert.equal(free.holder, undefined)
      const asked = await Promise.all(['a', 'b', 'c'].map((holder) => table().lease(holder, [free])))
      assert.deepEqual(asked.flat(), [id])
      const { holder = '', beat } = await leaseOf(id)
      assert.deepEqual(asked[['a', 'b', 'c'].indexOf(holder)], [id])
      await take(id, holder)
      assert.notEqual((await leaseOf(id)).beat, beat)
      await table().release('nobody')
      assert.equal((await leaseOf(id)).holder, holder)
      await table().release(holder)
      assert.equal((await leaseOf(id)).holder, undefined)
      assert.deepEqual(await table().lease('a', [free]), [], 'seen before somebody else had it')
    })

    test('deliveries are added with the position, by the holder alone, or not at all', async () => {
      const { id } = await add()
      await take(id, 'me')
      for (const [holder, from] of [
        ['me', 4],
        ['another', 5],
      ] as const)
        assert.equal(await table().add(id, holder, position(from), position(9), [event(7)]), false)
      assert.deepEqual([(await found(id)).position, await table().pending(id, 10)], [position(5), []])
      assert.equal(await table().add(id, 'me', position(5), position(9), [event(7), event(8)]), true)
      assert.equal(await table().add(id, 'me', position(9), position(12), []), true)
      assert.deepEqual((await found(id)).position, position(12))
      assert.deepEqual(await table().pending(id, 10), [pendingOf(7), pendingOf(8)])
      assert.deepEqual(await table().pending(id, 1), [pendingOf(7)])
      await table().update(BigInt(id), { enabled: false }, at)
      assert.equal(await table().add(id, 'me', position(12), position(13), [event(13)]), false, 'disabled')
    })

    test('how a try went is kept; what is delivered is not pending', async () => {
      const id = await withDeliveries(7, 8)
      await table().finish(id, state(7), undefined)
      await table().finish(id, state(8, { status: 'delivered', responseStatus: 204, fault: undefined }), undefined)
      const failed = { ...event(7), ...state(7) }
      assert.deepEqual(await table().pending(id, 10), [failed])
      const delivered = { ...event(8), ...state(8), status: 'delivered', responseStatus: 204, fault: undefined }
      assert.deepEqual(await table().deliveries(BigInt(id), 100, 10), [delivered, failed])
      assert.equal((await found(id)).enabled, true)
    })

    test('what was delivered stays so, whatever comes of a try that ends later', async () => {
      const id = await withDeliveries(7)
      await table().finish(id, state(7, { status: 'delivered' }), undefined)
      await table().finish(id, state(7), undefined)
      await table().finish(id, state(7, { status: 'failed', tries: 10 }), 'too late')
      assert.deepEqual(await table().pending(id, 10), [])
      assert.equal((await found(id)).enabled, true)
    })

    test('the last try disables the webhook with a reason; enabling it makes all that was not delivered due', async () => {
      const id = await withDeliveries(7, 8, 9)
      await table().finish(id, state(7, { status: 'delivered' }), undefined)
      await table().finish(id, state(8, { status: 'failed', tries: 10 }), 'too late')
      assert.partialDeepStrictEqual(await found(id), { enabled: false, reason: 'too late' })
      assert.ok(!(await table().leases()).some(({ webhook }) => webhook.id === id))
      assert.deepEqual(await table().pending(id, 10), [pendingOf(9)])
      await table().update(BigInt(id), { enabled: true }, at + 50)
      assert.partialDeepStrictEqual(await found(id), { enabled: true, reason: undefined, position: position(100) })
      const due = (await table().pending(id, 10)).map(({ eventId, tries, nextTryAt }) => [eventId, tries, nextTryAt])
      assert.deepEqual(due, [
        [8, 0, at + 50],
        [9, 0, at + 50],
      ])
      assert.equal((await leaseOf(id)).holder, undefined)
    })

    test('deliveries are listed from the newest event on, those of one webhook only', async () => {
      const [id, other] = [await withDeliveries(7, 8, 9), await withDeliveries(8)]
      const idsOf = async (before: number, limit: number) =>
        (await table().deliveries(BigInt(id), before, limit)).map(({ eventId }) => eventId)
      assert.deepEqual(await idsOf(Number.MAX_SAFE_INTEGER, 2), [9, 8])
      assert.deepEqual(await idsOf(8, 2), [7])
      assert.equal((await table().deliveries(BigInt(other), 100, 10)).length, 1)
    })

    test('one that was delivered may be made due again, which its webhook shows', async () => {
      const [id, other] = [await withDeliveries(7), await withDeliveries(7)]
      for (const each of [id, other]) await table().finish(each, state(7, { status: 'delivered' }), undefined)
      const again = await table().redeliver(BigInt(id), 7n, at + 9)
      assert.partialDeepStrictEqual(again, { status: 'pending', tries: 0, nextTryAt: at + 9 })
      assert.deepEqual(await table().pending(id, 10), [again])
      assert.equal((await found(id)).revision, 1)
      assert.deepEqual(await table().pending(other, 10), [])
      assert.equal(await table().redeliver(BigInt(id), 8n, at), undefined)
    })

    test('deliveries are removed with their events, also more than a portion, and no others', async () => {
      const id = await withDeliveries(...Array.from({ length: 2_500 }, (_, i) => i + 7))
      await table().update(BigInt(id), { enabled: false }, at)
      await given().store.events.purge(at + 2_500)
      const left = await table().deliveries(BigInt(id), 10_000, 100)
      assert.deepEqual(
        left.map(({ eventId }) => eventId),
        [2506, 2505, 2504, 2503, 2502, 2501, 2500],
      )
    })

    test('a delivery that is still to be tried outlives its event, until it has ended or its webhook is disabled', async () => {
      const id = await withDeliveries(7, 8, 9)
      const purged = async () => {
        await given().store.events.purge(at + 100)
        return (await table().deliveries(BigInt(id), 10_000, 100)).map(({ eventId }) => eventId)
      }
      await table().finish(id, state(7, { status: 'delivered' }), undefined)
      assert.deepEqual(await purged(), [9, 8])
      await table().finish(id, state(8, { status: 'failed' }), 'no answer')
      assert.deepEqual(await purged(), [])
    })
  })
}
