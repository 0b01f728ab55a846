/** What a search for animals, or for orders, reads from PostgreSQL. */
import { turn } from '../../time.ts'
import type { Filters } from '../filters.ts'
import { afterAll, type Found, numberIn, type SearchLimits, type SearchReads, search, searchLimits } from '../search.ts'
import type { Page, PageRange } from '../store.ts'
import type { Pool } from './pool.ts'
import { followingRows, idsText, isOneOf, matches, patternsText, plainFilters } from './reader.ts'

interface Searched {
  /** The word of $1 that finds the fewest rows, and how many, at most about $2; $3 has the numbers of the words. */
  readonly rarest: string
  /** The ids of the rows that have a word from $1 to $2, or the number $3. */
  readonly ids: string
  /** The columns that a step needs of its rows, `step`, and what is joined to them. */
  readonly shown: string
  readonly joined: string
  /** Whether a row has the words in $2, as `matches` has it. */
  readonly hasWords: string
  /** The same for words of which some are numbers, where a number also finds the row that has it. */
  readonly hasWordsOrNumbers?: string
}

/**
 * How many entries begin with a word, at most one more than $2. Without an upper bound the planner expects a third of
 * the table, and so reads the index in its order.
 */
const entriesIn = (table: string, id: string): string => `
    SELECT count(*) AS count FROM (
      SELECT word FROM ${table} WHERE word >= searched.word ORDER BY word, ${id} LIMIT $2::bigint + 1
    ) AS following
    WHERE word < searched.word || '${afterAll('')}'`

const animalsWith = (condition: string, number: string): string =>
  `SELECT pet_id FROM pet_words WHERE ${condition} UNION ALL SELECT ${number} WHERE ${number} IS NOT NULL`

/**
 * How many orders of one animal are counted. An animal that has this many makes its word common. The orders are read
 * without an upper bound, for the reason given at `entriesIn`, so the orders of the animals that follow are read, too.
 * This is why fewer are counted for each animal if there are many animals.
 */
const ordersMax = `(greatest(20, $2::bigint / greatest(named.count, 1)) + 1)`

const searched: Readonly<Record<'pets' | 'orders', Searched>> = {
  pets: {
    rarest: `
  SELECT searched.word, entries.count
  FROM unnest(string_to_array($1, ',')) AS searched (word), LATERAL (${entriesIn('pet_words', 'pet_id')}) AS entries
  ORDER BY entries.count LIMIT 1`,
    ids: 'SELECT pet_id AS id FROM pet_words WHERE word >= $1 AND word < $2',
    shown: 'id, doc, words',
    joined: '',
    hasWords: matches('words', '$2::text[]'),
  },
  orders: {
    // A word of many animals counts as common, even if hardly any of them has orders: finding out would take long.
    rarest: `
  SELECT searched.word, CASE WHEN own.count + named.count > $2::bigint THEN $2::bigint + 1 ELSE own.count + (
      SELECT coalesce(sum(CASE WHEN ordered.count < ${ordersMax} THEN ordered.count ELSE $2::bigint + 1 END), 0)
      FROM (${animalsWith(`word >= searched.word AND word < searched.word || '${afterAll('')}'`, 'searched.number')})
        AS animals (id), LATERAL (
        SELECT count(*) FILTER (WHERE pet_id = animals.id) AS count FROM (
          SELECT pet_id FROM orders WHERE pet_id >= animals.id ORDER BY pet_id, id LIMIT ${ordersMax}
        ) AS following
      ) AS ordered
    ) END AS count
  FROM unnest(string_to_array($1, ','), string_to_array($3, ',', '')::bigint[]) AS searched (word, number),
    LATERAL (${entriesIn('order_words', 'order_id')}) AS own,
    LATERAL (${entriesIn('pet_words', 'pet_id')}) AS named
  ORDER BY count LIMIT 1`,
    ids: `
      SELECT order_id AS id FROM order_words WHERE word >= $1 AND word < $2
      UNION ALL SELECT ordered.id FROM (${animalsWith('word >= $1 AND word < $2', '$3::bigint')}) AS animals (id),
        LATERAL (SELECT id FROM orders WHERE pet_id = animals.id OFFSET 0) AS ordered
      UNION ALL SELECT $3::bigint WHERE $3::bigint IS NOT NULL`,
    shown: 'id, doc, words, pet_id AS animal_id',
    joined: `, LATERAL (
      SELECT step.words || ' ' || words AS words FROM pets WHERE id = step.animal_id OFFSET 0
    ) AS animal`,
    hasWords: matches('animal.words', '$2::text[]'),
    // A number that is the id of the order or of its animal need not be among the words. This takes twice as long.
    hasWordsOrNumbers: matches(
      'animal.words',
      `array_remove(array_remove($2::text[], '% ' || step.id || '%'), '% ' || step.animal_id || '%')`,
    ),
  },
}

