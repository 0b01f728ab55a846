/** What the PostgreSQL store counts when things go wrong: lost connections, collisions, another server. */
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, test } from 'node:test'
import postgres from 'postgres'
import type { MetricName } from '../../src/observe/metrics.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import type { Store } from '../../src/store/store.ts'
import { rex } from '../store/subject.ts'
import { Exposition } from '../support/exposition.ts'
import { eventually } from '../support/load.ts'
import { freePort, postgresDatabase, releasePostgres } from '../support/postgres.ts'
import { node } from '../support/runtimes.ts'
import { describeInFull, testInFull } from '../support/scope.ts'
import { TestService } from '../support/service.ts'

after(releasePostgres)

describeInFull('the metrics of a PostgreSQL store', { timeout: 180_000 }, () => {
  let sql: postgres.Sql
  let store: Store
  let url: string
  let remove: () => Promise<void>
  beforeEach(async () => {
    ;({ url, remove } = await postgresDatabase())
    sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} })
    store = await openPostgres({ url, connections: 2, timeoutMilliseconds: 5_000 })
  })
  afterEach(async () => {
    await store.close()
    await sql.end()
    await remove()
  })

  const read = (name: MetricName, ...labels: string[]): unknown =>
    store.samples().find((sample) => sample[0] === name && labels.every((label, i) => sample[i + 2] === label))?.[1]

  test('count a lost connection, and not one that is closed on purpose', async () => {
    await store.keys.list()
    assert.equal(read('petstore_postgres_connections_lost_total'), 0)
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
    await eventually(
      async () => read('petstore_postgres_connections_lost_total'),
      (lost) => lost === 1,
    )
    assert.equal(read('db_client_connections', 'primary', 'idle'), 0)
    await store.keys.list()
    const { samples } = store
    await store.close()
    const lost = samples().find(([name]) => name === 'petstore_postgres_connections_lost_total')?.[1]
    assert.equal(lost, 1)
  })

  test('count connections in use and the statements behind them', async () => {
    await sql`BEGIN`
    await sql`LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE`
    const reads = Array.from({ length: 5 }, () => store.keys.list())
    await eventually(
      async () => read('db_client_connections', 'primary', 'used'),
      (used) => used === 2,
    )
    assert.equal(read('db_client_connection_pending_requests'), 3)
    await sql`COMMIT`
    await Promise.all(reads)
    assert.equal(read('db_client_connections', 'primary', 'used'), 0)
    assert.equal(read('db_client_connection_pending_requests'), 0)
  })

  test('tell the pool of a replica from that of the primary', async () => {
    const maxOf = (opened: Store) =>
      opened.samples().flatMap(([name, value, pool]) => (name === 'db_client_connection_max' ? [[pool, value]] : []))
    assert.deepEqual(maxOf(store), [['primary', 2]])
    const both = await openPostgres({ url, readUrl: url, connections: 3, timeoutMilliseconds: 5_000 })
    assert.deepEqual(maxOf(both), [
      ['primary', 3],
      ['replica', 3],
    ])
    await both.close()
  })

  test('count each collision that is retried', async () => {
    await sql.unsafe(`CREATE SEQUENCE tries;
      CREATE FUNCTION collide() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('tries') <= 2 THEN RAISE EXCEPTION 'collision' USING ERRCODE = '40001'; END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER collide AFTER INSERT ON pets FOR EACH STATEMENT EXECUTE FUNCTION collide()`)
    await store.pets.insert(rex, undefined)
    assert.equal(read('petstore_postgres_collisions_total'), 2)
  })

  testInFull('tell of a process that cannot share its rate limits, until it can', async (t) => {
    const service = await TestService.start(node, { DATABASE_URL: url, RATE_LIMIT: '1000000/1' })
    t.after(() => service.stop())
    const key = await service.makeKey({ scopes: ['metrics:read'] })
    const alone = async () =>
      new Exposition((await service.call('GET', '//metrics', { key })).text).value('petstore_rate_limits_alone')
    assert.equal(await alone(), 0)
    await sql`ALTER TABLE rate_usage RENAME TO away`
    await eventually(alone, (count) => count === 1)
    await sql`ALTER TABLE away RENAME TO rate_usage`
    await eventually(alone, (count) => count === 0)
  })

  test('count a failover: to the next server, or away from one that has become read-only', async () => {
    const next = new URL(url)
    const hosts = `127.0.0.1:${await freePort()},${next.host}`
    const pool = createPool({ url: url.replace(next.host, hosts), connections: 1, timeoutMilliseconds: 5_000 })
    await pool.query('SELECT 1')
    assert.equal(pool.stats.failovers, 1)
    pool.renew()
    assert.equal(pool.stats.failovers, 2)
    assert.equal(pool.stats.lost, 1, 'the one that could not be made')
    await pool.end()
  })
})
