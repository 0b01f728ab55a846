/** Delivering events to webhooks on both databases: all of them, in order, and again until they are received. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addWebhook, Courier, type Receive, type WebhookMessage } from '../../harness/courier.ts'
import { DatabaseClock, withClock } from '../../harness/database-clock.ts'
import { databases } from '../../harness/databases.ts'
import { becomes, eventually } from '../../harness/patience.ts'
import { releasePostgres } from '../../harness/postgres.ts'
import { randomFrom, seedOf } from '../../harness/random.ts'
import { times } from '../../harness/scope.ts'
import { endLocks, runSql } from '../../harness/sql.ts'
import { openAt } from '../../harness/stores.ts'
import type { StoredWebhook } from '../../src/model/webhook.ts'
import { type Store, StoreUnavailable } from '../../src/store/store.ts'
import { lockMilliseconds } from '../../src/store/webhook-table.ts'
import { systemTime } from '../../src/time.ts'
import type { TryResult } from '../../src/webhooks/send.ts'
import { ofAll, rex, rowOf } from '../store/subject.ts'

const hour = 60 * 60 * 1_000
const ok: TryResult = { status: 204 }
/** Answers only when the attempt is interrupted. */
const hang = ({ signal }: WebhookMessage) =>
  new Promise<TryResult>((resolve) => signal?.addEventListener('abort', () => resolve({ fault: 'aborted' })))

interface Sent {
  readonly id: number
  readonly at: string
  readonly type: string
  readonly data: { id: number; petId?: number; name?: string }
}
const eventOf = ({ body }: WebhookMessage): Sent => JSON.parse(body)
const sentBy = ({ sent }: Courier, count: number) => becomes(async () => sent.length, count)
const idOf = ({ id, at }: Sent): string => `${id}-${Date.parse(at).toString(36)}`
const petIn = ({ data }: Sent): number => data.petId ?? data.id
function assertRising(ids: readonly number[], message = 'in order'): void {
  const sorted = ids.toSorted((a, b) => a - b)
  assert.deepEqual(ids, sorted, message)
}

after(releasePostgres)

