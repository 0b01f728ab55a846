/** What is to fail in a shop, and how a request fails. */
import { AppError, type ErrorCode } from '../errors.ts'
import { challenge } from '../http/auth.ts'
import type { Incoming, Outgoing } from '../http/message.ts'
import type { Operation } from '../http/operation.ts'
import type { Time } from '../time.ts'
import { changed, type Fault, faultNamed } from './faults.ts'

export const cuts = ['before', 'middle', 'after'] as const

/** How a request fails. */
export type Failing =
  | { readonly error: ErrorCode }
  | { readonly delayMs: number }
  | { readonly cut: (typeof cuts)[number] }

/** Which requests fail, and how: those of an operation or of all, after the first `skip`, so many `times`. */
export type Failure = Failing & { readonly operation: string; readonly skip: number; readonly times: number }

/** What is to fail: requests, and the contract, for as long as it is not replaced. */
export interface Plan {
  /** What is still to come. */
  readonly failures: readonly Failure[]
  readonly faults: readonly Fault[]
  replace(failures: readonly Failure[], faults: readonly string[]): void
  /** How the next request of this operation fails, if it does. */
  take(operation: string): Failing | undefined
}

export function createPlan(): Plan {
  let left: { skip: number; times: number; readonly failure: Failure }[] = []
  let faults: readonly Fault[] = []
  return {
    get failures() {
      return left.map(({ failure, skip, times }) => ({ ...failure, skip, times }))
    },
    get faults() {
      return faults
    },
    replace(failures, ids) {
      left = failures.map((failure) => ({ failure, skip: failure.skip, times: failure.times }))
      faults = ids.map(faultNamed)
    },
    /** A request goes from one to the next until one fails it: those behind that one do not see it. */
    take(operation) {
      for (const each of left) {
        if (each.failure.operation !== '*' && each.failure.operation !== operation) continue
        if (each.skip > 0) {
          each.skip--
          continue
        }
        each.times--
        left = left.filter(({ times }) => times > 0)
        const { operation: _, skip, times, ...failing } = each.failure
        return failing
      }
      return undefined
    },
  }
}

/** The request as it is to be refused: the handler answers it with this error before it does anything. */
export function refused(incoming: Incoming, code: ErrorCode, { scope }: Operation): Incoming {
  const headers: Partial<Record<ErrorCode, string[]>> = {
    missing_api_key: ['WWW-Authenticate', challenge],
    invalid_api_key: ['WWW-Authenticate', `${challenge}, error="invalid_token"`],
    insufficient_scope: ['WWW-Authenticate', `${challenge}, error="insufficient_scope", scope="${scope}"`],
    method_not_allowed: ['Allow', 'OPTIONS'],
    idempotency_in_progress: ['Retry-After', '1'],
    rate_limited: ['Retry-After', '1'],
    unavailable: ['Retry-After', '1'],
  }
  return changed(incoming, { fault: new AppError(code, undefined, headers[code]) })
}

/** The head of an answer goes out with the first bytes of its body: without any, the client gets nothing. */
export function cutOff(outgoing: Outgoing, at: 'before' | 'middle' | 'after', time: Time): Outgoing {
  const whole = typeof outgoing.body === 'function' ? Buffer.alloc(0) : Buffer.from(outgoing.body as Uint8Array)
  const part = at === 'middle' ? whole.subarray(0, Math.ceil(whole.length / 2)) : Buffer.alloc(0)
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
