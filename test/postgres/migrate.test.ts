/** Migrations of a database that others use, with roles that have few privileges, and of a foreign database. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import type postgres from 'postgres'
import { CatalogueCopy } from '../../harness/catalogue-copy.ts'
import { viaPgbouncer } from '../../harness/pgbouncer.ts'
import { postgresDatabase, releasePostgres } from '../../harness/postgres.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { migrations } from '../../src/store/postgres/schema.ts'
import { DatabaseUnusable, StoreUnavailable } from '../../src/store/store.ts'
import { systemTime } from '../../src/time.ts'
import { ofAll, rex, rowOf } from '../store/subject.ts'

const options = { connections: 2, timeoutMilliseconds: 30_000, prepare: !viaPgbouncer }

after(releasePostgres)

describe('the schema of PostgreSQL', () => {
  let url: string
  let sql: postgres.Sql
  let role: string
  let remove: () => Promise<void>
  beforeEach(async () => {
    const database = await postgresDatabase()
    url = database.url
    sql = database.connect()
    role = `role_${randomUUID().replaceAll('-', '')}`
    await sql.unsafe(`CREATE ROLE ${role} LOGIN`)
    remove = async () => {
      await sql.unsafe(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
      await sql.end()
      await database.remove()
    }
  })
  afterEach(() => remove())

  const open = (as?: string) =>
    openPostgres({ time: systemTime, ...options, url: as ? url.replace('petstore@', `${as}@`) : url })
  const refused = (pattern: RegExp) => (error: unknown) => {
    assert.ok(error instanceof DatabaseUnusable, String(error))
    assert.match(error.message, pattern)
    assert.doesNotMatch(error.message, /\n/)
    return true
  }

  describe('with a table held by a long transaction', () => {
    /** These are changes that a later version could make. */
    const later = [
      ...migrations,
      { version: 101, sql: 'ALTER TABLE orders ADD COLUMN colour text' },
      { version: 200, sql: 'CREATE TABLE colours (name text)' },
    ]
    const version = async () => (await sql`SELECT version FROM schema_version`)[0]?.version
    beforeEach(async () => {
      await (await open()).close()
      assert.equal(await version(), 100)
      await sql`BEGIN`
      await sql`SELECT FROM orders`
    })

    test('A migration of a table that a long transaction has locked does not block others, and succeeds after that transaction [decision 25]', async () => {
      const pool = createPool({ time: systemTime, ...options, url })
      let pauses = 0
      const pause = async () => {
        // Only locks in this database count, because other tests wait for locks in theirs.
        const waiting = await pool.query(`SELECT 1 FROM pg_locks WHERE NOT granted AND relation IS NOT NULL
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
        assert.equal(waiting.length, 0)
        await pool.query('SELECT FROM orders')
        if (++pauses === 3) await sql`COMMIT`
      }
      const steps = await migrate(pool, 'migrate', { lockMilliseconds: 1, pause }, later)
      assert.deepEqual([steps, pauses], [2, 3])
      assert.equal(await migrate(pool, 'migrate', undefined, later), 0)
      await pool.end()
      assert.equal(await version(), 200)
      assert.equal((await sql`SELECT FROM colours`).length, 0)
      await assert.rejects(open(), refused(/was written by a newer petstore \(schema 200, this program knows 100\)/))
    })

    test('A migration of a table that stays locked gives up, and changes nothing [decision 25]', async () => {
      const pool = createPool({ time: systemTime, ...options, url })
      let pauses = 0
      const trying = migrate(pool, 'migrate', { lockMilliseconds: 1, pause: async () => pauses++ }, later)
      await assert.rejects(trying, refused(/^Cannot bring the database up to date: other transactions hold its tables/))
      assert.equal(pauses, 59)
      await sql`COMMIT`
      assert.equal(await version(), 100)
      await pool.end()
    })
  })

  test('The schema of PostgreSQL is created with all migrations, completely or not at all', async () => {
    const pool = createPool({ time: systemTime, ...options, url })
    const failing = [...migrations, { version: 101, sql: 'DROP TABLE nowhere' }]
    await assert.rejects(migrate(pool, 'create', undefined, failing), /nowhere/)
    assert.equal((await sql`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`).length, 0)
    await pool.end()
  })

  test('The schema of PostgreSQL serves a role that may only read and write the rows of all tables [decision 25]', async () => {
    await (await open()).close()
    await sql.unsafe(`REVOKE CREATE ON SCHEMA public FROM PUBLIC;
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role};
      GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${role};
      REVOKE INSERT, UPDATE, DELETE ON schema_version FROM ${role}`)
    // A missing privilege is reported before the service starts, with the statement that grants it.
    const rights = [`UPDATE, DELETE ON orders`, 'USAGE ON SEQUENCE pet_ids']
    for (const right of rights) {
      await sql.unsafe(`REVOKE ${right} FROM ${role}`)
      await assert.rejects(
        open(role),
        refused(new RegExp(`lacks rights. Run as the owner: GRANT ${right} TO ${role}$`)),
      )
      await sql.unsafe(`GRANT ${right} TO ${role}`)
    }
    const store = await open(role)
    await sql.unsafe(`REVOKE INSERT ON pets FROM ${role}`)
    await assert.rejects(store.pets.insert(rex, undefined), StoreUnavailable)
    await sql.unsafe(`GRANT INSERT ON pets TO ${role}`)
    const copying = store.bulk.import(async () => assert.fail('rows were wanted'))
    await assert.rejects(copying, refused(/may not do this: .*must be owner .+ Run it as the owner/))
    const { id } = rowOf(await store.pets.insert(rex, undefined))
    await store.tryWrite()
    await store.keys.insert({ name: 'k', prefix: 'p', hash: 'h', scopes: [], createdAt: 1, expiresAt: undefined })
    await store.purgeIdempotencyRecords(ofAll)
    assert.deepEqual(await store.shareRates?.([{ keyId: 1, used: 5, ahead: 5, aheadMax: 9 }]), [5])
    assert.ok(await store.pets.remove(BigInt(id), undefined))
    await new CatalogueCopy().check(store)
    await store.events.purge(ofAll)
    assert.deepEqual(await store.events.oldest(), await store.events.present())
    await store.close()
  })

  test('A role that may only change animals in PostgreSQL can do so, and counts and events follow [decision 15, 25]', async () => {
    const store = await open()
    await store.pets.insert(rex, undefined)
    await sql.unsafe(`GRANT SELECT, UPDATE ON pets TO ${role}; SET ROLE ${role}; SET search_path = pg_catalog`)
    // A trigger of a temporary table in place of ours would run with the rights of the owner.
    await sql.unsafe(`CREATE TEMPORARY TABLE inventory
        (category_id bigint, slot int, available bigint, pending bigint, sold bigint, PRIMARY KEY (category_id, slot));
      CREATE TEMPORARY TABLE events (id bigint, type text, pet_id bigint, at bigint, data text)`)
    await sql.unsafe(`UPDATE public.pets SET status = 'sold'`)
    await sql.unsafe('DROP TABLE pg_temp.inventory, pg_temp.events; RESET ROLE; RESET search_path')
    assert.equal(await store.inventory.total(), '{"available":0,"pending":0,"sold":1}')
    await new CatalogueCopy().check(store)
    await store.close()
  })

  test('A role that may not create, change or read the schema of PostgreSQL is refused in one line [decision 25]', async () => {
    await sql`REVOKE CREATE ON SCHEMA public FROM PUBLIC`
    await assert.rejects(
      open(role),
      refused(/permission denied for schema public\. Run "petstore migrate" as the owner/),
    )
    await (await open()).close()
    await assert.rejects(open(role), refused(/permission denied for table schema_version\. Run "petstore migrate"/))
    await sql.unsafe(`GRANT SELECT, UPDATE ON schema_version TO ${role}`)
    await sql`DELETE FROM schema_version`
    await assert.rejects(open(role), refused(/may not read the schema or bring it up to date/))
  })

  test('A foreign schema, or that of a development version, is refused in one line and not changed', async () => {
    const notOurs = (reason: string) =>
      new RegExp(`^The database has tables that are not of petstore: .*${reason}.* Name another`)
    for (const [statement, reason] of [
      ['CREATE TABLE pets (id int)', notOurs('relation "pets" already exists')],
      [
        'CREATE TABLE other (id int); CREATE FUNCTION free_slot() RETURNS int LANGUAGE sql RETURN 1',
        notOurs('function "free_slot" already exists'),
      ],
      ['CREATE TABLE schema_version (number int)', notOurs('column "version" does not exist')],
      [`CREATE TABLE schema_version AS SELECT 'one' AS version`, notOurs('schema_version holds something else')],
      [
        'CREATE TABLE schema_version AS SELECT 15 AS version',
        /^The database was written by a development version of petstore \(schema 15\)\. Save its animals/,
      ],
    ] as const) {
      await sql.unsafe(statement)
      await assert.rejects(open(), refused(reason))
      assert.equal((await sql`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`).length, 1)
      await sql.unsafe('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    }
  })
})
