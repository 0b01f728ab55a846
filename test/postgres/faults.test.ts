/**
 * PostgreSQL that goes away and returns, or is too slow: it is stopped, killed, frozen, cut off or full. Requests are
 * refused meanwhile and succeed afterwards.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chownSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { describe } from 'node:test'
import postgres from 'postgres'
import { expectError } from '../../harness/expect.ts'
import { becomes, eventually, inTime, untilReady } from '../../harness/patience.ts'
import { viaPgbouncer } from '../../harness/pgbouncer.ts'
import { type PostgresServer, postgresDatabase, releasePostgres, startPostgres } from '../../harness/postgres.ts'
import { command, Served } from '../../harness/process.ts'
import { after, before, test, testInFull } from '../../harness/scope.ts'
import { TestService } from '../../harness/service.ts'
import { testOnSmallDisk } from '../../harness/small-disk.ts'
import { newToken } from '../../src/model/key.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { StoreUnavailable } from '../../src/store/store.ts'
import { systemTime } from '../../src/time.ts'
import { rex, rowOf } from '../store/subject.ts'

const timeout = { timeout: 300_000 }

let server: PostgresServer
before(async () => {
  // What a killed process has written is still there. Only a machine that stops would lose it.
  server = await startPostgres({ settings: ['fsync=off'] })
})
after(releasePostgres)
after(() => server?.stop())

async function startService(env: Record<string, string> = {}): Promise<TestService> {
  const { url } = await postgresDatabase(server.url)
  return TestService.start({ DATABASE_URL: url, DATABASE_TIMEOUT: '4000', LOG_LEVEL: 'warn', ...env })
}

const pet = { name: 'Rex', categoryId: 1 }

/** Checks that every operation reports that the database is away. */
async function expectUnavailable(service: TestService): Promise<void> {
  const answers = await Promise.all([
    service.call('GET', '/pets'),
    service.call('GET', '/pets/1'),
    service.call('POST', '/pets', { body: pet }),
    service.call('POST', '/pets', { body: pet, headers: { 'Idempotency-Key': 'k' } }),
  ])
  for (const answer of answers) {
    expectError(answer, 503, 'unavailable')
    assert.equal(answer.headers.get('retry-after'), '1')
  }
}

const readinessOf = (service: TestService) => service.call('GET', '//readyz', { key: null })

/** Checks that the process itself is well while the database is away. */
async function expectAway(service: TestService): Promise<void> {
  await expectUnavailable(service)
  expectError(await readinessOf(service), 503, 'unavailable')
  assert.equal((await service.call('GET', '//livez', { key: null })).status, 200)
}

async function expectBack(service: TestService): Promise<void> {
  // Until then, every request must get 503.
  const outcome = async (...request: Parameters<TestService['call']>) =>
    (
      await eventually(
        () => service.call(...request),
        ({ status }) => status !== 503,
      )
    ).status
  assert.equal(await outcome('GET', '//readyz', { key: null }), 200)
  assert.equal(await outcome('GET', '/pets'), 200)
  assert.equal(await outcome('POST', '/pets', { body: pet }), 201)
}

test('A service that cannot reach its database says so in one line without the password', async () => {
  // The host is too long to be a name, so no name server is asked, which could take long to answer.
  const host = 'no-such-host'.repeat(6)
  await using silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1')
  await using closing = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await Promise.all([silent, closing].map((each) => each.listening || once(each, 'listening')))
  const portOf = (each: Server) => (each.address() as AddressInfo).port
  const refusals = [
    ['petstore:s3cret@127.0.0.1:1/pets', /ECONNREFUSED/],
    ['petstore:s3cret@localhost:1/pets', /ECONNREFUSED/],
    [`petstore:s3cret@${host}/pets`, new RegExp(`ENOTFOUND ${host}`)],
    [`petstore:s3cret@127.0.0.1:${portOf(silent)}/pets`, /./, '1000'],
    [`petstore:s3cret@127.0.0.1:${portOf(closing)}/pets`, /./],
  ] as const
  for (const [url, reason, timeout = '60000'] of refusals) {
    const env = { DATABASE_URL: `postgres://${url}`, DATABASE_TIMEOUT: timeout, PORT: '0' }
    const { code, stdout, stderr } = await command(['serve'], env)
    assert.deepEqual([code, stdout], [1, ''], stderr)
    assert.match(
      stderr,
      /^petstore: Cannot reach the database: PostgreSQL:? .+\. Check DATABASE_URL, and that the server is running\.\n$/,
    )
    assert.match(stderr, reason)
    assert.doesNotMatch(stderr, /s3cret/)
  }
})

