/**
 * Searches for animals by the words of their names, and for orders by those of their references and animals, in the
 * same way on both databases. A rare word is looked up in the tables of words. If every word of the search is common,
 * rows are read in the order of their ids, step by step, and those that match are kept. A page may then end before it
 * is full, with a link to the next one.
 *
 * Each step sees the rows at its own moment. Ids only rise (or only fall), so no row is found twice; and every id up to
 * the end of a page was looked at, so a row that is there from the first page to the last is found.
 */
import { startOf } from './filters.ts'
import type { DatabaseCheck } from './maintenance.ts'
import type { Page, PageRange } from './store.ts'

export interface SearchLimits {
  /** A word is rare if it begins words of at most this many rows. */
  readonly rareMax: number
  /** The rows that one step reads; half as many for three or four words, a quarter for five to eight, and so on. */
  readonly rowsPerStep: number
  /** The rows that a page reads at most. */
  readonly rowsPerPage: number
}

/**
 * A step takes about 2 ms on SQLite, during which the service answers no other request; if names are long, SQLite's
 * search divides it. With steps of many more rows, PostgreSQL would sort a whole table that is little larger.
 */
export const searchLimits: Readonly<Record<'pets' | 'orders', SearchLimits>> = {
  pets: { rareMax: 2_000, rowsPerStep: 4_000, rowsPerPage: 200_000 },
  // The animal of each order is read, too, by its id.
  orders: { rareMax: 1_000, rowsPerStep: 2_000, rowsPerPage: 4_000 },
}

export interface Found {
  readonly id: number
  readonly doc: string
}

/** What a search reads from a database. All results are in the order of the page, and pass its other filters. */
export interface SearchReads {
  /** Returns the word that finds the fewest rows, if there are at most `rareMax`. */
  rarest(words: readonly string[], rareMax: number): Promise<string | undefined>
  /** The first `count` rows after an id that the word `prefix` finds, and that match the search. */
  withWord(prefix: string, after: number, count: number): Promise<readonly Found[]>
  /**
   * Returns the first `count` matches among the next `rows` rows after an id. `end` is the last of these rows, or
   * undefined if fewer than `rows` are left.
   */
  scan(after: number, rows: number, count: number): Promise<{ found: readonly Found[]; end: number | undefined }>
}

/** No word has this character, and every word that begins with `prefix` sorts before the two together. */
export const afterAll = (prefix: string): string => `${prefix}\u{10FFFF}`

/** The number that a word is, if an order or an animal may have it. Numbers are written in ASCII once folded. */
export function numberIn(word: string): number | null {
  const number = /^[1-9][0-9]*$/.test(word) ? Number(word) : Number.NaN
  return Number.isSafeInteger(number) ? number : null
}

/** Of many words, the longest are likely to be the rarest. Counting the entries of each takes up to 1 ms. */
const countedWords = 8

export async function search(
  range: PageRange,
  words: readonly string[],
  { rareMax, rowsPerStep, rowsPerPage }: SearchLimits,
  { rarest, withWord, scan }: SearchReads,
): Promise<Page> {
  const count = range.limit + 1
  const longest = words.toSorted((a, b) => b.length - a.length).slice(0, countedWords)
  const rare = await rarest(longest, rareMax)
  if (rare !== undefined) return pageOf(await withWord(rare, startOf(range), count), range)
  const rows = Math.ceil(rowsPerStep / 2 ** Math.max(0, Math.ceil(Math.log2(words.length)) - 1))
  const all: Found[] = []
  let after = startOf(range)
  for (let read = 0; read < rowsPerPage; read += rowsPerStep) {
    const { found, end } = await scan(after, rows, count - all.length)
    all.push(...found)
    if (all.length === count || end === undefined) return pageOf(all, range)
    after = end
  }
  return { ...pageOf(all, range), next: after }
}

/** One row more than the limit shows that more follow. */
function pageOf(found: readonly Found[], { limit }: PageRange): Page {
  const shown = found.slice(0, limit)
  return { json: `[${shown.map(({ doc }) => doc)}]`, next: found.length > limit ? shown.at(-1)?.id : undefined }
}

/** The tables of words: triggers keep an entry for each word in the column `words` of a row. */
export const wordTables = [
  { of: 'pets', name: 'pet_words', id: 'pet_id', row: 'animal', text: 'name' },
  { of: 'orders', name: 'order_words', id: 'order_id', row: 'order', text: 'reference' },
] as const

export type WordTable = (typeof wordTables)[number]

/** Fills the tables of words, where rows were copied without triggers. `eachWord` has one row for each, `value`. */
export const fillWords = (eachWord: (words: string) => string): string[] =>
  wordTables.map(
    ({ of, name, id }) => `
      INSERT INTO ${name} (word, ${id})
      SELECT value, ${of}.id FROM ${of}, ${eachWord(`${of}.words`)} WHERE value <> '' ORDER BY 1, 2`,
  )

export const wordsAreListed = (eachWord: (words: string) => string): DatabaseCheck[] =>
  wordTables.flatMap(({ of, name, id, row, text }) => {
    const Row = row.replace(/^./, (letter) => letter.toUpperCase())
    return [
      {
        name: `every ${row} is found by its words`,
        table: of,
        faults: `
          SELECT '${Row} ' || ${of}.id || ' is not found by ' || value || '.' FROM ${of}, ${eachWord(`${of}.words`)}
          WHERE ${of}.id > $1 AND ${of}.id <= $2 AND value <> ''
            AND NOT EXISTS (SELECT 1 FROM ${name} WHERE word = value AND ${id} = ${of}.id)
          ORDER BY ${of}.id`,
      },
      {
        name: `no ${row} is found by other words`,
        faults: `
          SELECT '${Row} ' || ${id} || ' is found by ' || word || ', which is not in its ${text}.'
          FROM ${name} LEFT JOIN ${of} ON id = ${id}
          WHERE id IS NULL OR ' ' || words || ' ' NOT LIKE '% ' || word || ' %'
          ORDER BY word, ${id}`,
      },
    ]
  })
