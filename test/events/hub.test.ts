/** The streams of one process: what each client receives, whatever it reads and whenever it connects. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { databases } from '../../harness/databases.ts'
import { FrameReader } from '../../harness/event-stream.ts'
import { withStores } from '../../harness/in-process.ts'
import { logTo } from '../../harness/log.ts'
import { eventually, turnsUntil } from '../../harness/patience.ts'
import { releasePostgres } from '../../harness/postgres.ts'
import { randomFrom, seedOf } from '../../harness/random.ts'
import { times } from '../../harness/scope.ts'
import { replaceEvents } from '../../harness/sql.ts'
import { timeAt } from '../../harness/time.ts'
import { createHub, type Hub } from '../../src/events/hub.ts'
import type { StreamBody, StreamOutput } from '../../src/http/message.ts'
import { issueKey } from '../../src/keys/keys.ts'
import { type EventPosition, type EventType, positionText } from '../../src/model/event.ts'
import type { MetricName } from '../../src/observe/metrics.ts'
import type { EventTable } from '../../src/store/event-table.ts'
import { type Store, StoreUnavailable } from '../../src/store/store.ts'
import { rex, rowOf } from '../store/subject.ts'

/** A client that reads as the test says. */
class Client extends FrameReader implements StreamOutput {
  isReading = true
  isDropped = false
  isEnded = false
  streaming: ReturnType<StreamBody> | undefined

  write(bytes: Uint8Array): boolean {
    this.take(Buffer.from(bytes).toString())
    return this.isReading
  }

  end(bytes: Uint8Array): void {
    this.take(Buffer.from(bytes).toString())
    this.isEnded = true
    this.streaming?.closed()
  }

  drop(): void {
    this.isDropped = true
    this.streaming?.closed()
  }

  readOn(): void {
    this.isReading = true
    this.streaming?.drained()
  }

  leave(): void {
    this.streaming?.closed()
  }
}

/** A hub whose seconds pass when the test says so. */
class Subject {
  now = Date.UTC(2027, 0)
  isResting = true
  /** Makes reads of events fail. */
  isDown = false
  /** Runs between the reading of a page and its use. */
  whilePageIsRead: () => Promise<unknown> = async () => {}
  /** The number of pages that were requested. */
  pages = 0
  /** The number of pages that are being read. */
  #reading = 0
  readonly store: Store
  readonly url: string
  readonly hub: Hub
  readonly log: string[] = []
  #tick = () => {}

  constructor(store: Store, url: string) {
    this.store = store
    this.url = url
    const { events } = store
    const reading: EventTable = {
      ...events,
      page: async (query) => {
        this.pages++
        if (this.isDown) throw new StoreUnavailable('down')
        this.#reading++
        try {
          const page = await events.page(query)
          await this.whilePageIsRead()
          return page
        } finally {
          this.#reading--
        }
      },
    }
    this.hub = createHub({
      events: reading,
      keys: store.keys,
      log: logTo((line) => this.log.push(JSON.parse(line).msg)),
      time: {
        ...timeAt(() => this.now),
        after: (_, run) => {
          this.#tick = run
          this.isResting = false
          return () => {
            this.isResting = true
          }
        },
      },
    })
  }

  second(count = 1): void {
    for (let i = 0; i < count; i++) this.#tick()
  }

  /** Resolves when the hub has done what it can without further events or seconds. */
  async rest(): Promise<void> {
    for (let before = -1; before !== this.pages || this.#reading > 0; ) {
      before = this.pages
      for (let turn = 0; turn < 100; turn++) await nextTurn()
      await this.store.events.present()
      await this.store.events.present()
    }
  }

  async add(count = 1): Promise<number[]> {
    const rows = await Promise.all(Array.from({ length: count }, () => this.store.pets.insert(rex, undefined)))
    return rows.map((row) => rowOf(row).id)
  }

  async key(expiresAt?: number): Promise<number> {
    const request = { name: 'test', scopes: ['events:read' as const], now: this.now, expiresAt }
    return (await issueKey(this.store.keys, request)).key.id
  }

