/** The PostgreSQL store: one database, shared by any number of instances. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createCategories } from '../categories.ts'
import { type Check, createInspection } from '../checks.ts'
import { createEvents } from '../events.ts'
import { createImports, type PetIds } from '../imports.ts'
import { createInventory } from '../inventory.ts'
import { createKeys } from '../keys.ts'
import { purgeIdempotencyRecords } from '../purge.ts'
import { type Store, StoreRefused, StoreUnavailable } from '../store.ts'
import { createWebhooks, withDeliveries } from '../webhooks.ts'
import { createBulk } from './bulk.ts'
import { createPool } from './connection.ts'
import { unavailable } from './errors.ts'
import { createEventHorizon } from './event-horizon.ts'
import { migrate } from './migrate.ts'
import { createNotices } from './notices.ts'
import { createOrders } from './orders.ts'
import { createPets } from './pets.ts'
import type { PoolOptions } from './pool.ts'
import { shareRatesOn } from './rates.ts'
import { createReader } from './replica.ts'
import { docs } from './schema.ts'
import { createSql, withoutTimeouts } from './sql.ts'

/** Batches of new animals, and of orders, under way at a time: where a commit takes long, the next does not wait for it. */
export const writesInFlight = 4

/** The sequence is read after the snapshot of the rows was taken, and so is never behind by mistake. */
const behind = (sequence: string, table: string): string =>
  `SELECT '${sequence} is at ' || last_value || ', behind the last id in ${table}.' FROM ${sequence}
   WHERE last_value < (SELECT max(id) FROM ${table})`

/** Whether its files are intact is for pg_amcheck. */
const idsAreNew: Check = {
  name: 'no id is assigned again',
  faults: [behind('pet_ids', 'pets'), behind('order_ids', 'orders'), behind('event_ids', 'events')].join(' UNION ALL '),
}

const petIds: PetIds = {
  next: `nextval('pet_ids')`,
  isNew: '(SELECT last_value FROM pet_ids) = 0',
  reserve: `SELECT setval('pet_ids', $2) FROM imports WHERE hash = $1 AND keeps_ids = 1`,
}

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
  const sql = createSql(pool)
  const readerSql = createSql(pool, reader.query)
  const horizon = createEventHorizon(pool)
  const webhooks = createWebhooks(sql)
  /** Whole days of events, and those that belong to none in portions. */
  async function purge(before: number): Promise<void> {
    let isMore: boolean | undefined
    do {
      const [row] = await pool.query<{ more: boolean }>('SELECT keep_event_days($1::bigint, $2::bigint) AS more', [
        Date.now(),
        before,
      ])
      isMore = row?.more
    } while (isMore)
  }
  async function close(): Promise<void> {
    const deadline = performance.now() + pool.endMilliseconds
    while (pets.waiting() + orders.waiting() > 0 && performance.now() < deadline) await sleep(5)
    await Promise.all([pool.end(), replica?.end(), notices.end()])
  }
  return {
    pets,
    orders,
    categories: createCategories(readerSql),
    inventory: createInventory(readerSql),
    events: withDeliveries(createEvents(sql, { horizon: horizon.read, watch: notices.watch, purge }), webhooks),
    keys: createKeys(sql),
    webhooks,
    bulk: createBulk(pool),
    inspection: createInspection(createSql(pool, withoutTimeouts(pool)), [idsAreNew], docs),
    shareRates: shareRatesOn(pool),
    imports: createImports(sql, petIds),
    async ready() {
      const [row] = await pool.query<{ is_read_only: string }>(
        `SELECT current_setting('transaction_read_only') AS is_read_only`,
      )
      if (row?.is_read_only === 'on') {
        // A balancer keeps writes from an instance that is not ready, so this may be all that notices.
        pool.renew()
        throw new StoreUnavailable('PostgreSQL: the server is read-only (a standby, or default_transaction_read_only)')
      }
    },
    purgeIdempotencyRecords: (before) => purgeIdempotencyRecords(sql, before),
    samples: () => [
      ...pool.stats.commits.samples(pets.waiting() + orders.waiting()),
      ['petstore_events_held_seconds', horizon.heldSeconds()],
      ...pool.stats.samples('primary'),
      ...(replica?.stats.samples('replica') ?? []),
    ],
    close,
    discard: close,
  }
}
