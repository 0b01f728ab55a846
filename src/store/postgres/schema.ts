/** The schema of a PostgreSQL database. */
import { lockLastEvent } from './event-horizon.ts'

/**
 * The JSON that clients see of a row, from its columns. Names have no control characters, so only backslash and quote need escaping;
 * to_json() is not allowed in a generated column, and a function of ours around it took half the time of an insert.
 */
export const docs = {
  pets: String.raw`'{"id":' || id::text || ',"name":"' || replace(replace(name, '\', '\\'), '"', '\"') || '","categoryId":' || category_id::text || ',"status":"' || status || '"}'`,
  orders: `'{"id":' || id || ',"petId":' || pet_id || ',"status":"' || status || '","createdAt":"' || created_at || '","updatedAt":"' || updated_at || '"}'`,
  categories: String.raw`'{"id":' || id::text || ',"name":"' || replace(replace(name, '\', '\\'), '"', '\"') || '"}'`,
}

/**
 * The words of an animal as the index has them, each after its block of ids: so a search reads them block by block, in the order
 * of the ids, and stops when it has a page. By the words alone it reads all of them first, in up to 500 ms of a million animals.
 */
export const idsPerBlock = 8_192
const block = `(id / ${idsPerBlock})::text || '/'`
export const petWords = `array_to_tsvector(string_to_array(${block} || replace(words, ' ', ' ' || ${block}), ' '))`

/**
 * A trigger that runs once for a statement, with the rights of the owner: whoever may change a table may have the change
 * counted and written as an event.
 */
