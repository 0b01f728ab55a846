/** What a search for animals reads from PostgreSQL. */
import type { Filters } from '../filters.ts'
import { afterAll, type Found, type SearchReads, search, searchLimits } from '../search.ts'
import type { Page, PageRange } from '../store.ts'
import type { Pool } from './pool.ts'
import { followingRows, matches, patternsText, plainFilters } from './reader.ts'

/** Without an upper bound the planner expects a third of the table, and so reads the index in its order. */
const rarestText = `
  SELECT searched.word, entries.count
  FROM unnest(string_to_array($1, ',')) AS searched (word), LATERAL (
    SELECT count(*) AS count FROM (
      SELECT word FROM pet_words WHERE word >= searched.word ORDER BY word, pet_id LIMIT $2::bigint + 1
    ) AS following
    WHERE word < searched.word || '${afterAll('')}'
  ) AS entries
  ORDER BY entries.count LIMIT 1`

interface Row {
  readonly id: string
  readonly doc: string
}

const foundOf = ({ id, doc }: Row): Found => ({ id: Number(id), doc })

type Search = (range: PageRange, words: readonly string[], filters: Filters) => Promise<Page>

export function createSearch({ query }: Pool, limits = searchLimits): Search {
  function readsOf(isDescending: boolean, words: readonly string[], filters: Filters): SearchReads {
    const { columns } = filters
    const patterns = patternsText(words)
    const values = filters.values.map(String)
    const [after, order] = isDescending ? ['<', 'id DESC'] : ['>', 'id']

    return {
      async rarest(some, rareMax) {
        const [row] = await query<{ word: string; count: string }>(rarestText, [some.join(), rareMax])
        return row && Number(row.count) <= rareMax ? row.word : undefined
      },
      async withWord(prefix, from, count) {
        const rows = await query<Row>(
          `SELECT id, doc FROM pets
           WHERE id ${after} $1 AND id = ANY (ARRAY(SELECT pet_id FROM pet_words WHERE word >= $4 AND word < $5))
             AND ${matches('$2')}${plainFilters(columns, 6)}
           ORDER BY ${order} LIMIT $3`,
          [from, patterns, count, prefix, afterAll(prefix), ...values],
        )
        return rows.map(foundOf)
      },
      async scan(from, rowsMax, count) {
        const options = { isDescending, shown: 'id, doc, words', after: '$1::bigint', rowsMax, firstValue: 4 }
        const { rows, order, isInside } = followingRows('pets', columns, options)
        // The last row of the step is returned even if it does not match, as it tells where the step ended.
        const read = await query<Row & { is_match: boolean; is_last: boolean }>(
          `SELECT id, doc, is_match, is_last FROM (
             SELECT *, ${matches('$2')} AS is_match, row_number() OVER (ORDER BY ${order}) = ${rowsMax} AS is_last
             FROM (${rows}) AS step
           ) AS following
           WHERE ${isInside} AND (is_match OR is_last) ORDER BY ${order} LIMIT $3`,
          [from, patterns, count, ...values],
        )
        const last = read.find(({ is_last }) => is_last)
        return { found: read.filter(({ is_match }) => is_match).map(foundOf), end: last && Number(last.id) }
      },
    }
  }

  return (range, words, filters) => search(range, words, limits, readsOf(range.isDescending ?? false, words, filters))
}
