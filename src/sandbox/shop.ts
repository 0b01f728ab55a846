/** A shop: what its requests meet, and what they leave in its journal. */
import type { Failing } from '../../client/src/testing.ts'
import { operations } from '../app.ts'
import { AppError, type ErrorCode, refuse } from '../errors.ts'
import type { Handler, Incoming, Outgoing } from '../http/message.ts'
import { createRateLimits, type RateLimits } from '../http/rate-limits.ts'
import { createRouter } from '../http/router.ts'
import { versionPrefix } from '../http/urls.ts'
import { limits } from '../limits.ts'
import type { Key } from '../model/key.ts'
import type { ImportedPet } from '../store/maintenance.ts'
import type { Time } from '../time.ts'
import { createClock } from './clock.ts'
import { createPlan, cutOff, fromGateway, refused } from './failures.ts'
import { changed, faultyAnswer, faultyRequest } from './faults.ts'
import { createJournal, type Entry } from './journal.ts'
import { createShopKeys } from './keys.ts'
import { logOfShop } from './log.ts'
import { type Seed, sow } from './seed.ts'
import { openShop, type ShopOptions, type ShopService } from './service.ts'

/** What a shop may have: some 30,000 animals. Beyond it, nothing can be added. */
const bytesMax = 16 * 2 ** 20
const addingMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])
/** A year of four digits. */
const latest = Date.UTC(9000, 0)
/** Timers cannot be set for longer than 24 days. */
const lookAgainMilliseconds = 24 * 60 * 60 * 1000

/** A service, and the requests that it has under way. */
interface Opened {
  readonly service: Promise<ShopService>
  readonly underWay: Set<Promise<unknown>>
  /** Resolved once it is to end: delays end then. */
  readonly ending: PromiseWithResolvers<void>
}

/** Who makes a request, what answers it, and the service whose end ends its delay. */
interface Passing extends Pick<Opened, 'ending'> {
  readonly asking: Key | undefined
  readonly handle: Handler
}

const findRoute = createRouter(operations, versionPrefix)

function operationOf({ method, target }: Incoming) {
  const [path = ''] = target.split('?', 1)
  const match = path.startsWith(`${versionPrefix}/`) ? findRoute(path.slice(versionPrefix.length)) : undefined
  return match?.route.operations.get(method === 'HEAD' ? 'GET' : method)
}

/** What counts against the rate of a key. */
const isCounted = ({ method, target }: Incoming): boolean =>
  method !== 'OPTIONS' && /^\/(?:v1|mcp|metrics)(?:[/?]|$)/.test(target)

export type Shop = ReturnType<typeof createShop>

