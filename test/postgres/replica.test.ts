/** Reads from a replica: what it shows is never older than what the primary had shown when the read began. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import postgres from 'postgres'
import { createPool, type Pool } from '../../src/store/postgres/pool.ts'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { createReplicaReader } from '../../src/store/postgres/replica.ts'
import type { Store } from '../../src/store/store.ts'
import { petsOf, rex, rowOf } from '../store/subject.ts'
import { eventually } from '../support/load.ts'
import { postgresDatabase } from '../support/postgres.ts'
import { Pair } from '../support/replication.ts'
import { describeInFull, isFull } from '../support/scope.ts'

describeInFull('a primary and a replica', { timeout: 120_000 }, () => {
  let pair: Pair
  let readUrl: string
  let store: Store
  let primary: Pool
  let replica: Pool
  let sql: postgres.Sql
  let onReplica: postgres.Sql
  before(async () => {
    pair = await Pair.start()
    const { url } = await postgresDatabase(pair.primary.url)
    readUrl = `${pair.standby.url.slice(0, pair.standby.url.lastIndexOf('/'))}${new URL(url).pathname}`
    const options = { connections: 4, timeoutMilliseconds: 5_000 }
    store = await openPostgres({ ...options, url, readUrl })
    ;[primary, replica] = [url, readUrl].map((each) => createPool({ ...options, url: each })) as [Pool, Pool]
    ;[sql, onReplica] = [url, readUrl].map((each) =>
      postgres(each, { max: 1, fetch_types: false, onnotice: () => {} }),
    ) as [postgres.Sql, postgres.Sql]
    await eventually(async () => (await isReplaying()).length, Boolean)
  })
  after(async () => {
    await Promise.all([store?.close(), primary?.end(), replica?.end(), sql?.end(), onReplica?.end()])
    await pair?.stop()
  })

  /** The database has come to the replica. */
  const isReplaying = () => onReplica`SELECT FROM schema_version`.catch(() => [])
  const isReplica = async (reader: ReturnType<typeof createReplicaReader>) =>
    (await reader.query<{ is: boolean }>('SELECT pg_is_in_recovery() AS is'))[0]?.is

  async function whilePaused(work: () => Promise<void>): Promise<void> {
    await onReplica`SELECT pg_wal_replay_pause()`
    await eventually(
      () => onReplica`SELECT pg_get_wal_replay_pause_state() AS state`,
      ([row]) => row?.state === 'paused',
    )
    try {
      await work()
    } finally {
      await onReplica`SELECT pg_wal_replay_resume()`
    }
  }

  test('a replica that has everything is read from', async () => {
    const reader = createReplicaReader(primary, replica)
    await eventually(() => isReplica(reader), Boolean)
  })

  test('one that is behind is passed by, and not asked again for a while [D185]', async () => {
    let now = 0
    const reader = createReplicaReader(primary, replica, () => now)
    await whilePaused(async () => {
      const { id, json } = rowOf(await store.pets.insert({ ...rex, name: 'New' }, undefined))
      assert.equal(await isReplica(reader), false)
      assert.equal(await store.pets.find(BigInt(id)), json)
      assert.equal((await store.pets.page({ after: id - 1, limit: 10 })).json, `[${json}]`)
    })
    const position = (await sql`SELECT pg_current_wal_flush_lsn() AS lsn`)[0]?.lsn
    await eventually(
      () => onReplica`SELECT pg_last_wal_replay_lsn() >= ${position}::pg_lsn AS reached`,
      ([row]) => row?.reached,
    )
    assert.equal(await isReplica(reader), false)
    // Not at the first try where the server has just written something of its own.
    await eventually(() => {
      now += 100
      return isReplica(reader)
    }, Boolean)
  })

  test('what was just added is found and on the pages, and the replica is read from [D185]', async () => {
    const reader = createReplicaReader(primary, replica, () => Number.POSITIVE_INFINITY)
    for (let i = 0; i < 100 || reader.counts.replica === 0; i++) {
      const { id } = rowOf(await store.pets.insert(rex, undefined))
      const found = await reader.query('SELECT FROM pets WHERE id = $1', [id])
      assert.equal(found.length, 1)
      assert.deepEqual(
        petsOf((await store.pets.page({ after: id - 1, limit: 1 })).json).map((pet) => Number(pet.id)),
        [id],
      )
    }
  })

  test('one that hangs is not waited for, though its statements may take hours [D185]', async () => {
    const patient = createPool({ url: readUrl, connections: 2, timeoutMilliseconds: 3_600_000, endMilliseconds: 1 })
    const reader = createReplicaReader(primary, patient, () => Number.POSITIVE_INFINITY)
    await eventually(() => isReplica(reader), Boolean)
    pair.standby.freeze()
    try {
      // More than it has connections.
      for (let i = 0; i < 3; i++) assert.equal(await isReplica(reader), false)
    } finally {
      pair.standby.thaw()
    }
    await patient.end()
  })

  test('one that is away leaves all reads to the primary, and is found again when it is back [D185]', async () => {
    let now = 0
    const reader = createReplicaReader(primary, replica, () => now)
    await pair.standby.kill()
    // It fails at 0 and 1 s, and then rests for 2 s.
    for (now of [0, 1_000]) assert.equal(await isReplica(reader), false)
    const { id, json } = rowOf(await store.pets.insert(rex, undefined))
    assert.equal(await store.pets.find(BigInt(id)), json)
    await pair.standby.start()
    now = 2_999
    assert.equal(await isReplica(reader), false)
    await eventually(() => {
      now += 30_000
      return isReplica(reader)
    }, Boolean)
  })
})

if (isFull)
  test('while commits wait for a standby that is away, connections do not pile up on the server', {
    timeout: 120_000,
  }, async () => {
    const pair = await Pair.start()
    const { url } = await postgresDatabase(pair.primary.url)
    const connections = 3
    const store = await openPostgres({ url, connections, timeoutMilliseconds: 5_000 })
    // A busy machine may need longer than that for a connection.
    const impatient = (await eventually(
      () => openPostgres({ url, connections, timeoutMilliseconds: 40 }).catch(() => undefined),
      (opened) => opened !== undefined,
    )) as Store
    const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} })
    try {
      await pair.follow({ isSynchronous: true })
      await pair.standby.kill()
      const own = await sql`SELECT FROM pg_stat_activity WHERE datname = current_database()`
      for (let i = 0; i < 60; i++) {
        const writes = Array.from({ length: connections }, () => impatient.pets.insert(rex, undefined))
        for (const { status } of await Promise.allSettled(writes)) assert.equal(status, 'rejected')
      }
      const all = await sql`SELECT FROM pg_stat_activity WHERE datname = current_database()`
      // Those in use, and twice as many that were given up.
      assert.ok(all.length <= own.length + 3 * connections, `${all.length} connections`)
      await pair.standby.start()
      // What was given up has ended by then, and nothing needs a restart.
      await eventually(
        () => impatient.pets.insert(rex, undefined).catch(() => undefined),
        (outcome) => outcome !== undefined,
      )
      assert.ok(rowOf(await store.pets.insert(rex, undefined)).id > connections)
    } finally {
      await Promise.all([store.close(), impatient.close(), sql.end()])
      await pair.stop()
    }
  })
