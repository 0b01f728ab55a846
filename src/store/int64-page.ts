/** Pages of lists whose ids are chosen by clients: any int64, negative ones included. */
import type { Int64Query, Page } from './store.ts'

const lowest = -(2n ** 63n)

/** The lowest id that the page may have. */
export const firstOf = ({ after }: Int64Query): bigint => (after === undefined ? lowest : after + 1n)

/** The page, from its rows and one more if there is one. The id is text, as it may not fit in a number. */
export function pageOf(rows: readonly (readonly [id: string, json: string])[], { limit }: Int64Query): Page<bigint> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    json: `[${shown.map(([, json]) => json).join()}]`,
    next: last && rows.length > limit ? BigInt(last[0]) : undefined,
  }
}