  async follow({ after, ...options }: Start = {}): Promise<Client> {
    const client = new Client()
    const position = await positionAt(this.store, after)
    const keyId = options.keyId ?? (await this.key())
    const following = { types: undefined, petId: undefined, events: [], ...options, after: position, keyId }
    client.streaming = this.hub.follow(following)(client)
    return client
  }

  /** How many streams are open. */
  get open(): number {
    return this.sample('petstore_event_streams')
  }

  sample(of: MetricName): number {
    return this.hub.samples().find(([name]) => name === of)?.[1] as number
  }
}

const beginning: EventPosition = { id: 0, at: 0 }

/** Where a client begins: at a position, or after an existing event. The default is the present. */
type Start = Partial<Omit<Parameters<Hub['follow']>[0], 'after'>> & { readonly after?: EventPosition | number }

async function positionAt({ events }: Store, after: Start['after']): Promise<EventPosition> {
  if (after === 0) return beginning
  const position = typeof after === 'number' ? await events.positionOf(after) : (after ?? (await events.present()))
  assert.ok(typeof position === 'object')
  return position
}

/** The ids of all events of a feed, in order. */
async function feed(store: Store, after = 0, types?: EventType[], petId?: bigint): Promise<number[]> {
  const ids: number[] = []
  for (let start = await positionAt(store, after); ; ) {
    const page = await store.events.page({ after: start, limit: 100, types, petId })
    assert.ok(typeof page === 'object')
    if (page.position.id === start.id) return ids
    ids.push(...page.events.map(({ id }) => id))
    start = page.position
  }
}

/** The event after which a client would continue. */
const idIn = ({ lastEventId }: Client): number => Number(lastEventId.split('-')[0])
const last = (ids: readonly number[]): number => ids.at(-1) as number

