/** What is to fail in a shop, and how a request fails. */
import type { Failing } from '../../client/src/testing.ts'
import { faults as catalogue, type Fault } from '../../conform/src/faults.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import { challenge } from '../http/auth.ts'
import { deprecationHeaders } from '../http/deprecation.ts'
import type { Incoming, Outgoing } from '../http/message.ts'
import type { Operation } from '../http/operation.ts'
import type { Time } from '../time.ts'
import { changed } from './faults.ts'

/** Which requests fail, and how: those of an operation or of all, so many `times` after the first `skip`. */
interface Failure extends Failing {
  readonly operation: string
  skip: number
  times: number
}

/** What fails, or a fault that every request has. */
export type Entry = Failure | { readonly fault: string }

export type Plan = ReturnType<typeof createPlan>

export function createPlan() {
  let failures: readonly Failure[] = []
  let faults: readonly Fault[] = []
  return {
    faults: () => faults,
    left: () => [...failures, ...faults.map(({ id }) => ({ fault: id }))],
    replace(entries: readonly Entry[]): void {
      failures = entries.filter((entry) => 'times' in entry && entry.times > 0) as Failure[]
      faults = catalogue.filter(({ id }) => entries.some((entry) => 'fault' in entry && entry.fault === id))
    },
    /** How the next request of an operation fails, if it does: those behind an entry that fails it do not see it. */
    take(id: string): Failing | undefined {
      for (const failure of failures) {
        const { operation, skip, times: _, ...failing } = failure
        if (operation !== '*' && operation !== id) continue
        if (skip === 0) {
          failure.times--
          failures = failures.filter(({ times }) => times > 0)
          return failing
        }
        failure.skip--
      }
      return undefined
    },
  }
}

/** The request as it is to be refused: the handler answers it with this error before it does anything. */
export function refused(incoming: Incoming, code: ErrorCode, operation: Operation, publicUrl: string): Incoming {
  const { scope, deprecated } = operation
  const headers: Partial<Record<ErrorCode, string[]>> = {
    missing_api_key: ['WWW-Authenticate', challenge],
    invalid_api_key: ['WWW-Authenticate', `${challenge}, error="invalid_token"`],
    insufficient_scope: ['WWW-Authenticate', `${challenge}, error="insufficient_scope", scope="${scope}"`],
    method_not_allowed: ['Allow', 'OPTIONS'],
    idempotency_in_progress: ['Retry-After', '1'],
    rate_limited: ['Retry-After', '1'],
    unavailable: ['Retry-After', '1'],
  }
  // The service knows the operation of a request only when it knows its key.
  const announced = deprecated && !/api_key|rate_limited/.test(code) ? deprecationHeaders(deprecated, publicUrl) : []
  return changed(incoming, { fault: new AppError(code, undefined, [...(headers[code] ?? []), ...announced]) })
}

/** The head of an answer goes out with the first bytes of its body: without any, the client gets nothing. */
export function cutOff(outgoing: Outgoing, at: Failing['cut'], time: Time): Outgoing {
  const whole = typeof outgoing.body === 'function' ? Buffer.alloc(0) : Buffer.from(outgoing.body as Uint8Array)
  const part = whole.subarray(0, at === 'middle' ? Math.ceil(whole.length / 2) : 0)
  return {
    ...outgoing,
    body(output) {
      if (part.length > 0) output.write(part)
      // What was written leaves the process first.
      time.nextTurn(() => time.nextTurn(output.drop))
      return { drained() {}, closed() {} }
    },
  }
}
