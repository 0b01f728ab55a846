/** What a search for animals, or for orders, reads from SQLite. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { type Time, turn } from '../../time.ts'
import type { Filters } from '../filters.ts'
import { afterAll, type Found, numberIn, type SearchLimits, type SearchReads, search, searchLimits } from '../search.ts'
import type { Page, PageRange } from '../store.ts'
import type { Reader } from './reader.ts'
import { prepare } from './statement.ts'

interface Searched {
  readonly from: string
  /** The words of a row; each has a space before it. */
  readonly text: string
  /** Whether a word also finds the row whose number it is. */
  readonly isNumbered: boolean
  /** How many rows a word can find, at most one more than ?2; `searched` has the `word`, and which `number` it is. */
  readonly entries: string
  /** The ids of the rows that have a word from ?2 to ?3, or the number ?4. */
  readonly ids: string
}

const beginning = (table: string, from: string, to: string): string =>
  `FROM ${table} WHERE word >= ${from} AND word < ${to}`
const counted = (rows: string): string => `(SELECT count(*) FROM (${rows} LIMIT ?2 + 1))`
/** The plain join keeps its order: animals first, then the orders of each in their index. */
const ordersWith = (from: string, to: string, number: string): string => `
  SELECT order_id ${beginning('order_words', from, to)}
  UNION ALL SELECT orders.id FROM (
    SELECT pet_id ${beginning('pet_words', from, to)} UNION ALL SELECT ${number} WHERE ${number} IS NOT NULL
  ) AS animals CROSS JOIN orders ON orders.pet_id = animals.pet_id
  UNION ALL SELECT ${number} WHERE ${number} IS NOT NULL`

const last = `searched.word || '${afterAll('')}'`
const animalsWithWord = counted(`SELECT 1 ${beginning('pet_words', 'searched.word', last)}`)
const searched: Readonly<Record<'pets' | 'orders', Searched>> = {
  pets: {
    from: 'pets',
    text: `' ' || pets.words`,
    isNumbered: false,
    entries: animalsWithWord,
    ids: `SELECT pet_id ${beginning('pet_words', '?2', '?3')}`,
  },
  orders: {
    from: 'orders CROSS JOIN pets ON pets.id = orders.pet_id',
    text: `' ' || orders.words || ' ' || pets.words`,
    isNumbered: true,
    // A word of many animals counts as common, even if hardly any of them has orders: finding out would take long.
    entries: `CASE WHEN ${animalsWithWord} > ?2 THEN ?2 + 1
      ELSE ${counted(ordersWith('searched.word', last, 'searched.number'))} END`,
    ids: ordersWith('?2', '?3', '?4'),
  },
}

/**
 * The rows that a step reads before it looks at the clock. Names of 1,024 ideographs take 16 µs each, and so 4 ms; a
 * whole step over them took 58 ms.
 */
const portionRows = 250
/** A step that has taken longer continues in the next turn. */
const turnMilliseconds = 3

export type Search = (range: PageRange, words: readonly string[], filters: Filters) => Promise<Page>

/** Searches of both tables take their steps one after another. */
export function createSearches(
  db: DatabaseSync,
  { read }: Reader,
  time: Time,
  limits?: SearchLimits,
): Record<'pets' | 'orders', Search> {
  let lastStep: Promise<unknown> = Promise.resolve()

  /**
   * Runs one step in each turn of the event loop, however many searches are in progress. A step over long names takes
   * more turns. `portion` returns whether the step is over.
   */
  function inTurns(portion: () => boolean): Promise<void> {
    const step = lastStep.then(async () => {
      for (let isOver = false; !isOver; ) {
        await turn(time)
        const start = time.ticks()
        do isOver = read(portion)
        while (!isOver && time.ticks() - start < turnMilliseconds)
      }
    })
    lastStep = step.catch(() => {})
    return step
  }

  const of = (table: 'pets' | 'orders'): Search => {
    const reads = createReads(db, table, read, inTurns)
    return (range, words, filters) =>
      search(range, words, limits ?? searchLimits[table], reads(range.isDescending ?? false, words, filters))
  }
  return { pets: of('pets'), orders: of('orders') }
}

function createReads(
  db: DatabaseSync,
  table: 'pets' | 'orders',
  read: Reader['read'],
  inTurns: (portion: () => boolean) => Promise<void>,
) {
  const { from, text, isNumbered, entries, ids } = searched[table]
  const rarestOf = `
    SELECT word, ${entries} AS entries
    FROM (SELECT value ->> 0 AS word, value ->> 1 AS number FROM json_each(?1)) AS searched
    ORDER BY entries LIMIT 1`
  const id = `${table}.id`
  const numberOf = (word: string): number | null => (isNumbered ? numberIn(word) : null)

  /** Statements are prepared for each search: their texts depend on the number of words. It takes 0.03 ms. */
  return (isDescending: boolean, words: readonly string[], { columns, values }: Filters): SearchReads => {
    const [after, upTo, order] = isDescending ? ['<', '>=', `${id} DESC`] : ['>', '<=', id]
    let matches = ''
    const matched: SQLInputValue[] = []
    for (const word of words) {
      const number = numberOf(word)
      matches += ` AND (instr(${text}, ?)${number === null ? '' : ` OR ${id} = ? OR ${table}.pet_id = ?`})`
      matched.push(` ${word}`, ...(number === null ? [] : [number, number]))
    }

    /** The plus sign keeps SQLite from an index on the filters where other conditions name the rows. */
    const filtered = (plus = ''): string => columns.map((column) => ` AND ${plus}${table}.${column} = ?`).join('')

    function finder(condition: string): (count: number, ...given: SQLInputValue[]) => Found[] {
      const matching = `FROM ${from} WHERE ${condition}${matches}`
      const statement = prepare<[id: number, doc: string]>(
        db,
        `SELECT ${id}, ${table}.doc ${matching} ORDER BY ${order} LIMIT ?`,
      )
      return (count, ...given) =>
        statement.all(...given, ...values, ...matched, count).map(([id, doc]) => ({ id, doc }))
    }

    return {
      async rarest(some, rareMax) {
        const items = JSON.stringify(some.map((word) => [word, numberOf(word)]))
        const [word, count] = read(() => prepare<[string, number]>(db, rarestOf).get(items, rareMax)) ?? ['', 0]
        return count <= rareMax ? word : undefined
      },
      withWord: async (prefix, start, count) =>
        read(() => {
          const given = [start, prefix, afterAll(prefix), ...(isNumbered ? [numberOf(prefix)] : [])]
          return finder(`${id} ${after} ? AND ${id} IN (${ids})${filtered('+')}`)(count, ...given)
        }),
      async scan(start, rows, count) {
        const following = `FROM ${table} WHERE id ${after} ?${filtered()} ORDER BY ${order}`
        const nth = read(() => prepare<[id: number]>(db, `SELECT id ${following} LIMIT 1 OFFSET ?`))
        const find = read(() => finder(`${id} ${after} ? AND ${id} ${upTo} ?${filtered()}`))
        const found: Found[] = []
        let end: number | undefined = start
        let left = rows
        await inTurns(() => {
          const portion = Math.min(left, portionRows)
          const begin = end as number
          end = nth.get(begin, ...values, portion - 1)?.[0]
          const to = end ?? (isDescending ? 0 : Number.MAX_SAFE_INTEGER)
          found.push(...find(count - found.length, begin, to))
          left -= portion
          return left === 0 || end === undefined || found.length === count
        })
        return { found, end }
      },
    }
  }
}
