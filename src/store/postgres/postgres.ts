/** The PostgreSQL store: one database, shared by any number of instances. */
import { sleep, type Time } from '../../time.ts'
import { createImports } from '../bulk.ts'
import { createCategories } from '../categories.ts'
import { createInspection } from '../checks.ts'
import { createEvents } from '../events.ts'
import { createInventory } from '../inventory.ts'
import type { ShareRates } from '../key-table.ts'
import { createKeys } from '../keys.ts'
import type { DatabaseCheck } from '../maintenance.ts'
import { type SearchLimits, wordsAreListed } from '../search.ts'
import { purgeIdempotencyRecords, type Sql } from '../shared-sql.ts'
import { DatabaseUnusable, type SchemaChange, type Store } from '../store.ts'
import { createWebhooks, withDeliveries } from '../webhooks.ts'
import { createBulk } from './bulk.ts'
import { compareClocks } from './clock.ts'
import { codeOf } from './errors.ts'
import { createEventSource } from './events.ts'
import { bytesAtOnce, createImportAdd } from './imports.ts'
import { assertRights, migrate } from './migrate.ts'
import { createOrders } from './orders.ts'
import { createPets } from './pets.ts'
import { createPool, type Pool, type PoolOptions } from './pool.ts'
import { assertFit, assertWhole, refusalOf } from './refusals.ts'
import { eachWord, rowJson } from './schema.ts'
import { createSql, now } from './sql.ts'

/**
 * On a full disk, an update alone may still find room in its page and in the log. So about 70 KB are also written to a
 * temporary file on the same disk.
 */
async function tryWrite({ transaction, health }: Pool): Promise<void> {
  await transaction(async (query) => {
    await query(`SET LOCAL work_mem = '64kB'`)
    await query('SELECT count(*) FROM generate_series(1, 5000)')
    await query(`INSERT INTO probe VALUES (1, ${now}) ON CONFLICT (id) DO UPDATE SET at = excluded.at`)
  })
  health.wrote()
}

/**
 * How many batches of new animals, and of orders, may be under way at a time: a slow commit then does not hold up the
 * next.
 */
const writesInFlight = 4

/** The sequence is read after the snapshot of the rows, so a concurrent insert is no fault. */
const behind = (sequence: string, table: string): string =>
  `SELECT '${sequence} is at ' || last_value || ', behind the last id in ${table}.' FROM ${sequence}
   WHERE last_value < (SELECT max(id) FROM ${table})`

/** The files themselves are checked by pg_amcheck, a tool of PostgreSQL. */
const idsAreNew: DatabaseCheck = {
  name: 'no id is assigned again',
  faults: [behind('pet_ids', 'pets'), behind('order_ids', 'orders'), behind('event_ids', 'events')].join(' UNION ALL '),
}

/** Runs a change of the tables and sequences themselves, which needs more rights than serving. */
const asOwner = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error) => {
    if (codeOf(error) !== '42501') throw error
    throw new DatabaseUnusable(
      `The role in DATABASE_URL may not do this: ${error.message}. Run it as the owner of the tables.`,
    )
  })

export interface PostgresOptions extends PoolOptions {
  readonly schema?: SchemaChange
  /** Other limits of a search, for tests. */
  readonly search?: SearchLimits
}

export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const { time, schema = 'migrate', warn } = options
  const pool = createPool(options)
  try {
    await assertFit(pool)
    await migrate(pool, schema)
    await assertWhole(pool, schema)
    if (schema === 'migrate') await assertRights(pool)
    if (warn) await compareClocks(pool, warn)
  } catch (error) {
    await pool.end()
    throw refusalOf(error) ?? error
  }
  const events = createEventSource(pool)
  const pets = createPets(pool, writesInFlight, options.search)
  const orders = createOrders(pool, writesInFlight, options.search)
  const sql = createSql(pool)
  const webhooks = createWebhooks(sql)
  const withoutTimeouts: Sql['read'] = (text, ...values) => pool.longTransaction(({ query }) => query(text, values))
  const bulk = createBulk(pool)
  async function close(): Promise<void> {
    const deadline = time.ticks() + pool.endMilliseconds
    while (pets.waiting() + orders.waiting() > 0 && time.ticks() < deadline) await sleep(time, 5)
    await pool.end()
  }
  return {
    pets,
    orders,
    categories: createCategories(sql),
    inventory: createInventory(sql),
    events: withDeliveries(createEvents(sql, events, time), webhooks),
    keys: createKeys(sql),
    webhooks,
    bulk: { ...bulk, import: (fill, kept) => asOwner(bulk.import(fill, kept)) },
    inspection: createInspection({ read: withoutTimeouts }, [idsAreNew, ...wordsAreListed(eachWord)], rowJson),
    shareRates: shareRatesOn(pool),
    imports: createImports(sql, { add: createImportAdd(pool, sql), bytesAtOnce }),
    fault: () => pool.health.fault,
    tryWrite: () => tryWrite(pool),
    version: createTurnNumber(time),
    purgeIdempotencyRecords: (olderThanMilliseconds) => purgeIdempotencyRecords(sql, olderThanMilliseconds),
    samples: () => [
      ...pool.stats.commits.samples(pets.waiting() + orders.waiting()),
      ['petstore_events_held_seconds', events.blockedSeconds()],
      ...pool.stats.samples(),
    ],
    close,
  }
}

/** A number that changes with every turn of the event loop in which it is asked for. */
function createTurnNumber(time: Time): () => number {
  let number = 0
  let isThisTurn = false
  return () => {
    if (!isThisTurn) {
      isThisTurn = true
      number++
      time.nextTurn(() => {
        isThisTurn = false
      })
    }
    return number
  }
}

const nowNanoseconds = '(extract(epoch FROM statement_timestamp()) * 1000000000)::bigint'
/**
 * Adds to what all instances have used of the rate limits of keys, by the clock of the database; last_used and
 * ahead_max only pass values to the update. In the order of keys, so that instances do not deadlock.
 */
const addRates = `INSERT INTO rate_usage AS known (key_id, used_until, last_used, ahead_max)
  SELECT (use ->> 0)::bigint, ${nowNanoseconds} + max((use ->> 2)::bigint), sum((use ->> 1)::bigint),
    max((use ->> 3)::bigint)
  FROM json_array_elements($1::text::json) AS use GROUP BY 1 ORDER BY 1
  ON CONFLICT (key_id) DO UPDATE SET last_used = excluded.last_used, ahead_max = excluded.ahead_max,
    used_until = greatest(
      least(known.used_until, ${nowNanoseconds} + excluded.ahead_max) + excluded.last_used, excluded.used_until)
  RETURNING key_id, used_until - ${nowNanoseconds} AS ahead`

function shareRatesOn({ write }: Pool): ShareRates {
  return async (uses) => {
    const given = uses.map(({ keyId, used, ahead, aheadMax }) => [keyId, used, ahead, aheadMax])
    const rows = await write<{ key_id: string; ahead: string }>(addRates, [JSON.stringify(given)])
    const ahead = new Map(rows.map((row) => [Number(row.key_id), Number(row.ahead)]))
    return uses.map(({ keyId }) => ahead.get(keyId) ?? 0)
  }
}
