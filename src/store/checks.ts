/** What must hold in the stored data: each check is a query for faults that both databases understand. */
import { effectOnPet, type OrderStatus } from '../model/order.ts'
import type { Sql, SqlValue } from './sql.ts'

export interface Check {
  readonly name: string
  /** The table whose rows are checked in portions; without one, the query is run once, however long it takes. */
  readonly table?: 'pets' | 'orders'
  /** Finds one text per fault; of a table, among the rows whose id is above $1 and at most $2. */
  readonly faults: string
}

/** How a store is checked, also while others write to it. */
export interface Inspection {
  /** That of the database itself comes first. */
  readonly checks: readonly Check[]
  /** The first column of each row, however long it takes: a query that was given up would look like a fault. */
  texts(text: string, ...values: readonly SqlValue[]): Promise<string[]>
}

/** Takes a few milliseconds, so that no transaction stays open for long. */
const portionRows = 5_000

const { placed, completed } = effectOnPet
const count = (status: OrderStatus): string =>
  `(SELECT count(*) FROM orders WHERE pet_id = pets.id AND orders.status = '${status}')`

const checks: readonly Check[] = [
  {
    name: 'every animal agrees with its orders',
    table: 'pets',
    // A PATCH may change the status of an animal that was sold, but not of one that an order holds.
    faults: `
      WITH counted AS MATERIALIZED (
        SELECT id, status, sale, ${count('placed')} AS open, ${count('completed')} AS done
        FROM pets WHERE id > $1 AND id <= $2
      )
      SELECT 'Animal ' || id || ' is ' || status || ' (sale: ' || coalesce(sale, 'none') || ') with ' || open || ' placed and '
          || done || ' completed orders.'
      FROM counted WHERE open + done > 1 OR (open = 1 AND status <> '${placed.status}')
         OR coalesce(sale, '') <> CASE WHEN open = 1 THEN '${placed.sale}' WHEN done = 1 THEN '${completed.sale}' ELSE '' END
      ORDER BY id`,
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
        SELECT pet_id, max(id) AS id FROM (SELECT id, pet_id FROM events WHERE type LIKE 'pet.%' ORDER BY id DESC LIMIT ${portionRows}) AS newest
        GROUP BY pet_id
      )
      SELECT 'Animal ' || newest.pet_id || ' is not as its last event says.'
      FROM newest JOIN events ON events.id = newest.id LEFT JOIN pets ON pets.id = newest.pet_id
      WHERE CASE type WHEN 'pet.deleted' THEN pets.id IS NOT NULL ELSE pets.doc IS DISTINCT FROM data END ORDER BY newest.pet_id`,
  },
]

export const createInspection = ({ read }: Pick<Sql, 'read'>, ofDatabase: Check): Inspection => ({
  checks: [ofDatabase, ...checks],
  texts: async (text, ...values) => (await read(text, ...values)).map((row) => String(Object.values(row)[0])),
})

/** Passes each fault to `report`, and the part that is done to `progress`. */
export async function runCheck(
  { texts }: Inspection,
  { table, faults }: Check,
  report: (fault: string) => void,
  progress: (part: number) => void,
): Promise<void> {
  if (!table) return (await texts(faults)).forEach(report)
  const idOf = async (text: string, ...values: number[]) => Number((await texts(text, ...values))[0])
  const max = await idOf(`SELECT coalesce(max(id), 0) FROM ${table}`)
  const portion = `SELECT id FROM ${table} WHERE id > $1 ORDER BY id LIMIT ${portionRows}`
  for (let after = 0; after < max; ) {
    progress(after / max)
    const last = (await idOf(`SELECT coalesce(max(id), 0) FROM (${portion}) AS portion`, after)) || max
    ;(await texts(faults, after, last)).forEach(report)
    after = last
  }
}
