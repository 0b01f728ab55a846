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

/** What a page may cost before it ends short. A unit takes about a microsecond, and a page up to 10 ms. */
const effortMax = 8_000
/**
 * Costs: a seek for a word in a block; counting a word in a block; there, an animal by its id, or all in order for one
 * word.
 */
const [effortPerSeek, effortPerWord, effortPerRow, effortPerScan] = [2, 50, 3, 4_000]
/** A merge of index entries reads so many at the cost of one unit. */
const entriesMerged = 12
/** The entries of a word in a block are counted up to here. */
const entriesMax = 512
/** If more animals of a block have all words, they are no longer read by their ids where there are other filters. */
const readByIdMax = 128
/** Statements for searches of more words are not cached. */
const wordsMax = 4

type Found = [block: number | null, seeks: number, isFound: 0 | 1 | null]
type Examined = [word: string, entries: number, first: string | null, last: string | null]
type Row = [id: number, doc: string]

/** Sorts above everything that begins with a word: no letter has this code. */
const above = '\u{10FFFF}'

/**
 * The first block, from a given one on, that has a word; or, after so many seeks, the next block to look at; or none.
 * `at` is twice the block, and one more if that has the word. Each seek is for the word in a block; where the block
 * lacks it, the entry that follows tells which block is next.
 */
function walkText(isDescending: boolean): string {
  const next = isDescending
    ? `CASE WHEN word >= ?4 THEN 2 * block WHEN word >= ?3 THEN 2 * block + 1 ELSE 2 * block - 2 END
       FROM pet_words WHERE (block, word) < (walk.at / 2, ?4) ORDER BY block DESC, word DESC LIMIT 1`
    : `CASE WHEN word < ?3 THEN 2 * block WHEN word < ?4 THEN 2 * block + 1 ELSE 2 * block + 2 END
       FROM pet_words WHERE (block, word) >= (walk.at / 2, ?3) ORDER BY block, word LIMIT 1`
  return `
    WITH RECURSIVE walk (at, seeks) AS (
      VALUES (2 * CAST(?1 AS INTEGER), 0)
      UNION ALL
      SELECT (SELECT ${next}), seeks + 1 FROM walk WHERE at & 1 = 0 AND seeks < ?2
    )
    SELECT at / 2, seeks, at & 1 FROM walk WHERE at & 1 OR at IS NULL OR seeks >= ?2 LIMIT 1`
}

const inBlock = `FROM pet_words WHERE block = ?1 AND word >= value AND word < value || '${above}'`
const examineText = `
  SELECT value, (SELECT count(*) FROM (SELECT 1 ${inBlock} LIMIT ${entriesMax})) AS entries,
    (SELECT min(word) ${inBlock}), (SELECT max(word) ${inBlock})
  FROM json_each(?2) ORDER BY entries`

type StatementOf = <Row extends readonly unknown[]>(text: string, isKept?: boolean) => Statement<Row>