for (const database of databases)
  describe(`the streams of a process, on ${database.name}`, () => {
    after(releasePostgres)
    const withHub = (work: (subject: Subject) => Promise<void>) =>
      withStores(database, 1, async ([store], url) => {
        const subject = new Subject(store, url)
        try {
          await work(subject)
        } finally {
          subject.hub.close()
        }
      })

    test('Clients that connect, stop reading, resume and leave at random receive every event exactly once [decision 15]', (t) =>
      withHub(async (subject) => {
        const { store } = subject
        const chance = randomFrom(seedOf(t))
        const random = (max: number) => Math.floor(chance() * max)
        await subject.add(150)
        const keyId = await subject.key()
        // There are so few seconds that no client is disconnected.
        let secondsLeft = 29
        const clients: { client: Client; after: number; types?: EventType[]; petId?: bigint }[] = []
        for (let round = 0; round < times(120, 30); round++) {
          if (round % 3 === 0) {
            const after = random((await store.events.present()).id)
            const types: EventType[] | undefined = random(3) === 0 ? ['pet.updated', 'category.named'] : undefined
            const petId = random(3) === 0 ? BigInt(1 + random(150)) : undefined
            const client = await subject.follow({ after, types, petId, keyId })
            clients.push({ client, after, ...(types && { types }), ...(petId !== undefined && { petId }) })
          }
          await Promise.all([
            subject.add(random(4)),
            store.pets.update(BigInt(1 + random(150)), { name: `Rex ${round}` }, undefined),
            // An order is about its animal. A category with the same number as an animal is not about that animal.
            store.orders.place({ petId: BigInt(1 + random(150)) }, undefined),
            store.categories.put(BigInt(1 + random(150)), `Kind ${round}`, undefined),
          ])
          const { client } = clients[random(clients.length)] as { client: Client }
          if (random(2) === 0) client.isReading = false
          else client.readOn()
          if (random(4) === 0 && secondsLeft-- > 0) subject.second()
        }
        for (const { client } of clients) client.readOn()
        // A database on another machine may report its last commits later than this.
        subject.second()
        for (const { client, after, types, petId } of clients) {
          const expected = await feed(store, after, types, petId)
          await client.until(({ ids }) => ids.length >= expected.length)
          await subject.rest()
          assert.deepEqual(client.ids, expected)
        }
        assert.equal(subject.open, clients.length)
      }))

    // The rest does not depend on the database, so it is tested once.
    if (database !== databases[0]) return

    test('The first bytes of a stream say how soon to reconnect, and from which position [decision 15]', () =>
      withHub(async (subject) => {
        await subject.add(3)
        const page = await subject.store.events.page({ after: await positionAt(subject.store, 1), limit: 2 })
        assert.ok(typeof page === 'object')
        const client = await subject.follow({ events: page.events, after: page.position })
        assert.equal(client.retry, 2_000)
        assert.deepEqual(client.ids, [2, 3])
        const others = await subject.follow({ types: ['order.placed'], after: 3 })
        const present = positionText(await subject.store.events.present())
        assert.deepEqual([client.lastEventId, others.lastEventId, others.frames], [present, present, []])
      }))

    test('Every 8 seconds a client receives a comment and its position, even if no event matched [decision 15]', () =>
      withHub(async (subject) => {
        const client = await subject.follow({ types: ['order.placed'] })
        const start = client.lastEventId
        await subject.add(3)
        await subject.rest()
        assert.deepEqual([client.lastEventId, client.comments], [start, []])
        subject.second(8)
        assert.deepEqual(client.comments, [''])
        // A store on another machine may not have been read yet.
        for (const { id } = await subject.store.events.present(); idIn(client) !== id; ) {
          await subject.rest()
          subject.second(8)
        }
        const { length } = client.comments
        subject.second(8)
        assert.equal(client.comments.length, length + 1)
        assert.deepEqual(client.frames, [])
      }))

    test('A client that does not read is disconnected after 30 seconds, and one that resumes loses nothing [decision 15]', () =>
      withHub(async (subject) => {
        const [stuck, slow] = [await subject.follow(), await subject.follow()]
        subject.second(20)
        stuck.comments.length = 0
        stuck.isReading = slow.isReading = false
        await subject.add()
        await Promise.all([stuck, slow].map((client) => client.until(({ ids }) => ids.length === 1)))
        await subject.add(5)
        await subject.rest()
        assert.deepEqual([stuck.ids.length, slow.ids.length], [1, 1])

        subject.second(29)
        assert.deepEqual([stuck.comments, stuck.isDropped], [[], false])
        slow.readOn()
        await slow.until(({ ids }) => ids.length === 6)
        subject.second()
        assert.deepEqual(
          [stuck.isDropped, slow.isDropped, subject.sample('petstore_event_streams_dropped_total'), subject.open],
          [true, false, 1, 1],
        )
        assert.match(subject.log.join(), /disconnected/)
        await subject.add()
        await slow.until(({ ids }) => ids.length === 7)
        assert.deepEqual(slow.ids, await feed(subject.store))
        assert.equal(stuck.ids.length, 1)
      }))

    test('A client that stops reading while its page is being read receives the page once it resumes [decision 15]', () =>
      withHub(async (subject) => {
        const client = await subject.follow()
        await subject.rest()
        subject.whilePageIsRead = async () => {
          subject.whilePageIsRead = async () => {}
          client.isReading = false
          // One of these seconds causes the comment by which the hub finds that the stream is stuck.
          subject.second(8)
        }
        const added = await subject.add(2)
        await subject.rest()
        assert.deepEqual([client.ids, client.comments.length], [[], 1])
        client.readOn()
        await subject.rest()
        assert.deepEqual([client.ids, added.length], [await feed(subject.store), 2])
      }))

    test('A change causes one read of a page, however many streams are up to date and whatever their filters [decision 15]', () =>
      withHub(async (subject) => {
        await subject.add()
        const keyId = await subject.key()
        const filters: Start[] = [{}, { types: ['pet.updated'] }, { types: ['pet.created'] }, { petId: 1n }]
        const clients = await Promise.all(
          Array.from({ length: 40 }, (_, i) => subject.follow({ ...filters[i % filters.length], keyId })),
        )
        await subject.rest()
        const { pages } = subject
        await subject.store.pets.update(1n, { name: 'Max' }, undefined)
        await clients[0]?.until(({ ids }) => ids.length === 1)
        await subject.rest()
        assert.equal(subject.pages - pages, 1)
        for (const [i, { ids }] of clients.entries())
          assert.equal(ids.length, filters[i % filters.length]?.types?.[0] === 'pet.created' ? 0 : 1)
      }))

    test('Streams that reconnect together share the read of each page, wherever they began [decision 15]', () =>
      withHub(async (subject) => {
        await subject.add(450)
        const all = await feed(subject.store)
        const keyId = await subject.key()
        const starts = await Promise.all([1, 11, 21, 31, 41, 51, 61, 71, 81].map((id) => positionAt(subject.store, id)))
        const { pages } = subject
        const clients = await Promise.all(starts.map((after) => subject.follow({ after, keyId })))
        for (const [i, client] of clients.entries()) {
          await client.until(({ ids }) => ids.at(-1) === last(all))
          assert.deepEqual(
            client.ids,
            all.filter((id) => id > (starts[i]?.id ?? 0)),
          )
        }
        // Each stream needs one page up to event 100, where they meet. Separately, they would need 45 pages.
        const read = subject.pages - pages
        assert.ok(read < 20, `${read} pages were read for 9 streams`)
      }))

    test('A stream that is up to date does not wait for streams that catch up [decision 15]', () =>
      withHub(async (subject) => {
        await subject.add(2_000)
        const client = await subject.follow()
        await subject.rest()
        subject.whilePageIsRead = async () => {
          subject.whilePageIsRead = async () => {}
          await subject.add()
        }
        const behind = await subject.follow({ after: 0 })
        await client.until(({ ids }) => ids.length === 1)
        assert.ok(behind.ids.length < 1_000, `${behind.ids.length} events were sent before`)
        await behind.until(({ ids }) => ids.length === 2_001)
      }))

    test('A stream ends within 5 seconds after its key was revoked or has expired, and other streams continue [decision 15]', () =>
      withHub(async (subject) => {
        const [revoked, expiring] = [await subject.key(), await subject.key(subject.now + 10_000)]
        const [first, second, other] = [
          await subject.follow({ keyId: revoked }),
          await subject.follow({ keyId: expiring }),
          await subject.follow(),
        ]
        const pass = async (seconds: number) => {
          for (let i = 0; i < seconds; i++) {
            subject.now += 1_000
            subject.second()
            await subject.rest()
          }
        }
        await pass(4)
        assert.equal(subject.open, 3)
        await subject.store.keys.revoke(revoked, subject.now)
        await pass(5)
        assert.deepEqual([first.isEnded, first.isClosing, second.isEnded], [true, true, false])
        await pass(5)
        assert.deepEqual([second.isClosing, other.isEnded, subject.open], [true, false, 1])
      }))

    test('A stream whose last event was lost ends, even if the id was assigned again, and later streams continue [decision 15]', () =>
      withHub(async (subject) => {
        await subject.add(5)
        const [first, slow] = [await subject.follow({ after: 3 }), await subject.follow()]
        await first.until(({ ids }) => ids.length === 2)
        slow.isReading = false
        await subject.add()
        await Promise.all([first, slow].map((client) => client.until(({ ids }) => ids.includes(6))))
        await replaceEvents(subject.url, 6)
        subject.second()
        await first.until(({ isClosing }) => isClosing)
        assert.deepEqual([first.ids, subject.open], [[4, 5, 6], 1])

        // The client that does not read is ahead of all that connect now, and would miss what they receive.
        await subject.store.pets.remove(1n, undefined)
        const late = await subject.follow({ after: 5 })
        await late.until(({ ids }) => ids.length === 2)
        await subject.rest()
        slow.readOn()
        await slow.until(({ isClosing }) => isClosing)
        await subject.add()
        await late.until(({ ids }) => ids.length === 3)
        assert.deepEqual([late.ids, slow.ids, late.isEnded], [[6, 7, 8], [6], false])
      }))

    test('Streams wait while events cannot be read, and then miss none', () =>
      withHub(async (subject) => {
        await subject.add()
        const client = await subject.follow()
        await subject.rest()
        subject.isDown = true
        const other = await subject.follow({ after: 0 })
        await subject.add(2)
        await subject.rest()
        subject.second(2)
        await subject.rest()
        assert.deepEqual([client.ids, other.ids], [[], []])
        assert.equal(subject.log.filter((line) => /cannot be read/.test(line)).length, 1)
        subject.isDown = false
        subject.second()
        await Promise.all([client.until(({ ids }) => ids.length === 2), other.until(({ ids }) => ids.length === 3)])
      }))

    test('An event that arrives while the first client catches up is sent without waiting for the next second', () =>
      withHub(async (subject) => {
        subject.whilePageIsRead = async () => {
          subject.whilePageIsRead = async () => {}
          await subject.add()
          // After these turns, nobody is there when the hint arrives.
          for (let turn = 0; turn < 5; turn++) await nextTurn()
        }
        const client = await subject.follow()
        await client.until(({ ids }) => ids.length === 1)
      }))

    test('Without a client, the hub reads nothing and uses no time [decision 15]', () =>
      withHub(async (subject) => {
        const client = await subject.follow()
        await subject.rest()
        client.leave()
        const { pages } = subject
        await subject.add(3)
        await subject.rest()
        assert.deepEqual([subject.isResting, subject.open, subject.pages - pages], [true, 0, 0])
      }))

    test('The number of streams is limited, one key may have a quarter of them, and all of them receive an event [decision 15]', () =>
      withHub(async (subject) => {
        const after = await subject.store.events.present()
        /** These are as many streams as are accepted, all requested before the first of them began. */
        const fill = (keyId: number, count = 2_500) => {
          const clients = Array.from({ length: count }, () => new Client())
          const following = { types: undefined, petId: undefined, events: [], after, keyId }
          for (const client of clients) client.streaming = subject.hub.follow(following)(client)
          return clients
        }
        const keyId = await subject.key()
        const clients = fill(keyId, 2_501)
        const [first, refused] = [clients.shift(), clients.pop()]
        assert.deepEqual([subject.open, subject.hub.refusalOf(keyId)], [2_500, 'rate_limited'])
        assert.deepEqual([refused?.isClosing, refused?.isEnded], [true, true])
        // A client counts once, however often it is reported to have left.
        for (const client of [first, first, refused]) client?.leave()
        assert.equal(subject.hub.refusalOf(keyId), undefined)
        clients.push(...fill(keyId, 1))
        assert.equal(subject.hub.refusalOf(keyId), 'rate_limited')
        for (let i = 0; i < 3; i++) clients.push(...fill(await subject.key()))
        const another = await subject.key()
        assert.deepEqual([subject.open, subject.hub.refusalOf(another)], [10_000, 'unavailable'])
        clients.pop()?.leave()
        assert.equal(subject.hub.refusalOf(another), undefined)
        await subject.add()
        // The event is sent in portions, between which others have their turn.
        await turnsUntil(() => clients.some(({ ids }) => ids.length > 0))
        assert.equal(clients.at(-1)?.ids.length, 0)
        await Promise.all(clients.map((client) => client.until(({ ids }) => ids.length === 1)))
      }))

    test('A service that stops tells the clients of its streams to reconnect, and accepts no new streams', () =>
      withHub(async (subject) => {
        const client = await subject.follow()
        const keyId = await subject.key()
        assert.equal(subject.hub.refusalOf(keyId), undefined)
        subject.hub.close()
        assert.deepEqual(
          [client.isClosing, client.isEnded, subject.isResting, subject.hub.refusalOf(keyId)],
          [true, true, true, 'unavailable'],
        )
        const late = await subject.follow()
        assert.deepEqual([late.isClosing, late.isEnded, subject.open], [true, true, 0])
        assert.equal(late.frames[0]?.lastEventId, '', 'it keeps the position that it has')
      }))
  })

for (const database of databases)
  test(`A watcher is called after events of another process, on ${database.name} [decision 15]`, () =>
    withStores(database, 2, async (stores) => {
      const [writer, other] = stores as [Store, Store]
      let hints = 0
      const stop = other.events.watch(() => hints++)
      await eventually(
        async () => {
          await writer.pets.insert(rex, undefined)
          return hints
        },
        (count) => count > 0,
      )
      stop()
    }))
