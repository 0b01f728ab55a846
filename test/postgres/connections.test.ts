/**
 * The connections of an instance. It opens no more than it is given and no more than it needs, counts them, and closes
 * them if the server does not answer or refuses writes. Work on a connection that is cut fails, and nothing runs twice.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import { describe } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { CutNetwork } from '../../harness/cut-network.ts'
import { becomes, eventually } from '../../harness/patience.ts'
import { databasePerTest } from '../../harness/postgres.ts'
import { afterEach, beforeEach, describeInFull, test, times } from '../../harness/scope.ts'
import type { MetricName } from '../../src/observe/metrics.ts'
import { createPool, type Pool } from '../../src/store/postgres/pool.ts'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { type Store, StoreUnavailable } from '../../src/store/store.ts'
import { systemTime, type Time } from '../../src/time.ts'
import { rex, rowOf } from '../store/subject.ts'

const timeoutMilliseconds = 30_000
const terminateOthers = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`

describe('the connections of a pool', () => {
  const given = databasePerTest()
  let pool: Pool | undefined
  afterEach(() => pool?.end())

  const held = async () =>
    (await given.sql`SELECT FROM pg_stat_activity WHERE application_name = 'petstore' AND datname = current_database()`)
      .length
  const many = (count: number) =>
    Promise.all(Array.from({ length: count }, () => (pool as Pool).query('SELECT pg_sleep(0.01)')))
  const waiting = (count: number) =>
    eventually(
      () => given.sql`SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`,
      ({ length }) => length === count,
    )
  const waitThen = (text: string) => (pool as Pool).query(`SELECT pg_advisory_xact_lock_shared(1), ${text}`)
  /** Runs a statement on every connection at the same time, so that all of them are opened. */
  async function onAll(connections: number, text = 'NULL'): Promise<void> {
    await given.sql`SELECT pg_advisory_lock(1)`
    const all = Promise.all(Array.from({ length: connections }, () => waitThen(text)))
    await waiting(connections)
    await given.sql`SELECT pg_advisory_unlock(1)`
    await all
  }

  /**
   * Makes a role to which the server allows this many connections. The server gives the same answer when it has no
   * connections left.
   */
  async function limited(connections: number): Promise<string> {
    const role = `few_${randomUUID().replaceAll('-', '')}`
    await given.sql.unsafe(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT ${connections}`)
    return given.url.replace('petstore@', `${role}@`)
  }

  test('If the server has no connections left, the pool reports that it is unavailable', async () => {
    const url = await limited(1)
    pool = createPool({ time: systemTime, url, connections: 5, timeoutMilliseconds })
    await pool.query('SELECT 1')
    await given.sql.unsafe(`ALTER ROLE ${new URL(url).username} CONNECTION LIMIT 0`)
    await given.sql.unsafe(terminateOthers)
    await eventually(async () => pool?.stats.lost, Boolean)
    await assert.rejects(
      many(2),
      (error) => error instanceof StoreUnavailable && /too many connections/.test(error.message),
    )
  })

  test('A pool that ends waits for the server for at most 5 seconds [decision 23]', async () => {
    const waits: number[] = []
    const time: Time = {
      ...systemTime,
      after(milliseconds, run) {
        waits.push(milliseconds)
        return systemTime.after(milliseconds, run)
      },
    }
    pool = createPool({ time, url: given.url, connections: 1, timeoutMilliseconds })
    await pool.query('SELECT 1')
    waits.length = 0
    await pool.end()
    assert.ok(waits.length > 0 && Math.max(...waits) <= 5_000, `${waits}`)
  })

  test('The pool lets the system check a connection after a minute without traffic, so that a dead network ends it [decision 23]', async (t) => {
    const keepAlive = t.mock.method(Socket.prototype, 'setKeepAlive')
    pool = createPool({ time: systemTime, url: given.url, connections: 1, timeoutMilliseconds })
    await pool.query('SELECT 1')
    assert.deepEqual(
      keepAlive.mock.calls.map((call) => call.arguments),
      [[true, 60_000]],
    )
  })

  test('The pool closes connections that were not used for a while, and opens them again when needed [decision 23]', async () => {
    pool = createPool({ time: systemTime, url: given.url, connections: 5, timeoutMilliseconds, idleMilliseconds: 300 })
    await onAll(5)
    await eventually(held, (count) => count === 0)
    await many(5)
    assert.equal(pool.stats.lost, 0)
  })

  test('A transaction that has begun keeps its connection for as long as its work takes', async () => {
    const all = createPool({ time: systemTime, url: given.url, connections: 1, timeoutMilliseconds: 200 })
    pool = all
    let isBegun = false
    const work = () =>
      all.longTransaction(async ({ query }) => {
        isBegun = true
        await sleep(400)
        return query('SELECT 1 AS one')
      })
    // A busy machine may not begin the work in time.
    const outcome = await eventually(() => work().catch((error) => (isBegun ? error : undefined)), Boolean)
    assert.partialDeepStrictEqual(outcome, [{ one: 1 }])
  })

  test('A lost connection is not given to statements that wait [decision 23]', async () => {
    pool = createPool({ time: systemTime, url: given.url, connections: 1, timeoutMilliseconds })
    await given.sql`SELECT pg_advisory_lock(1)`
    const lost = assert.rejects(waitThen('NULL'), StoreUnavailable)
    const next = pool.query('SELECT 1 AS one')
    await waiting(1)
    await given.sql.unsafe(terminateOthers)
    assert.partialDeepStrictEqual(await next, [{ one: 1 }])
    await lost
  })

  test('The pool closes a connection that does not answer in time, and connections that have been idle since [decision 23]', async () => {
    const network = await CutNetwork.to(given.url)
    const all = createPool({
      time: systemTime,
      url: network.through(given.url),
      connections: 3,
      timeoutMilliseconds: 2_000,
    })
    pool = all
    const idle = () => all.stats.samples().find(([, , state]) => state === 'idle')?.[1]
    try {
      await eventually(
        () => onAll(3).then(idle, () => undefined),
        (count) => count === 3,
      )
      network.onStatement = () => 'drop'
      await assert.rejects(all.query('SELECT 1'), /the server did not answer within 2000 ms/)
      network.onStatement = () => 'pass'
      // The idle connections would answer now, but nobody knows where they lead.
      const before = network.connections
      await all.query('SELECT 1')
      assert.equal(network.connections, before + 1)
      assert.equal(idle(), 1)
    } finally {
      await all.end()
      network.close()
    }
  })

  const limit = { timeout: 60_000 }
  test(
    'If the server freezes while a connection is opened, set up or used, the pool gives the connection up in time [decision 23]',
    limit,
    async () => {
      await given.sql`CREATE TABLE done (step int)`
      const steps = ['login', 'set up', 'BEGIN', 'INSERT', 'COMMIT']
      const freezeAt = async (step: number) => {
        const network = await CutNetwork.to(given.url)
        const url = network.through(given.url)
        const all = createPool({ time: systemTime, url, connections: 1, timeoutMilliseconds: 4_000 })
        const insert = () => all.transaction((query) => query('INSERT INTO done VALUES ($1)', [step]))
        try {
          let sent = 0
          network.onStatement = () => (sent++ < step ? 'pass' : 'drop')
          await assert.rejects(insert(), StoreUnavailable)
          assert.equal(sent, step + 1, `${steps[step]}: nothing is sent after the message without an answer`)
          network.onStatement = () => 'pass'
          await insert()
          assert.equal(network.connections, 2, `${steps[step]}: on a new connection`)
        } finally {
          await all.end()
          network.close()
        }
      }
      await Promise.all(steps.map((_, step) => freezeAt(step)))
      const rows = await given.sql`SELECT step FROM done ORDER BY step`
      assert.deepEqual(
        rows.map(({ step }) => step),
        [0, 1, 2, 3, 4],
        'each once',
      )
    },
  )

  test('A connection that has answered since another statement timed out stays open', async () => {
    const all = createPool({
      time: systemTime,
      url: `${given.url}?statement_timeout=0`,
      connections: 2,
      timeoutMilliseconds: 2_000,
    })
    pool = all
    const pid = async () => (await all.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'))[0]?.pid
    const slow = assert.rejects(all.query('SELECT pg_sleep(600)'), /did not answer within 2000 ms/)
    const before = await eventually(() => pid().catch(() => undefined), Boolean)
    await slow
    assert.equal(await pid(), before)
  })

  test('The settings in the URL of a database take precedence over our settings, and JIT is off [decision 23]', async () => {
    const search =
      '?statement_timeout=7s&search_path=%22a%20%5C%20b%22,c&application_name=shop&options=-c%20work_mem%3D5MB'
    pool = createPool({ time: systemTime, url: given.url + search, connections: 1, timeoutMilliseconds })
    const names = ['statement_timeout', 'lock_timeout', 'search_path', 'application_name', 'work_mem', 'jit']
    const [row] = await pool.query(`SELECT ${names.map((name) => `current_setting('${name}') AS ${name}`)}`)
    const [statement_timeout, lock_timeout, search_path] = ['7s', '7500ms', '"a \\ b",c']
    const others = { application_name: 'shop', work_mem: '5MB', jit: 'off' }
    assert.partialDeepStrictEqual(row, { statement_timeout, lock_timeout, search_path, ...others })
  })

  test('The pool closes within a bounded time although the server does not answer, and opens no more connections', async () => {
    const all = createPool({
      time: systemTime,
      url: given.url,
      connections: 2,
      timeoutMilliseconds,
      endMilliseconds: 1,
    })
    await given.sql`SELECT pg_advisory_lock(1)`
    const lost = [1, 2, 3].map(() =>
      assert.rejects(all.query('SELECT pg_advisory_lock_shared(1)'), /the connections were closed/),
    )
    await waiting(2)
    await all.end()
    await Promise.all(lost)
    await assert.rejects(all.query('SELECT 1'), /the connections were closed/)
  })

  test('The pool leaves a server that has become read-only after one refused write [decision 23]', async () => {
    const all = createPool({ time: systemTime, url: given.url, connections: 3, timeoutMilliseconds })
    pool = all
    await onAll(3, `set_config('default_transaction_read_only', 'on', false)`)
    await assert.rejects(all.query('SELECT 1 / 0'), /division by zero/)
    assert.equal(all.stats.failovers, 0)

    await given.sql`SELECT pg_advisory_lock(1)`
    const reading = waitThen('2 AS two')
    await waiting(1)
    const writes = [all.query('CREATE TABLE new ()'), all.write('CREATE TABLE new ()')]
    for (const { status } of await Promise.allSettled(writes)) assert.equal(status, 'rejected')
    assert.equal(all.stats.failovers, 1)
    await all.query('CREATE TABLE new ()')
    await given.sql`SELECT pg_advisory_unlock(1)`
    assert.partialDeepStrictEqual(await reading, [{ two: 2 }])
  })
})

describe('the metrics of a PostgreSQL store', () => {
  const given = databasePerTest()
  let store: Store
  beforeEach(async () => {
    store = await openPostgres({ time: systemTime, url: given.url, connections: 2, timeoutMilliseconds })
  })
  afterEach(() => store.close())

  const read = (name: MetricName, ...labels: string[]): unknown =>
    store.samples().find((sample) => sample[0] === name && labels.every((label, i) => sample[i + 2] === label))?.[1]

  test('The metrics of a PostgreSQL store count a lost connection, but not one that was closed on purpose', async () => {
    const lost = () => read('petstore_postgres_connections_lost_total')
    await store.keys.list()
    assert.equal(lost(), 0)
    await given.sql.unsafe(terminateOthers)
    await becomes(async () => lost(), 1)
    assert.equal(read('db_client_connection_count', 'idle'), 0)
    await store.keys.list()
    await store.close()
    assert.equal(lost(), 1)
  })

  test('If a server becomes read-only, the metrics count that, and the store reports a fault until a write succeeds [decision 23, 26]', async () => {
    /** This affects connections that are opened from now on, as when an address moves from one server to another. */
    const setReadOnly = (value: 'on' | 'off') =>
      given.sql.unsafe(
        `DO $$ BEGIN EXECUTE
          format('ALTER DATABASE %I SET default_transaction_read_only = ${value}', current_database()); END $$`,
      )
    for (const [failovers, write] of [
      [0, () => store.tryWrite()],
      [1, () => store.pets.insert(rex, undefined)],
    ] as const) {
      await setReadOnly('on')
      await given.sql.unsafe(terminateOthers)
      await eventually(() => store.keys.list().catch(() => undefined), Boolean)
      await setReadOnly('off')
      assert.equal(read('petstore_postgres_failovers_total'), failovers)
      await assert.rejects(store.pets.insert(rex, undefined), StoreUnavailable)
      assert.match(String(store.fault()), /read-only transaction/)
      await store.keys.list()
      assert.ok(store.fault(), 'that it can be read says nothing')
      await write()
      assert.equal(store.fault(), undefined)
      assert.equal(read('petstore_postgres_failovers_total'), failovers + 1)
    }
  })

  test('The metrics of a PostgreSQL store count connections in use and waiting statements', async () => {
    await given.sql.unsafe('BEGIN; LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE')
    const reads = Array.from({ length: 5 }, () => store.keys.list())
    await becomes(async () => read('db_client_connection_count', 'used'), 2)
    assert.equal(read('db_client_connection_pending_requests'), 3)
    await given.sql`COMMIT`
    await Promise.all(reads)
    assert.equal(read('db_client_connection_count', 'used'), 0)
    assert.equal(read('db_client_connection_count', 'idle'), 2)
    assert.equal(read('db_client_connection_pending_requests'), 0)
  })

  test('A PostgreSQL store does not repeat work once its timeout has passed', async () => {
    let late = 0
    const time = { ...systemTime, ticks: () => systemTime.ticks() + late }
    const all = createPool({ time, url: given.url, connections: 1, timeoutMilliseconds: forever })
    let tries = 0
    const collide = (milliseconds: number) =>
      all.transaction(async (query) => {
        tries++
        late += milliseconds
        await query(`DO $$ BEGIN RAISE EXCEPTION 'collision' USING ERRCODE = '40001'; END $$`)
      })
    try {
      await assert.rejects(collide(forever / 2), StoreUnavailable)
      assert.equal(tries, 2)
    } finally {
      await all.end()
    }
  })

  test('The metrics of a PostgreSQL store count each of up to five retries of a collision, and a sixth makes it unavailable', async () => {
    await given.sql.unsafe(`CREATE SEQUENCE tries;
      CREATE FUNCTION collide() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('tries') NOT IN (6, 13) THEN RAISE EXCEPTION 'collision' USING ERRCODE = '40001'; END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER collide AFTER INSERT ON pets FOR EACH STATEMENT EXECUTE FUNCTION collide()`)
    const collisions = () => read('petstore_postgres_collisions_total')
    await store.pets.insert(rex, undefined)
    assert.equal(collisions(), 5)
    await assert.rejects(store.pets.insert(rex, undefined), StoreUnavailable)
    assert.equal(collisions(), 11)
    assert.equal(store.fault(), undefined, 'the database is well')
    await store.pets.insert(rex, undefined)
  })
})

/** This is so long that no statement ends by waiting. */
const forever = 3_600_000
const rounds = times(30, 8)

describeInFull('a connection that is cut', () => {
  const given = databasePerTest()
  let network: CutNetwork
  beforeEach(async () => {
    network = await CutNetwork.to(given.url)
  })
  afterEach(() => network.close())

  const open = (): Pool =>
    createPool({ time: systemTime, url: network.through(given.url), connections: 3, timeoutMilliseconds: forever })

  /** Returns how each statement ended: with rows, or with the reason. */
  const outcomes = (statements: readonly Promise<unknown>[]) =>
    Promise.all(
      statements.map((statement) =>
        statement.then(
          () => 'done' as const,
          (error) => {
            assert.ok(error instanceof StoreUnavailable, String(error))
            return 'unavailable' as const
          },
        ),
      ),
    )

  /** The cut may also affect the next statements, on connections where it has not been noticed yet. */
  const untilDone = (statement: () => Promise<unknown>): Promise<void> =>
    becomes(async () => (await outcomes([statement()]))[0], 'done')

  for (const side of ['onStatement', 'onAnswer'] as const)
    test(`Every statement ends if its connection is cut ${side === 'onAnswer' ? 'during the answer' : 'during the statement'}`, async () => {
      await given.sql`CREATE TABLE done (round int, statement int)`
      const pool = open()
      let told = 0
      for (let round = 0; round < rounds; round++) {
        // The cut comes at a later point each time: during the login, while a statement is prepared or runs, or with
        // several statements on a connection.
        let pieces = 0
        network[side] = () => (pieces++ === round % 20 ? 'cut' : 'pass')
        const statements = Array.from({ length: 12 }, (_, i) =>
          pool.query(`INSERT INTO done VALUES ($1, $2) ${i % 3 ? '' : 'RETURNING round'}`, [round, i]),
        )
        const ends = await outcomes(statements)
        network[side] = () => 'pass'
        told += ends.filter((end) => end === 'done').length
        await untilDone(() => pool.query('SELECT 1'))
      }
      const [found] =
        await given.sql`SELECT count(*)::int AS rows, count(DISTINCT (round, statement))::int AS different FROM done`
      assert.equal(found?.rows, found?.different, 'a statement ran twice')
      assert.ok(found?.rows >= told, 'a statement that was told to be done is not')
      assert.ok(told > 0 && told < rounds * 12)
      await pool.end()
    })

  for (const way of ['close', 'reset'] as const)
    test(`After a connection was cut, further inserts of the instance succeed (${way}) [decision 23]`, async () => {
      const url = network.through(given.url)
      const store = await openPostgres({ time: systemTime, url, connections: 3, timeoutMilliseconds: forever })
      for (let round = 0; round < rounds; round++) {
        const inserts = Array.from({ length: 50 }, () => store.pets.insert(rex, undefined))
        for (let turn = 0; turn < round % 6; turn++) await store.keys.list()
        network.cut(way)
        await outcomes(inserts)
        await untilDone(() => store.keys.list())
        assert.ok(rowOf(await store.pets.insert(rex, undefined)).id > 0)
      }
      await store.close()
    })

  test('A cut connection fails only the transaction on it, and is counted once [decision 23]', async () => {
    const pool = open()
    await pool.query('SELECT 1')
    for (const next of ['a statement', 'nothing', 'an error'])
      await assert.rejects(
        pool.longTransaction(async ({ query }) => {
          const [row] = await query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
          const elsewhere = pool.query('SELECT pg_sleep(0.1)')
          await given.sql`SELECT pg_terminate_backend(${row?.pid as number})`
          await assert.rejects(query('SELECT 1'), StoreUnavailable)
          await elsewhere
          if (next === 'an error') throw new StoreUnavailable('of its own')
          if (next === 'a statement') await query('SELECT 1')
        }),
        StoreUnavailable,
        next,
      )
    await pool.query('SELECT 1')
    assert.equal(pool.stats.lost, 3)
    await pool.end()
  })
})
