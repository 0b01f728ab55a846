/** Two shops in one database, each in its own schema. Neither is affected by the other. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import type postgres from 'postgres'
import { CatalogueCopy } from '../../harness/catalogue-copy.ts'
import { eventually } from '../../harness/patience.ts'
import { type PostgresDatabase, postgresDatabase, releasePostgres } from '../../harness/postgres.ts'
import { patient } from '../../harness/stores.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { createPool, type Pool } from '../../src/store/postgres/pool.ts'
import { migrations } from '../../src/store/postgres/schema.ts'
import type { Store } from '../../src/store/store.ts'
import { open } from '../store/instances.ts'
import { rex, rowOf } from '../store/subject.ts'

after(releasePostgres)

describe('two shops in two schemas of one database', () => {
  let database: PostgresDatabase
  let roles: string[]
  /** A connection of the test, which works in the schema of the other shop. */
  let sql: postgres.Sql
  let shop: Store
  let other: Store
  /** A role finds its tables in the schema that has its name. */
  const urlOf = (role: string) => database.url.replace('petstore@', `${role}@`)

  /** Whether the work of a role waits for a lock, or is done. */
  async function isWaiting(role: string | undefined, work: Promise<unknown>): Promise<boolean> {
    let isDone = false
    const done = work.finally(() => {
      isDone = true
    })
    done.catch(() => {})
    const waits = () => sql`SELECT FROM pg_stat_activity WHERE usename = ${role ?? ''} AND wait_event_type = 'Lock'`
    await eventually(
      async () => isDone || (await waits()).length > 0,
      (isDecided) => isDecided,
    )
    return !isDone
  }

  beforeEach(async () => {
    database = await postgresDatabase()
    sql = database.connect()
    roles = ['shop', 'other', 'third'].map((name) => `${name}_${randomUUID().replaceAll('-', '')}`)
    for (const role of roles) await sql.unsafe(`CREATE ROLE ${role} LOGIN; CREATE SCHEMA AUTHORIZATION ${role}`)
    await sql.unsafe(`SET search_path = ${roles[1]}`)
    ;[shop, other] = (await Promise.all(roles.slice(0, 2).map((role) => open(urlOf(role))))) as [Store, Store]
  })
  afterEach(async () => {
    await Promise.all([shop.close(), other.close()])
    await sql.unsafe(
      `ROLLBACK; SELECT pg_advisory_unlock_all(); DROP OWNED BY ${roles.join()}; DROP ROLE ${roles.join()}`,
    )
    await sql.end()
    await database.remove()
  })

  test('An open transaction of one shop does not hold back the events of another shop in the same database [decision 15, 23]', async () => {
    await other.pets.insert(rex, undefined)
    await sql.unsafe(`BEGIN; UPDATE pets SET name = 'Held'`)
    const follower = new CatalogueCopy()
    for (let round = 0; round < 5; round++) {
      const add = (store: Store) => store.pets.insert(rex, undefined)
      await Promise.all(Array.from({ length: 60 }, (_, i) => add(i % 2 ? shop : other)))
      await follower.check(shop)
      assert.deepEqual(await shop.events.positionOf(follower.last), follower.position)
    }
    assert.equal(follower.events, 150)
    assert.equal((await other.events.present()).id, 1, 'the open transaction holds back those of its own shop')
    await sql`ROLLBACK`
    await new CatalogueCopy().check(other)
  })

  test('Transactions of one shop that use every slot for counting do not block another shop in the same database [decision 23]', async () => {
    const slots = Array.from({ length: 64 }, (_, slot) => `pg_advisory_xact_lock('inventory'::regclass::int, ${slot})`)
    await sql.unsafe(`BEGIN; SELECT ${slots.join()}`)
    const adding = [shop, other].map((store) => store.pets.insert(rex, undefined))
    assert.deepEqual(await Promise.all(adding.map((work, i) => isWaiting(roles[i], work))), [false, true])
    await sql`COMMIT`
    for (const each of adding) assert.equal(rowOf(await each).id, 1)
  })

  test('A migration of one shop does not block another shop in the same database [decision 23]', async (t) => {
    const pools = roles.map((role) => createPool({ ...patient, url: urlOf(role), connections: 2 }))
    t.after(() => Promise.all(pools.map((pool) => pool.end())))
    await sql`SELECT pg_advisory_lock(1)`
    const slow = [...migrations, { version: 101, sql: 'SELECT pg_advisory_xact_lock(1)' }]
    const patience = { lockMilliseconds: 0, pause: async () => {} }
    const [, ofOther, ofThird] = pools as [Pool, Pool, Pool]
    const migrating = migrate(ofOther, 'migrate', patience, slow)
    assert.equal(await isWaiting(roles[1], migrating), true)
    const beside = migrate(ofThird, 'migrate')
    assert.equal(await isWaiting(roles[2], beside), false)
    await sql`SELECT pg_advisory_unlock(1)`
    assert.deepEqual(await Promise.all([migrating, beside]), [1, 1])
  })
})
