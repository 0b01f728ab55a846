/** Searches for animals by the words of their names: block by block of ids, through the index of words. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { startOf } from '../filters.ts'
import type { DatabaseCheck } from '../maintenance.ts'
import type { Page, PageRange } from '../store.ts'
import { eachWord, idsPerBlock } from './schema.ts'
import { prepare, type Statement } from './statement.ts'

/**
 * The other filters. Each part is a condition whose animals come in the order of an index; `values` are bound to each
 * part.
 */
interface Others {
  readonly columns: readonly string[]
  readonly parts: readonly string[]
  readonly values: readonly SQLInputValue[]
}

type Search = (range: PageRange, words: readonly string[], others: Others) => Page

/** Blocks that a page examines. Ten million animals have 1,221; for a word that no animal has, these take 5 ms. */
const blocksMax = 2_000
/** Rows and index entries that a page may read before it ends short; 10,000 took 11 ms at most. */
const effortMax = 8_000
/** What each block adds to the effort. */
const effortPerBlock = 200
/** For a word with more entries in a block, reading all its animals until the page is full takes less. */
const entriesMax = 1_024
/** Statements for searches of more words are not cached. */
const wordsMax = 4

type Found = [block: number | null, place: number, isFound: 0 | 1]

/** Sorts above everything that begins with a word: no letter has this code. */
const above = '\u{10FFFF}'
const beginsWithValue = `word >= value AND word < value || '${above}'`

/** The first block, from a given one on, that has every word; or the last that was examined; or none. */
function walkText(isDescending: boolean): string {
  const [end, from, beyond] = isDescending ? ['max', '<=', '<'] : ['min', '>=', '>']
  return `
    WITH RECURSIVE walk (block, place) AS (
      SELECT ${end}(block), 1 FROM pet_words WHERE block ${from} ?1
      UNION ALL
      SELECT (SELECT ${end}(block) FROM pet_words WHERE block ${beyond} walk.block), place + 1
      FROM walk WHERE block IS NOT NULL AND place < ?2
    )
    SELECT block, place, found FROM (
      SELECT block, place, NOT EXISTS (
        SELECT 1 FROM json_each(?3) WHERE NOT EXISTS (
          SELECT 1 FROM pet_words WHERE pet_words.block = walk.block AND ${beginsWithValue}
        )
      ) AS found FROM walk
    ) WHERE found OR block IS NULL OR place = ?2 LIMIT 1`
}

const rarestText = `
  SELECT value, (
    SELECT count(*) FROM (SELECT 1 FROM pet_words WHERE block = ? AND ${beginsWithValue} LIMIT ${entriesMax})
  ) AS entries
  FROM json_each(?) ORDER BY entries LIMIT 1`