for (const database of databases)
  describe(`webhooks on ${database.name}`, () => {
    let store: Store
    let other: Store
    let url: string
    let clock: DatabaseClock
    let remove: () => Promise<void>
    before(async () => {
      ;({ remove, url } = await withClock(database).open())
      clock = new DatabaseClock(url)
      const open = () => openAt(url, 5, url.startsWith('sqlite:') ? clock.time : systemTime)
      ;[store, other] = [await open(), await open()]
    })
    after(async () => {
      await store.close()
      await other.close()
      await remove()
    })

    const addPet = async (name = 'Rex') => rowOf(await store.pets.insert({ ...rex, name }, undefined)).id
    const rename = async (id: number, name: string) =>
      rowOf((await store.pets.update(BigInt(id), { name }, undefined)) ?? 'unknown_pet')
    const found = async ({ id }: StoredWebhook) => (await store.webhooks.find(BigInt(id))) ?? assert.fail('not found')
    const deliveriesOf = ({ id }: StoredWebhook) => store.webhooks.deliveries(BigInt(id), Number.MAX_SAFE_INTEGER, 100)

    const courierOn = (on: Store, receive?: Receive, random?: () => number) => new Courier(on, clock, receive, random)

    const enable = async ({ id }: StoredWebhook, courier: Courier) => {
      await store.webhooks.update(BigInt(id), { enabled: true })
      await courier.after()
    }

    /** Adds a webhook for as long as `work` takes. */
    async function withWebhook(work: (webhook: StoredWebhook) => Promise<void>, given: Partial<StoredWebhook> = {}) {
      const webhook = await addWebhook(store, given)
      try {
        await work(webhook)
      } finally {
        await store.webhooks.remove(BigInt(webhook.id))
      }
    }

    test('Whatever fails, every event is received at least once, and those of each animal in order [decision 16]', (t) =>
      withWebhook(async () => {
        const seed = seedOf(t)
        for (let round = 0; round < times(8, 2); round++) {
          const random = randomFrom(seed + round)
          const received: Sent[] = []
          const receive = (message: WebhookMessage): TryResult => {
            const event = eventOf(message)
            const chance = random()
            // This includes a receiver that accepts the event and answers too late.
            if (chance < 0.6 || isPatient) received.push(event)
            return chance < 0.5 || isPatient ? ok : { fault: 'timeout' }
          }
          let isPatient = false
          const from = await store.events.present()
          const pets: number[] = []
          for (let i = 0; i < 40; i++) {
            const pet = pets[Math.floor(random() * pets.length * 1.5)]
            if (pet === undefined) pets.push(await addPet(`${i}`))
            else await rename(pet, `${i}`)
          }
          for (let i = 0; i < 4; i++) {
            isPatient = i === 3
            // Each instance runs for a while, and the next one resumes where it was stopped.
            await clock.pass(72 * hour)
            await using courier = courierOn(i % 2 ? other : store, receive, random)
            for (let looks = 0; looks < 5; looks++) await courier.after(hour)
          }
          const page = await store.events.page({ after: from, limit: 1_000 })
          assert.ok(page !== 'events_expired')
          const about = (events: readonly Sent[], pet: number) =>
            events.filter((event) => petIn(event) === pet).map(({ id }) => id)
          const all = page.events.map(({ json }) => JSON.parse(json) as Sent)
          for (const pet of pets) {
            const ids = about(received, pet)
            assertRising(ids, `round ${round}`)
            assert.deepEqual([...new Set(ids)], about(all, pet), `round ${round}`)
          }
        }
      }))

    test('Two instances share the deliveries, and neither repeats what the other sends [decision 16]', () =>
      withWebhook(async () => {
        const pets = await Promise.all(Array.from({ length: 150 }, () => addPet()))
        await Promise.all(pets.slice(0, 50).map((id) => rename(id, 'Max')))
        const underWay = new Set<string>()
        const together: string[] = []
        const receive = async (message: WebhookMessage) => {
          const about = String(petIn(eventOf(message)))
          if (underWay.has(about)) together.push(about)
          underWay.add(about)
          await new Promise(setImmediate)
          underWay.delete(about)
          return ok
        }
        await using one = courierOn(store, receive)
        await using two = courierOn(other, receive)
        await Promise.all([one.after(), two.after()])
        await Promise.all([one.after(1_000), two.after(1_000)])
        assert.deepEqual(together, [], 'no two about one animal')
        assert.equal(one.sent.length + two.sent.length, 200)
        assert.equal(new Set([...one.events, ...two.events]).size, 200)
      }))

    test('Another instance sends what a killed instance had claimed once its lock has ended, and not before [decision 16]', () =>
      withWebhook(async (webhook) => {
        const late = Promise.withResolvers<TryResult>()
        const killed = courierOn(store, () => late.promise)
        const pet = await addPet()
        await rename(pet, 'Max')
        killed.deliverer.tick()
        await sentBy(killed, 1)
        await using courier = courierOn(other)
        await courier.after(lockMilliseconds - 10)
        assert.equal(courier.sent.length, 0)
        await courier.after(10)
        assert.deepEqual(courier.events.slice(0, 1), killed.events)
        assert.equal(courier.sent.length, 2)
        // The instance was only suspended, and the result of its attempt does not matter any more.
        late.resolve({ status: 410 })
        await killed.deliverer.settled()
        assert.deepEqual(
          (await deliveriesOf(webhook)).map(({ status }) => status),
          ['delivered', 'delivered'],
        )
        assert.equal((await found(webhook)).enabled, true)
        await killed.deliverer.stop(0)
      }))

    test('A lock counts even if it was taken after the next claim began, and a lock from a clock that was ahead does not [decision 16]', () =>
      withWebhook(async () => {
        await using courier = courierOn(store, hang)
        await addPet()
        courier.deliverer.tick()
        await sentBy(courier, 1)
        await using another = courierOn(other)
        for (const [ahead, sent] of [
          [1_000, []],
          [3_600_000, courier.events],
        ] as const) {
          await runSql(url, `UPDATE deliveries SET locked_until = locked_until + ${ahead}`)
          await another.after()
          assert.deepEqual(another.events, sent)
        }
      }))

    test('An event that is refused for three days fails alone if anything else was delivered meanwhile [decision 16]', () =>
      withWebhook(async (webhook) => {
        const bad = await addPet('bad')
        await rename(bad, 'later')
        let isUp = true
        const refused = { status: 500 }
        await using courier = courierOn(store, (message) => {
          const { type, data } = eventOf(message)
          return isUp && !(type === 'pet.created' && data.name === 'bad') ? ok : refused
        })
        const failed = async () => (await deliveriesOf(webhook)).filter(({ status }) => status === 'failed')
        /** Makes ten attempts, each of which is due when the longest pause is over. */
        const tenTries = async (meanwhile: () => Promise<unknown> = async () => {}) => {
          for (let tries = 0; tries < 10; tries++) {
            await meanwhile()
            await courier.after(28 * hour)
          }
        }
        await tenTries(() => addPet('good'))
        const [lost] = courier.events
        assert.partialDeepStrictEqual(await failed(), [{ eventId: lost, tries: 10 }])
        const warnings = courier.lines.filter(({ level }) => level === 40)
        const msg = 'an event was not delivered to a webhook and will not be retried'
        assert.partialDeepStrictEqual(warnings, [{ msg, webhookId: webhook.id, eventId: lost, tries: 10 }])
        assert.deepEqual([warnings.length, courier.events.length], [1, 10 + 1 + 10], 'and the next of its animal')
        assert.partialDeepStrictEqual(await found(webhook), { enabled: true, reason: undefined })
        assert.equal((await store.webhooks.queues(webhook.id))[0]?.waiting, 0)

        isUp = false
        await addPet('lost')
        await tenTries()
        assert.equal((await failed()).length, 2)
        const { enabled, reason } = await found(webhook)
        assert.equal(enabled, false)
        assert.match(
          reason ?? '',
          /^Nothing was delivered for three days; the last try, of event \d+, ended with 500\.$/,
        )
      }))

    // The rest does not depend on the database, so it is tested once.
    if (database !== databases[0]) return

    test('Events after a webhook was added are sent to it once and in order, only of its types [decision 16]', () =>
      withWebhook(async (webhook) => {
        const some = await addWebhook(store, { url: 'https://some.example/', types: ['pet.updated'] })
        const id = await addPet()
        await rename(id, 'Max')
        await store.categories.put(9_007_199_254_740_993n, 'Dogs', undefined)
        await store.pets.remove(BigInt(id), undefined)
        await using courier = courierOn(store)
        await courier.after()
        await courier.after(1_000)
        for (const [to, expected] of [
          [webhook, ['pet.created Rex', 'pet.updated Max', 'pet.deleted Max', 'category.named Dogs']],
          [some, ['pet.updated Max']],
        ] as const) {
          const messages = courier.sent.filter(({ url }) => url === to.url)
          const about = messages.map(eventOf).map(({ type, data }) => `${type} ${data.name}`)
          assert.deepEqual(new Set(about), new Set(expected))
          assert.deepEqual(
            [about.length, about.filter((text) => text.startsWith('pet'))],
            [expected.length, expected.slice(0, 3)],
          )
          for (const message of messages) {
            assert.equal(message.id, `msg_${to.id}_${idOf(eventOf(message))}`)
            assert.deepEqual(message.secrets, [to.secret])
          }
          assert.ok((await deliveriesOf(to)).every(({ status, tries }) => status === 'delivered' && tries === 1))
        }
        assert.match(courier.sent.map(({ body }) => body).join(), /"data":\{"id":9007199254740993,"name":"Dogs"\}/)
        await using next = courierOn(other)
        await next.after()
        assert.deepEqual(next.sent, [])
        await store.webhooks.remove(BigInt(some.id))
      }))

    test('The store is watched only while there is a webhook', async () => {
      let watchers = 0
      const watch = (onChange: () => void) => {
        const stop = store.events.watch(onChange)
        watchers++
        return () => {
          watchers--
          stop()
        }
      }
      await using courier = courierOn({ ...store, events: { ...store.events, watch } })
      await courier.after(5_000)
      assert.equal(watchers, 0)
      await withWebhook(async () => {
        await courier.after(5_000)
        assert.equal(watchers, 1)
      })
      await courier.after(5_000)
      assert.equal(watchers, 0)
    })

    test('A failed delivery is attempted again with the same id, and after ten attempts the webhook is disabled [decision 16]', () =>
      withWebhook(async (webhook) => {
        const outcomes: TryResult[] = [{ status: 500 }, { fault: 'timeout' }, { status: 302 }]
        await using courier = courierOn(store, () => outcomes.shift() ?? { fault: 'connection_failed' })
        const first = await addPet()
        await courier.after()
        for (const [i, pause] of [5_000, 60_000, 300_000].entries()) {
          await courier.after(pause - 1)
          assert.equal(courier.sent.length, i + 1)
          await courier.after(1)
          assert.equal(courier.sent.length, i + 2)
        }
        for (let tries = 4; tries < 20 && (await found(webhook)).enabled; tries++) await courier.after(28 * hour)
        assert.deepEqual(
          courier.sent.map(({ tries }) => tries),
          [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        )
        assert.equal(new Set(courier.sent.map(({ id, body }) => id + body)).size, 1)
        const { reason } = await found(webhook)
        assert.match(
          reason ?? '',
          /^Nothing was delivered for three days; the last try, of event \d+, .* connection_failed\.$/,
        )
        assert.partialDeepStrictEqual(await deliveriesOf(webhook), [{ status: 'failed', tries: 10 }])
        assert.partialDeepStrictEqual(courier.lines.at(-1), { msg: 'a webhook was disabled', webhookId: webhook.id })
        const second = await addPet()
        await courier.after(24 * hour)
        assert.equal(courier.sent.length, 10, 'nothing is sent while it is disabled')
        courier.receive = () => ok
        await enable(webhook, courier)
        await courier.after(72 * hour)
        assert.deepEqual(
          courier.sent.slice(10).map((message) => petIn(eventOf(message))),
          [first, second],
        )
        const delivered = { status: 'delivered', tries: 1, responseStatus: 204 }
        assert.partialDeepStrictEqual(await deliveriesOf(webhook), [delivered, delivered])
      }))

    test('A receiver that answers 410 is sent nothing more [decision 16]', () =>
      withWebhook(async (webhook) => {
        const late = Promise.withResolvers<TryResult>()
        const answers: (TryResult | Promise<TryResult>)[] = [ok, { status: 410 }]
        await using courier = courierOn(store, () => answers.shift() ?? late.promise)
        for (let pets = 0; pets < 10; pets++) await addPet()
        const begun = courier.after()
        await eventually(
          () => found(webhook),
          ({ enabled }) => !enabled,
        ).finally(() => late.resolve({ status: 500 }))
        await begun
        const { length } = courier.sent
        assert.equal(length, 8, 'those that were under way')
        assert.partialDeepStrictEqual(await found(webhook), {
          enabled: false,
          reason: 'The receiver answered 410: it wants no more events.',
        })
        await addPet()
        await courier.after(72 * hour)
        assert.equal(courier.sent.length, length)
        courier.receive = () => ok
        await enable(webhook, courier)
        assert.equal(new Set(courier.events.slice(length)).size, 10, 'nothing is locked')
      }))

    test('An event that is to be sent again during an attempt is sent as soon as the attempt has ended [decision 16]', () =>
      withWebhook(async (webhook) => {
        const first = Promise.withResolvers<TryResult>()
        await using courier = courierOn(store, () => (courier.sent.length === 1 ? first.promise : ok))
        await addPet()
        const begun = courier.after()
        await sentBy(courier, 1)
        const [eventId] = courier.events as [number]
        await store.webhooks.redeliver(BigInt(webhook.id), BigInt(eventId))
        first.resolve(ok)
        await begun
        assert.deepEqual(courier.events, [eventId, eventId])
        assert.partialDeepStrictEqual(await deliveriesOf(webhook), [{ status: 'delivered', tries: 1 }])
      }))

    test('An animal whose event fails delays only its own later events [decision 16]', () =>
      withWebhook(async () => {
        const [bad, good] = [await addPet('bad'), await addPet('good')]
        let isBad = true
        await using courier = courierOn(store, (message) =>
          isBad && petIn(eventOf(message)) === bad ? { status: 500 } : ok,
        )
        await rename(bad, 'later')
        await rename(good, 'later')
        // What happens to its order is also about the animal.
        rowOf(await store.orders.place({ petId: BigInt(bad) }, undefined))
        await courier.after()
        assert.deepEqual(
          courier.sent.map((message) => [petIn(eventOf(message)), eventOf(message).type]),
          [
            [bad, 'pet.created'],
            [good, 'pet.created'],
            [good, 'pet.updated'],
          ],
        )
        isBad = false
        await courier.after(5_000)
        const types = courier.sent.slice(3).map((message) => eventOf(message).type)
        assert.deepEqual([types[0], types[1]], ['pet.created', 'pet.updated'])
        assert.deepEqual(types.slice(2).toSorted(), ['order.placed', 'pet.updated'])
      }))

    test('About a thousand events wait for a receiver that fails, and at most eight attempts run concurrently [decision 16]', () =>
      withWebhook(async (webhook) => {
        const idle = await addWebhook(store, { types: ['pet.deleted'] })
        await using courier = courierOn(store, () => ({ fault: 'connection_failed' }))
        await Promise.all(Array.from({ length: 1_200 }, () => addPet()))
        await courier.after()
        assert.ok((await store.webhooks.deliveries(BigInt(webhook.id), Number.MAX_SAFE_INTEGER, 2_000)).length < 1_100)
        const gate = Promise.withResolvers<TryResult>()
        const failed = courier.sent.length
        courier.receive = () => gate.promise
        const begun = courier.after(hour)
        await sentBy(courier, failed + 8)
        for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
        assert.equal(courier.sent.length, failed + 8)
        gate.resolve(ok)
        await begun
        assert.equal(new Set(courier.events.slice(failed)).size, 1_200)
        assertRising(courier.events.slice(failed))
        assert.equal((await store.webhooks.queues(webhook.id))[0]?.waiting, 0)
        assert.deepEqual(
          (await found(idle)).position,
          await store.events.present(),
          'also where there is nothing to deliver',
        )
        await store.webhooks.remove(BigInt(idle.id))
      }))

    test('An event that arrives while the queue seems empty is sent without waiting for the next second', () =>
      withWebhook(async () => {
        let isLate = false
        const page: Store['events']['page'] = async (query) => {
          const found = await store.events.page(query)
          if (!isLate && typeof found === 'object' && found.events.length === 0) {
            isLate = true
            await addPet()
            // After these turns, the hint has arrived.
            for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
          }
          return found
        }
        await using courier = courierOn({ ...store, events: { ...store.events, page } })
        await addPet()
        await courier.after()
        assert.equal(courier.sent.length, 2)
      }))

    test('Waiting deliveries precede later events, even if there are more than one claim examines', () =>
      withWebhook(async ({ id, position }) => {
        const pet = await addPet()
        const waiting = Array.from({ length: 1_100 }, (_, i) => ({
          eventId: i - 1_100,
          type: 'pet.updated',
          at: 0,
          body: JSON.stringify({ id: i - 1_100 }),
          // The last deliveries are about the animal of the events that follow.
          subject: i < 1_050 ? `pet 0 ${i}` : `pet ${pet}`,
        }))
        await store.webhooks.add(id, position, await store.events.present(), waiting)
        await rename(pet, 'Max')
        await using courier = courierOn(store)
        await courier.after()
        assertRising(courier.events)
        assert.equal(courier.sent.length, 1_101)
      }))

    test('An attempt begins only if it ends before its lock does, and a claim that took too long is repeated', () =>
      withWebhook(async () => {
        await addPet()
        let claims = 0
        const claim: Store['webhooks']['claim'] = async (...given) => {
          const claimed = await store.webhooks.claim(...given)
          if (claims++ === 0) courier.ticks += 5_000
          return claimed
        }
        await using courier = courierOn({ ...store, webhooks: { ...store.webhooks, claim } })
        await courier.after()
        assert.deepEqual([courier.sent.length, claims], [1, 2])
      }))

    test('An instance that stops immediately releases what it has claimed [decision 16]', () =>
      withWebhook(async () => {
        // The instance has released it when it has stopped, however long that takes.
        const finish: Store['webhooks']['finish'] = async (...given) => {
          await new Promise(setImmediate)
          return store.webhooks.finish(...given)
        }
        const stopping = courierOn({ ...store, webhooks: { ...store.webhooks, finish } }, hang)
        await addPet()
        stopping.after()
        await sentBy(stopping, 1)
        await stopping.deliverer.stop(0)
        await using courier = courierOn(other)
        await courier.after()
        assert.deepEqual(courier.events, stopping.events)
      }))

    test('An instance can stop while it looks for due deliveries, and sends nothing more', () =>
      withWebhook(async () => {
        await addPet()
        let stopped: Promise<void> | undefined
        const present: Store['events']['present'] = async () => {
          stopped ??= courier.deliverer.stop(0)
          return store.events.present()
        }
        const courier = courierOn({ ...store, events: { ...store.events, present } })
        await courier.after()
        await stopped
        assert.deepEqual(courier.sent, [])
      }))

    test('While a secret is replaced both secrets sign, and other changes apply from the next poll on [decision 16]', () =>
      withWebhook(async (webhook) => {
        await using courier = courierOn(store)
        await courier.after()
        const id = BigInt(webhook.id)
        await other.webhooks.rotate(id, 'whsec_bmV3', hour)
        await other.webhooks.update(id, { url: 'https://new.example/' })
        await courier.after(5_000)
        await addPet()
        await courier.after(1_000)
        await addPet()
        await courier.after(hour)
        assert.deepEqual(
          courier.sent.map(({ url, secrets }) => [url, secrets]),
          [
            ['https://new.example/', ['whsec_bmV3', webhook.secret]],
            ['https://new.example/', ['whsec_bmV3']],
          ],
        )
        await other.webhooks.update(id, { enabled: false })
        await courier.after(5_000)
        await addPet()
        await courier.after(5_000)
        assert.equal(courier.sent.length, 2)
      }))

    test('A database that is away for a moment delays deliveries, and may repeat them', () =>
      withWebhook(async (webhook) => {
        const failing = new Set<string>()
        /** Rejects once if this is requested. */
        const now = (name: string) => (failing.delete(name) ? Promise.reject(new StoreUnavailable('away')) : undefined)
        const { events, webhooks } = store
        await using courier = courierOn({
          ...store,
          // The courier is not told what others write, so only the clock causes a second poll.
          events: {
            ...events,
            watch: () => () => {},
            page: async (query) => (await now('page')) ?? events.page(query),
          },
          webhooks: {
            ...webhooks,
            async finish(...given) {
              await now('finish')
              const isNoted = await webhooks.finish(...given)
              await now('finished')
              return isNoted
            },
          },
        })
        await courier.after()
        failing.add('page')
        await other.pets.insert(rex, undefined)
        // On SQLite, the reads of one turn share a transaction, which may be older than that.
        await new Promise(setImmediate)
        await courier.after(1_000)
        assert.equal(courier.sent.length, 0)
        failing.add('finish')
        await courier.after(1_000)
        await courier.after(1_000)
        assert.equal(courier.sent.length, 1, 'not again before its lock has ended')
        await endLocks(url)
        failing.add('finished')
        await courier.after(1_000)
        await courier.after(1_000)
        assert.equal(courier.sent.length, 2)
        assert.equal(courier.sent[0]?.id, courier.sent[1]?.id)
        assert.partialDeepStrictEqual(await deliveriesOf(webhook), [{ status: 'delivered', tries: 1 }])
      }))

    test('Attempts are counted by their outcome, and the lag is the age of the oldest waiting event', () =>
      withWebhook(async () => {
        await using courier = courierOn(store, () => ({ status: 503 }))
        const sampleOf = (...labels: string[]) =>
          courier.deliverer
            .samples()
            .find(([name, , label]) => name.endsWith(labels[0] ?? '') && label === labels[1])?.[1]
        assert.equal(sampleOf('lag_seconds'), 0)
        await addPet()
        await courier.after()
        await courier.after(60_000)
        assert.deepEqual([sampleOf('total', 'retried'), sampleOf('total', 'delivered')], [2, 0])
        const lag = sampleOf('lag_seconds') as number
        assert.ok(Math.abs(lag - 60) < 30)
        courier.ticks += 30_000
        assert.equal(sampleOf('lag_seconds'), lag + 30, 'it grows between two looks')
        courier.receive = () => ok
        await courier.after(60_000)
        // The next poll finds none.
        await courier.after(1_000)
        assert.deepEqual([sampleOf('total', 'delivered'), sampleOf('lag_seconds')], [1, 0])
      }))

    test('A webhook whose next events were removed continues with the oldest one kept, and the log says so [decision 16]', () =>
      withWebhook(async () => {
        await addPet()
        await addPet()
        await store.events.purge(ofAll)
        await using courier = courierOn(store)
        await courier.after()
        const last = await addPet()
        await courier.after(1_000)
        assert.deepEqual(
          courier.sent.map((message) => petIn(eventOf(message))),
          [last],
        )
        assert.ok(courier.lines.some(({ msg }) => /were deleted before/.test(String(msg))))
      }))
  })
