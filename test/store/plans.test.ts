/**
 * What a page, and placing orders, costs in a typical catalogue: the oldest animals are sold, the newest tenth is
 * available, and there are a few large categories.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe } from 'node:test'
import type postgres from 'postgres'
import { type PostgresServer, postgresDatabase, releasePostgres, startPostgres } from '../../harness/postgres.ts'
import { Folder } from '../../harness/process.ts'
import { after, before, describeUnless, some, test, testInFull } from '../../harness/scope.ts'
import { listOrders } from '../../src/orders/operations.ts'
import { listPets } from '../../src/pets/operations.ts'
import { Commits } from '../../src/store/commits.ts'
import type { EventPage } from '../../src/store/event-table.ts'
import { createEvents } from '../../src/store/events.ts'
import { createInventory } from '../../src/store/inventory.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { createOrders } from '../../src/store/postgres/orders.ts'
import { createPets } from '../../src/store/postgres/pets.ts'
import { createPool, type Pool, type Query } from '../../src/store/postgres/pool.ts'
import { createSql } from '../../src/store/postgres/sql.ts'
import type { SqlValue } from '../../src/store/shared-sql.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { type OrderQuery, type PageRange, type PetQuery, type Store, StoreUnavailable } from '../../src/store/store.ts'
import { createWebhooks } from '../../src/store/webhooks.ts'
import { systemTime } from '../../src/time.ts'

const limit = 20
/** TEST_PLANS_ANIMALS=2000000 is the size of a chain of shops. Filling such a database takes minutes. */
const animals = Number(process.env.TEST_PLANS_ANIMALS ?? 100_000)
const orders = animals / 4

/** The hard values of each declared filter: rare ones, and those of one large group. */
const hardPets = {
  status: ['available', 'pending'],
  categoryId: [1n, 2n, 7n],
  id: [[1n, 10_000n, 19_999n]],
  search: [['rex'], ['zebra'], ['cat', 'hound'], ['cat', 'hound', 'n1', 'n2', 'r'], ['n']],
}
const hardOrders = {
  status: ['placed', 'cancelled'],
  petId: [1n, 2n, 10n],
  reference: ['often', 'seldom'],
  // Words of most orders and of a few, of all animals, of some that hardly have orders, of none, and of animal 1.
  search: [['often'], ['seldom'], ['rex'], ['zebra'], ['often', 'n1', 'n2', 'hound', 'o'], ['1'], ['10', 'r']],
}

/** Returns every set of filters that an operation declares, with each of their values. */
function combinations(query: object, hard: Readonly<Record<string, readonly unknown[]>>): Record<string, unknown>[] {
  const declared = Object.keys(query).filter((name) => !['limit', 'order', 'after', 'cursor'].includes(name))
  assert.deepEqual(declared.sort(), Object.keys(hard).sort())
  return declared.reduce<Record<string, unknown>[]>(
    (all, name) => all.flatMap((some) => [some, ...(hard[name] ?? []).map((value) => ({ ...some, [name]: value }))]),
    [{}],
  )
}
type Filtered<Query> = Omit<Query, 'after' | 'limit'>
const petFilters: Filtered<PetQuery>[] = combinations(listPets.query, hardPets).map(({ id, ...others }) => ({
  ids: id as bigint[] | undefined,
  ...others,
}))
/** A search uses different statements. */
const isPlain = ({ ids, search }: Pick<PetQuery, 'ids' | 'search'>): boolean =>
  ids !== undefined || search === undefined
const allOrderFilters: Filtered<OrderQuery>[] = combinations(listOrders.query, hardOrders)
const orderFilters = allOrderFilters.filter(isPlain)
const orderSearches = allOrderFilters.filter((each) => !isPlain(each))
const startsOf = (animals: number): number[] => [0, Math.floor(animals * 0.45), animals - 100]

/** Returns the numbers from 1 on. */
const series = (count: number): string =>
  `(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i FROM n) AS s`

