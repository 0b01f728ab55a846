/** What a search for animals reads from SQLite. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { type Time, turn } from '../../time.ts'
import type { Filters } from '../filters.ts'
import { afterAll, type Found, type SearchReads, search, searchLimits } from '../search.ts'
import type { Page, PageRange } from '../store.ts'
import type { Reader } from './reader.ts'
import { prepare } from './statement.ts'

const inWords = `FROM pet_words WHERE word >= searched.value AND word < searched.value || '${afterAll('')}'`
const rarestText = `
  SELECT value, (SELECT count(*) FROM (SELECT 1 ${inWords} LIMIT ?2 + 1)) AS entries
  FROM json_each(?1) AS searched ORDER BY entries LIMIT 1`

export type Search = (range: PageRange, words: readonly string[], filters: Filters) => Promise<Page>

export function createSearch(db: DatabaseSync, { read }: Reader, time: Time, limits = searchLimits): Search {
  const rarestOf = prepare<[word: string, entries: number]>(db, rarestText)
  let lastStep: Promise<unknown> = Promise.resolve()

  /** One step in a turn of the event loop, however many searches are under way. */
  function inTurn<T>(step: () => T): Promise<T> {
    const result = lastStep.then(() => turn(time)).then(() => read(step))
    lastStep = result.catch(() => {})
    return result
  }

  /** Statements are prepared for each search: their texts depend on the number of words. It takes 0.03 ms. */
  function readsOf(isDescending: boolean, words: readonly string[], { columns, values }: Filters): SearchReads {
    const [after, upTo, order] = isDescending ? ['<', '>=', 'id DESC'] : ['>', '<=', 'id']
    const matches = words.map(() => ` AND instr(' ' || words, ?)`).join('')
    const matched = words.map((word) => ` ${word}`)

    /** The plus sign keeps SQLite from an index on the filters where other conditions name the animals. */
    const filtered = (plus = ''): string => columns.map((column) => ` AND ${plus}${column} = ?`).join('')

    function find(condition: string, count: number, ...given: SQLInputValue[]): Found[] {
      const text = `SELECT id, doc FROM pets WHERE ${condition}${matches} ORDER BY ${order} LIMIT ${count}`
      const rows = prepare<[id: number, doc: string]>(db, text).all(...given, ...values, ...matched)
      return rows.map(([id, doc]) => ({ id, doc }))
    }

    return {
      async rarest(some, rareMax) {
        const [word, entries] = read(() => rarestOf.get(JSON.stringify(some), rareMax)) ?? ['', 0]
        return entries <= rareMax ? word : undefined
      },
      withWord: async (prefix, from, count) =>
        read(() => {
          const listed = `id IN (SELECT pet_id FROM pet_words WHERE word >= ? AND word < ?)`
          return find(`id ${after} ? AND ${listed}${filtered('+')}`, count, from, prefix, afterAll(prefix))
        }),
      scan: (from, rows, count) =>
        inTurn(() => {
          const following = `FROM pets WHERE id ${after} ?${filtered()} ORDER BY ${order}`
          const nth = prepare<[id: number]>(db, `SELECT id ${following} LIMIT 1 OFFSET ${rows - 1}`)
          const end = nth.get(from, ...values)?.[0]
          const to = end ?? (isDescending ? 0 : Number.MAX_SAFE_INTEGER)
          return { found: find(`id ${after} ? AND id ${upTo} ?${filtered()}`, count, from, to), end }
        }),
    }
  }

  return (range, words, filters) => search(range, words, limits, readsOf(range.isDescending ?? false, words, filters))
}
