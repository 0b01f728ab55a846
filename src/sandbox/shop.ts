/** A shop: the whole service on a store in memory, with a clock, a plan of failures and a journal of its own. */
import { createApp, operations } from '../app.ts'
import { type Config, serversOf } from '../config/config.ts'
import { createHub } from '../events/hub.ts'
import { createAdmission } from '../http/admission.ts'
import type { Handler, Incoming, Outgoing } from '../http/message.ts'
import { createRateLimits } from '../http/rate-limits.ts'
import { createRouter } from '../http/router.ts'
import { versionPrefix } from '../http/urls.ts'
import { limits } from '../limits.ts'
import { hashOf, type Key, scopes } from '../model/key.ts'
import type { Log } from '../observe/log.ts'
import { startExpiry } from '../orders/expiry.ts'
import { openMemory } from '../store/open.ts'
import type { ImportedPet, MemoryStore } from '../store/store.ts'
import { every, sleep, type Time, timeText } from '../time.ts'
import { createDeliverer } from '../webhooks/deliver.ts'
import { createSender } from '../webhooks/send.ts'
import { createClock, type ShopClock } from './clock.ts'
import { createPlan, cutOff, type Failing, type Plan, refused } from './failures.ts'
import { faultyAnswer, faultyRequest, faultySender } from './faults.ts'

const journalMax = 1_000
/** What the journal keeps of a path: as much of all of them as two of the largest bodies. */
const pathMax = 1_024
const dayMilliseconds = 24 * 60 * 60 * 1000
const secondMilliseconds = 1_000

/** What all shops of a sandbox have in common. */
export interface ShopOptions {
  readonly config: Config
  readonly publicUrl: string
  readonly time: Time
  readonly log: Log
  /** A new shop, with its key. */
  readonly template: Uint8Array
  readonly key: Key
}

export interface JournalEntry {
  readonly at: string
  readonly operation?: string
  readonly method: string
  readonly path: string
  /** 0 if there is none, or not yet. */
  status: number
  readonly failure?: Failing
  readonly idempotencyKey?: string
  requestId: string
}

export interface Shop {
  /** An object of its own, by which operations know their shop. */
  readonly key: Key
  readonly plan: Plan
  readonly journal: readonly JournalEntry[]
  now(): number
  counts(): Promise<{ readonly pets: number; readonly orders: number; readonly webhooks: number }>
  /** Resolves when what was due has been done. */
  setClock(now: number): Promise<void>
  /** As new, with so many animals. */
  reset(animals: number): Promise<void>
  handle: Handler
  /** Whether it is held in memory ready for use. */
  readonly isAwake: boolean
  /** Makes it small, unless something is under way or will be by itself; the next request wakes it. */
  rest(): void
  close(): Promise<void>
}

export async function createTemplate(time: Time): Promise<Pick<ShopOptions, 'template' | 'key'>> {
  const store = await openMemory(time)
  const key = await store.keys.insert({
    name: 'sandbox',
    prefix: 'test_',
    hash: hashOf('sandbox'),
    scopes,
    createdAt: time.now(),
    expiresAt: undefined,
  })
  return { key, template: await store.freeze() }
}

/** The service of a shop, awake. */
export interface Running {
  readonly store: MemoryStore
  readonly handle: Handler
  /** Requests under way. */
  users: number
  /** Begins what happens by itself: deliveries of webhooks, the end of orders that are held. */
  begin(): void
  settled(): Promise<void>
  /** Resolves with its content when the last request has ended. */
  end(): Promise<Uint8Array>
}

export async function run(options: ShopOptions, content: Uint8Array, time: ShopClock, plan: Plan): Promise<Running> {
  const { config, publicUrl, log } = options
  const store = await openMemory(time, content)
  const streams = createHub({ ...store, time, log })
  // Receivers are outside the shop: they have the time of the system.
  const sender = createSender({ time: options.time, allowed: config.webhooksAllow })
  const webhooks = faultySender(sender, plan)
  const deliverer = createDeliverer({ store, time, random: () => 0.5, sender: webhooks, log })
  const rates = createRateLimits({ fallback: config.rateLimit, time, log, share: undefined })
  let stops: (() => unknown)[] = []
  const { promise: unused, resolve: becomeUnused } = Promise.withResolvers<void>()
  let isEnding = false
  let users = 0
  return {
    store,
    handle: createApp({
      ...config,
      ...{ publicUrl, store, time, log, rates, streams, webhooks },
      servers: serversOf(config, publicUrl),
      admission: createAdmission(config.requestsMax),
      isDraining: () => false,
      tracing: undefined,
    }),
    get users() {
      return users
    },
    set users(count) {
      users = count
      if (isEnding && users === 0) becomeUnused()
    },
    begin() {
      if (stops.length > 0) return
      const expiry = startExpiry({ ...store, time, log })
      stops = [every(time, secondMilliseconds, deliverer.tick), expiry.stop]
    },
    async settled() {
      await store.orders.expire(time.now())
      await store.purgeIdempotencyRecords(limits.idempotencyTime.milliseconds)
      await store.events.purge(config.eventsDays * dayMilliseconds)
      if (stops.length > 0) deliverer.tick()
      await deliverer.settled()
    },
    async end() {
      isEnding = true
      streams.close()
      if (users > 0) await unused
      await Promise.all([deliverer.stop(0), ...stops.map((stop) => stop())])
      const left = await store.freeze()
      time.stop()
      return left
    },
  }
}

