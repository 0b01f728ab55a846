/** The failures that are injected into a shop. */
import type { Failing } from '../../client/src/testing.ts'
import { faults as catalogue, type Fault } from '../../conform/src/faults.ts'
import { AppError, type ErrorCode, refuse } from '../errors.ts'
import { challenge } from '../http/auth.ts'
import { deprecationHeaders } from '../http/deprecation.ts'
import type { Incoming, Outgoing, StreamBody } from '../http/message.ts'
import type { Operation } from '../http/operation.ts'
import type { Rate } from '../model/key.ts'
import type { Time } from '../time.ts'
import { changed } from './faults.ts'

/**
 * Which requests fail and how: requests of an operation or of all operations, perhaps only those whose path or body
 * contains a text. The first `skip` requests pass, and then `times` requests fail.
 */
interface Failure extends Failing {
  readonly operation: string
  readonly contains?: string | undefined
  skip: number
  times: number
}

/** A failure, or a contract fault that affects every request. */
export type Entry = Failure | { readonly fault: string }

/** The maximum number of failures in a list. A client that keeps adding failures must not fill the memory. */
const entriesMax = 1_000
/** The memory that an entry takes besides its text. */
const entryBytes = 200

export type Plan = ReturnType<typeof createPlan>

export function createPlan() {
  let failures: readonly Failure[] = []
  let faults: readonly Fault[] = []

  function replace(entries: readonly Entry[]): void {
    if (entries.length > entriesMax)
      refuse(
        'invalid_field',
        `There can be at most ${entriesMax} failures in the list. Replace the list with PUT /sandbox/failures.`,
      )
    failures = entries.filter((entry) => 'times' in entry && entry.times > 0) as Failure[]
    faults = catalogue.filter(({ id }) => entries.some((entry) => 'fault' in entry && entry.fault === id))
  }

  const left = () => [...failures, ...faults.map(({ id }) => ({ fault: id }))]

  return {
    faults: () => faults,
    /** About how much memory the list takes. */
    bytes: () => failures.reduce((sum, { contains = '' }) => sum + entryBytes + 2 * contains.length, 0),
    left,
    replace,
    add: (entries: readonly Entry[]) => replace([...left(), ...entries]),
    /** Whether the body of a request decides how it fails. */
    readsBodies: (id: string) =>
      failures.some(({ operation, contains }) => contains !== undefined && (operation === '*' || operation === id)),
    /**
     * How the next request of an operation fails, if it fails. The entries after the one that makes it fail do not
     * count it.
     */
    take(id: string, text: string): Failing | undefined {
      for (const failure of failures) {
        const { operation, contains = '', skip, times: _, ...failing } = failure
        if ((operation !== '*' && operation !== id) || !text.includes(contains)) continue
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

/** The quota in the headers of a 429 if the key has no rate limit. */
const otherRate: Rate = { requests: 600, seconds: 60 }
/** The scope that is named as missing if the operation needs no scope. */
const otherScope = 'pets:read'

interface Refusal {
  readonly operation: Operation
  readonly publicUrl: string
  readonly rate: Rate | undefined
}

/** A request that the handler refuses with this error before it does anything. */
export function refused(incoming: Incoming, failing: Failing & { error: ErrorCode }, refusal: Refusal): Incoming {
  const { operation, publicUrl, rate = otherRate } = refusal
  const { scope = otherScope, deprecated } = operation
  const { error: code, retryAfter } = failing
  const seconds = String(retryAfter ?? 1)
  const headers: Partial<Record<ErrorCode, string[]>> = {
    missing_api_key: ['WWW-Authenticate', challenge],
    invalid_api_key: ['WWW-Authenticate', `${challenge}, error="invalid_token"`],
    insufficient_scope: ['WWW-Authenticate', `${challenge}, error="insufficient_scope", scope="${scope}"`],
    method_not_allowed: ['Allow', 'OPTIONS'],
    rate_limited: [
      'RateLimit-Policy',
      `"default";q=${rate.requests};w=${rate.seconds}`,
      'RateLimit',
      `"default";r=0;t=${seconds}`,
    ],
  }
  const mayWait = /^(?:rate_limited|unavailable|idempotency_in_progress)$/.test(code) || retryAfter !== undefined
  // The service knows the operation of a request only when it knows its key.
  const announced = deprecated && !/api_key|rate_limited/.test(code) ? deprecationHeaders(deprecated, publicUrl) : []
  const all = [...(mayWait ? ['Retry-After', seconds] : []), ...(headers[code] ?? []), ...announced]
  return changed(incoming, { fault: new AppError(code, undefined, all) })
}

const gatewayReasons = { 502: 'Bad Gateway', 504: 'Gateway Time-out' } as const

/** The response of a proxy that cannot reach the service. */
export function fromGateway(status: 502 | 504, retryAfter: number | undefined): Outgoing {
  const title = `${status} ${gatewayReasons[status]}`
  const body =
    `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n` +
    '<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n'
  const headers = ['Content-Type', 'text/html', 'Content-Length', String(Buffer.byteLength(body))]
  if (retryAfter !== undefined) headers.push('Retry-After', String(retryAfter))
  return { status, headers, body }
}

/**
 * The head of a response is sent together with the first bytes of its body. Without a body, the client gets nothing.
 */
export function cutOff(outgoing: Outgoing, at: Failing['cut'], time: Time): Outgoing {
  const { body } = outgoing
  if (typeof body === 'function') return { ...outgoing, body: at === 'middle' ? cutAfterEvent(body, time) : dropped }
  const whole = Buffer.from(body as Uint8Array)
  const part = whole.subarray(0, at === 'middle' ? Math.ceil(whole.length / 2) : 0)
  return {
    ...outgoing,
    body(output) {
      if (part.length > 0) output.write(part)
      return endSoon(output.drop, time)
    },
  }
}

const dropped: StreamBody = (output) => {
  output.drop()
  return { drained() {}, closed() {} }
}

/** The data that was written must leave the process first. */
function endSoon(drop: () => void, time: Time) {
  time.nextTurn(() => time.nextTurn(drop))
  return { drained() {}, closed() {} }
}

/** A stream up to the end of its first event, which is written in one piece. */
function cutAfterEvent(body: StreamBody, time: Time): StreamBody {
  return (output) => {
    let isCut = false
    return body({
      ...output,
      write(bytes) {
        if (isCut) return true
        const text = Buffer.from(bytes).toString('latin1')
        const data = text.search(/^data:/m)
        if (data < 0) return output.write(bytes)
        isCut = true
        output.write(bytes.subarray(0, text.indexOf('\n\n', data) + 2))
        endSoon(output.drop, time)
        return true
      },
    })
  }
}
