/** The journal of a shop: its last requests, for which a test can also wait. */
import type { Failing } from '../../client/src/testing.ts'
import type { Incoming, Outgoing } from '../http/message.ts'
import { limits } from '../limits.ts'
import { type Time, timeText } from '../time.ts'

export const journalMax = 1_000
/** The memory that the entries of a shop may take. Beyond it, the oldest entries are removed. */
const bytesMax = 4 * 2 ** 20
/** How many characters of a path or header, and of a body, are kept. */
const textMax = 1_024
export const bodyMax = 4_096
/** The memory that an entry takes besides its texts. */
const entryBytes = 700
/** The headers that are kept, besides `Idempotency-Key` and `X-Request-Id`. A key is never kept. */
const headersKept = ['accept', 'content-type', 'if-match', 'if-none-match', 'last-event-id', 'origin', 'user-agent']

export interface Entry {
  readonly at: string
  readonly operation: string | undefined
  readonly method: string
  readonly path: string
  status: number
  readonly failure: Failing | undefined
  readonly idempotencyKey: string | undefined
  requestId: string
  readonly headers: Readonly<Record<string, string>>
  body?: string
  answer?: string
}

/** The beginning of a text. It is a copy, because a slice would keep the whole text in memory. */
const beginningOf = (text: string, lengthMax = textMax): string => Buffer.from(text.slice(0, lengthMax)).toString()

/** V8 stores a text of Latin letters in one byte per character, and any other text in two. */
const bytesOfText = (text = ''): number => (/^[\0-\xff]*$/.test(text) ? text.length : 2 * text.length)
const bytesOf = ({ path, idempotencyKey, requestId, headers, body, answer }: Entry): number =>
  [path, idempotencyKey, requestId, ...Object.values(headers), body, answer].reduce(
    (sum: number, text) => sum + bytesOfText(text),
    entryBytes,
  )

interface Waiting {
  readonly until: number
  readonly operation: string | undefined
  readonly count: number
}

export type Journal = ReturnType<typeof createJournal>

export function createJournal(time: Time) {
  /** The entries, the oldest first, each with the memory that it takes. */
  const entries = new Map<Entry, number>()
  /** The requests that are not answered yet, or whose response is being made. */
  const open = new Set<Entry>()
  let bytes = 0
  let waiters: (() => void)[] = []

  function measure(entry: Entry): void {
    const size = bytesOf(entry)
    bytes += size - (entries.get(entry) ?? 0)
    entries.set(entry, size)
    for (const [oldest, oldSize] of entries) {
      if (entries.size <= journalMax && bytes <= bytesMax) break
      entries.delete(oldest)
      bytes -= oldSize
    }
  }

  function wake(): void {
    const woken = waiters
    waiters = []
    for (const each of woken) each()
  }

  const matching = (operation: string | undefined) =>
    [...entries.keys()].filter((entry) => operation === undefined || entry.operation === operation)

  return {
    count: () => entries.size,
    bytes: () => bytes,
    /** Adds a request that arrived. Its response is added later. */
    note(incoming: Incoming, now: number, operation: string | undefined, failure: Failing | undefined): Entry {
      const kept = (name: string) => beginningOf(incoming.header(name) ?? '')
      const idempotencyKey = incoming.header('idempotency-key')
      const entry: Entry = {
        at: timeText(now),
        operation,
        method: incoming.method,
        path: beginningOf(incoming.target),
        status: 0,
        failure,
        idempotencyKey: idempotencyKey === undefined ? undefined : beginningOf(idempotencyKey),
        requestId: beginningOf(incoming.header('x-request-id') ?? '', limits.requestIdLength.max),
        headers: Object.fromEntries(headersKept.map((name) => [name, kept(name)]).filter(([, text]) => text !== '')),
      }
      open.add(entry)
      measure(entry)
      return entry
    },
    received(entry: Entry, body: Uint8Array): void {
      if (body.length === 0) return
      entry.body = beginningOf(Buffer.from(body.subarray(0, 4 * bodyMax)).toString(), bodyMax)
      if (entries.has(entry)) measure(entry)
    },
    /** If there is no response, the connection was cut before the request had any effect. */
    answered(entry: Entry, outgoing: Outgoing | undefined): void {
      if (outgoing) {
        const { status, headers, body } = outgoing
        entry.status = status
        const at = headers.indexOf('X-Request-Id')
        if (at >= 0) entry.requestId = headers[at + 1] as string
        const text = typeof body === 'string' ? body : ''
        if (text !== '') entry.answer = beginningOf(text, bodyMax)
      }
      open.delete(entry)
      if (entries.has(entry)) measure(entry)
      wake()
    },
    clear(): void {
      entries.clear()
      open.clear()
      bytes = 0
      wake()
    },
    /** The requests of an operation, or all requests. Waits until `count` of them are answered or the time is over. */
    async list({ until, operation, count }: Waiting, isOver: () => boolean): Promise<readonly Entry[]> {
      const isThere = () => matching(operation).filter((entry) => !open.has(entry)).length >= count
      while (!isThere() && !isOver() && time.ticks() < until)
        await new Promise<void>((resolve) => {
          waiters.push(resolve)
          const cancel = time.after(Math.max(0, until - time.ticks()), wake)
          waiters.push(cancel)
        })
      return matching(operation)
    },
    wake,
  }
}