/** The statements of one search. */
function createReads(statementOf: StatementOf, isDescending: boolean, words: readonly string[], others: Others) {
  const { columns, parts, values } = others
  const [after, upTo, direction] = isDescending ? ['<', '>=', 'DESC'] : ['>', '<=', 'ASC']
  const isKept = words.length <= wordsMax

  /** The next animal that meets the other conditions. */
  function nextOf(from: number): number | undefined {
    const firsts = parts.map(
      (part) => `SELECT * FROM (SELECT id FROM pets WHERE id ${after} ?${part} ORDER BY id ${direction} LIMIT 1)`,
    )
    const text = `SELECT id FROM (${firsts.join(' UNION ALL ')}) ORDER BY id ${direction} LIMIT 1`
    return statementOf<[id: number]>(text).get(...parts.flatMap(() => [from, ...values]))?.[0]
  }

  /** The `+` keeps SQLite from choosing another index than that of ids. */
  function rowsOf(from: number, to: number, count: number, listed = '', ...list: SQLInputValue[]): Row[] {
    const filters = columns.map((column) => ` AND +${column} = ?`).join('')
    const conditions = words.map(() => ` AND instr(' ' || words, ?)`).join('')
    const text = `
      SELECT id, doc FROM pets WHERE id ${after} ? AND id ${upTo} ?${listed}${filters}${conditions}
      ORDER BY id ${direction} LIMIT ? + 0`
    const have = words.map((word) => ` ${word}`)
    return statementOf<Row>(text, isKept).all(from, to, ...list, ...values, ...have, count)
  }

  /**
   * The ids of a block that have all of these words, the rarest first. The entries of a word are in the order of ids:
   * unless the others are looked up for each of the rarest, SQLite merges them, and stops at the limit.
   */
  function idsWithAll(block: number, whole: readonly string[], from: number, count: number, isMerged: boolean) {
    const others = whole.slice(1)
    const entries = `SELECT pet_id FROM pet_words AS rarest WHERE block = ? AND word = ? AND pet_id ${after} ?`
    const has = ' AND EXISTS (SELECT 1 FROM pet_words WHERE block = ? AND word = ? AND pet_id = rarest.pet_id)'
    const text = `${entries}${others.map(() => (isMerged ? ` INTERSECT ${entries}` : has)).join('')}
      ORDER BY pet_id ${direction} LIMIT ? + 0`
    const more = others.flatMap((word) => (isMerged ? [block, word, from] : [block, word]))
    const rows = statementOf<[id: number]>(text, isKept).all(block, whole[0] ?? '', from, ...more, count)
    return rows.map(([id]) => id)
  }

  /** At most `count` animals of a block, what they cost, and up to where they were looked for. */
  function read(block: number, examined: readonly Examined[], from: number, to: number, count: number) {
    const [[rarest, fewest] = ['', 0]] = examined
    const others = examined.length - 1
    let cost = 0
    // If a word of the search begins several words of the block, their entries are not in the order of ids.
    if (others > 0 && examined.every(([, , first, last]) => first === last)) {
      const entries = examined.map(([, counted]) => (counted < entriesMax ? counted : idsPerBlock))
      const mergeCost = entries.reduce((sum, each) => sum + each) / entriesMerged
      const lookUpCost = (entries[0] ?? 0) * others
      const whole = examined.map(([, , word]) => word ?? '')
      const most = columns.length > 0 ? readByIdMax : count
      const ids = idsWithAll(block, whole, from, most, mergeCost < lookUpCost)
      cost = Math.min(mergeCost, lookUpCost) + ids.length * effortPerRow
      if (ids.length < most || columns.length === 0) {
        const rows = rowsOf(from, to, count, ' AND id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
        return { rows, cost, reached: to }
      }
    }
    if (fewest === entriesMax) {
      // Every word is looked for in each name.
      const ids = Math.ceil(idsPerBlock / words.length)
      const reached = isDescending ? Math.max(to, from - ids) : Math.min(to, from + ids)
      return { rows: rowsOf(from, reached, count), cost: cost + effortPerScan, reached }
    }
    const listed = ' AND id IN (SELECT pet_id FROM pet_words WHERE block = ? AND word >= ? AND word < ?)'
    const rows = rowsOf(from, to, count, listed, block, rarest, rarest + above)
    return { rows, cost: cost + fewest * effortPerRow, reached: to }
  }

  return { nextOf, read }
}

export function createSearch(db: DatabaseSync): Search {
  const kept = new Map<string, Statement<never>>()
  const statementOf: StatementOf = <Row extends readonly unknown[]>(text: string, isKept = true) => {
    const statement = (kept.get(text) as Statement<Row> | undefined) ?? prepare<Row>(db, text)
    if (isKept) kept.set(text, statement as Statement<never>)
    return statement
  }

  return (range, words, others) => {
    const { limit, isDescending = false } = range
    const walk = statementOf<Found>(walkText(isDescending))
    const examine = statementOf<Examined>(examineText)
    const list = JSON.stringify(words)
    const { nextOf, read } = createReads(statementOf, isDescending, words, others)
    const docs: string[] = []
    let last: number | undefined
    let from = startOf(range)
    let effort = effortMax
    // The word that was last missing: most likely it is rare.
    let [sought = ''] = words
    while (effort > 0) {
      const next = nextOf(from)
      if (next === undefined) return { json: `[${docs}]`, next: undefined }
      const seeksMax = Math.ceil(effort / effortPerSeek)
      const [block, seeks, isFound] = walk.get(
        Math.floor(next / idsPerBlock),
        seeksMax,
        sought,
        sought + above,
      ) as Found
      if (block === null) return { json: `[${docs}]`, next: undefined }
      effort -= seeks * effortPerSeek
      const first = block * idsPerBlock
      const end = first + idsPerBlock
      if (!isFound) {
        from = isDescending ? end : first - 1
        break
      }
      effort -= words.length * effortPerWord
      const examined = examine.all(block, list)
      const [[rarest, fewest] = ['', 0]] = examined
      const to = isDescending ? first : end - 1
      from = to
      if (fewest === 0) sought = rarest
      else {
        const start = isDescending ? Math.min(next + 1, end) : Math.max(next - 1, first - 1)
        const { rows, cost, reached } = read(block, examined, start, to, limit + 1 - docs.length)
        for (const [id, doc] of rows) {
          if (docs.length === limit) return { json: `[${docs}]`, next: last }
          docs.push(doc)
          last = id
        }
        effort -= cost
        from = reached
      }
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