/** Without a name, it answers what is of no shop. */
export function createShop(given: ShopOptions, name?: string) {
  const options = name === undefined ? given : { ...given, log: logOfShop(given.log, name) }
  const { time: system, publicUrl, config } = options
  const plan = createPlan()
  const journal = createJournal(system)
  const keys = name === undefined ? undefined : createShopKeys(name, system.now())
  const key = keys?.main
  // Kept while the shop is at rest.
  const rates = createRateLimits({ fallback: config.rateLimit, time: system, log: options.log, share: undefined })
  let clock = createClock(system)
  /** Of a shop at rest, all that it has. */
  let frozen: Promise<Uint8Array> | undefined
  let cancelWaking = () => {}
  let current: Opened | undefined = open()
  let isResting = false
  let isOver = false
  /** What its store takes, as of the last request. */
  let storeBytes = 0
  const streams = createStreamCount()
  let waiting = 0

  function open(): Opened {
    const content = frozen
    frozen = undefined
    cancelWaking()
    const ending = Promise.withResolvers<void>()
    const aroundToolCalls =
      (handler: Handler): Handler =>
      (incoming, asking) =>
        pass(incoming, { asking, handle: (request) => handler(request, asking), ending })
    const parts = { keys, clock, plan, aroundToolCalls }
    const opening = async () => openShop(options, { ...parts, content: await content })
    return { service: opening(), underWay: new Set(), ending }
  }

  /** While `work` runs, its service does not end. */
  function using<T>(work: (service: ShopService, used: Opened) => Promise<T>): Promise<T> {
    const used = (current ??= open())
    const working = used.service.then((service) => work(service, used))
    used.underWay.add(working)
    return working.finally(() => used.underWay.delete(working))
  }

  const isBusy = () => (current?.underWay.size ?? 0) + streams.open() + waiting > 0

  /** Keeps only the content of its store, unless it is used meanwhile. A request wakes it, or what is due in it. */
  async function rest(): Promise<void> {
    const used = current
    if (!used || isResting || isBusy()) return
    isResting = true
    try {
      const service = await used.service
      const isEnding = () => isOver || current !== used
      // Its store may be closed meanwhile.
      await service.settle().catch((error) => {
        if (!isEnding()) throw error
      })
      if (isEnding() || isBusy()) return
      current = undefined
      const { content, dueAt } = await freeze(service)
      if (isOver || current || !frozen) return
      storeBytes = content.length
      if (dueAt === undefined || clock.isStopped()) return
      const later = Math.min(Math.max(0, dueAt - clock.now()), lookAgainMilliseconds)
      cancelWaking = system.after(later, () => {
        current ??= open()
      })
    } finally {
      isResting = false
    }
  }

  function freeze(service: ShopService) {
    const freezing = service.freeze()
    frozen = freezing.then(({ content }) => content)
    // A request that opens it again fails then, and not the process.
    frozen.catch(() => {})
    return freezing
  }

  /** A request to the shop, or a tool call in one: `handle` answers it unless it is to fail. */
  async function pass(incoming: Incoming, passing: Passing): Promise<Outgoing> {
    const operation = operationOf(incoming)
    let body: Uint8Array | undefined
    // Read here only if needed, as the service counts what it holds of bodies that arrive slowly.
    if (operation && plan.readsBodies(operation.id)) body = await wholeBody(incoming)
    const text = `${incoming.target}\n${body ? Buffer.from(body).toString() : ''}`
    const failing = operation && plan.take(operation.id, text)
    const entry = journal.note(incoming, clock.now(), operation?.id, failing)
    if (failing?.error || failing?.gateway || failing?.cut === 'before') body ??= await wholeBody(incoming)
    if (body) journal.received(entry, body)
    let outgoing: Outgoing | undefined
    try {
      if (failing?.delayMs) await pause(failing.delayMs, system, passing)
      if (failing?.cut === 'before') return cutOff({ status: 500, headers: [], body: '' }, failing.cut, system)
      const request = body ? changed(incoming, { body: () => body }) : listened(incoming, journal, entry)
      outgoing = await answerTo(request, failing, passing)
    } finally {
      journal.answered(entry, outgoing)
    }
    return failing?.cut ? cutOff(outgoing, failing.cut, system) : outgoing
  }

  async function answerTo(incoming: Incoming, failing: Failing | undefined, passing: Passing): Promise<Outgoing> {
    const { asking, handle } = passing
    const operation = operationOf(incoming)
    if (failing?.gateway) return fromGateway(failing.gateway, failing.retryAfter)
    const isFull = operation && storeBytes >= bytesMax && addingMethods.has(incoming.method)
    if (isFull) return handle(changed(incoming, { fault: full() }))
    if (!operation || !failing?.error) return handle(incoming)
    const rate = asking && rates.rateOf(asking)
    const failure = { error: failing.error as ErrorCode, retryAfter: failing.retryAfter }
    return handle(refused(incoming, failure, { operation, publicUrl, rate }))
  }

  async function handle(incoming: Incoming, asking = key): Promise<Outgoing> {
    const rate = asking && isCounted(incoming) ? rates.consume(asking) : undefined
    const faults = plan.faults()
    const outgoing = await using(async ({ store, handler }, { ending }) => {
      storeBytes = store.bytes()
      const answer: Handler = async (request) => {
        const made = await handler(faults.reduce(faultyRequest, request), asking)
        return faults.reduce((wrong, fault) => faultyAnswer(wrong, incoming, fault), made)
      }
      if (!rate || rate.isAllowed) return pass(incoming, { asking, handle: answer, ending })
      const entry = journal.note(incoming, clock.now(), operationOf(incoming)?.id, undefined)
      const fault = new AppError('rate_limited', undefined, ['Retry-After', String(rate.seconds)])
      const limited = await answer(changed(incoming, { fault }))
      journal.answered(entry, limited)
      return limited
    })
    return streams.counted(withRate(outgoing, rate))
  }

  /** Nothing of what it had is left. */
  function begin(content: Uint8Array | undefined): void {
    if (current) end(current)
    frozen = content && Promise.resolve(content)
    plan.replace([])
    journal.clear()
    storeBytes = 0
    current = open()
  }

  return {
    key,
    plan,
    journal,
    handle,
    rest,
    isBusy,
    /** The key with these parts behind the name of the shop. */
    keyOf: (parts: string) => keys?.of(parts),
    isAwake: () => current !== undefined && !isResting,
    now: () => clock.now(),
    isStopped: () => clock.isStopped(),
    counts: () => using(({ store }) => store.bulk.counts()),
    /** About what it takes in memory besides what an empty one does. */
    bytes: () => storeBytes + journal.bytes(),
    /** Requests that are in its journal, or come within so many milliseconds. */
    async requests(operation: string | undefined, count: number, milliseconds: number) {
      waiting++
      const until = system.ticks() + milliseconds
      return journal.list({ until, operation, count }, () => isOver).finally(() => waiting--)
    },
    /** Resolves when what was due has been done. */
    async setClock(now: number, isStopped = clock.isStopped()): Promise<void> {
      if (now < 0 || now >= latest) refuse('invalid_field', 'The time must be from 1970 to 8999.')
      const { set } = clock
      await using((service) => {
        set(now, isStopped)
        return service.settle()
      })
    },
    /** What it has, and its time. */
    async copy() {
      await rest()
      if (!frozen) refuse('unavailable', `The shop ${name} is in use.`, ['Retry-After', '1'])
      return { content: await frozen, now: clock.now(), isStopped: clock.isStopped() }
    },
    /** As new, with so many animals, or with what the test gives it. */
    async reset(animals: number, seed?: Seed): Promise<void> {
      clock = createClock(system)
      begin(undefined)
      await using(async ({ store: { imports }, handler }) => {
        const pets = Array.from({ length: animals }, (_, index) => animal(index + 1))
        if (animals > 0) await imports.add('reset', await imports.begin('reset', false), pets, animals)
        if (seed) await sow(seed, (incoming) => handler(incoming, key))
      })
    },
    /** As another shop is. */
    resetTo({ content, now, isStopped }: { content: Uint8Array; now: number; isStopped: boolean }): void {
      clock = createClock(system)
      clock.set(now, isStopped)
      begin(content)
    },
    async end(): Promise<void> {
      isOver = true
      journal.wake()
      cancelWaking()
      const last = current
      // Requests that come meanwhile find it as it was, until it ends.
      if (last) await end(last)
    },
  }
}