/**
 * Of 100 animals, the oldest 90 are sold, and one of a thousand is pending. Category 7 is rare and old. One animal has
 * had most of the orders. Most orders have one of two references, and those that are still placed have a late end. Of
 * the words of a name, one is in all names, two never occur together, one is rare, and many begin alike.
 */
const fillOf = (animals: number, orders: number): string => `
  INSERT INTO pets (id, name, words, category_id, status)
  SELECT i, 'Rex', 'rex' || CASE WHEN i % 2 = 0 THEN ' cat' ELSE ' hound' END || ' n' || (i % 1000)
      || CASE WHEN i % 5000 = 0 THEN ' zebra' ELSE '' END,
    CASE WHEN i % 1000 = 7 AND i < ${animals / 2} THEN 7 ELSE i % 3 END,
    CASE WHEN i % 1000 = 999 THEN 'pending' WHEN i <= ${animals * 0.9} THEN 'sold' ELSE 'available' END
  FROM ${series(animals)};
  INSERT INTO orders (id, pet_id, status, created_at, updated_at, reference, words, held_until)
  SELECT i, CASE WHEN i % 10 < 9 AND i > ${orders / 4} THEN 1 ELSE i END,
    CASE WHEN i % 10 < 9 THEN 'cancelled' WHEN i > ${orders - 100} THEN 'placed' ELSE 'completed' END, 't', 't',
    CASE WHEN i % 1000 = 7 THEN 'seldom' WHEN i % 3 > 0 THEN 'often' END,
    CASE WHEN i % 1000 = 7 THEN 'seldom' WHEN i % 3 > 0 THEN 'often' ELSE '' END,
    CASE WHEN i > ${orders - 100} THEN '2100' ELSE '2001' END || '-01-01T00:00:00.000Z'
  FROM ${series(orders)} WHERE i > 2;`

interface Node {
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly Node[]
}

/** Returns the number of rows that the scans of a plan have read. */
function rowsIn(node: Node): number {
  const below = (node.Plans ?? []).reduce((sum, plan) => sum + rowsIn(plan), 0)
  if (!/Scan/.test(node['Node Type']) || /Function|Subquery/.test(node['Node Type'])) return below
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return below + (node['Actual Rows'] + removed) * node['Actual Loops']
}

interface Statement {
  readonly text: string
  readonly values: readonly SqlValue[]
}

/**
 * The statements of a search: how rare its words are, and then the rows that have a rare word, or those of the first
 * step.
 */
interface Searching {
  readonly lookUp: Statement
  /** The statements that read ids, and then their rows. */
  readonly rare: readonly Statement[]
  readonly step?: Statement | undefined
}

function searchingOf([lookUp, ...reads]: readonly Statement[]): Searching {
  assert.ok(lookUp)
  return reads[0]?.text.includes('_words') ? { lookUp, rare: reads } : { lookUp, rare: [], step: reads[0] }
}

/** Makes a new database with our tables, a pool like that of the store, and a connection of the test. */
async function newDatabase(server?: string) {
  const { url, connect, remove } = await postgresDatabase(server)
  const pool = createPool({ time: systemTime, url, connections: 1, timeoutMilliseconds: 30_000 })
  await migrate(pool, 'migrate')
  const sql = connect()
  const end = async () => {
    await Promise.all([sql.end(), pool.end()])
    await remove()
  }
  return { pool, sql, end }
}

/** Records the statements that are sent to the pool. */
function recordingOn(pool: Pool): { seen: Statement[]; pool: Pool } {
  const seen: Statement[] = []
  const noting =
    (query: Query): Query =>
    (text, values = []) => {
      seen.push({ text, values })
      return query(text, values)
    }
  const transaction: Pool['transaction'] = (work) => pool.transaction((query) => work(noting(query)))
  return { seen, pool: { ...pool, query: noting(pool.query), write: noting(pool.write), transaction } }
}

/** Returns the first statement of some work, which is recorded but not run. */
async function refused(pool: Pool, work: (recording: Pool) => readonly Promise<unknown>[]): Promise<Statement> {
  let seen: Statement | undefined
  const query: Pool['query'] = async (text, values = []) => {
    seen ??= { text, values }
    throw new StoreUnavailable('only recorded')
  }
  await Promise.allSettled(work({ ...pool, query, write: query }))
  return seen ?? assert.fail('nothing was sent')
}

