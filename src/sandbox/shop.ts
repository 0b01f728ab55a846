/** A shop: what its requests meet, and what they leave in its journal. */
import type { Failing } from '../../client/src/testing.ts'
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
import { openShop, type ShopOptions, type ShopService } from './service.ts'

export const journalMax = 1_000
/** What the journal keeps of a text. */
const textMax = 1_024
/** A year of four digits. */
const latest = Date.UTC(9000, 0)

/** A service in use, and the requests that it has under way. */
interface Awake {
  readonly service: Promise<ShopService>
  readonly underWay: Set<Promise<unknown>>
  /** Whether something happens in it by itself, or may be streamed. */
  isKept?: boolean
  /** Resolved once it is to end: delays end then. */
  readonly ending: PromiseWithResolvers<void>
}

const findRoute = createRouter(operations, versionPrefix)

function operationOf({ method, target }: Incoming) {
  const [path = ''] = target.split('?', 1)
  const match = path.startsWith(`${versionPrefix}/`) ? findRoute(path.slice(versionPrefix.length)) : undefined
  return match?.route.operations.get(method === 'HEAD' ? 'GET' : method)
}

/** What the journal keeps of a request; its status and id are those of the answer as soon as there is one. */
const entryOf = (incoming: Incoming, at: number, operation?: string, failure?: Failing) => ({
  ...{ at: timeText(at), operation, method: incoming.method, path: incoming.target.slice(0, textMax) },
  ...{ status: 0, failure, idempotencyKey: incoming.header('idempotency-key')?.slice(0, textMax) },
  requestId: incoming.header('x-request-id')?.slice(0, textMax) ?? '',
})

export type Shop = ReturnType<typeof createShop>

export function createShop(options: ShopOptions, token?: string) {
  const { time: system, template, publicUrl } = options
  const plan = createPlan()
  const journal: ReturnType<typeof entryOf>[] = []
  let clock = createClock(system)
  let content = Promise.resolve(template)
  let awake: Awake | undefined
  /** By its prefix, operations know their shop. */
  const key = token ? { ...options.key, prefix: token } : undefined

  /** While `work` runs, its service does not end. */
  function using<T>(work: (service: ShopService, used: Awake) => Promise<T>): Promise<T> {
    awake ??= {
      service: content.then((bytes) => openShop(options, bytes, clock, plan)),
      underWay: new Set(),
      ending: Promise.withResolvers(),
    }
    const used = awake
    const working = used.service.then((service) => work(service, used))
    used.underWay.add(working)
    return working.finally(() => used.underWay.delete(working))
  }

  /** Ends the service once it is unused. Resolves with what the shop has then. */
  async function end(): Promise<Uint8Array> {
    const ending = awake
    if (!ending) return content
    awake = undefined
    ending.ending.resolve()
    await Promise.allSettled(ending.underWay)
    return (await ending.service).end()
  }

  const pause = (milliseconds: number, { ending }: Awake) =>
    new Promise<void>((resolve) => ending.promise.then(resolve).then(system.after(milliseconds, resolve)))

  async function handle(incoming: Incoming): Promise<Outgoing> {
    const operation = operationOf(incoming)
    const failure = operation && plan.take(operation.id)
    const { error, delayMs, cut } = failure ?? {}
    const entry = entryOf(incoming, clock.now(), operation?.id, failure)
    journal.push(entry)
    if (journal.length > journalMax) journal.shift()
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
    journal,
    handle,
    now: () => clock.now(),
    counts: () => using(({ store }) => store.bulk.counts()),
    /** Resolves when what was due has been done. */
    async setClock(now: number): Promise<void> {
      if (now < 0 || now >= latest) refuse('invalid_field', 'The time must be from 1970 to 8999.')
      const { set } = clock
      await using((service) => {
        set(now)
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
          const pets = Array.from({ length: animals }, (_, index) => animal(index + 1))
          await imports.add('reset', await imports.begin('reset', false), pets, animals)
        })
    },
    isAwake: () => awake !== undefined,
    /** Makes it small, unless something is under way, or will happen by itself. The next request wakes it. */
    rest() {
      if (awake?.underWay.size === 0 && !awake.isKept) content = end()
    },
    end,
  }
}

/** Whether something may happen by itself from now on: a webhook was added, an order is held, or a stream is open. */
const keepsAwake = (operation: string | undefined, { status, body }: Outgoing): boolean =>
  typeof body === 'function' ||
  (operation === 'createWebhook' && status === 201) ||
  (/Order$/.test(operation ?? '') && String(body).includes('"heldUntil"'))

const animal = (number: number): ImportedPet => [`Animal ${number}`, String((number % 5) + 1), 'available']
