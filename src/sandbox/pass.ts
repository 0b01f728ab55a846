/**
 * Passes a request or a tool call through a shop: it is noted in the journal, may fail, and is handled by the service.
 */
import type { Failing } from '../../client/src/testing.ts'
import { operations } from '../app.ts'
import type { AppError, ErrorCode } from '../errors.ts'
import type { Handler, Incoming, Outgoing } from '../http/message.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { createRouter } from '../http/router.ts'
import { versionPrefix } from '../http/urls.ts'
import { limits } from '../limits.ts'
import type { Key } from '../model/key.ts'
import type { Time } from '../time.ts'
import { cutOff, fromGateway, type Plan, refused } from './failures.ts'
import { changed } from './faults.ts'
import type { Entry, Journal } from './journal.ts'

/** The key of a request, the handler that answers it, and the end of the service, which ends its delay. */
export interface Passing {
  readonly asking: Key | undefined
  readonly handle: Handler
  readonly ending: Promise<void>
}

interface PassOptions {
  readonly system: Time
  readonly publicUrl: string
  readonly plan: Plan
  readonly journal: Journal
  readonly rates: RateLimits
  /** The time of the shop. */
  readonly now: () => number
  /** The error for a request that adds something, if the shop is full. */
  readonly full: () => AppError | undefined
}

const addingMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

const findRoute = createRouter(operations, versionPrefix)

export function operationOf({ method, target }: Pick<Incoming, 'method' | 'target'>) {
  const [path = ''] = target.split('?', 1)
  const match = path.startsWith(`${versionPrefix}/`) ? findRoute(path.slice(versionPrefix.length)) : undefined
  return match?.route.operations.get(method === 'HEAD' ? 'GET' : method)
}

export function createPass({ system, publicUrl, plan, journal, rates, now, full }: PassOptions) {
  function answerTo(incoming: Incoming, failing: Failing | undefined, { asking, handle }: Passing) {
    const operation = operationOf(incoming)
    if (failing?.gateway) return fromGateway(failing.gateway, failing.retryAfter)
    const fault = operation && addingMethods.has(incoming.method) ? full() : undefined
    if (fault) return handle(changed(incoming, { fault }))
    if (!operation || !failing?.error) return handle(incoming)
    const rate = asking && rates.rateOf(asking)
    const failure = { error: failing.error as ErrorCode, retryAfter: failing.retryAfter }
    return handle(refused(incoming, failure, { operation, publicUrl, rate }))
  }

  return async (incoming: Incoming, passing: Passing): Promise<Outgoing> => {
    const operation = operationOf(incoming)
    let body: Uint8Array | undefined
    // The body is read here only if needed, because the service counts the memory of bodies that arrive slowly.
    if (operation && plan.readsBodies(operation.id)) body = await wholeBody(incoming)
    const text = `${incoming.target}\n${body ? Buffer.from(body).toString() : ''}`
    const failing = operation && plan.take(operation.id, text)
    const entry = journal.note(incoming, now(), operation?.id, failing)
    if (failing?.error || failing?.gateway || failing?.cut === 'before') body ??= await wholeBody(incoming)
    if (body) journal.received(entry, body)
    let outgoing: Outgoing | undefined
    try {
      if (failing?.delayMs) await pause(failing.delayMs, system, passing.ending)
      if (failing?.cut === 'before') return cutOff({ status: 500, headers: [], body: '' }, failing.cut, system)
      const request = body ? changed(incoming, { body: () => body }) : listened(incoming, journal, entry)
      outgoing = await answerTo(request, failing, passing)
    } finally {
      journal.answered(entry, outgoing)
    }
    return failing?.cut ? cutOff(outgoing, failing.cut, system) : outgoing
  }
}

const pause = (milliseconds: number, time: Time, ending: Promise<void>) =>
  new Promise<void>((resolve) => ending.then(resolve).then(time.after(milliseconds, resolve)))

/** The journal gets the part of the body that the service has read. */
const listened = (incoming: Incoming, journal: Journal, entry: Entry) =>
  changed(incoming, {
    async body(most, onReceived) {
      const bytes = await incoming.body(most, onReceived)
      if (bytes) journal.received(entry, bytes)
      return bytes
    },
  })

/** Undefined if it is too long, or did not arrive. */
async function wholeBody(incoming: Incoming): Promise<Uint8Array | undefined> {
  try {
    return await incoming.body(limits.bodySize.bytes, () => {})
  } catch {
    return undefined
  }
}
