/** Statements of migrations: triggers that count animals and write events, and rights. Released migrations use them, so they are never changed. */
import { each } from '../inventory.ts'
import { nextId, taking } from './ids.ts'

/** Gives a right to every role that may add animals, and is not the owner: what it could do, it still can. */
export const grant = (right: string): string => `DO $$ DECLARE role text; BEGIN
     FOR role IN SELECT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END
                 FROM pg_class, aclexplode(relacl) WHERE oid = 'pets'::regclass AND privilege_type = 'INSERT'
     LOOP EXECUTE 'GRANT ${right} TO ' || role; END LOOP;
   END $$`

/** Adds a row for each category whose counts a statement changes; `rows` has n, added and bought of each animal. */
export const countTrigger = (
  event: 'INSERT' | 'UPDATE' | 'DELETE',
  tables: string,
  rows: string,
  having = 'true',
): string => `
   CREATE FUNCTION pets_count_${event.toLowerCase()}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     INSERT INTO inventory_changes
     SELECT category_id, (now() AT TIME ZONE 'UTC')::date, ${each((status) => `sum(CASE status WHEN '${status}' THEN n ELSE 0 END)`)}, sum(added), sum(bought)
     FROM (${rows}) AS rows GROUP BY category_id HAVING ${having};
     RETURN NULL;
   END $$;
   CREATE TRIGGER pets_count_${event.toLowerCase()} AFTER ${event} ON pets REFERENCING ${tables}
     FOR EACH STATEMENT EXECUTE FUNCTION pets_count_${event.toLowerCase()}();`

/**
 * Writes the events of a statement; `what` is their type and animal. With the rights of the owner and temporary tables last,
 * as the triggers that count.
 */
export const eventTrigger = (
  table: string,
  change: 'INSERT' | 'UPDATE' | 'DELETE',
  what: string,
  columns = 'id, doc',
): string => {
  const name = `events_${table}_${change.toLowerCase()}`
  const rows = {
    INSERT: { tables: 'NEW TABLE AS new_rows', from: 'new_rows' },
    UPDATE: {
      tables: 'OLD TABLE AS old_rows NEW TABLE AS new_rows',
      // Not joined: the plan is kept, and one made for a single row would take for ever for a million.
      from: `(SELECT ${columns} FROM new_rows EXCEPT SELECT ${columns} FROM old_rows) AS changed`,
    },
    DELETE: { tables: 'OLD TABLE AS old_rows', from: 'old_rows' },
  }[change]
  return `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
     DECLARE now_ms bigint := extract(epoch FROM clock_timestamp()) * 1000;
     BEGIN
       WITH ${taking('events')}
       INSERT INTO events (id, type, pet_id, at, data)
       SELECT ${nextId('events')}, ${what}, now_ms, doc FROM taking, ${rows.from} ORDER BY id;
       RETURN NULL;
     END $$;
   DO $$ BEGIN
     EXECUTE format('ALTER FUNCTION ${name}() SET search_path = %s, pg_temp',
       (SELECT relnamespace::regnamespace FROM pg_class WHERE oid = 'events'::regclass));
   END $$;
   CREATE TRIGGER ${name} AFTER ${change} ON ${table} REFERENCING ${rows.tables}
     FOR EACH STATEMENT EXECUTE FUNCTION ${name}();`
}
