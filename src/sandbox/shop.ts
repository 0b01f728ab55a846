/** A shop: a service on its own store, with its own clock, keys, journal and failures. */
import { AppError, refuse } from '../errors.ts'
import type { Handler, Incoming, Outgoing } from '../http/message.ts'
import { createRateLimits, type RateLimits } from '../http/rate-limits.ts'
import type { Key } from '../model/key.ts'
import type { ImportedPet } from '../store/maintenance.ts'
import { createClock } from './clock.ts'
import { createPlan, type Plan } from './failures.ts'
import { changed, faultyAnswer, faultyRequest } from './faults.ts'
import { createJournal, type Journal } from './journal.ts'
import { createShopKeys } from './keys.ts'
import { logOfShop } from './log.ts'
import { type Opened, openService } from './opened.ts'
import { createPass, operationOf } from './pass.ts'
import { type Seed, sow } from './seed.ts'
import type { ShopOptions, ShopService } from './service.ts'

/** The size that a shop can reach, which is enough for some 30,000 animals. Beyond it, nothing can be added. */
const bytesMax = 16 * 2 ** 20
/** A year of four digits. */
const latest = Date.UTC(9000, 0)

export type Shop = ReturnType<typeof createShop>

/** Without a name, it answers requests that belong to no shop. */
export function createShop(given: ShopOptions, name?: string) {
  const options = name === undefined ? given : { ...given, log: logOfShop(given.log, name) }
  const { time: system, config, log } = options
  const keys = name === undefined ? undefined : createShopKeys(name, system.now())
  const key = keys?.main
  const plan = createPlan()
  const journal = createJournal(system)
  const rates = createRateLimits({ fallback: config.rateLimit, time: system, log, share: undefined })
  let clock = createClock(system)
  const now = () => clock.now()
  /** The memory that the rows took when it was last measured. */
  let bytes = 0
  const full = () => (bytes < bytesMax ? undefined : tooMuch())
  const pass = createPass({ ...options, system, plan, journal, rates, now, full })
  const handle = createHandling({ plan, journal, rates, now, pass })
  const open = (content?: Uint8Array) => openService(options, { keys, clock, plan, content, passToolCall: pass })
  let current = open()
  const streams = createStreamCount()
  let waiting = 0
  let isOver = false

  const measure = () => {
    bytes = current.bytes()
  }

  /** Everything in the shop is removed. */
  function begin(content?: Uint8Array): void {
    current.end()
    plan.replace([])
    journal.clear()
    bytes = content?.length ?? 0
    current = open(content)
  }

  return {
    key,
    plan,
    journal,
    now,
    isStopped: () => clock.isStopped(),
    /** The key that consists of the name of the shop and these parts. */
    keyOf: (parts: string) => keys?.of(parts),
    handle: async (incoming: Incoming, asking = key): Promise<Outgoing> =>
      streams.counted(await handle(current, incoming, asking).finally(measure)),
    /** Whether a client waits for an answer, or follows events. */
    isBusy: () => current.isBusy() || streams.open() + waiting > 0,
    counts: () => current.use(({ store }) => store.bulk.counts()),
    /** About how much memory the shop takes beyond that of an empty shop. */
    bytes: () => bytes + journal.bytes() + plan.bytes(),
    /** Deliveries to webhooks are rows, too, and are added after the response. */
    measure,
    /** The requests in the journal, including those that arrive within this many milliseconds. */
    async requests(operation: string | undefined, count: number, milliseconds: number) {
      waiting++
      const until = system.ticks() + milliseconds
      return journal.list({ until, operation, count }, () => isOver).finally(() => waiting--)
    },
    /** Resolves when everything that was due is done. */
    async setClock(to: number, isStopped = clock.isStopped()): Promise<void> {
      if (to < 0 || to >= latest) refuse('invalid_field', 'The time must be in the years from 1970 to 8999.')
      const { set } = clock
      await current.use((service) => {
        set(to, isStopped)
        return service.settle()
      })
    },
    /** The rows of the shop after everything that is due was done, and its time. */
    copy: () =>
      current.use(async ({ settle, store }) => {
        await settle()
        return { content: store.content(), now: clock.now(), isStopped: clock.isStopped() }
      }),
    /** Resets the shop. It then contains this many sample animals, or the rows that the test gives it. */
    async reset(animals: number, seed?: Seed): Promise<void> {
      clock = createClock(system)
      begin()
      await current
        .use(async (service) => {
          await fill(service, animals)
          if (seed) await sow(seed, (incoming) => service.handler(incoming, key))
        })
        .finally(measure)
    },
    /** Resets the shop to a copy of another shop. */
    resetTo({ content, now: at, isStopped }: { content: Uint8Array; now: number; isStopped: boolean }): void {
      clock = createClock(system)
      clock.set(at, isStopped)
      begin(content)
    },
    /** Requests that arrive meanwhile use the old state, until it ends. */
    async end(): Promise<void> {
      isOver = true
      journal.wake()
      await current.end()
    },
  }
}

/** The requests that count against the rate limit of a key. */
const isCounted = ({ method, target }: Incoming): boolean =>
  method !== 'OPTIONS' && /^\/(?:v1|mcp|metrics)(?:[/?]|$)/.test(target)

interface HandlingOptions {
  readonly plan: Plan
  readonly journal: Journal
  readonly rates: RateLimits
  readonly now: () => number
  readonly pass: ReturnType<typeof createPass>
}

/** Handles requests of clients, which count against the rate limit of their key and are affected by contract faults. */
function createHandling({ plan, journal, rates, now, pass }: HandlingOptions) {
  return async ({ use, ending }: Opened, incoming: Incoming, asking: Key | undefined): Promise<Outgoing> => {
    const rate = asking && isCounted(incoming) ? rates.consume(asking) : undefined
    const faults = plan.faults()
    const outgoing = await use(async ({ handler }) => {
      const answer: Handler = async (request) => {
        const made = await handler(faults.reduce(faultyRequest, request), asking)
        return faults.reduce((wrong, fault) => faultyAnswer(wrong, incoming, fault), made)
      }
      if (!rate || rate.isAllowed) return pass(incoming, { asking, handle: answer, ending })
      const entry = journal.note(incoming, now(), operationOf(incoming)?.id, undefined)
      const fault = new AppError('rate_limited', undefined, ['Retry-After', String(rate.seconds)])
      const limited = await answer(changed(incoming, { fault }))
      journal.answered(entry, limited)
      return limited
    })
    return withRate(outgoing, rate)
  }
}

/** Adds the headers of a rate limit, except to the response of a gateway, and not twice to an injected 429. */
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

const tooMuch = () =>
  new AppError(
    'content_too_large',
    `The shop is full: its data exceeds ${bytesMax / 2 ** 20} MiB. Reset it with POST /sandbox/reset, or use ` +
      'another key.',
  )

/** Animals that are the same in every shop. */
async function fill({ store: { imports } }: ShopService, animals: number): Promise<void> {
  if (animals === 0) return
  const pets = Array.from({ length: animals }, (_, index) => animal(index + 1))
  await imports.add('reset', await imports.begin('reset', false), pets, animals)
}

const animal = (number: number): ImportedPet => [`Animal ${number}`, String((number % 5) + 1), 'available']
