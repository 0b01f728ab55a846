/** The checks of stored data. Each check is a query for faults, in SQL that both databases understand. */
import { OrderStatus, statusOfPet } from '../model/order.ts'
import { PetStatus } from '../model/pet.ts'
import type { DatabaseCheck, Inspection } from './maintenance.ts'
import type { Sql } from './shared-sql.ts'
import { type TableWithWords, wordsFrom } from './tables.ts'

/** The rows of a portion. It takes a few milliseconds, so that no transaction stays open for long. */
const portionRows = 5_000

const count = (status: OrderStatus): string =>
  `(SELECT count(*) FROM orders WHERE pet_id = pets.id AND orders.status = '${status}')`

type Statuses = readonly string[]
const all = (statuses: Statuses, text: (status: string) => string): string => statuses.map(text).join(', ')
const any = (statuses: Statuses, condition: (status: string) => string): string => statuses.map(condition).join(' OR ')
const sums = (statuses: Statuses) => all(statuses, (status) => `coalesce(sum(${status}), 0) AS ${status}`)
const recounted = (statuses: Statuses) =>
  all(statuses, (status) => `count(CASE status WHEN '${status}' THEN 1 END) AS ${status}`)
/** Returns the statuses as one reads them. Intl.ListFormat would take 40 ms of every start to load its data. */
const listed = (statuses: Statuses) => `${statuses.slice(0, -1).join(', ')} and ${statuses.at(-1)}`

interface Counted {
  /** SQL for the group that the counts belong to. */
  readonly whose: string
  readonly statuses: Statuses
  /** Queries for the key of what is counted, and the number of rows in each status. */
  readonly kept: string
  readonly recount: string
}

/**
 * Compares the stored counts with a recount, in one statement and so at one moment. It avoids a join, for which SQLite
 * would compare each category with all others.
 */
const differences = ({ whose, statuses, kept, recount }: Counted): string => {
  const sumsOf = (source: 'kept' | 'found') =>
    all(statuses, (status) => `sum(CASE source WHEN '${source}' THEN ${status} ELSE 0 END) AS ${source}_${status}`)
  const countsText = (source: 'kept' | 'found') => statuses.map((status) => `${source}_${status}`).join(" || ', ' || ")
  return `
    SELECT ${whose} || ' are ' || ${countsText('kept')} || ' ${listed(statuses)}, but there are '
      || ${countsText('found')} || '.'
    FROM (
      SELECT counted_id, ${sumsOf('kept')}, ${sumsOf('found')}
      FROM (
        SELECT 'kept' AS source, kept.* FROM (${kept}) AS kept
        UNION ALL SELECT 'found', recount.* FROM (${recount}) AS recount
      ) AS counted
      GROUP BY counted_id
    ) AS counts
    WHERE ${any(statuses, (status) => `kept_${status} <> found_${status}`)}
    ORDER BY counted_id`
}

/** Compares the counts of all rows of a table with a recount. */
const totalDiffers = (whose: string, statuses: Statuses, kept: string, table: string): string =>
  differences({
    whose: `'${whose}'`,
    statuses,
    kept: `SELECT 0 AS counted_id, ${sums(statuses)} FROM ${kept}`,
    recount: `SELECT 0 AS counted_id, ${recounted(statuses)} FROM ${table}`,
  })

/**
 * Finds the rows whose stored words differ from the words of their column. The text of a row is its id, its words and
 * that column.
 */
const otherWords = (row: string, table: TableWithWords) => (text: string) => {
  const [column, wordsIn] = wordsFrom[table]
  // Words have only letters and digits.
  const [id, words, ...rest] = text.split(':')
  return wordsIn(rest.join(':')) === words ? undefined : `${row} ${id} has other words than its ${column}.`
}