const trigger = (table: string, change: 'INSERT' | 'UPDATE' | 'DELETE', body: string, declarations = ''): string => {
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
   CREATE TRIGGER ${name} AFTER ${change} ON ${table} REFERENCING ${rows[change]} FOR EACH STATEMENT EXECUTE FUNCTION ${name}();`
}

/** Writes an event for each row; `what` is its type and its animal. */
const events = (what: string, rows: string): string => `
       WITH ${lockLastEvent}
       INSERT INTO events (id, type, pet_id, at, data)
       SELECT nextval('event_ids'), ${what}, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, doc FROM last_event, ${rows} ORDER BY id;`

/** The rows that an update has changed. Not joined: the plan is kept, and one made for a single row would take for ever for a million. */
const changed = (columns: string): string =>
  `(SELECT ${columns} FROM new_rows EXCEPT SELECT ${columns} FROM old_rows) AS changed`

/** Any number that only this program uses: of the locks on slots. */
const slotLocks = 7_738_753
const slots = 64
const eventDaysLock = 7_738_753_972
/** So many that a statement takes about 50 ms. */
const purgeRows = 10_000

/**
 * Counts the animals of a statement: `rows` has a category, a status, n, which is 1 for an animal that is there now and
 * -1 for one that was, and added. A change that cancels out, such as that of a name, is none.
 */
const counts = (rows: string): string => `
       WITH counted AS MATERIALIZED (
         SELECT category_id, coalesce(sum(n) FILTER (WHERE status = 'available'), 0) AS available,
           coalesce(sum(n) FILTER (WHERE status = 'pending'), 0) AS pending, coalesce(sum(n) FILTER (WHERE status = 'sold'), 0) AS sold
         FROM (${rows}) AS animals GROUP BY category_id
       ), of_categories AS (
         INSERT INTO inventory AS kept SELECT category_id, own_slot, available, pending, sold FROM counted WHERE (available, pending, sold) <> (0, 0, 0)
         ON CONFLICT (category_id, slot) DO UPDATE
           SET available = kept.available + excluded.available, pending = kept.pending + excluded.pending, sold = kept.sold + excluded.sold
       )
       INSERT INTO inventory_total AS kept SELECT own_slot, sum(available), sum(pending), sum(sold) FROM counted
       HAVING (sum(available), sum(pending), sum(sold)) <> (0, 0, 0)
       ON CONFLICT (slot) DO UPDATE
         SET available = kept.available + excluded.available, pending = kept.pending + excluded.pending, sold = kept.sold + excluded.sold;`

/** Counts what was added and sold today; `values` is a query for the two numbers. */
const sales = (values: string): string => `
       INSERT INTO sales AS kept SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD'), own_slot, added, sold
       FROM (${values}) AS today (added, sold) WHERE (added, sold) <> (0, 0)
       ON CONFLICT (day, slot) DO UPDATE SET added = kept.added + excluded.added, sold = kept.sold + excluded.sold;`

/** Where no animal is left; a category whose slots cancel out keeps its rows, which are not shown. */
const removeEmptyCategories = `
       DELETE FROM inventory WHERE slot = own_slot AND (available, pending, sold) = (0, 0, 0) AND category_id = ANY (ARRAY(SELECT category_id FROM old_rows));`

/** Counts all animals anew, where rows were copied without the triggers. */
export const recount = [
  'DELETE FROM inventory',
  'DELETE FROM inventory_total',
  `INSERT INTO inventory SELECT category_id, 0, count(*) FILTER (WHERE status = 'available'), count(*) FILTER (WHERE status = 'pending'),
     count(*) FILTER (WHERE status = 'sold') FROM pets GROUP BY category_id`,
  `INSERT INTO inventory_total SELECT 0, coalesce(sum(available), 0), coalesce(sum(pending), 0), coalesce(sum(sold), 0) FROM inventory`,
]

const declareSlot = 'DECLARE own_slot integer := free_slot();'

/**
 * Creates the partitions of the days since a time (today unless given), up to some days ahead, and removes the events of before another: whole
 * days, and some thousand of those that belong to none. Returns whether more is left. Of instances that call it at the same
 * time, one does it. It waits for a lock for a moment only, as others would wait behind it.
 */
const eventDays = `
   CREATE FUNCTION keep_event_days(since bigint, before bigint) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
   SET search_path FROM CURRENT SET lock_timeout = 200 AS $$
     DECLARE
       day constant bigint := 86400000;
       today constant bigint := floor(extract(epoch FROM now()) / 86400) * day;
       -- A hundred days at the most, whatever clock wrote the events.
       oldest constant bigint := CASE WHEN since IS NULL OR since > today THEN today ELSE greatest(since - since % day, today - 100 * day) END;
       first bigint;
       partition text;
       last record;
       removed integer;
     BEGIN
       IF NOT pg_try_advisory_xact_lock(${eventDaysLock}) THEN RETURN false; END IF;
       FOR first IN SELECT generate_series(oldest, today + 3 * day, day) LOOP
         partition := to_char(to_timestamp(first / 1000) AT TIME ZONE 'UTC', '"events_"YYYY_MM_DD');
         IF to_regclass(partition) IS NULL AND NOT EXISTS (SELECT FROM events_others WHERE at >= first AND at < first + day) THEN
           -- Attached, as creating it in place would keep everybody from the whole table.
           EXECUTE format('CREATE TABLE %I (LIKE events INCLUDING ALL)', partition);
           EXECUTE format('ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', partition, first, first + day);
         END IF;
       END LOOP;
       FOR partition IN SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'events'::regclass
           AND inhrelid <> 'events_others'::regclass ORDER BY 1
       LOOP
         EXIT WHEN (extract(epoch FROM to_date(right(partition, 10), 'YYYY_MM_DD')) * 1000)::bigint + day > before;
         EXECUTE format('SELECT id, at FROM %s ORDER BY id DESC LIMIT 1', partition) INTO last;
         EXECUTE format('DROP TABLE %s', partition);
         UPDATE events_purged SET id = last.id, at = last.at WHERE id < last.id;
       END LOOP;
       WITH old AS (
         DELETE FROM events_others WHERE ctid = ANY (ARRAY(SELECT ctid FROM events_others WHERE at < before ORDER BY id LIMIT ${purgeRows})) RETURNING id, at
       ), newest AS (SELECT id, at FROM old ORDER BY id DESC LIMIT 1), noted AS (
         UPDATE events_purged SET id = newest.id, at = newest.at FROM newest WHERE events_purged.id < newest.id
       )
       SELECT count(*) INTO removed FROM old;
       RETURN removed = ${purgeRows};
     END $$;
   REVOKE ALL ON FUNCTION keep_event_days(bigint, bigint) FROM PUBLIC;
   SELECT keep_event_days(NULL, 0);`

/**
 * Functions are found and act in the schema of the tables alone, with temporary tables last: those of a caller would be
 * used with the rights of the owner.
 */
const baseline = `
   SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

   -- doc is the JSON that clients see, generated by the database so that it always agrees with the columns.
   CREATE TABLE pets (
     id bigint PRIMARY KEY,
     name text NOT NULL,
     -- Those of the name, folded, with a space in between: see model/words.ts.
     words text NOT NULL,
     category_id bigint NOT NULL,
     status text NOT NULL CHECK (status IN ('available', 'pending', 'sold')),
     -- 1 while an order on the animal is open or completed: then only that order changes the status. In the animal's own row,
     -- as a statement that waited for the lock of a row sees the current row, but not current rows of other tables.
     held smallint NOT NULL DEFAULT 0 CHECK (held IN (0, 1)),
     doc text NOT NULL GENERATED ALWAYS AS (${docs.pets}) STORED
   );
   CREATE SEQUENCE pet_ids MINVALUE 0 MAXVALUE 9007199254740991 START 0 OWNED BY pets.id;
   CREATE INDEX pets_by_status ON pets (status, id);
   -- Exactly one index fits each page: given a second one that begins with the same column, the planner may read a whole
   -- category and sort it.
   CREATE INDEX pets_by_category ON pets (category_id, status, id);
   -- What is pending would be read again for each block. It takes 10 µs of an insert instead of 3.
   CREATE INDEX pets_by_words ON pets USING gin (${petWords}) WITH (fastupdate = off);

   CREATE TABLE orders (
     id bigint PRIMARY KEY, pet_id bigint NOT NULL REFERENCES pets (id),
     status text NOT NULL CHECK (status IN ('placed', 'completed', 'cancelled', 'returned')),
     created_at text NOT NULL, updated_at text NOT NULL,
     doc text NOT NULL GENERATED ALWAYS AS (${docs.orders}) STORED
   );
   CREATE SEQUENCE order_ids MINVALUE 0 MAXVALUE 9007199254740991 START 0 OWNED BY orders.id;
   -- Makes a second sale impossible, whatever the program does.
   CREATE UNIQUE INDEX orders_one_sale ON orders (pet_id) WHERE status IN ('placed', 'completed');
   CREATE INDEX orders_by_status ON orders (status, id);
   CREATE INDEX orders_by_pet ON orders (pet_id, status, id);

   CREATE TABLE categories (
     id bigint PRIMARY KEY,
     name text NOT NULL,
     doc text NOT NULL GENERATED ALWAYS AS (${docs.categories}) STORED
   );

   CREATE TABLE api_keys (
     id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
     name text NOT NULL, prefix text NOT NULL, hash text NOT NULL UNIQUE, scopes text NOT NULL, created_at bigint NOT NULL,
     -- The one a key was created with: rotation sets an earlier expiry, which the next rotation must not inherit.
     lifetime bigint, expires_at bigint, revoked_at bigint, last_used_at bigint, rate text
   );
   -- The last call of each deprecated operation by each key.
   CREATE TABLE deprecated_calls (
     key_id bigint NOT NULL, operation text NOT NULL, called_at bigint NOT NULL,
     PRIMARY KEY (key_id, operation)
   );
   -- Until when what all instances let through is accounted for, in nanoseconds since 1970. It changes every second and may be
   -- lost in a crash: hence unlogged, with room for the next version of a row.
   CREATE UNLOGGED TABLE rate_usage (
     key_id bigint PRIMARY KEY, used_until bigint NOT NULL, ahead_max bigint NOT NULL
   ) WITH (fillfactor = 50);

   CREATE TABLE idempotency_records (
     key_id bigint NOT NULL, route text NOT NULL, idempotency_key text NOT NULL, fingerprint text NOT NULL,
     row_id bigint NOT NULL, json text NOT NULL, created_at bigint NOT NULL,
     PRIMARY KEY (key_id, route, idempotency_key)
   );
   CREATE INDEX idempotency_records_by_age ON idempotency_records (created_at);

   -- How far the import of each file has come, written in the transactions that add its animals.
   CREATE TABLE imports (
     hash text PRIMARY KEY, rows_done bigint NOT NULL, keeps_ids integer NOT NULL, finished_at bigint
   );

   -- What /readyz writes, to find out whether the server can.
   CREATE TABLE probe (id integer PRIMARY KEY, at bigint NOT NULL) WITH (fillfactor = 10);
   INSERT INTO probe VALUES (1, 0);

   -- How many animals there are, kept by triggers in the transaction of each change: in each category that has any, in all,
   -- and added and sold each day. Each is the sum over its slots: a transaction takes a slot that no other has, and so waits
   -- for none. Rows change often, and find room for their next version on their page.
   CREATE TABLE inventory (
     category_id bigint, slot integer DEFAULT 0, available bigint NOT NULL, pending bigint NOT NULL, sold bigint NOT NULL,
     PRIMARY KEY (category_id, slot)
   ) WITH (fillfactor = 50);
   CREATE TABLE inventory_total (
     slot integer PRIMARY KEY, available bigint NOT NULL, pending bigint NOT NULL, sold bigint NOT NULL
   ) WITH (fillfactor = 10);
   CREATE TABLE sales (day text, slot integer DEFAULT 0, added bigint NOT NULL, sold bigint NOT NULL, PRIMARY KEY (day, slot)) WITH (fillfactor = 10);

   -- The lowest slot that no other transaction has; if all are taken, it waits for one. It is given back at the end of the transaction.
   CREATE FUNCTION free_slot() RETURNS integer LANGUAGE plpgsql AS $$
     BEGIN
       FOR slot IN 0..${slots - 1} LOOP
         IF pg_try_advisory_xact_lock(${slotLocks}, slot) THEN RETURN slot; END IF;
       END LOOP;
       PERFORM pg_advisory_xact_lock(${slotLocks}, pg_backend_pid() % ${slots});
       RETURN pg_backend_pid() % ${slots};
     END $$;

   -- Every change as an event, written by triggers, so that there is none without its event. By day, as a day that is over can be
   -- dropped at once; what belongs to no day that is there (data of another database, a clock that is off) is in events_others.
   CREATE TABLE events (
     id bigint NOT NULL, type text NOT NULL, pet_id bigint, at bigint NOT NULL, data text NOT NULL,
     PRIMARY KEY (id, at)
   ) PARTITION BY RANGE (at);
   CREATE TABLE events_others PARTITION OF events DEFAULT;
   CREATE SEQUENCE event_ids MINVALUE 0 MAXVALUE 9007199254740991 START 0 OWNED BY events.id;
   -- Its one row is the last event that was removed.
   CREATE TABLE events_purged (id bigint NOT NULL, at bigint NOT NULL);
   INSERT INTO events_purged VALUES (0, 0);
   SELECT setval('pet_ids', 0), setval('order_ids', 0), setval('event_ids', 0);
   ${eventDays}

   ${trigger(
     'pets',
     'INSERT',
     `${events(`'pet.created', id`, 'new_rows')}
       ${counts('SELECT category_id, status, 1 AS n FROM new_rows')}
       ${sales('SELECT count(*), 0 FROM new_rows')}`,
     declareSlot,
   )}
   ${trigger(
     'pets',
     'UPDATE',
     `${events(`'pet.updated', id`, changed('id, doc'))}
       ${counts('SELECT category_id, status, 1 AS n FROM new_rows UNION ALL SELECT category_id, status, -1 FROM old_rows')}
       ${sales(`SELECT 0, (SELECT count(*) FROM new_rows WHERE status = 'sold') - (SELECT count(*) FROM old_rows WHERE status = 'sold')`)}
       ${removeEmptyCategories}`,
     declareSlot,
   )}
   ${trigger(
     'pets',
     'DELETE',
     `${events(`'pet.deleted', id`, 'old_rows')}
       ${counts('SELECT category_id, status, -1 AS n FROM old_rows')}
       ${removeEmptyCategories}`,
     declareSlot,
   )}
   ${trigger('orders', 'INSERT', events(`'order.' || status, pet_id`, 'new_rows'))}
   ${trigger('orders', 'UPDATE', events(`'order.' || status, pet_id`, changed('id, doc, status, pet_id')))}
   ${trigger('categories', 'INSERT', events(`'category.named', NULL`, 'new_rows'))}
   ${trigger('categories', 'UPDATE', events(`'category.named', NULL`, changed('id, doc')))}
   ${trigger('categories', 'DELETE', events(`'category.unnamed', NULL`, 'old_rows'))}

   -- Where events are sent, who does it (the lease), and how it went. The secret is needed to sign.
   CREATE TABLE webhooks (
     id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
     url text NOT NULL, types text NOT NULL, enabled bigint NOT NULL, reason text, created_at bigint NOT NULL,
     secret text NOT NULL, old_secret text, old_secret_until bigint NOT NULL DEFAULT 0, position bigint NOT NULL,
     position_at bigint NOT NULL, revision bigint NOT NULL DEFAULT 0, lease_holder text,
     lease_beat bigint NOT NULL DEFAULT 0
   ) WITH (fillfactor = 50);
   CREATE TABLE deliveries (
     webhook_id bigint NOT NULL, event_id bigint NOT NULL, type text NOT NULL, subject text NOT NULL, at bigint NOT NULL,
     body text NOT NULL,
     status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
     tries bigint NOT NULL, next_try_at bigint NOT NULL, response_status bigint, fault text,
     PRIMARY KEY (webhook_id, event_id)
   );
   CREATE INDEX deliveries_open ON deliveries (webhook_id, event_id) WHERE status <> 'delivered';
   CREATE INDEX deliveries_by_time ON deliveries (at);`

/** The first is the schema of 1.0.0. A released migration is never changed; add another one. */
export const migrations: readonly string[] = [baseline]