describe('PostgreSQL away', timeout, () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service?.stop())

  test('While PostgreSQL is killed, every request gets 503 with Retry-After, and afterwards the service reconnects', async () => {
    await expectBack(service)
    await server.kill()
    await expectAway(service)
    await server.start()
    await expectBack(service)
  })

  test('While PostgreSQL is killed, a service without requests is not ready, and it becomes ready again by itself [decision 26]', async () => {
    await expectBack(service)
    await server.kill()
    const away = await eventually(
      () => readinessOf(service),
      ({ status }) => status !== 200,
    )
    expectError(away, 503, 'unavailable')
    await server.start()
    await eventually(
      () => readinessOf(service),
      ({ status }) => status === 200,
    )
  })

  test('While PostgreSQL is frozen, every request gets 503 within the statement timeout, and afterwards requests succeed', async () => {
    await expectBack(service)
    server.freeze()
    try {
      await expectAway(service)
    } finally {
      server.thaw()
    }
    await expectBack(service)
  })
})

test(
  'While PostgreSQL is away, /metrics answers only to the key that it accepted last [decision 3]',
  timeout,
  async (t) => {
    const { url } = await postgresDatabase(server.url)
    const service = await TestService.inProcess({ DATABASE_URL: url, LOG_LEVEL: 'silent' })
    t.after(() => service.stop())
    let now = Date.now()
    const expiresAt = now + 2 * 3_600_000
    const makeKey = () => service.makeKey({ scopes: ['metrics:read'], expiresAt })
    const [key, other] = [await makeKey(), await makeKey()]
    /** Sends a request longer after the previous one than a key is trusted. */
    async function statusOf(path: string, by: string): Promise<number> {
      await service.setClock((now += 60_000))
      return (await service.call('GET', path, { key: by })).status
    }
    const back = () =>
      eventually(
        () => statusOf('//metrics', other),
        (status) => status === 200,
      )

    assert.equal(await statusOf('//metrics', other), 200)
    assert.equal(await statusOf('//metrics', key), 200)
    assert.equal(await statusOf('//metrics', service.key), 403)
    await server.kill()
    for (let i = 0; i < 3; i++) assert.equal(await statusOf('//metrics', key), 200)
    for (const by of [other, service.key, newToken()]) assert.equal(await statusOf('//metrics', by), 503)
    assert.equal(await statusOf('/pets', key), 503, 'it is trusted for nothing else')
    now = expiresAt
    assert.equal(await statusOf('//metrics', key), 503, 'it has expired')

    now = Date.now()
    await server.start()
    await back()
    assert.equal(await statusOf('//metrics', key), 200)
    await service.revokeKey(key)
    assert.equal(await statusOf('//metrics', key), 401)
    await server.kill()
    assert.equal(await statusOf('//metrics', key), 503, 'it was revoked')
    await server.start()
  },
)

test('A transaction that begins too late because the server was frozen is not continued', timeout, async () => {
  const pool = createPool({ time: systemTime, url: server.url, connections: 1, timeoutMilliseconds: 4_000 })
  const answers = () => eventually(() => pool.query('SELECT 1').catch(() => undefined), Boolean)
  await answers()
  let isDone = false
  server.freeze()
  try {
    const work = async () => {
      isDone = true
    }
    await assert.rejects(pool.longTransaction(work), /did not answer within 4000 ms/)
  } finally {
    server.thaw()
  }
  // By then, the transaction before it was rolled back.
  await answers()
  assert.equal(isDone, false)
  await pool.end()
})

testInFull(
  'POST /v1/webhooks gets 503 if the server freezes while it waits for a lock, and the pool stays usable',
  {
    timeout: 60_000,
  },
  async (t) => {
    const { url, connect } = await postgresDatabase(server.url)
    // The server does not end statements by itself, so only the service can.
    const search = viaPgbouncer ? '' : '?lock_timeout=0&statement_timeout=0'
    const env = { DATABASE_URL: url + search, DATABASE_POOL: '10', DATABASE_TIMEOUT: '4000', LOG_LEVEL: 'warn' }
    const service = await TestService.inProcess(env)
    const sql = connect()
    t.after(async () => {
      server.thaw()
      await sql.end()
      await service.stop()
    })
    const key = await service.makeKey({ scopes: ['webhooks:write'] })
    await sql.unsafe('BEGIN; LOCK TABLE webhooks IN SHARE MODE')
    const waiting = () => sql`SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`
    const add = () => service.call('POST', '/webhooks', { key, body: { url: 'https://shop.example/' } })
    const additions = Promise.all(Array.from({ length: 10 }, add))
    await eventually(waiting, ({ length }) => length > 0)
    server.freeze()
    for (const answer of await additions) expectError(answer, 503, 'unavailable')
    server.thaw()
    await expectBack(service)
  },
)

