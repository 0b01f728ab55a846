/** Webhooks and their deliveries in a store, beyond what clients see: claims, and when what is due. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StoredWebhook } from '../../src/model/webhook.ts'
import type { ClaimedDelivery, NewDelivery, WebhookTable } from '../../src/store/webhook-table.ts'
import type { Subject } from './subject.ts'

type Tried = Parameters<WebhookTable['finish']>[1]

const at = 1_800_000_000_000
const hour = 3_600_000
const position = (id: number) => ({ id, at: at + id * hour })

/** The times may differ by a minute, because the clock may be that of another machine. */
const assertAbout = (found: number, expected: number) => assert.ok(Math.abs(found - expected) < 60_000, `${found}`)

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
  /** Only one test postpones a delivery for longer than this. */
  const longestPause = 10 * hour
  const claim = (id: number) => table().claim(id, longestPause, 100)
  const idsOf = (claims: readonly ClaimedDelivery[]) => claims.map(({ eventId }) => eventId)
  const listed = (id: number) => table().deliveries(BigInt(id), never, 100)
  const event = (eventId: number): NewDelivery => ({
    eventId,
    type: 'pet.created',
    subject: `pet ${eventId}`,
    at: position(eventId).at,
    body: `{"id":${eventId},"name":"𝔊𝔯𝔦𝔰𝔲 \\"'"}`,
  })
  const pendingOf = (eventId: number) => ({
    ...event(eventId),
    status: 'pending',
    tries: 0,
    nextTryAt: 0,
    responseStatus: undefined,
    fault: undefined,
  })
  const itFailed = { reason: 'it failed', silentMilliseconds: 0 }
  /** Adds a webhook with deliveries of these events. */
  async function withDeliveries(...eventIds: number[]): Promise<number> {
    const { id } = await add()
    assert.equal(await table().add(id, position(5), position(100), eventIds.map(event)), true)
    return id
  }
  /** Claims a delivery, and finishes it with this result. */
  async function finish(id: number, eventId: number, changed: Partial<Tried>) {
    const claimed = (await claim(id)).find((each) => each.eventId === eventId) ?? assert.fail(`${eventId} is not due`)
    await table().finish(id, { ...claimed, tries: 1, fault: 'timeout', ...changed })
  }

  describe('webhooks', () => {
    test('Webhooks that are added concurrently are stored up to the maximum [decision 16]', async () => {
      await add()
      const max = (await table().page(0, 1_000)).length + 5
      const added = await Promise.all(Array.from({ length: 50 }, () => insert({}, max)))
      assert.equal(added.filter(Boolean).length, 5)
      assert.equal((await table().page(0, 1_000)).length, max)
      const last = Math.max(...added.map((webhook) => webhook?.id ?? 0))
      assert.equal(await table().remove(BigInt(last)), true)
      assert.ok(((await insert({}, max))?.id ?? 0) > last, 'there is room for one again, with an id of its own')
      assert.equal(await insert({}, max), undefined)
    })

    test('Deliveries are added together with the new position of the webhook, and only from its present position [decision 16]', async () => {
      const { id } = await add()
      for (const from of [position(4), { id: 5, at: position(4).at }])
        assert.equal(await table().add(id, from, position(9), [event(7)]), false)
      assert.deepEqual([(await found(id)).position, await listed(id)], [position(5), []])
      const added = await Promise.all(
        [1, 2, 3].map(() => table().add(id, position(5), position(9), [event(7), event(8)])),
      )
      assert.deepEqual(added.filter(Boolean), [true], 'by one of those who have read them')
      assert.equal(await table().add(id, position(9), position(12), []), true)
      assert.deepEqual((await found(id)).position, position(12))
      assert.deepEqual(await listed(id), [pendingOf(8), pendingOf(7)])
      await table().update(BigInt(id), { enabled: false })
      assert.equal(await table().add(id, position(12), position(13), [event(13)]), false, 'disabled')
    })

    test('The queue of a webhook is counted while it is enabled, with the age of its oldest event', async () => {
      const [id, other] = [await withDeliveries(7, 8, 9), await add()]
      await finish(id, 7, { status: 'delivered' })
      const queues = await table().queues()
      const queueOf = (of: number) => queues.find(({ webhook }) => webhook.id === of)
      assert.partialDeepStrictEqual(queueOf(id), { webhook: await found(id), waiting: 2 })
      assertAbout((queueOf(id)?.oldestMilliseconds ?? 0) + position(8).at, Date.now())
      assert.deepEqual(queueOf(other.id), { webhook: other, waiting: 0, oldestMilliseconds: undefined })
      assert.partialDeepStrictEqual(await table().queues(id), [{ webhook: await found(id), waiting: 2 }])
      await table().update(BigInt(id), { enabled: false })
      assert.deepEqual(await table().queues(id), [])
    })

    test('A postponed delivery is due at its time, or immediately if a clock that was ahead had postponed it', async () => {
      const id = await withDeliveries(7)
      await finish(id, 7, { pauseMilliseconds: hour })
      const [postponed] = await listed(id)
      const { nextTryAt = 0 } = postponed ?? {}
      assert.deepEqual(postponed, { ...pendingOf(7), tries: 1, nextTryAt, fault: 'timeout' })
      assertAbout(nextTryAt, Date.now() + hour)
      assert.deepEqual(idsOf(await claim(id)), [])
      const ahead = await table().claim(id, hour / 2, 1)
      assert.deepEqual(idsOf(ahead), [7])
      await table().finish(id, { ...(ahead[0] as ClaimedDelivery), pauseMilliseconds: 0 })
      assert.deepEqual(idsOf(await claim(id)), [7])
      assert.deepEqual(idsOf(await claim(id)), [], 'it is under way')
    })

    test('The clock of the database decides how long an old secret of a webhook signs [decision 16]', async () => {
      const { id, secret } = await add()
      for (const [oldMilliseconds, oldSecret, next] of [
        [hour, secret, 'whsec_b'],
        [0, undefined, 'whsec_c'],
      ] as const) {
        const rotated = await table().rotate(BigInt(id), next, oldMilliseconds)
        assert.partialDeepStrictEqual(rotated, { secret: next, oldSecret })
        assert.deepEqual(await found(id), rotated)
        assert.deepEqual((await table().queues(id))[0]?.webhook, rotated)
      }
    })

    test('The last attempt disables a webhook, and enabling it makes everything due that was not delivered [decision 16]', async () => {
      const id = await withDeliveries(7, 8, 9)
      const [one, two, three] = (await claim(id)) as [ClaimedDelivery, ClaimedDelivery, ClaimedDelivery]
      await table().finish(id, { ...one, status: 'delivered' })
      await table().finish(id, { ...two, status: 'failed', tries: 10 }, { ...itFailed, reason: 'too late' })
      await table().finish(id, { ...three, pauseMilliseconds: hour })
      assert.partialDeepStrictEqual(await found(id), { enabled: false, reason: 'too late' })
      assert.deepEqual(await claim(id), [], 'it gets nothing')
      await table().update(BigInt(id), { enabled: true })
      assert.partialDeepStrictEqual(await found(id), { enabled: true, reason: undefined, position: position(100) })
      const due = await claim(id)
      assert.deepEqual(
        due.map(({ eventId, tries }) => [eventId, tries]),
        [
          [8, 0],
          [9, 0],
        ],
      )
      await table().update(BigInt(id), { enabled: true })
      assert.deepEqual(await claim(id), [], 'those under way stay locked')
    })

    test('The last attempt does not disable a webhook that has received something since [decision 16]', async () => {
      const id = await withDeliveries(7, 8, 9)
      const [one, two, three] = (await claim(id)) as [ClaimedDelivery, ClaimedDelivery, ClaimedDelivery]
      const fail = (claimed: ClaimedDelivery, silentMilliseconds: number) =>
        table().finish(id, { ...claimed, status: 'failed', tries: 10 }, { reason: 'too late', silentMilliseconds })
      await table().finish(id, { ...one, status: 'delivered' })
      await fail(two, hour)
      assert.partialDeepStrictEqual(await found(id), { enabled: true, reason: undefined })
      assert.equal((await table().queues(id))[0]?.waiting, 1, 'what has failed does not wait')
      await fail(three, 0)
      assert.partialDeepStrictEqual(await found(id), { enabled: false, reason: 'too late' })
    })

    for (const [how, makeDue] of [
      ['by itself', (id: bigint) => table().redeliver(id, 7n)],
      ['as its webhook is enabled', (id: bigint) => table().update(id, { enabled: true })],
      ['as its webhook gets another address', (id: bigint) => table().update(id, { url: 'https://new.example/' })],
    ] as const)
      test(`A delivery that is made due again during an attempt, ${how}, has all its attempts again [decision 16]`, async () => {
        const id = await withDeliveries(7)
        const [last] = (await claim(id)) as [ClaimedDelivery]
        await makeDue(BigInt(id))
        await makeDue(BigInt(id))
        assert.deepEqual(await claim(id), [], 'not while it is tried')
        assert.equal(await table().finish(id, { ...last, status: 'failed', tries: 10 }, itFailed), false)
        assert.partialDeepStrictEqual(await table().deliveries(BigInt(id), 8, 1), [{ status: 'pending', tries: 0 }])
        assert.equal((await table().find(BigInt(id)))?.enabled, true)
        assert.deepEqual(idsOf(await claim(id)), [7], 'as soon as that try has ended')
      })

    test('The result of an attempt counts if the webhook is set to the address that it already has', async () => {
      const id = await withDeliveries(7)
      const [claimed] = (await claim(id)) as [ClaimedDelivery]
      const { url } = (await table().find(BigInt(id))) ?? assert.fail('not found')
      assert.equal((await table().update(BigInt(id), { url, types: ['pet.created'] }))?.types.length, 1)
      assert.equal(await table().finish(id, { ...claimed, status: 'failed', tries: 10 }, itFailed), true)
      await table().update(BigInt(id), { url: 'https://new.example/' })
      assert.partialDeepStrictEqual(await table().deliveries(BigInt(id), 8, 1), [{ status: 'failed', tries: 10 }])
    })

    test('Deliveries are removed together with their events, except those that are still to be attempted [decision 16]', async () => {
      const [id, disabled] = [
        await withDeliveries(7, 8, 9),
        await withDeliveries(...Array.from({ length: 2_500 }, (_, i) => i + 7)),
      ]
      await table().update(BigInt(disabled), { enabled: false })
      const purged = async (of = id) => {
        await given().store.events.purge(Date.now() - position(2_499.5).at)
        return (await listed(of)).map(({ eventId }) => eventId)
      }
      assert.deepEqual(await purged(disabled), [2506, 2505, 2504, 2503, 2502, 2501, 2500])
      const [one, two] = (await claim(id)) as [ClaimedDelivery, ClaimedDelivery]
      await table().finish(id, { ...one, status: 'delivered' })
      assert.deepEqual(await purged(), [9, 8])
      await table().finish(id, { ...two, status: 'failed' }, itFailed)
      assert.deepEqual(await purged(), [])
    })
  })
}
