/** Deprecated operations: the headers of their responses, and a count of the keys that still call them. */
import type { Sample } from '../observe/metrics.ts'
import { siteUrl } from './urls.ts'

/** The deprecation of an operation. Every response of the operation announces it. */
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

/** Counts the calls of deprecated operations by key, so that operators know whom to write to. */
export interface DeprecatedCalls {
  note(operation: string, keyId: number): void
  samples(): Sample[]
}

/**
 * Its memory is bounded, because it keeps one count for each verified key and each deprecated operation that the key
 * called.
 */
export function createDeprecatedCalls(): DeprecatedCalls {
  const counts = new Map<string, Map<number, number>>()
  return {
    note(operation, keyId) {
      const ofOperation = counts.get(operation) ?? new Map<number, number>()
      counts.set(operation, ofOperation.set(keyId, (ofOperation.get(keyId) ?? 0) + 1))
    },
    samples: () =>
      [...counts].flatMap(([operation, ofOperation]) =>
        [...ofOperation].map(
          ([keyId, count]): Sample => ['petstore_deprecated_requests_total', count, operation, String(keyId)],
        ),
      ),
  }
}
