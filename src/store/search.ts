/**
 * Searches for animals by the words of their names, in the same way on both databases. A rare word is looked up in the
 * table of words. If every word of the search is common, animals are read in the order of their ids, step by step, and
 * those whose names match are kept. A page may then end before it is full, with a link to the next one.
 *
 * Each step reads the database anew. Ids only rise (or only fall), so no animal is found twice; and every id up to the
 * end of a page was looked at, so an animal that is there from the first page to the last is found.
 */
import { startOf } from './filters.ts'
import type { DatabaseCheck } from './maintenance.ts'
import type { Page, PageRange } from './store.ts'

export interface SearchLimits {
  /** A word is rare if the table of words has at most this many entries that begin with it. */
  readonly rareMax: number
  /** The animals that one step reads; half as many for three or four words, a quarter for five to eight, and so on. */
  readonly rowsPerStep: number
  /** The animals that a page reads at most. */
  readonly rowsPerPage: number
}

/**
 * A step takes about 2 ms on SQLite, during which the service answers no other request, and 10 ms if all names are as
 * long as they can be. With many more rows at a time, PostgreSQL would sort a table that has not many more.
 */
export const searchLimits: SearchLimits = { rareMax: 2_000, rowsPerStep: 4_000, rowsPerPage: 200_000 }

export interface Found {
  readonly id: number
  readonly doc: string
}

/** What a search asks of a database. All results are in the order of the page, and pass its other filters. */
export interface SearchReads {
  /** Of some words, the one that begins the fewest entries of the table, if there are at most `rareMax`. */
  rarest(words: readonly string[], rareMax: number): Promise<string | undefined>
  /** The first `count` animals after an id that have a word beginning with `prefix`, and match the search. */
  withWord(prefix: string, after: number, count: number): Promise<readonly Found[]>
  /**
   * Of the next `rows` animals after an id, the first `count` that match the search; `end` is the last of these rows,
   * undefined if fewer than `rows` are left.
   */
  scan(after: number, rows: number, count: number): Promise<{ found: readonly Found[]; end: number | undefined }>
}

/** No word has this character, and every word that begins with `prefix` sorts before the two together. */
export const afterAll = (prefix: string): string => `${prefix}\u{10FFFF}`

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

/** Fills the table of words, where animals were copied without triggers. `eachWord` has one row for each, `value`. */
export const fillWords = (eachWord: (words: string) => string): string => `
  INSERT INTO pet_words (word, pet_id)
  SELECT value, pets.id FROM pets, ${eachWord('pets.words')} WHERE value <> '' ORDER BY 1, 2`

export const wordsAreListed = (eachWord: (words: string) => string): readonly DatabaseCheck[] => [
  {
    name: 'every animal is found by its words',
    table: 'pets',
    faults: `
      SELECT 'Animal ' || pets.id || ' is not found by ' || value || '.' FROM pets, ${eachWord('pets.words')}
      WHERE pets.id > $1 AND pets.id <= $2 AND value <> ''
        AND NOT EXISTS (SELECT 1 FROM pet_words WHERE word = value AND pet_id = pets.id)
      ORDER BY pets.id`,
  },
  {
    name: 'no animal is found by other words',
    faults: `
      SELECT 'Animal ' || pet_id || ' is found by ' || word || ', which is not in its name.'
      FROM pet_words LEFT JOIN pets ON id = pet_id
      WHERE id IS NULL OR ' ' || words || ' ' NOT LIKE '% ' || word || ' %'
      ORDER BY word, pet_id`,
  },
]