const findRoute = createRouter(operations, versionPrefix)

function operationOf({ method, target }: Incoming) {
  const [path = ''] = target.split('?', 1)
  const match = path.startsWith(`${versionPrefix}/`) ? findRoute(path.slice(versionPrefix.length)) : undefined
  return match?.route.operations.get(method === 'HEAD' ? 'GET' : method)
}

const names = ['Rex', 'Bella', 'Milo', 'Luna', 'Kiwi', 'Nemo', 'Spike', 'Hazel', 'Otto', 'Cleo']
const categories = 5
const animal = (_: unknown, index: number): ImportedPet => [
  `${names[index % names.length]} ${index + 1}`,
  String((index % categories) + 1),
  'available',
]

export function createShop(options: ShopOptions): Shop {
  const { time: system } = options
  const plan = createPlan()
  const journal: JournalEntry[] = []
  let clock = createClock(system)
  let content: Promise<Uint8Array> = Promise.resolve(options.template)
  let running: Promise<Running> | undefined
  let users = 0
  const key = { ...options.key }

  const wake = () => (running ??= content.then((bytes) => run(options, bytes, clock, plan)))

  function note(incoming: Incoming, operation: string | undefined, failure: Failing | undefined): JournalEntry {
    const idempotencyKey = incoming.header('idempotency-key')
    const entry: JournalEntry = {
      at: timeText(clock.now()),
      ...(operation && { operation }),
      method: incoming.method,
      path: incoming.target.slice(0, pathMax),
      status: 0,
      ...(failure && { failure }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      requestId: incoming.header('x-request-id') ?? '',
    }
    journal.push(entry)
    if (journal.length > journalMax) journal.shift()
    return entry
  }

  /** While `work` runs, the shop stays awake, and its store open. */
  async function using<T>(work: (service: Running) => Promise<T>): Promise<T> {
    users++
    let service: Running | undefined
    try {
      service = await wake()
      service.users++
      return await work(service)
    } finally {
      users--
      if (service) service.users--
    }
  }

  async function handle(incoming: Incoming): Promise<Outgoing> {
    const operation = operationOf(incoming)
    const failure = operation && plan.take(operation.id)
    const entry = note(incoming, operation?.id, failure)
    const cut = failure && 'cut' in failure ? failure.cut : undefined
    if (cut === 'before') return cutOff({ status: 500, headers: [], body: '' }, cut, system)
    if (failure && 'delayMs' in failure) await sleep(system, failure.delayMs)
    const { faults } = plan
    const asked = operation && failure && 'error' in failure ? refused(incoming, failure.error, operation) : incoming
    const outgoing = await using(async (service) => {
      const made = await service.handle(faultyRequest(asked, faults), key)
      if (startsTimers(operation?.id, made)) service.begin()
      return made
    })
    entry.status = outgoing.status
    entry.requestId = outgoing.headers[outgoing.headers.indexOf('X-Request-Id') + 1] as string
    const answer = faultyAnswer(outgoing, incoming, faults)
    return cut ? cutOff(answer, cut, system) : answer
  }

  return {
    key,
    plan,
    journal,
    now: () => clock.now(),
    counts: () => using(({ store }) => store.bulk.counts()),
    setClock: (now) =>
      using(async (service) => {
        clock.set(now)
        await service.settled()
      }),
    async reset(animals) {
      const before = running
      running = undefined
      content = Promise.resolve(options.template)
      clock = createClock(system)
      plan.replace([], [])
      journal.length = 0
      before?.then((service) => service.end())
      if (animals > 0) await using(({ store }) => addAnimals(store, animals))
    },
    handle,
    get isAwake() {
      return running !== undefined
    },
    rest() {
      if (!running || users > 0 || clock.waiting > 0) return
      content = running.then((service) => service.end())
      running = undefined
    },
    async close() {
      const last = running
      running = undefined
      await (await last)?.end()
    },
  }
}

/** Whether something will happen by itself from now on: a webhook was added, or an order is held. */
const startsTimers = (operation: string | undefined, { status, body }: Outgoing): boolean =>
  (operation === 'createWebhook' && status === 201) ||
  (/Order$/.test(operation ?? '') && typeof body === 'string' && body.includes('"heldUntil"'))

async function addAnimals({ imports }: MemoryStore, count: number): Promise<void> {
  const pets = Array.from({ length: count }, animal)
  await imports.add('reset', await imports.begin('reset', false), pets, count)
}
