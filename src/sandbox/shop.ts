/** A shop: what its requests meet, and what they leave in its journal. */
import { operations } from '../app.ts'
import { refuse } from '../errors.ts'
import type { Incoming, Outgoing } from '../http/message.ts'
import { createRouter } from '../http/router.ts'
import { versionPrefix } from '../http/urls.ts'
import type { ImportedPet } from '../store/maintenance.ts'
import { timeText } from '../time.ts'
import { createClock } from './clock.ts'
import { createPlan, cutOff, refused } from './failures.ts'
import { faultyAnswer, faultyRequest } from './faults.ts'
import type { Failing, JournalEntry } from './public.ts'
import { openShop, type ShopOptions, type ShopService } from './service.ts'

export const journalMax = 1_000
/** What the journal keeps of a path. */
const pathMax = 1_024
/** A year of four digits. */
const latest = Date.UTC(9000, 0)

type Noted = { -readonly [name in keyof JournalEntry]: JournalEntry[name] }

/** A service in use, and the requests that it has under way. */
interface Awake {
  readonly service: Promise<ShopService>
  users: number
  /** Whether something happens in it by itself, or may be streamed. */
  isKept?: boolean
  /** Resolved once it is to end: delays end then. */
  readonly ending: PromiseWithResolvers<void>
  /** Called when there are none, once it is to end. */
  unused?: () => void
}

const findRoute = createRouter(operations, versionPrefix)

function operationOf({ method, target }: Incoming) {
  const [path = ''] = target.split('?', 1)
  const match = path.startsWith(`${versionPrefix}/`) ? findRoute(path.slice(versionPrefix.length)) : undefined
  return match?.route.operations.get(method === 'HEAD' ? 'GET' : method)
}

export type Shop = ReturnType<typeof createShop>

export function createShop(options: ShopOptions) {
  const { time: system, template, publicUrl } = options
  const plan = createPlan()
  const journal: JournalEntry[] = []
  let clock = createClock(system)
  let content = Promise.resolve(template)
  let awake: Awake | undefined
  let isClosed = false
  /** An object of its own, by which operations know their shop. */
  const key = { ...options.key }

  /** While `work` runs, its service does not end. */
  async function using<T>(work: (service: ShopService, used: Awake) => Promise<T>): Promise<T> {
    awake ??= {
      service: content.then((bytes) => openShop(options, bytes, clock, plan)),
      users: 0,
      ending: Promise.withResolvers(),
    }
    const used = awake
    used.users++
    try {
      return await work(await used.service, used)
    } finally {
      used.users--
      if (used.users === 0) used.unused?.()
      // A request that came to it before may wake it once more.
      if (isClosed) end()
    }
  }

  /** Ends the service once it is unused. Resolves with what the shop has then. */
  async function end(): Promise<Uint8Array> {
    const ending = awake
    if (!ending) return content
    awake = undefined
    ending.ending.resolve()
    if (ending.users > 0) await new Promise<void>((resolve) => (ending.unused = resolve))
    return (await ending.service).end()
  }

  const pause = (milliseconds: number, { ending }: Awake) =>
    new Promise<void>((resolve) => ending.promise.then(resolve).then(system.after(milliseconds, resolve)))

  function note(incoming: Incoming, operation: string | undefined, failure: Failing | undefined): Noted {
    const idempotencyKey = incoming.header('idempotency-key')
    const entry: Noted = {
      at: timeText(clock.now()),
      ...(operation && { operation }),
      ...{ method: incoming.method, path: incoming.target.slice(0, pathMax), status: 0 },
      ...(failure && { failure }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      requestId: incoming.header('x-request-id') ?? '',
    }
    journal.push(entry)
    if (journal.length > journalMax) journal.shift()
    return entry
  }

  async function handle(incoming: Incoming): Promise<Outgoing> {
    const operation = operationOf(incoming)
    const failure = operation && plan.take(operation.id)
    const { error, delayMs, cut } = failure ?? {}
    const entry = note(incoming, operation?.id, failure)
    if (cut === 'before') return cutOff({ status: 500, headers: [], body: '' }, cut, system)
    const asked = operation && error ? refused(incoming, error, operation, publicUrl) : incoming
    const faults = plan.faults()
    const outgoing = await using(async ({ handler }, used) => {
      if (delayMs) await pause(delayMs, used)
      const made = await handler(faults.reduce(faultyRequest, asked), key)
      used.isKept ||= keepsAwake(operation?.id, made)
      return made
    })
    entry.status = outgoing.status
    entry.requestId = outgoing.headers[outgoing.headers.indexOf('X-Request-Id') + 1] as string
    const answer = faults.reduce((wrong, fault) => faultyAnswer(wrong, incoming, fault), outgoing)
    return cut ? cutOff(answer, cut, system) : answer
  }

  return {
    key,
    plan,
    journal: journal as readonly JournalEntry[],
    handle,
    now: () => clock.now(),
    counts: () => using(({ store }) => store.bulk.counts()),
    /** Resolves when what was due has been done. */
    async setClock(now: number): Promise<void> {
      if (now < 0 || now >= latest) refuse('invalid_field', 'The time must be from 1970 to 8999.')
      await using((service) => {
        clock.set(now)
        return service.settle()
      })
    },
    /** As new, with so many animals. */
    async reset(animals: number): Promise<void> {
      end()
      content = Promise.resolve(template)
      clock = createClock(system)
      plan.replace([])
      journal.length = 0
      if (animals > 0)
        await using(async ({ store: { imports } }) => {
          const pets = Array.from({ length: animals }, (_, index) => animalAt(index))
          await imports.add('reset', await imports.begin('reset', false), pets, animals)
        })
    },
    isAwake: () => awake !== undefined,
    /** Makes it small, unless something is under way, or will happen by itself. The next request wakes it. */
    rest() {
      if (awake?.users === 0 && !awake.isKept) content = end()
    },
    /** Ends it for good. */
    async close(): Promise<void> {
      isClosed = true
      await end()
    },
  }
}

/** Whether something may happen by itself from now on: a webhook was added, an order is held, or a stream is open. */
const keepsAwake = (operation: string | undefined, { status, body }: Outgoing): boolean =>
  typeof body === 'function' ||
  (operation === 'createWebhook' && status === 201) ||
  (/Order$/.test(operation ?? '') && String(body).includes('"heldUntil"'))

const names = ['Rex', 'Bella', 'Milo', 'Luna', 'Kiwi', 'Nemo', 'Spike', 'Hazel', 'Otto', 'Cleo']
const categories = 5
const animalAt = (index: number): ImportedPet => [
  `${names[index % names.length]} ${index + 1}`,
  String((index % categories) + 1),
  'available',
]
