/** The PostgreSQL store: one database, shared by any number of instances. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createProbe } from '../probe.ts'
import { type Store, StoreRefused } from '../store.ts'
import { createWebhooks, withDeliveries } from '../webhooks.ts'
import { createBulk } from './bulk.ts'
import { createCategories } from './categories.ts'
import { createPool } from './connection.ts'
import { unavailable } from './errors.ts'
import { createEvents } from './events.ts'
import { createImports } from './imports.ts'
import { createInspection } from './inspection.ts'
import { createInventory } from './inventory.ts'
import { createKeys } from './keys.ts'
import { migrate } from './migrate.ts'
import { createNotices } from './notices.ts'
import { createOrders } from './orders.ts'
import { createPets } from './pets.ts'
import type { PoolOptions } from './pool.ts'
import { shareRatesOn } from './rates.ts'
import { createReader } from './replica.ts'
import { sqlOn } from './webhooks.ts'

const purgeRows = 5_000
/**
 * By which /readyz finds out whether the server accepts writes. An update alone would find room in the page of its row and in
 * the log while no table can grow any more. So 200 KB are written to a temporary file, too: it is on the same disk.
 */
const probeWrite = `SET LOCAL work_mem = '64kB'; SELECT count(*) FROM generate_series(1, 5000);
  INSERT INTO probe VALUES (1, (extract(epoch FROM now()) * 1000)::bigint) ON CONFLICT (id) DO UPDATE SET at = excluded.at`
/** Batches of new animals, and of orders, under way at a time: where a commit takes long, the next does not wait for it. */
export const writesInFlight = 4

export interface PostgresOptions extends PoolOptions {
  /** A replica that lists and gets may be read from. */
  readonly readUrl?: string | undefined
}

export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const { readUrl } = options
  const pool = createPool(options)
  try {
    await migrate(pool)
  } catch (error) {
    await pool.end()
    throw unavailable(error)
      ? new StoreRefused(
          `Cannot reach the database: ${(error as Error).message}. Check DATABASE_URL, and that the server is running.`,
        )
      : error
  }
  const replica = readUrl === undefined ? undefined : createPool({ ...options, url: readUrl })
  const notices = createNotices(pool, options)
  const reader = createReader(pool, replica)
  const pets = createPets(pool, reader.query, writesInFlight)
  const orders = createOrders(pool, reader.query, writesInFlight)
  const webhooks = createWebhooks(sqlOn(pool))
  async function close(): Promise<void> {
    const drained = Promise.all([pets.drained(), orders.drained()])
    await Promise.race([drained, sleep(pool.endMilliseconds, undefined, { ref: false })])
    await Promise.all([pool.end(), replica?.end(), notices.end()])
  }
  return {
    pets,
    orders,
    categories: createCategories(pool, reader.query),
    inventory: createInventory(pool, reader.query),
    events: withDeliveries(createEvents(pool, notices.watch), webhooks),
    keys: createKeys(pool),
    webhooks,
    bulk: createBulk(pool),
    inspection: createInspection(pool),
    shareRates: shareRatesOn(pool),
    imports: createImports(pool),
    ready: createProbe(() => pool.runAll(probeWrite), 'PostgreSQL: a write does not end'),
    async purgeIdempotencyRecords(before) {
      // In batches, so that no statement times out; SKIP LOCKED keeps instances out of each other's way.
      let purged: unknown[]
      do
        purged = await pool.query(
          `DELETE FROM attempts WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM attempts WHERE created_at < $1 LIMIT ${purgeRows} FOR UPDATE SKIP LOCKED
           )) RETURNING 1`,
          [before],
        )
      while (purged.length === purgeRows)
    },
    samples: () => [
      ...pool.stats.commits.samples(pets.waiting() + orders.waiting()),
      ...pool.stats.samples('primary'),
      ...(replica?.stats.samples('replica') ?? []),
    ],
    close,
    discard: close,
  }
}
