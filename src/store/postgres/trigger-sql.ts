/**
 * What the triggers of the PostgreSQL schema do: events and counts in the transaction of a change, and the days of
 * events.
 */
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

/** What an update has done to an order. */
export const movedOrUpdated = `CASE WHEN status = status_before THEN 'updated' ELSE status END`

export const slots = 64
/** Rows that a purge deletes at a time, which takes about 50 ms. */
const purgeRows = 10_000

/** Adds the numbers of the inserted row to those of the row that is there. */
const addToKept = (...columns: readonly string[]): string =>
  `DO UPDATE SET ${columns.map((column) => `${column} = kept.${column} + excluded.${column}`).join(', ')}`

/**
 * Counts the animals of a statement: `rows` has a category, a status, and n: 1 for a new row, -1 for an old one.
 * Changes that cancel out, such as of a name, write nothing.
 */
export const counts = (rows: string): string => `
       WITH counted AS MATERIALIZED (
         SELECT category_id,
           coalesce(sum(n) FILTER (WHERE status = 'available'), 0) AS available,
           coalesce(sum(n) FILTER (WHERE status = 'pending'), 0) AS pending,
           coalesce(sum(n) FILTER (WHERE status = 'sold'), 0) AS sold
         FROM (${rows}) AS animals GROUP BY category_id
       ), of_categories AS (
         INSERT INTO inventory AS kept
         SELECT category_id, own_slot, available, pending, sold FROM counted
         WHERE (available, pending, sold) <> (0, 0, 0)
         ON CONFLICT (category_id, slot) ${addToKept('available', 'pending', 'sold')}
       )
       INSERT INTO inventory_total AS kept
       SELECT own_slot, sum(available), sum(pending), sum(sold) FROM counted
       HAVING (sum(available), sum(pending), sum(sold)) <> (0, 0, 0)
       ON CONFLICT (slot) ${addToKept('available', 'pending', 'sold')};`

/** Counts what was added, sold and returned today; `values` is a query for the three numbers. */
export const sales = (values: string): string => `
       INSERT INTO sales AS kept
       SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD'), own_slot, added, sold, returned
       FROM (${values}) AS today (added, sold, returned) WHERE (added, sold, returned) <> (0, 0, 0)
       ON CONFLICT (day, slot) ${addToKept('added', 'sold', 'returned')};`

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

/** The partitions of events but events_others, with the times from which and up to which they have events. */
const partitions = `(
         SELECT inhrelid::regclass::text AS name, range[1]::bigint AS lower, range[2]::bigint AS upper
         FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid,
           regexp_match(pg_get_expr(relpartbound, inhrelid), 'FROM [(]''([0-9]+)''[)] TO [(]''([0-9]+)''[)]') AS range
         WHERE inhparent = 'events'::regclass AND range IS NOT NULL
       ) AS partitions`

/**
 * Creates the partitions since a time (today if null), up to some days ahead, each of some days, and removes the events
 * from before another: whole partitions, and a portion of events_others. Returns whether more is left. Of concurrent
 * calls, one does it. It waits for a lock for a moment only, as others would queue behind it.
 */
export const eventDays = `
   CREATE FUNCTION keep_event_days(since bigint, before bigint, days bigint DEFAULT 1) RETURNS boolean
   LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = 200 AS $$
     DECLARE
       day constant bigint := 86400000;
       today constant bigint := floor(extract(epoch FROM now()) / 86400) * day;
       -- At most a hundred partitions, even if a wrong clock has written an event long ago.
       first bigint := CASE
         WHEN since IS NULL OR since > today THEN today
         ELSE greatest(since - since % day, today - 100 * day)
       END;
       next bigint;
       partition text;
       last record;
       removed integer;
     BEGIN
       IF NOT pg_try_advisory_xact_lock('events'::regclass::int, 0) THEN RETURN false; END IF;
       WHILE first <= today + 3 * day LOOP
         next := (SELECT upper FROM ${partitions} WHERE lower <= first AND upper > first);
         IF next IS NULL THEN
           next := least(first + days * day, (SELECT min(lower) FROM ${partitions} WHERE lower > first));
           IF NOT EXISTS (SELECT FROM events_others WHERE at >= first AND at < next) THEN
             partition := to_char(to_timestamp(first / 1000) AT TIME ZONE 'UTC', '"events_"YYYY_MM_DD');
             -- Created and then attached: CREATE … PARTITION OF would lock the whole table against everybody.
             EXECUTE format('CREATE TABLE %I (LIKE events INCLUDING ALL)', partition);
             EXECUTE format(
               'ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', partition, first, next
             );
           END IF;
         END IF;
         first := next;
       END LOOP;
       FOR partition IN SELECT name FROM ${partitions} WHERE upper <= before ORDER BY lower LOOP
         EXECUTE format('SELECT id, at FROM %s ORDER BY id DESC LIMIT 1', partition) INTO last;
         EXECUTE format('DROP TABLE %s', partition);
         UPDATE events_purged SET id = last.id, at = last.at WHERE id < last.id;
       END LOOP;
       WITH old AS (
         DELETE FROM events_others
         WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM events_others WHERE at < before ORDER BY id LIMIT ${purgeRows}
         ))
         RETURNING id, at
       ), newest AS (
         SELECT id, at FROM old ORDER BY id DESC LIMIT 1
       ), noted AS (
         UPDATE events_purged SET id = newest.id, at = newest.at FROM newest WHERE events_purged.id < newest.id
       )
       SELECT count(*) INTO removed FROM old;
       RETURN removed = ${purgeRows};
     END $$;
   REVOKE ALL ON FUNCTION keep_event_days FROM PUBLIC;
   SELECT keep_event_days(NULL, 0);`
