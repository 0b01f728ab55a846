/** A server that takes no more writes: its connections are left, so that the next statement may reach the new primary. */
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, test } from 'node:test'
import type postgres from 'postgres'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { type Store, StoreUnavailable } from '../../src/store/store.ts'
import { rex, rowOf } from '../store/subject.ts'
import { eventually } from '../support/load.ts'
import { postgresDatabase, releasePostgres } from '../support/postgres.ts'
import { describeInFull } from '../support/scope.ts'

after(releasePostgres)

describeInFull('a server that has become read-only', { timeout: 60_000 }, () => {
  let sql: postgres.Sql
  let store: Store
  let remove: () => Promise<void>
  /** For connections made from now on, as when an address leads from one server to another. */
  const setReadOnly = (value: 'on' | 'off') =>
    sql.unsafe(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = ${value}', current_database()); END $$`,
    )
  beforeEach(async () => {
    const database = await postgresDatabase()
    remove = database.remove
    // Made while the database takes writes, and so able to change that again.
    sql = database.connect()
    store = await openPostgres({ url: database.url, connections: 4, timeoutMilliseconds: 5_000 })
    await setReadOnly('on')
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
    // Every connection of the pool is on the read-only server.
    const all = () => Promise.allSettled(Array.from({ length: 4 }, () => store.keys.list()))
    await eventually(all, (outcomes) => outcomes.every(({ status }) => status === 'fulfilled'))
    await setReadOnly('off')
  })
  afterEach(async () => {
    await store.close()
    await sql.end()
    await remove()
  })

  test('fails one write, and the next reaches the server that takes writes [D183]', async () => {
    await assert.rejects(
      store.pets.insert(rex, undefined),
      (error) => error instanceof StoreUnavailable && /read-only transaction/.test(error.message),
    )
    for (let i = 1; i <= 5; i++) assert.equal(rowOf(await store.pets.insert(rex, undefined)).id, i)
  })

  test('is noticed by the check for readiness alone, as an instance that is not ready gets no writes [D183]', async () => {
    await assert.rejects(store.ready(), StoreUnavailable)
    for (let i = 0; i < 5; i++) await store.ready()
  })

  test('still finishes what it is reading', async () => {
    await sql`BEGIN`
    await sql`LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE`
    const reading = store.keys.list()
    await assert.rejects(store.pets.insert(rex, undefined), StoreUnavailable)
    await sql`COMMIT`
    assert.deepEqual([...(await reading)], [])
  })
})
