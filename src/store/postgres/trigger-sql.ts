/** What the triggers of the PostgreSQL schema do: events and counts in the transaction of a change. */
import { lockLastEvent } from './events.ts'

/**
 * A trigger that runs once for a statement, with the rights of the owner: whoever may change a table needs no rights on
 * counts and events.
 */
export const trigger = (
  table: string,
  change: 'INSERT' | 'UPDATE' | 'DELETE',
  body: string,
  declarations = '',
): string => {
  const name = `${table}_${change.toLowerCase()}`
  const rows = {
    INSERT: 'NEW TABLE AS new_rows',
    UPDATE: 'OLD TABLE AS old_rows NEW TABLE AS new_rows',
    DELETE: 'OLD TABLE AS old_rows',
  }
  return `
   CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
     ${declarations}
     BEGIN
       ${body}
       RETURN NULL;
     END $$;
   CREATE TRIGGER ${name} AFTER ${change} ON ${table}
     REFERENCING ${rows[change]} FOR EACH STATEMENT EXECUTE FUNCTION ${name}();`
}

/** Writes an event for each row, all at one time; `what` is its type and its animal, `by` the name of a key. */
export const events = (what: string, rows: string, by = 'changed_by'): string => `
       WITH ${lockLastEvent}
       INSERT INTO events (id, type, pet_id, at, data, by)
       SELECT nextval('event_ids'), ${what}, last_event.at, doc, ${by}
       FROM last_event, ${rows} ORDER BY id;`

/**
 * The rows whose JSON an update has changed, with what was in other columns before. Not a join: its plan is cached, and
 * one made for a single row never ends for a million.
 */
export const changed = (...others: readonly string[]): string => {
  const version = ['SELECT id', 'doc', 'changed_by', 'writes', ...others].join(', ')
  const before = ['doc', 'writes', ...others].map((column) => `lag(${column}) OVER versions AS ${column}_before`)
  const columns = ['id', 'doc', ...others.flatMap((column) => [column, `${column}_before`])].join(', ')
  return `(
         SELECT ${columns}, CASE WHEN writes <> writes_before THEN changed_by END AS changed_by FROM (
           SELECT *, ${before.join(', ')}
           FROM (${version}, false AS is_new FROM old_rows UNION ALL ${version}, true FROM new_rows) AS both_versions
           WINDOW versions AS (PARTITION BY id ORDER BY is_new)
         ) AS updated WHERE is_new AND doc IS DISTINCT FROM doc_before
       ) AS changed`
}

/** Says what an update has done to an order. */
export const movedOrUpdated = `CASE WHEN status = status_before THEN 'updated' ELSE status END`

export const slots = 64

/** Each count has the name of its status. Not taken from the model, as a released schema does not change with it. */
const petStatuses = ['available', 'pending', 'sold']
export const orderStatuses = ['placed', 'completed', 'cancelled', 'returned', 'expired']

/** Adds the numbers of the inserted row to those of the row that is there. */
const addToKept = (columns: readonly string[]): string =>
  `DO UPDATE SET ${columns.map((column) => `${column} = kept.${column} + excluded.${column}`).join(', ')}`

/** How many of the rows are in each status: each has n, which is 1 for a new row and -1 for an old one. */
const inEach = (statuses: readonly string[]): string =>
  statuses.map((status) => `coalesce(sum(n) FILTER (WHERE status = '${status}'), 0) AS ${status}`).join(', ')

/** Changes that cancel out, such as of a name, write nothing. */
const areNotZero = (columns: readonly string[]): string => `(${columns.join(', ')}) <> (${columns.map(() => '0')})`

/** Counts the animals of a statement: `rows` has a category, a status, and n. */
export const counts = (rows: string): string => `
       WITH counted AS MATERIALIZED (
         SELECT category_id, ${inEach(petStatuses)} FROM (${rows}) AS animals GROUP BY category_id
       ), of_categories AS (
         INSERT INTO inventory AS kept
         SELECT category_id, own_slot, available, pending, sold FROM counted
         WHERE ${areNotZero(petStatuses)}
         ON CONFLICT (category_id, slot) ${addToKept(petStatuses)}
       )
       INSERT INTO inventory_total AS kept
       SELECT own_slot, sum(available), sum(pending), sum(sold) FROM counted
       HAVING (sum(available), sum(pending), sum(sold)) <> (0, 0, 0)
       ON CONFLICT (slot) ${addToKept(petStatuses)};`

/** Counts the orders of a statement: `rows` has a status, and n. A slot is taken only if a count changes. */
export const orderCounts = (rows: string): string => `
       INSERT INTO order_counts AS kept
       SELECT free_slot(), counted.* FROM (SELECT ${inEach(orderStatuses)} FROM (${rows}) AS orders) AS counted
       WHERE ${areNotZero(orderStatuses)}
       ON CONFLICT (slot) ${addToKept(orderStatuses)};`

const dayCounts = ['added', 'sold', 'returned']

/** Counts what was added, sold and returned today; `values` is a query for the three numbers. */
export const sales = (values: string): string => `
       INSERT INTO sales AS kept
       SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD'), own_slot, added, sold, returned
       FROM (${values}) AS today (added, sold, returned) WHERE ${areNotZero(dayCounts)}
       ON CONFLICT (day, slot) ${addToKept(dayCounts)};`

/**
 * How many animals of an update became sold, and how many were sold before. Not a join, for the reason given at
 * `changed`.
 */
export const soldAndReturned = `
         SELECT 0, count(*) FILTER (WHERE n > 0), count(*) FILTER (WHERE n < 0) FROM (
           SELECT sum(n) AS n FROM (
             SELECT id, 1 AS n FROM new_rows WHERE status = 'sold'
             UNION ALL SELECT id, -1 FROM old_rows WHERE status = 'sold'
           ) AS either GROUP BY id
         ) AS moved`

/** A category whose slots cancel out keeps its rows, which are not shown. */
export const removeEmptyCategories = `
       DELETE FROM inventory
       WHERE slot = own_slot AND (available, pending, sold) = (0, 0, 0)
         AND category_id = ANY (ARRAY(SELECT category_id FROM old_rows));`

export const declareSlot = 'DECLARE own_slot integer := free_slot();'