interface Row {
  readonly id: string
  readonly doc: string
}

const foundOf = ({ id, doc }: Row): Found => ({ id: Number(id), doc })

type Search = (range: PageRange, words: readonly string[], filters: Filters) => Promise<Page>

export function createSearch({ query, time }: Pool, table: 'pets' | 'orders', limits?: SearchLimits): Search {
  const { rarest, ids, shown, joined, hasWords, hasWordsOrNumbers } = searched[table]
  const isNumbered = hasWordsOrNumbers !== undefined

  function readsOf(isDescending: boolean, words: readonly string[], filters: Filters): SearchReads {
    const { columns } = filters
    const patterns = patternsText(words)
    const values = filters.values.map(String)
    const isMatch = words.some((word) => numberIn(word) !== null) ? (hasWordsOrNumbers ?? hasWords) : hasWords
    const [after, order] = isDescending ? ['<', 'id DESC'] : ['>', 'id']

    return {
      async rarest(some, rareMax) {
        const numbers = isNumbered ? [some.map((word) => numberIn(word) ?? '').join()] : []
        const [row] = await query<{ word: string; count: string }>(rarest, [some.join(), rareMax, ...numbers])
        return row && Number(row.count) <= rareMax ? row.word : undefined
      },
      /**
       * Two statements: in one, the planner expects so many ids that it takes reading the whole table for as cheap as
       * looking each of them up.
       */
      async withWord(prefix, from, count) {
        const numbers = isNumbered ? [numberIn(prefix)] : []
        const found = await query<{ id: string }>(ids, [prefix, afterAll(prefix), ...numbers])
        const rows = await query<Row>(
          `SELECT id, doc FROM (
             SELECT ${[...columns, shown]} FROM ${table}
             WHERE id ${after} $1 AND ${isOneOf('$4')}${plainFilters(columns, 5)} ORDER BY ${order}
           ) AS step${joined}
           WHERE ${isMatch} ORDER BY ${order} LIMIT $3`,
          [from, patterns, count, idsText(found.map(({ id }) => id)), ...values],
        )
        return rows.map(foundOf)
      },
      async scan(from, rowsMax, count) {
        const options = { isDescending, shown, after: '$1::bigint', rowsMax, firstValue: 4 }
        const { rows, order, isInside } = followingRows(table, columns, options)
        // The last row of the step is returned even if it does not match, because it shows where the step ended.
        const read = await query<Row & { is_match: boolean; is_last: boolean }>(
          `SELECT id, doc, is_match, is_last FROM (
             SELECT *, ${isMatch} AS is_match, row_number() OVER (ORDER BY ${order}) = ${rowsMax} AS is_last
             FROM (${rows}) AS step${joined}
           ) AS following
           WHERE ${isInside} AND (is_match OR is_last) ORDER BY ${order} LIMIT $3`,
          [from, patterns, count, ...values],
        )
        const last = read.find(({ is_last }) => is_last)
        return { found: read.filter(({ is_match }) => is_match).map(foundOf), end: last && Number(last.id) }
      },
    }
  }

  return async (range, words, filters) => {
    // Requests of this turn share the reply of a first page (`Store.version`), and the last of them may know of a write
    // that was committed after the first came.
    await turn(time)
    return search(range, words, limits ?? searchLimits[table], readsOf(range.isDescending ?? false, words, filters))
  }
}