export function createSearch(db: DatabaseSync): Search {
  const kept = new Map<string, Statement<never>>()
  function statementOf<Row extends readonly unknown[]>(text: string, isKept = true): Statement<Row> {
    const statement = (kept.get(text) as Statement<Row> | undefined) ?? prepare<Row>(db, text)
    if (isKept) kept.set(text, statement as Statement<never>)
    return statement
  }

  return (range, words, { columns, parts, values }) => {
    const { limit, isDescending = false } = range
    const [after, upTo, order] = isDescending ? ['<', '>=', 'id DESC'] : ['>', '<=', 'id']
    const walk = statementOf<Found>(walkText(isDescending))
    const rarest = statementOf<[word: string, entries: number]>(rarestText)
    const list = JSON.stringify(words)

    /** The next animal that meets the other conditions. */
    function nextOf(from: number): number | undefined {
      const firsts = parts.map(
        (part) => `SELECT * FROM (SELECT id FROM pets WHERE id ${after} ?${part} ORDER BY ${order} LIMIT 1)`,
      )
      const text = `SELECT id FROM (${firsts.join(' UNION ALL ')}) ORDER BY ${order} LIMIT 1`
      return statementOf<[id: number]>(text).get(...parts.flatMap(() => [from, ...values]))?.[0]
    }

    /** The `+` keeps SQLite from choosing another index than that of ids. */
    function rowsOf(block: number, from: number, to: number, word: string | undefined, count: number) {
      const listed =
        word === undefined ? '' : ' AND id IN (SELECT pet_id FROM pet_words WHERE block = ? AND word >= ? AND word < ?)'
      const others = columns.map((column) => ` AND +${column} = ?`).join('')
      const have = words.map(() => ` AND instr(' ' || words, ?)`).join('')
      const text = `
        SELECT id, doc FROM pets WHERE id ${after} ? AND id ${upTo} ?${listed}${others}${have}
        ORDER BY ${order} LIMIT ? + 0`
      return statementOf<[id: number, doc: string]>(text, words.length <= wordsMax).all(
        from,
        to,
        ...(word === undefined ? [] : [block, word, word + above]),
        ...values,
        ...words.map((each) => ` ${each}`),
        count,
      )
    }

    const docs: string[] = []
    let last: number | undefined
    let from = startOf(range)
    let blocks = Math.ceil(blocksMax / words.length)
    let effort = effortMax
    while (blocks > 0 && effort > 0) {
      const next = nextOf(from)
      if (next === undefined) return { json: `[${docs}]`, next: undefined }
      const [block, place, isFound] = walk.get(Math.floor(next / idsPerBlock), blocks, list) as Found
      if (block === null) return { json: `[${docs}]`, next: undefined }
      blocks -= place
      const first = block * idsPerBlock
      const to = isDescending ? first : first + idsPerBlock - 1
      if (isFound) {
        const [word, entries] = rarest.get(block, list) as [string, number]
        const isCommon = entries === entriesMax
        const start = isDescending ? Math.min(next + 1, first + idsPerBlock) : Math.max(next - 1, first - 1)
        for (const [id, doc] of rowsOf(block, start, to, isCommon ? undefined : word, limit + 1 - docs.length)) {
          if (docs.length === limit) return { json: `[${docs}]`, next: last }
          docs.push(doc)
          last = id
        }
        effort -= effortPerBlock + (isCommon ? idsPerBlock : entries)
      }
      from = isDescending ? first : to
    }
    return { json: `[${docs}]`, next: from || undefined }
  }
}

/** Index entries, in the blocks of a condition, whose animal does not have the word. */
const strayWords = (condition: string): string =>
  `SELECT 'Animal ' || pet_id || ' is found by ' || word || ', which is not in its name.'
   FROM pet_words LEFT JOIN pets ON id = pet_id
   WHERE ${condition}
     AND (id IS NULL OR block <> id / ${idsPerBlock} OR instr(' ' || words || ' ', ' ' || word || ' ') = 0)`

/** The first block without ids below the given one, which the driver passes as a number with a fraction. */
const blockAfter = (id: string): string => `(CAST(${id} AS INTEGER) + ${idsPerBlock - 1}) / ${idsPerBlock}`

export const wordsAreIndexed: readonly DatabaseCheck[] = [
  {
    name: 'every animal is found by its words',
    table: 'pets',
    faults: `
      SELECT 'Animal ' || pets.id || ' is not found by ' || value || '.' FROM pets, ${eachWord('words')}
      WHERE pets.id > $1 AND pets.id <= $2 AND value <> ''
        AND NOT EXISTS (
          SELECT 1 FROM pet_words WHERE block = pets.id / ${idsPerBlock} AND word = value AND pet_id = pets.id
        )
      UNION ALL ${strayWords(`block >= ${blockAfter('$1')} AND block < ${blockAfter('$2')}`)}`,
  },
  {
    name: 'no animal is found that is gone',
    faults: strayWords(`block >= (SELECT ${blockAfter('coalesce(max(id), 0)')} FROM pets)`),
  },
]
