/** Deprecated operations: what their responses announce, and who still calls them. */
import { lastUsedPrecision } from '../model/key.ts'
import type { Sample } from '../observe/metrics.ts'
import type { KeyTable } from '../store/key-table.ts'
import type { Time } from '../time.ts'
import { siteUrl } from './urls.ts'

/** That an operation is deprecated; every response of the operation announces it. */
export interface Deprecation {
  /** Days, as YYYY-MM-DD in UTC. */
  readonly since: string
  readonly sunset: string
  readonly successor: `/${string}`
  /** What to use instead, in a sentence. */
  readonly advice: string
}

export const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`)

export function deprecationHeaders({ since, sunset, successor }: Deprecation, publicUrl: string): readonly string[] {
  const docs = `<${siteUrl(publicUrl, '/docs')}>`
  return [
    'Deprecation',
    `@${startOfDay(since) / 1000}`,
    'Sunset',
    new Date(startOfDay(sunset)).toUTCString(),
    'Link',
    `${docs}; rel="deprecation"; type="text/html", ${docs}; rel="sunset"; ` +
      `type="text/html", <${publicUrl}${successor}>; rel="successor-version"`,
  ]
}

/**
 * Counts calls of deprecated operations by key, and stores the time of the last, so that operators know whom to write
 * to.
 */
export interface DeprecatedCalls {
  note(operation: string, keyId: number): void
  samples(): Sample[]
}

interface Calls {
  count: number
  storedAt: number
}

/**
 * Its memory is bounded by the number of keys: it has an entry for each verified key and deprecated operation it has
 * called.
 */
export function createDeprecatedCalls(keys: KeyTable, time: Time): DeprecatedCalls {
  const all = new Map<string, Map<number, Calls>>()

  function begin(operation: string, keyId: number): Calls {
    const calls = { count: 0, storedAt: Number.NEGATIVE_INFINITY }
    const ofOperation = all.get(operation) ?? new Map()
    all.set(operation, ofOperation.set(keyId, calls))
    return calls
  }

  return {
    note(operation, keyId) {
      const calls = all.get(operation)?.get(keyId) ?? begin(operation, keyId)
      calls.count++
      const now = time.now()
      if (now - calls.storedAt < lastUsedPrecision) return
      calls.storedAt = now
      // The last call is for operators only; failing to store it must not fail a request.
      keys.noteDeprecatedCall({ keyId, operation, at: now }, now - lastUsedPrecision).catch(() => {})
    },
    samples: () =>
      [...all].flatMap(([operation, ofOperation]) =>
        [...ofOperation].map(
          ([keyId, { count }]): Sample => ['petstore_deprecated_requests_total', count, operation, String(keyId)],
        ),
      ),
  }
}
