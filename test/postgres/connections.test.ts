/** How many connections an instance holds: no more than it is given, none that it does not need, and it works with fewer. */
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import type postgres from 'postgres'
import { createPool, type Pool } from '../../src/store/postgres/pool.ts'
import { StoreUnavailable } from '../../src/store/store.ts'
import { eventually } from '../support/load.ts'
import { type PostgresDatabase, postgresDatabase, releasePostgres } from '../support/postgres.ts'

after(releasePostgres)

describe('the connections of a pool', { timeout: 60_000 }, () => {
  let database: PostgresDatabase
  let sql: postgres.Sql
  let pool: Pool | undefined
  beforeEach(async () => {
    database = await postgresDatabase()
    sql = database.connect()
  })
  afterEach(async () => {
    await pool?.end()
    await sql.end()
    await database.remove()
  })

  const held = async () =>
    Number(
      (
        await sql`SELECT count(*) FROM pg_stat_activity WHERE application_name = 'petstore' AND datname = current_database()`
      )[0]?.count,
    )
  const many = (count: number) =>
    Promise.all(Array.from({ length: count }, () => (pool as Pool).query('SELECT pg_sleep(0.01)')))

  /** A role that the server allows so many connections, as it answers to all when it has none left. */
  async function limited(connections: number): Promise<string> {
    const role = `few_${Math.random().toString(36).slice(2)}`
    await sql.unsafe(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT ${connections}`)
    return database.url.replace('petstore@', `${role}@`)
  }

  test('that the server has no more of cost nothing, while there is one; and it is not asked again at once [D183]', async () => {
    pool = createPool({ url: await limited(1), connections: 5, timeoutMilliseconds: 5_000 })
    await pool.query('SELECT 1')
    await many(20)
    assert.equal(pool.stats.lost, 1)
    assert.equal(await held(), 1)
  })

  test('that the server has none of are reported as unavailable', async () => {
    pool = createPool({ url: await limited(0), connections: 5, timeoutMilliseconds: 5_000 })
    await assert.rejects(
      many(2),
      (error) => error instanceof StoreUnavailable && /too many connections/.test(error.message),
    )
  })

  test('that were not used for a while are given back, and made again when they are needed [D183]', async () => {
    pool = createPool({ url: database.url, connections: 5, timeoutMilliseconds: 5_000, idleMilliseconds: 300 })
    await many(50)
    assert.ok((await held()) > 1)
    await eventually(held, (count) => count === 0)
    await many(5)
    assert.equal(pool.stats.lost, 0)
  })

  test('that are not needed are left unused, while others are used', async () => {
    pool = createPool({ url: database.url, connections: 5, timeoutMilliseconds: 5_000 })
    await many(50)
    const [own] = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    for (let i = 0; i < 5; i++) assert.deepEqual(await pool.query('SELECT pg_backend_pid() AS pid'), [own])
  })
})