const planModes = ['force_custom_plan', 'force_generic_plan'] as const
/** What the planner knows: the values of a statement, and those of a table only after ANALYZE. */
const knowledge = [
  [false, 'force_generic_plan'],
  [true, 'force_custom_plan'],
  [true, 'force_generic_plan'],
  [false, 'force_custom_plan'],
] as const

/** Returns what a statement costs, and undoes its effects. */
async function costOf(sql: postgres.Sql, { text, values }: Statement) {
  const literals = values.map((value) =>
    typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : (value ?? 'NULL'),
  )
  await sql.unsafe(`BEGIN; PREPARE statement AS ${text}`)
  const call = values.length > 0 ? `statement (${literals.join()})` : 'statement'
  const [row] = await sql.unsafe(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE ${call}`)
  await sql.unsafe('DEALLOCATE statement; ROLLBACK')
  const plan = row?.['QUERY PLAN'][0].Plan
  return { rows: rowsIn(plan), pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], plan }
}

/** The folder of Debian's package of an older version. */
const older = '/usr/lib/postgresql/15'
const lackOfOlder = existsSync(older) ? undefined : 'needs PostgreSQL 15 (on Debian: apt-get install postgresql-15)'

/** The server of this test run, and the older version. */
for (const version of some(['', ' 15'], 0))
  describeUnless(version && lackOfOlder, `a page on PostgreSQL${version}`, () => {
    const starts = startsOf(animals)
    let server: PostgresServer | undefined
    let sql: postgres.Sql
    let pool: Pool
    let end: () => Promise<void>
    before(async () => {
      if (version !== '') server = await startPostgres({ programs: older, settings: ['fsync=off', 'autovacuum=off'] })
      ;({ sql, pool, end } = await newDatabase(server?.url))
      await sql.unsafe(fillOf(animals, orders))
      await sql.unsafe(`SELECT setval('pet_ids', ${animals}), setval('order_ids', ${orders})`)
      await sql.unsafe(`INSERT INTO idempotency_records SELECT 1, 'r', 'k' || i, 'f', i, '', i FROM ${series(orders)}`)
    })
    after(async () => {
      await end?.()
      await server?.stop()
      await releasePostgres()
    })

    /** Returns every statement that the store itself runs for pages, each with all starts. */
    async function statements(): Promise<Statement[]> {
      const { seen, pool: recording } = recordingOn(pool)
      const [pets, orders] = [createPets(recording, 1), createOrders(recording, 1)]
      const source = { horizon: async () => Number.MAX_SAFE_INTEGER, commits: new Commits(), purge: async () => {} }
      const events = createEvents(createSql(recording), source, systemTime)
      const positions = await sql.unsafe(`SELECT id::int, at FROM events WHERE id IN (${starts})`)
      for (const isDescending of [false, true]) {
        const pages = (page: (range: PageRange) => Promise<unknown>) =>
          Promise.all(starts.map((after) => page({ after, limit, isDescending })))
        for (const filters of petFilters.filter(isPlain)) await pages((range) => pets.page({ ...range, ...filters }))
        for (const filters of orderFilters) await pages((range) => orders.page({ ...range, ...filters }))
      }
      assert.equal(seen.length, 2 * (petFilters.filter(isPlain).length + orderFilters.length))
      for (const after of starts) {
        const at = Number(positions.find(({ id }) => id === after)?.at ?? 0)
        const page = await events.page({ after: { id: after, at }, limit })
        assert.ok(typeof page === 'object' && page.events.length === limit)
      }
      return seen
    }

    /**
     * Returns, for each search, the statement that looks for a rare word, and the next ones. They read the ids of the
     * animals that have the word and then these animals, or make the first step.
     */
    async function searches(): Promise<Searching[]> {
      const all: Searching[] = []
      for (const [i, filters] of petFilters.filter((each) => !isPlain(each)).entries()) {
        const { seen, pool: recording } = recordingOn(pool)
        const range = { after: Math.floor(animals * 0.45), limit, isDescending: i % 2 > 0 }
        await createPets(recording, 1).page({ ...range, ...filters })
        all.push(searchingOf(seen))
      }
      return all
    }

    /** Returns the same for searches for orders. */
    async function searchesOfOrders(): Promise<Searching[]> {
      const all: Searching[] = []
      for (const [i, filters] of orderSearches.entries()) {
        const { seen, pool: recording } = recordingOn(pool)
        const range = { after: Math.floor(orders * 0.45), limit, isDescending: i % 2 > 0 }
        await createOrders(recording, 1).page({ ...range, ...filters })
        all.push(searchingOf(seen))
      }
      return all
    }

    /** Returns the statement that places an order for each animal of a full page. */
    async function placing(): Promise<Statement> {
      const claim = { keyId: 1, route: 'r', fingerprint: 'f' }
      const ids = Array.from({ length: limit }, (_, i) => animals - 50 * i)
      return refused(pool, (recording) => {
        const { place } = createOrders(recording, 1)
        return ids.map((id) => place({ petId: BigInt(id) }, { ...claim, idempotencyKey: `new ${id}` }))
      })
    }

    /** Returns the statements that look for orders that are due, and that expire the only one. */
    async function expiring(): Promise<Statement[]> {
      await sql.unsafe(
        `UPDATE orders SET held_until = '2001-01-01T00:00:00.000Z', status = 'placed' WHERE id = ${orders - 41}`,
      )
      const { seen, pool: recording } = recordingOn(pool)
      const { expired, nextIn = 0 } = await createOrders(recording, 1).expire()
      assert.equal(expired, 1)
      assert.ok(nextIn > 0)
      return seen
    }

    for (const [isAnalyzed, mode] of some(knowledge))
      test(`Statements on PostgreSQL read little more than they show, ${isAnalyzed ? '' : 'not '}analyzed, ${mode} [decision 6, 23]`, async (t) => {
        // These are the settings of the connections of the store.
        await sql.unsafe(`SET jit = off; SET plan_cache_mode = ${mode}`)
        if (isAnalyzed) await sql.unsafe('ANALYZE')
        let most = 0
        /** `isSorted` means that the index already has the rows in their order. */
        async function assertCheap(read: Statement, { rowsMax, isSorted }: { rowsMax: number; isSorted?: boolean }) {
          const { rows, pages, plan } = await costOf(sql, read)
          const about = `${rows} rows, ${pages} pages for ${JSON.stringify([read, plan])}`
          assert.ok(rows <= rowsMax && !(isSorted && JSON.stringify(plan).includes('"Sort"')), about)
          most = Math.max(most, pages)
          return { rows, pages, about }
        }
        for (const statement of await statements()) {
          const { rows, pages, plan } = await costOf(sql, statement)
          const about = () => `${JSON.stringify(statement)}: ${JSON.stringify(plan, undefined, 1)}`
          // One additional row shows whether others follow.
          assert.ok(rows <= starts.length * (limit + 1), `${rows} rows for ${about()}`)
          assert.ok(pages <= starts.length * 50, `${pages} pages of the file for ${about()}`)
          most = Math.max(most, pages)
        }
        t.diagnostic(`${starts.length} pages of ${animals} animals and ${orders} orders: at most ${most} of the file`)
        for (const { lookUp, rare, step } of await searches()) {
          const counted = await costOf(sql, lookUp)
          assert.ok(counted.rows <= 5 * 2_001, JSON.stringify([lookUp, counted]))
          for (const read of rare) await assertCheap(read, { rowsMax: 2_000 })
          if (!step) continue
          const { rows, pages, about } = await assertCheap(step, { rowsMax: 4_000, isSorted: true })
          // Every animal is called Rex, and PostgreSQL reads one row ahead. Filters may leave less than a page.
          if (step.values.includes('{"% rex%"}') && step.values.length === 3)
            assert.ok(rows <= limit + 2 && pages <= 50, about)
        }
        for (const { lookUp, rare, step } of await searchesOfOrders()) {
          const counted = await costOf(sql, lookUp)
          // The words of references and of names are read, the names again, and up to 21 orders of each animal.
          assert.ok(counted.rows <= 5 * 24 * 1_001, JSON.stringify([counted.rows, lookUp, counted.plan]))
          for (const read of rare) await assertCheap(read, { rowsMax: 3 * 1_000 })
          if (step) await assertCheap(step, { rowsMax: 2 * 2_000, isSorted: true })
        }
        // Nearly all orders are for this animal, but the first ones are not.
        const { seen: removing, pool: recording } = recordingOn(pool)
        assert.equal(await createPets(recording, 1).remove(1n, undefined), 'order_state_conflict')
        for (const statement of removing) {
          const { pages, plan } = await costOf(sql, statement)
          assert.ok(pages <= 15, `${pages} pages of the file for ${statement.text}: ${JSON.stringify(plan)}`)
        }
        const { rows, plan } = await costOf(sql, await placing())
        for (const statement of await expiring()) {
          const { rows, pages, plan } = await costOf(sql, statement)
          // If PostgreSQL 15 knows nothing about a table, it also reads an index whose entries take few pages.
          const isCheap = rows <= 5 || (!isAnalyzed && pages <= 200)
          assert.ok(isCheap, `${rows} rows for ${JSON.stringify(statement)}: ${JSON.stringify(plan, undefined, 1)}`)
        }
        // Each part of the statement reads what the part before has found.
        assert.ok(rows <= 20 * limit, `${rows} rows to place ${limit} orders: ${JSON.stringify(plan, undefined, 1)}`)
      })
  })

testInFull(
  'Reading counts costs the same in a large catalogue as in a small one, on PostgreSQL [decision 14]',
  async () => {
    const { pool, sql, end } = await newDatabase()
    await sql.unsafe(`INSERT INTO pets (id, name, words, category_id, status)
    SELECT i, 'Rex', 'rex', i / 2, 'available' FROM generate_series(1, 20000) AS i;
    INSERT INTO categories (id, name, words) SELECT i, 'Kind', 'kind' FROM generate_series(1, 20000) AS i`)
    const { seen, pool: recording } = recordingOn(pool)
    const inventory = createInventory(createSql(recording))
    await inventory.total()
    for (const after of [undefined, 5_000n]) await inventory.page({ after, limit })
    await inventory.sales('2026-01-01')
    assert.equal(seen.length, 4)
    for (const isAnalyzed of [false, true]) {
      if (isAnalyzed) await sql.unsafe('VACUUM ANALYZE')
      for (const statement of seen)
        for (const mode of planModes) {
          assert.doesNotMatch(statement.text, /\bpets\b/)
          await sql.unsafe(`SET jit = off; SET plan_cache_mode = ${mode}`)
          const { pages, plan } = await costOf(sql, statement)
          assert.ok(pages <= 5 * limit, `${pages} pages of the file with ${mode}: ${JSON.stringify(plan)}`)
        }
    }
    await end()
  },
)

const deliveries = 20_000
/**
 * Most deliveries are done. Nearly all waiting ones are for one webhook, whose first animal has had most of the events.
 */
const fillDeliveries = `
  INSERT INTO webhooks (id, url, types, enabled, secret, position, position_at, created_at)
  SELECT i, 'https://a.example/', '', 1, 's', 0, 0, 0 FROM ${series(2)};
  INSERT INTO deliveries (webhook_id, event_id, type, subject, at, body, status, tries, next_try_at)
  SELECT CASE WHEN i > ${deliveries - 5} THEN 2 ELSE 1 END, i, 't',
    CASE WHEN i % 3 > 0 THEN 'pet 1' ELSE 'pet ' || i END, i, 'b',
    CASE WHEN i <= ${deliveries / 2} THEN 'delivered' ELSE 'pending' END, 0, CASE WHEN i % 2 = 0 THEN 99 ELSE 0 END
  FROM ${series(deliveries)};`

test('A claim reads at most a thousand waiting deliveries, and none that are finished, on PostgreSQL', async () => {
  const { pool, sql, end } = await newDatabase()
  await sql.unsafe(`${fillDeliveries} ANALYZE`)
  const { seen, pool: recording } = recordingOn(pool)
  const { claim } = createWebhooks(createSql(recording))
  for (const id of [1, 2]) await claim(id, 1_000, 100)
  await sql.unsafe('UPDATE deliveries SET locked_until = 0')
  const claims = seen.filter(({ text }) => text.startsWith('UPDATE deliveries'))
  assert.equal(claims.length, 2)
  for (const mode of planModes)
    for (const [i, statement] of claims.entries()) {
      await sql.unsafe(`SET jit = off; SET plan_cache_mode = ${mode}`)
      const { rows, plan } = await costOf(sql, statement)
      assert.ok(rows <= (i === 0 ? 1_200 : 50), `${rows} rows with ${mode}: ${JSON.stringify(plan)}`)
    }
  await end()
})

/** Returns the statements that are prepared meanwhile on any connection. */
async function prepared(work: () => unknown): Promise<string[]> {
  const texts: string[] = []
  const { prepare } = DatabaseSync.prototype
  DatabaseSync.prototype.prepare = function (...args) {
    texts.push(args[0])
    return prepare.apply(this, args)
  }
  try {
    await work()
  } finally {
    DatabaseSync.prototype.prepare = prepare
  }
  return texts
}

const planOf = (db: DatabaseSync, text: string): string[] =>
  db
    .prepare(`EXPLAIN QUERY PLAN ${text}`)
    .all()
    .map((row) => String(row.detail))

test('A claim and the count of the queues use the index of unfinished deliveries, on SQLite', async () => {
  using folder = new Folder()
  const store = openSqlite(folder.database, { time: systemTime })
  const db = new DatabaseSync(folder.database)
  db.exec(fillDeliveries)
  const texts = await prepared(async () => {
    await store.webhooks.claim(1, 1_000, 100)
    await store.webhooks.queues()
  })
  const [claim = ''] = texts.filter((text) => text.includes('locked_until'))
  const [queues = ''] = texts.filter((text) => text.includes('oldest_milliseconds'))
  for (const isAnalyzed of [false, true]) {
    if (isAnalyzed) db.exec('ANALYZE')
    const plan = planOf(db, claim)
    assert.ok(
      plan.some((step) =>
        /^SEARCH deliveries USING COVERING INDEX deliveries_open \(webhook_id=\? AND status=\?\)/.test(step),
      ),
      plan.join('\n'),
    )
    assert.ok(!plan.some((step) => /^SCAN deliveries/.test(step)), plan.join('\n'))
    const steps = planOf(db, queues).filter((step) => / deliveries /.test(step))
    assert.equal(steps.length, 3)
    for (const step of steps)
      assert.match(
        step,
        /^SEARCH deliveries USING (COVERING INDEX deliveries_open|PRIMARY KEY \(webhook_id=\? AND event)/,
      )
  }
  db.close()
  await store.close()
})

describe('a page on SQLite', () => {
  const folder = new Folder()
  let store: Store
  let db: DatabaseSync
  before(async () => {
    store = openSqlite(folder.database, { time: systemTime })
    db = new DatabaseSync(folder.database)
    db.exec(fillOf(20_000, 20_000))
  })
  after(async () => {
    db.close()
    await store.close()
    folder[Symbol.dispose]()
  })

  for (const isAnalyzed of [false, true])
    test(`A page on SQLite is one search in an index without sorting, ${isAnalyzed ? 'after' : 'before'} ANALYZE`, async () => {
      if (isAnalyzed) db.exec('ANALYZE')
      const fresh = openSqlite(folder.database, { time: systemTime })
      const at = Number(db.prepare('SELECT at FROM events WHERE id = 1').get()?.at)
      const texts = await prepared(async () => {
        for (const isDescending of [false, true]) {
          for (const filters of petFilters.filter(isPlain))
            fresh.pets.page({ after: 1, limit, isDescending, ...filters })
          for (const filters of orderFilters) fresh.orders.page({ after: 1, limit, isDescending, ...filters })
        }
        assert.equal(((await fresh.events.page({ after: { id: 1, at }, limit })) as EventPage).events.length, limit)
      })
      await fresh.close()
      assert.ok(texts.length >= 18, texts.join('\n'))
      for (const text of texts) {
        assert.doesNotMatch(text, /LIMIT \?(?!\d* \+ 0)/, 'SQLite prepares it again whenever the limit is bound')
        const plan = planOf(db, text)
        const about = `${text}\n${plan.join('\n')}`
        assert.ok(!plan.some((step) => /TEMP B-TREE FOR (?:ORDER|GROUP)/.test(step)), about)
        for (const step of plan.filter((each) => /\b(?:pets|orders)\b/.test(each))) assert.match(step, /^SEARCH/, about)
        const searches = plan.filter((each) => /^SEARCH (?:pets|orders)/.test(each))
        // Each search begins at the last row of the page before.
        if (!/json_each/.test(text)) for (const step of searches) assert.match(step, /(?:id|rowid)[<>]\?/, about)
      }
    })

  test('A page of a search on SQLite reads the table of words, or animals in the order of an index of its filters [decision 7]', async () => {
    const fresh = openSqlite(folder.database, { time: systemTime })
    const texts = await prepared(async () => {
      for (const filters of petFilters.filter((each) => !isPlain(each)))
        for (const isDescending of [false, true])
          await fresh.pets.page({ after: 9_000, limit, isDescending, ...filters })
    })
    await fresh.close()
    for (const text of texts) {
      const plan = planOf(db, text)
      const about = `${text}\n${plan.join('\n')}`
      for (const step of plan) assert.doesNotMatch(step, /^SCAN (?:pets|pet_words)/, about)
      if (!/FROM pets/.test(text)) continue
      assert.ok(!plan.some((step) => /TEMP B-TREE/.test(step)), about)
      const searches = plan.filter((step) => /^SEARCH pets/.test(step))
      assert.equal(searches.length, 1, about)
      assert.match(searches[0] ?? '', text.includes('pet_words') ? /\(rowid=\?\)/ : /(?:id|rowid)[<>]\?/, about)
    }
    assert.ok(texts.some((text) => / OFFSET /.test(text)) && texts.some((text) => /IN \(SELECT pet_id/.test(text)))
  })

  test('A page of a search for orders on SQLite reads the tables of words, or orders in the order of an index [decision 7]', async () => {
    const fresh = openSqlite(folder.database, { time: systemTime })
    const texts = await prepared(async () => {
      for (const filters of orderSearches)
        for (const isDescending of [false, true])
          await fresh.orders.page({ after: 9_000, limit, isDescending, ...filters })
    })
    await fresh.close()
    for (const text of texts) {
      const plan = planOf(db, text)
      const about = `${text}\n${plan.join('\n')}`
      for (const step of plan) assert.doesNotMatch(step, /^SCAN (?:pets|orders|pet_words|order_words)/, about)
      if (!/^SELECT (?:orders\.)?id/.test(text)) continue
      assert.ok(!plan.some((step) => /TEMP B-TREE/.test(step)), about)
      const [first = ''] = plan.filter((step) => /^SEARCH orders/.test(step))
      assert.match(first, text.includes('order_words') ? /\(rowid=\?\)/ : /(?:id|rowid)[<>]\?/, about)
    }
    assert.ok(texts.some((text) => / OFFSET /.test(text)) && texts.some((text) => /IN \(\s*SELECT order_id/.test(text)))
  })

  test('No check on SQLite compares each row with all other rows', () => {
    for (const { name, faults } of store.inspection.checks)
      for (const step of planOf(db, faults)) assert.doesNotMatch(step, /^SCAN .*JOIN|^RIGHT-JOIN|AUTOMATIC/, name)
  })
})