const checks: readonly DatabaseCheck[] = [
  {
    name: 'every animal agrees with its orders',
    table: 'pets',
    faults: `
      WITH counted AS MATERIALIZED (
        SELECT id, status, ${count('placed')} AS open, ${count('completed')} AS done
        FROM pets WHERE id > $1 AND id <= $2
      )
      SELECT 'Animal ' || id || ' is ' || status || ' with ' || open || ' placed and ' || done || ' completed orders.'
      FROM counted
      WHERE open + done > 1
        OR (open = 1 AND status <> '${statusOfPet.placed}')
        OR (done = 1 AND status <> '${statusOfPet.completed}')
      ORDER BY id`,
  },
  {
    name: 'every animal has the words of its name',
    table: 'pets',
    faults: `SELECT id || ':' || words || ':' || name FROM pets WHERE id > $1 AND id <= $2 ORDER BY id`,
    faultIn: otherWords('Animal', 'pets'),
  },
  {
    name: 'every category has the words of its name',
    faults: `SELECT id || ':' || words || ':' || name FROM categories ORDER BY categories.id`,
    faultIn: otherWords('Category', 'categories'),
  },
  {
    name: 'every order has the words of its reference',
    table: 'orders',
    faults: `
      SELECT id || ':' || words || ':' || coalesce(reference, '') FROM orders
      WHERE id > $1 AND id <= $2 AND (words <> '' OR reference IS NOT NULL) ORDER BY id`,
    faultIn: otherWords('Order', 'orders'),
  },
  {
    name: 'every order has its animal',
    table: 'orders',
    faults: `
      SELECT 'Order ' || id || ' is on animal ' || pet_id || ', which does not exist.' FROM orders
      WHERE id > $1 AND id <= $2 AND NOT EXISTS (SELECT 1 FROM pets WHERE pets.id = pet_id) ORDER BY id`,
  },
  {
    name: 'animals are as their newest events say',
    faults: `
      WITH newest AS MATERIALIZED (
        SELECT pet_id, max(id) AS id FROM (
          SELECT id, pet_id FROM events WHERE type LIKE 'pet.%' ORDER BY id DESC LIMIT ${portionRows}
        ) AS newest
        GROUP BY pet_id
      )
      SELECT 'Animal ' || newest.pet_id || ' is not as its last event says.'
      FROM newest JOIN events ON events.id = newest.id LEFT JOIN pets ON pets.id = newest.pet_id
      WHERE CASE type WHEN 'pet.deleted' THEN pets.id IS NOT NULL ELSE pets.doc IS DISTINCT FROM data END
      ORDER BY newest.pet_id`,
  },
  {
    name: 'the counts of categories are right',
    faults: differences({
      whose: `'The counts of category ' || counted_id`,
      statuses: PetStatus.enum,
      kept: `SELECT category_id AS counted_id, ${sums(PetStatus.enum)} FROM inventory
        GROUP BY category_id HAVING ${any(PetStatus.enum, (status) => `sum(${status}) <> 0`)}`,
      recount: `SELECT category_id AS counted_id, ${recounted(PetStatus.enum)} FROM pets GROUP BY category_id`,
    }),
  },
  {
    name: 'the counts of all animals are right',
    faults: totalDiffers('The counts of all animals', PetStatus.enum, 'inventory_total', 'pets'),
  },
  {
    name: 'the counts of all orders are right',
    faults: totalDiffers('The counts of all orders', OrderStatus.enum, 'order_counts', 'orders'),
  },
]

/** Compares the stored JSON of rows with their columns; `rowJson` has the expressions. */
const shownAsStored = (rowJson: Readonly<Record<'pets' | 'orders' | 'categories', string>>): DatabaseCheck[] => [
  {
    name: 'every animal is shown as it is stored',
    table: 'pets',
    faults: `
      SELECT 'Animal ' || id || ' is not shown as it is stored.' FROM pets
      WHERE id > $1 AND id <= $2 AND doc IS DISTINCT FROM ${rowJson.pets} ORDER BY id`,
  },
  {
    name: 'every order is shown as it is stored',
    table: 'orders',
    faults: `
      SELECT 'Order ' || id || ' is not shown as it is stored.' FROM orders
      WHERE id > $1 AND id <= $2 AND doc IS DISTINCT FROM ${rowJson.orders} ORDER BY id`,
  },
  {
    name: 'every category is shown as it is stored',
    faults: `
      SELECT 'Category ' || id || ' is not shown as it is stored.' FROM categories
      WHERE doc IS DISTINCT FROM ${rowJson.categories} ORDER BY categories.id`,
  },
]

export const createInspection = (
  { read }: Pick<Sql, 'read'>,
  ofDatabase: readonly DatabaseCheck[],
  rowJson: Parameters<typeof shownAsStored>[0],
): Inspection => ({
  checks: [...ofDatabase, ...checks, ...shownAsStored(rowJson)],
  texts: async (text, ...values) => (await read(text, ...values)).map((row) => String(Object.values(row)[0])),
})

export async function runCheck(
  { texts }: Inspection,
  { table, faults, faultIn = (text) => text }: DatabaseCheck,
  report: (fault: string) => void,
): Promise<void> {
  async function find(...values: number[]): Promise<void> {
    for (const text of await texts(faults, ...values)) {
      const fault = faultIn(text)
      if (fault !== undefined) report(fault)
    }
  }
  if (!table) return find()
  const idOf = async (text: string, ...values: number[]) => Number((await texts(text, ...values))[0])
  const max = await idOf(`SELECT coalesce(max(id), 0) FROM ${table}`)
  const portion = `SELECT id FROM ${table} WHERE id > $1 ORDER BY id LIMIT ${portionRows}`
  for (let after = 0; after < max; ) {
    const last = (await idOf(`SELECT coalesce(max(id), 0) FROM (${portion}) AS portion`, after)) || max
    await find(after, last)
    after = last
  }
}