testInFull(
  'A service that stops while PostgreSQL is frozen ends, although no connection is ever closed',
  timeout,
  async () => {
    const { url } = await postgresDatabase(server.url)
    await using served = await Served.start({ DATABASE_URL: url, DATABASE_TIMEOUT: '1000' })
    const many = () => Promise.all(Array.from({ length: 5 }, () => served.call('GET', '/pets', { key: newToken() })))
    await many()
    server.freeze()
    try {
      // The first request fails on its connection. The second closes the others, which the server does not confirm.
      for (let i = 0; i < 2; i++)
        expectError(await served.call('GET', '/pets', { key: newToken() }), 503, 'unavailable')
      assert.equal((await inTime(served.end('SIGTERM'), 'the end of the process', () => served.stdout)).code, 0)
    } finally {
      server.thaw()
    }
  },
)

testInFull(
  'If PostgreSQL goes away right after the start, the service continues and can be stopped gracefully',
  timeout,
  async () => {
    const { url, connect, setTimeouts } = await postgresDatabase(server.url)
    await setTimeouts(8_000)
    const env = { DATABASE_URL: url, DATABASE_TIMEOUT: '8000' }
    assert.equal((await command(['migrate'], env)).code, 0)
    const sql = connect()
    await sql`BEGIN`
    await sql`LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE`
    await using served = await Served.start(env)
    await served.until(/"could not check whether there is an API key"/)
    assert.equal((await served.call('GET', '//livez')).status, 200)
    const { code, stderr } = await served.end('SIGTERM')
    assert.deepEqual([code, stderr], [0, ''])
    await sql.end()
  },
)