/** Ends a service once it is unused. */
async function end({ ending, underWay, service }: Opened): Promise<void> {
  ending.resolve()
  await Promise.allSettled(underWay)
  await (await service).end()
}

const pause = (milliseconds: number, time: Time, { ending }: Pick<Opened, 'ending'>) =>
  new Promise<void>((resolve) => ending.promise.then(resolve).then(time.after(milliseconds, resolve)))

/** What the service reads of a body, the journal has. */
const listened = (incoming: Incoming, journal: ReturnType<typeof createJournal>, entry: Entry) =>
  changed(incoming, {
    async body(most, onReceived) {
      const bytes = await incoming.body(most, onReceived)
      if (bytes) journal.received(entry, bytes)
      return bytes
    },
  })

/** Adds the headers of a rate: not to what a gateway answers, nor twice to a 429 that was asked for. */
function withRate(outgoing: Outgoing, rate: ReturnType<RateLimits['consume']>): Outgoing {
  const { headers } = outgoing
  if (rate && headers.includes('X-Request-Id') && !headers.includes('RateLimit'))
    headers.push('RateLimit-Policy', rate.limit.policy, 'RateLimit', `"default";r=${rate.remaining};t=${rate.seconds}`)
  return outgoing
}

/** Counts the streams that are open. */
function createStreamCount() {
  let open = 0
  return {
    open: () => open,
    counted(outgoing: Outgoing): Outgoing {
      const { body } = outgoing
      if (typeof body !== 'function') return outgoing
      return {
        ...outgoing,
        body(output) {
          open++
          const { drained, closed } = body(output)
          return {
            drained,
            closed() {
              open--
              closed()
            },
          }
        },
      }
    },
  }
}

/** Undefined if it is too long, or did not arrive. */
async function wholeBody(incoming: Incoming): Promise<Uint8Array | undefined> {
  try {
    return await incoming.body(limits.bodySize.bytes, () => {})
  } catch {
    return undefined
  }
}

const full = () =>
  new AppError(
    'content_too_large',
    `The shop is full: it has ${bytesMax / 2 ** 20} MiB. Make it as new with POST /sandbox/reset, or use another key.`,
  )

const animal = (number: number): ImportedPet => [`Animal ${number}`, String((number % 5) + 1), 'available']
