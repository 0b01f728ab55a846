/** A shop: what its requests meet, and what they leave in its journal. */
import type { Failing } from '../../client/src/testing.ts'
import { operations } from '../app.ts'
import { AppError, refuse } from '../errors.ts'
import type { Incoming, Outgoing } from '../http/message.ts'
import { createRouter } from '../http/router.ts'
import { versionPrefix } from '../http/urls.ts'
import { limits } from '../limits.ts'
import type { ImportedPet } from '../store/maintenance.ts'
import { timeText } from '../time.ts'
import { createClock } from './clock.ts'
import { createPlan, cutOff, refused } from './failures.ts'
import { changed, faultyAnswer, faultyRequest } from './faults.ts'
import { openShop, type ShopOptions, type ShopService, shopKey } from './service.ts'

export const journalMax = 1_000
/** What the journal keeps of a text. */
const textMax = 1_024
/** What a shop may have: some 30,000 animals. Beyond it, nothing can be added. */
const bytesMax = 16 * 2 ** 20
const addingMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])
/** A year of four digits. */
const latest = Date.UTC(9000, 0)

/** A service, and the requests that it has under way. */
interface Opened {
  readonly service: Promise<ShopService>
  readonly underWay: Set<Promise<unknown>>
  /** Resolved once it is to end: delays end then. */
  readonly ending: PromiseWithResolvers<void>
}

const findRoute = createRouter(operations, versionPrefix)

function operationOf({ method, target }: Incoming) {
  const [path = ''] = target.split('?', 1)
  const match = path.startsWith(`${versionPrefix}/`) ? findRoute(path.slice(versionPrefix.length)) : undefined
  return match?.route.operations.get(method === 'HEAD' ? 'GET' : method)
}

/** The beginning of a text. A copy, because a slice would keep the whole text in memory. */
const beginningOf = (text: string, lengthMax = textMax): string => Buffer.from(text.slice(0, lengthMax)).toString()

/** What the journal keeps of a request; its status and id are those of the answer as soon as there is one. */
const entryOf = (incoming: Incoming, at: number, operation?: string, failure?: Failing) => {
  const idempotencyKey = incoming.header('idempotency-key')
  return {
    at: timeText(at),
    operation,
    method: incoming.method,
    path: beginningOf(incoming.target),
    status: 0,
    failure,
    idempotencyKey: idempotencyKey === undefined ? undefined : beginningOf(idempotencyKey),
    requestId: beginningOf(incoming.header('x-request-id') ?? '', limits.requestIdLength.max),
  }
}
type Entry = ReturnType<typeof entryOf>

/** About what an entry takes in memory. */
const bytesOf = ({ path, idempotencyKey = '' }: Entry): number => 500 + path.length + idempotencyKey.length

export type Shop = ReturnType<typeof createShop>

/** Without a token, it answers what is of no shop. */
export function createShop(options: ShopOptions, token?: string) {
  const { time: system, publicUrl } = options
  const plan = createPlan()
  const journal: Entry[] = []
  let journalBytes = 0
  const key = token === undefined ? undefined : shopKey(token, system.now())
  let clock = createClock(system)
  let current = open()
  /** What its store takes, as of the last request. */
  let storeBytes = 0
  let streams = 0

  function open(): Opened {
    const service = openShop(options, key, clock, plan)
    return { service, underWay: new Set(), ending: Promise.withResolvers() }
  }

  /** While `work` runs, its service does not end. */
  function using<T>(work: (service: ShopService, used: Opened) => Promise<T>): Promise<T> {
    const used = current
    const working = used.service.then((service) => work(service, used))
    used.underWay.add(working)
    return working.finally(() => used.underWay.delete(working))
  }

  /** Ends a service once it is unused. */
  async function end({ ending, underWay, service }: Opened): Promise<void> {
    ending.resolve()
    await Promise.allSettled(underWay)
    await (await service).end()
  }

  const pause = (milliseconds: number, { ending }: Opened) =>
    new Promise<void>((resolve) => ending.promise.then(resolve).then(system.after(milliseconds, resolve)))

  function note(entry: Entry): void {
    journal.push(entry)
    journalBytes += bytesOf(entry)
    const [first] = journal
    if (journal.length <= journalMax || !first) return
    journal.shift()
    journalBytes -= bytesOf(first)
  }

  async function handle(incoming: Incoming): Promise<Outgoing> {
    const operation = operationOf(incoming)
    const failure = operation && plan.take(operation.id)
    const { error, delayMs, cut } = failure ?? {}
    const entry = entryOf(incoming, clock.now(), operation?.id, failure)
    note(entry)
    if (cut === 'before') return cutOff({ status: 500, headers: [], body: '' }, cut, system)
    const asked = operation && error ? refused(incoming, error, operation, publicUrl) : incoming
    const faults = plan.faults()
    const outgoing = await using(async ({ handler, store }, used) => {
      if (delayMs) await pause(delayMs, used)
      storeBytes = store.bytes()
      const isFull = storeBytes >= bytesMax && addingMethods.has(incoming.method)
      return handler(faults.reduce(faultyRequest, isFull ? changed(asked, { fault: full() }) : asked), key)
    })
    entry.status = outgoing.status
    entry.requestId = outgoing.headers[outgoing.headers.indexOf('X-Request-Id') + 1] as string
    const answer = faults.reduce((wrong, fault) => faultyAnswer(wrong, incoming, fault), outgoing)
    return cut ? cutOff(answer, cut, system) : counted(answer)
  }

  /** Counts the streams that are open. */
  function counted(outgoing: Outgoing): Outgoing {
    const { body } = outgoing
    if (typeof body !== 'function') return outgoing
    return {
      ...outgoing,
      body(output) {
        streams++
        const { drained, closed } = body(output)
        return {
          drained,
          closed() {
            streams--
            closed()
          },
        }
      },
    }
  }

  return {
    key,
    plan,
    journal,
    handle,
    now: () => clock.now(),
    counts: () => using(({ store }) => store.bulk.counts()),
    /** About what it takes in memory besides what an empty one does. */
    bytes: () => storeBytes + journalBytes,
    /** Whether a client waits for an answer, or follows events. */
    isBusy: () => current.underWay.size + streams > 0,
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
      end(current)
      clock = createClock(system)
      current = open()
      plan.replace([])
      journal.length = 0
      journalBytes = 0
      storeBytes = 0
      if (animals > 0)
        await using(async ({ store: { imports } }) => {
          const pets = Array.from({ length: animals }, (_, index) => animal(index + 1))
          await imports.add('reset', await imports.begin('reset', false), pets, animals)
        })
    },
    end: () => end(current),
  }
}

const full = () =>
  new AppError(
    'content_too_large',
    `The shop is full: it has ${bytesMax / 2 ** 20} MiB. Make it as new with POST /sandbox/reset, or use another key.`,
  )

const animal = (number: number): ImportedPet => [`Animal ${number}`, String((number % 5) + 1), 'available']