test(
  'A write that no standby has confirmed is not acknowledged, even if it is repeated [decision 8, 23]',
  timeout,
  async (t) => {
    const { url, connect } = await postgresDatabase(server.url)
    const options = { connections: 1, timeoutMilliseconds: 60_000, prepare: !viaPgbouncer }
    const store = await openPostgres({ time: systemTime, url, ...options })
    const sql = connect()
    await sql`SET synchronous_commit = off`
    const setStandbys = async (names: string) => {
      await sql.unsafe(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
      await sql`SELECT pg_reload_conf()`
    }
    t.after(async () => {
      await setStandbys('')
      await Promise.all([store.close(), sql.end()])
    })
    const petId = BigInt(rowOf(await store.pets.insert(rex, undefined)).id)
    const orderId = BigInt(rowOf(await store.orders.place({ petId }, undefined)).id)
    await setStandbys('nobody')
    const shown = () => sql`SHOW synchronous_standby_names`
    await eventually(shown, ([row]) => row?.synchronous_standby_names === 'nobody')
    const claim = { keyId: 1, route: '/pets', idempotencyKey: 'a', fingerprint: 'f' }
    const cancel = () => sql`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`
    /** Returns how work ends if nobody allows it to wait for a standby. */
    async function outcomeOf(work: () => Promise<unknown>): Promise<unknown> {
      let outcome: unknown
      work().then(
        (result) => (outcome = result),
        (error) => (outcome = error),
      )
      return eventually(async () => {
        await cancel()
        return outcome
      }, Boolean)
    }
    // The setting may reach the process of the pool a moment later.
    await eventually(
      () => outcomeOf(() => store.pets.insert(rex, undefined)),
      (outcome) => outcome instanceof Error,
    )
    for (const work of [
      () => store.pets.insert(rex, claim),
      () => store.pets.insert(rex, claim),
      () => store.orders.move(orderId, 'completed'),
      () => store.orders.move(orderId, 'completed'),
    ]) {
      const outcome = await outcomeOf(work)
      assert.ok(outcome instanceof StoreUnavailable, `it was acknowledged: ${work}`)
      assert.match(outcome.message, /the wait of a commit for its standby was cancelled/)
    }
    await setStandbys('')
    assert.equal(rowOf(await store.pets.insert(rex, claim)).replayed, true)
  },
)

test('If its server has become read-only, the service is not ready until a write succeeds [decision 26]', async (t) => {
  const { url, connect } = await postgresDatabase(server.url)
  const service = await TestService.inProcess({ DATABASE_URL: url, LOG_LEVEL: 'silent' })
  const sql = connect()
  t.after(async () => {
    await sql.end()
    await service.stop()
  })
  const setReadOnly = (value: 'on' | 'off') =>
    sql.unsafe(
      `DO $$ BEGIN EXECUTE
        format('ALTER DATABASE %I SET default_transaction_read_only = ${value}', current_database()); END $$`,
    )
  const post = async () => (await service.call('POST', '/pets', { body: pet })).status
  const readiness = async () => (await readinessOf(service)).status
  assert.equal(await post(), 201)
  await setReadOnly('on')
  // The connections are new, as when an address moves to a standby.
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`
  await becomes(post, 503)
  await becomes(async () => (await service.call('GET', '/pets')).status, 200)
  // A connection that was being opened meanwhile may still write once.
  await becomes(readiness, 503)
  await sql`SET default_transaction_read_only = off`
  await setReadOnly('off')
  await becomes(readiness, 200)
  // A connection that was opened meanwhile may still refuse one write.
  await becomes(post, 201)
})

test('The log of a statement that fails permanently does not contain the row, which may contain a secret [decision 16]', async (t) => {
  const { url, connect } = await postgresDatabase(server.url)
  const service = await TestService.inProcess({ DATABASE_URL: url, LOG_LEVEL: 'warn' })
  t.after(() => service.stop())
  const sql = connect()
  await sql`ALTER TABLE webhooks ADD CONSTRAINT never CHECK (false)`
  await sql.end()
  const key = await service.makeKey({ scopes: ['webhooks:write'] })
  const body = { url: 'https://shop.example/' }
  assert.equal((await service.call('POST', '/webhooks', { key, body })).status, 500)
  assert.equal((await readinessOf(service)).status, 200)
  await service.logged(/violates check constraint/)
  assert.doesNotMatch(service.log, /whsec_|shop\.example/)
})

testOnSmallDisk(
  'The service is not ready from the write that finds the disk full until there is room again [decision 26]',
  64 * 1024,
  async (disk) => {
    if (process.getuid?.() === 0) chownSync(disk.path, 65534, 65534)
    const admin = postgres(server.url, { max: 1, onnotice: () => {} })
    await admin.unsafe(`CREATE TABLESPACE small LOCATION '${disk.path}'`)
    await admin.unsafe('CREATE DATABASE small TABLESPACE small')
    const store = await openPostgres({
      time: systemTime,
      url: server.url.replace(/postgres$/, 'small'),
      connections: 3,
      timeoutMilliseconds: 60_000,
    })
    const ballast = join(disk.path, 'ballast')
    assert.throws(() => writeFileSync(ballast, Buffer.alloc(64 * 1024 * 1024)))
    // Fills the disk until no page has room for another row.
    await assert.rejects(async () => {
      for (let i = 0; i < 100_000; i++) await store.pets.insert(rex, undefined)
    }, StoreUnavailable)
    assert.match(String(store.fault()), /No space left on device/)
    await assert.rejects(store.tryWrite(), /No space left on device/)
    rmSync(ballast)
    await untilReady(store)
    await store.close()
    await admin.unsafe('DROP DATABASE small WITH (FORCE)')
    await admin.unsafe('DROP TABLESPACE small')
    await admin.end()
  },
)

testInFull(
  'If PostgreSQL is too slow, reads are refused with 503 instead of queued, and afterwards they succeed again',
  timeout,
  async (t) => {
    const { url, connect, setTimeouts } = await postgresDatabase(server.url)
    await setTimeouts(4_000)
    const service = await startService({ DATABASE_URL: url, DATABASE_POOL: '2' })
    t.after(() => service.stop())
    const sql = connect()
    await sql.unsafe('BEGIN; LOCK TABLE pets IN ACCESS EXCLUSIVE MODE')
    // All requests are answered although the table stays locked.
    const ask = (_: unknown, i: number) => service.call('GET', i % 2 ? `/pets?categoryId=${i}` : `/pets/${i + 1}`)
    for (const answer of await Promise.all(Array.from({ length: 300 }, ask))) {
      expectError(answer, 503, 'unavailable')
      assert.equal(answer.headers.get('retry-after'), '1')
    }
    await service.logged(/too many statements are waiting/)
    assert.equal((await service.call('GET', '//livez', { key: null })).status, 200)
    await sql.unsafe('ROLLBACK')
    await sql.end()
    await expectBack(service)
  },
)
