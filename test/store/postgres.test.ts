/** The store on PostgreSQL: the common suite, and tests only for PostgreSQL. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { addWebhook } from '../../harness/courier.ts'
import { InProcess } from '../../harness/in-process.ts'
import { eventually } from '../../harness/patience.ts'
import { viaPgbouncer } from '../../harness/pgbouncer.ts'
import { postgresDatabase, releasePostgres } from '../../harness/postgres.ts'
import { testInFull } from '../../harness/scope.ts'
import { patient } from '../../harness/stores.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { type Store, StoreUnavailable } from '../../src/store/store.ts'
import { systemTime, turn } from '../../src/time.ts'
import { open, withInstances } from './instances.ts'
import { rex, rowOf } from './subject.ts'
import { storeSuite } from './suite.ts'

storeSuite('PostgreSQL', async () => {
  const { url, remove } = await postgresDatabase()
  let store = await open(url)
  return {
    url,
    store,
    async reopen() {
      await store.close()
      store = await open(url)
      return store
    },
    async remove() {
      await store.close()
      await remove()
    },
  }
})

after(releasePostgres)

const claimOf = (idempotencyKey: string) => {
  const route = 'POST /v1/pets'
  return { keyId: 1, route, idempotencyKey, fingerprint: 'f' }
}

test('Closing a PostgreSQL store waits only for work in progress, which is counted', async () => {
  const { url, remove } = await postgresDatabase()
  const patience = { timeoutMilliseconds: 3_600_000, endMilliseconds: 3_600_000 }
  const store = await openPostgres({ time: systemTime, url, connections: 1, prepare: !viaPgbouncer, ...patience })
  const adding = store.pets.insert(rex, undefined)
  const ordering = store.orders.place({ petId: 1n }, undefined)
  assert.equal(store.samples().find(([name]) => name === 'petstore_writes_waiting')?.[1], 2)
  await store.close()
  await ordering
  rowOf(await adding)
  await remove()
})

describe('first pages of one instance on PostgreSQL', () => {
  test('On PostgreSQL, requests of one turn share one first page, and requests after a write of another instance read it again', () =>
    withInstances(async ({ first, second }) => {
      let made = 0
      const page: Store['pets']['page'] = (query) => {
        made++
        return first.pets.page(query)
      }
      const service = await InProcess.on({ ...first, pets: { ...first.pets, page } })
      const list = async () => (await service.call('GET', '/pets')).json.length
      for (let rows = 0; rows < 3; rows++) {
        made = 0
        const lengths = await Promise.all(Array.from({ length: 5 }, list))
        assert.deepEqual([lengths, made], [Array(5).fill(rows), 1])
        await second.pets.insert(rex, undefined)
      }
    }))

  test('On PostgreSQL, the version of a first page differs in every turn, so that none is shown in a later turn', () =>
    withInstances(async ({ first }) => {
      const version = first.version()
      assert.equal(first.version(), version)
      await turn(systemTime)
      assert.notEqual(first.version(), version)
    }))

  test('On PostgreSQL, first pages and searches are read after the turn of their version, so that no request misses a write', () =>
    withInstances(async ({ second, url }) => {
      const endOfTurn: (() => void)[] = []
      let isHeld = false
      const nextTurn = (run: () => void) => (isHeld ? void endOfTurn.push(run) : systemTime.nextTurn(run))
      const time = { ...systemTime, nextTurn }
      const options = { time, url, connections: 1, timeoutMilliseconds: 30_000, prepare: !viaPgbouncer }
      const store = await openPostgres(options)
      const range = { limit: 10, after: undefined }
      const reads = [
        () => store.pets.page(range),
        () => store.pets.page({ ...range, search: ['rex'] }),
        () => store.orders.page(range),
        () => store.orders.page({ ...range, search: ['rex'] }),
      ]
      for (const read of reads) {
        await read()
        isHeld = true
        const version = store.version()
        const page = read()
        // Statements on a single connection run one after another, so a page that was read too early is complete by
        // now.
        for (let others = 0; others < 5; others++) await store.categories.find(1n)
        const { id } = rowOf(await second.pets.insert(rex, undefined))
        await second.orders.place({ petId: BigInt(id) }, undefined)
        assert.equal(store.version(), version)
        isHeld = false
        for (const run of endOfTurn.splice(0)) run()
        assert.match((await page).json, new RegExp(`"(?:id|petId)":${id},`))
      }
      await store.close()
    }))
})

describe('several instances on one PostgreSQL', () => {
  testInFull(
    'A version that is replaced and restored meanwhile is either written to or refused, and no order is blamed',
    () =>
      withInstances(async ({ first, second }) => {
        const { id, json } = rowOf(await first.pets.insert(rex, undefined))
        let isOver = false
        const flip = async (): Promise<void> => {
          for (const name of ['Max', 'Rex']) await second.pets.update(BigInt(id), { name }, undefined)
          if (!isOver) return flip()
        }
        const flips = [flip(), flip()]
        const seen = new Set<unknown>()
        for (let round = 0; round < 150 || (seen.size < 2 && round < 5_000); round++) {
          // On a busy machine, the version may be replaced and restored during every attempt.
          const outcome = await first.pets.update(BigInt(id), { status: 'available' }, json).catch((error) => {
            assert.match(String(error), /the same rows were changed again and again/)
          })
          if (outcome) seen.add(typeof outcome === 'object' ? 'written' : outcome)
        }
        isOver = true
        await Promise.all(flips)
        assert.deepEqual([...seen].sort(), ['precondition_failed', 'written'])
      }),
  )

  test('The same Idempotency-Key sent concurrently to two instances on PostgreSQL creates one animal', () =>
    withInstances(async ({ first, second, sql }) => {
      for (let round = 0; round < 25; round++) {
        const claim = claimOf(`k${round}`)
        const outcomes = await Promise.all([first, second, first, second].map((store) => store.pets.insert(rex, claim)))
        const rows = outcomes.map(rowOf)
        assert.equal(new Set(rows.map(({ json }) => json)).size, 1)
        assert.equal(rows.filter(({ replayed }) => !replayed).length, 1)
      }
      const [count] = await sql`SELECT count(*)::int AS n FROM pets`
      assert.equal(count?.n, 25)
    }))

  test('An Idempotency-Key locked by another transaction on PostgreSQL is in progress, and works after it [decision 8]', () =>
    withInstances(async ({ first, sql }) => {
      const claim = claimOf('held')
      await sql`BEGIN`
      await sql`INSERT INTO idempotency_records VALUES (1, 'POST /v1/pets', 'held', 'f', 1, '{}', 1000)`
      const [held, free] = await Promise.all([first.pets.insert(rex, claim), first.pets.insert(rex, undefined)])
      assert.equal(held, 'idempotency_in_progress')
      assert.equal(rowOf(free).replayed, false)
      await sql`ROLLBACK`
      assert.equal(rowOf(await first.pets.insert(rex, claim)).replayed, false)
    }, 4_000))

  test('A lock on PostgreSQL on anything except the Idempotency-Key is not reported as one on the key', () =>
    withInstances(async ({ first, sql }) => {
      const { id } = rowOf(await first.pets.insert(rex, undefined))
      const other = rowOf(await first.pets.insert(rex, undefined))
      const order = rowOf(await first.orders.place({ petId: BigInt(other.id) }, undefined))
      await sql`BEGIN`
      await sql`SELECT FROM pets FOR UPDATE`
      await assert.rejects(first.orders.place({ petId: BigInt(id) }, claimOf('animal')), /lock timeout/)
      await assert.rejects(first.orders.move(BigInt(order.id), 'completed'), /lock timeout/)
      await sql`ROLLBACK`
      // `petstore copy` takes this lock.
      await sql`BEGIN`
      await sql`LOCK TABLE idempotency_records, pets IN SHARE MODE`
      await assert.rejects(first.pets.insert(rex, claimOf('table')), /lock timeout/)
      await sql`ROLLBACK`
      assert.equal(first.fault(), undefined, 'the database is well')
      assert.equal(rowOf(await first.orders.place({ petId: BigInt(id) }, claimOf('animal'))).replayed, false)
    }, 4_000))

  test('An Idempotency-Key of a day ago that another instance renews at the same moment is replayed, not forgotten', () =>
    withInstances(async ({ first, sql }) => {
      const claim = claimOf('renewed')
      await sql`INSERT INTO idempotency_records VALUES (1, 'POST /v1/pets', 'renewed', 'f', 1, '{"id":1}', 0)`
      // The record is only locked, so that the old record is found and its removal waits.
      await sql`BEGIN`
      await sql`SELECT 1 FROM idempotency_records FOR UPDATE`
      const claimed = first.pets.insert(rex, claim)
      await eventually(
        () => sql`SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`,
        ({ length }) => length > 0,
      )
      await sql`UPDATE idempotency_records SET row_id = 1, json = '{"id":1}', created_at = ${Date.now()}`
      await sql`COMMIT`
      assert.deepEqual(await claimed, { id: 1, json: '{"id":1}', replayed: true })
      assert.deepEqual([...(await sql`SELECT 1 FROM pets`)], [])
    }))

  test('A claim of deliveries on PostgreSQL skips those that another claim of the same webhook has locked [decision 16]', () =>
    withInstances(async ({ first, sql }) => {
      const { id, position } = await addWebhook(first)
      const delivery = { eventId: 7, type: 'pet.created', subject: 'pet 7', at: 7, body: '{}' }
      await first.webhooks.add(id, position, { id: 7, at: 7 }, [delivery])
      const claim = () => first.webhooks.claim(id, 1, 10)
      await sql.unsafe(`BEGIN; SELECT FROM webhooks WHERE id = ${id} FOR UPDATE`)
      assert.deepEqual(await claim(), [])
      await sql`COMMIT`
      assert.equal((await claim()).length, 1)
    }))

  test('The result of an attempt waits for a change of its webhook without locking its delivery, on PostgreSQL [decision 16]', () =>
    withInstances(async ({ first, sql }) => {
      const { id, position } = await addWebhook(first)
      const delivery = { eventId: 7, type: 'pet.created', subject: 'pet 7', at: 7, body: '{}' }
      await first.webhooks.add(id, position, { id: 7, at: 7 }, [delivery])
      const [claimed] = await first.webhooks.claim(id, 1, 10)
      await sql.unsafe(`BEGIN; SELECT FROM webhooks WHERE id = ${id} FOR UPDATE`)
      const delivered = { status: 'delivered', tries: 1, responseStatus: 200 } as const
      const finished = first.webhooks.finish(id, { ...(claimed ?? assert.fail('no claim')), ...delivered })
      await eventually(
        () => sql`SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`,
        ({ length }) => length > 0,
      )
      // A PATCH of an enabled webhook does the same. If this took a lock, the two would be in a deadlock.
      await sql`UPDATE deliveries SET made_due = 1 WHERE event_id = 7`
      await sql`COMMIT`
      assert.equal(await finished, false, 'the delivery was made due meanwhile')
    }))

  test('An order whose animal is locked expires later, and does not keep others from expiring, on PostgreSQL [decision 12]', () =>
    withInstances(async ({ first, sql }) => {
      for (let i = 0; i < 2; i++) {
        const { id } = rowOf(await first.pets.insert(rex, undefined))
        await first.orders.place({ petId: BigInt(id), heldUntil: '2100-01-01T00:00:00.000Z' }, undefined)
      }
      await sql`UPDATE orders SET held_until = '2001-01-01T00:00:00.000Z'`
      await sql`BEGIN`
      await sql`SELECT FROM pets WHERE id = 1 FOR UPDATE`
      assert.equal((await first.orders.expire()).expired, 1)
      await sql`ROLLBACK`
      assert.equal((await first.orders.expire()).expired, 1)
    }, 4_000))

  test('The time at which an order gets its lock decides whether it is over, not the time of the request, on PostgreSQL [decision 12]', () =>
    withInstances(async ({ first, sql }) => {
      await first.pets.insert(rex, undefined)
      const { id } = rowOf(await first.orders.place({ petId: 1n }, undefined))
      await sql`BEGIN`
      await sql`SELECT FROM orders FOR UPDATE`
      const moving = first.orders.move(BigInt(id), 'completed')
      await eventually(
        () => sql`SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`,
        ({ length }) => length > 0,
      )
      const [clock] = await sql`SELECT clock_timestamp() AS now`
      await sql`UPDATE orders SET held_until = ${clock?.now.toISOString()}`
      await sql`COMMIT`
      assert.equal(await moving, 'order_state_conflict')
    }))

  test('Claims of deliveries on PostgreSQL fit into the pages of their rows, and do not change any index [decision 23]', () =>
    withInstances(async ({ first, sql }) => {
      const { id, position } = await addWebhook(first)
      const body = JSON.stringify({ data: 'of an animal '.repeat(20) })
      const delivery = (eventId: number) => ({ eventId, type: 'pet.created', subject: `${eventId}`, at: 7, body })
      const all = Array.from({ length: 1_000 }, (_, i) => delivery(i + 1))
      await first.webhooks.add(id, position, { id: 1_000, at: 7 }, all)
      const size = async () => (await sql`SELECT pg_indexes_size('deliveries') AS size`)[0]?.size
      const before = await size()
      assert.equal((await first.webhooks.claim(id, 1, 1_000)).length, 1_000)
      assert.equal(await size(), before)
    }))

  test('A check on PostgreSQL has no timeout: on a busy database it takes longer and reports no fault', () =>
    withInstances(async ({ first }) => {
      const timeouts = `SELECT current_setting(name) FROM unnest(ARRAY['statement_timeout', 'lock_timeout']) AS name`
      assert.deepEqual(await first.inspection.texts(timeouts), ['0', '0'])
    }))

  test('A statement that was prepared before a column was added is prepared again, on every connection', () =>
    withInstances(async ({ sql, url }) => {
      const pool = createPool({ ...patient, url, connections: 8 })
      await sql`CREATE TABLE grown (id integer)`
      const readAll = () =>
        Promise.all(Array.from({ length: 8 }, () => pool.query('SELECT * FROM grown, pg_sleep(0.05)')))
      await sql`INSERT INTO grown VALUES (1)`
      await readAll()
      await sql`ALTER TABLE grown ADD COLUMN name text`
      for (const [row] of await readAll()) assert.deepEqual(Object.keys(row as object), ['id', 'name', 'pg_sleep'])
      await pool.end()
    }))

  test('A PostgreSQL transaction in which a statement failed is not committed, even if the error was ignored', () =>
    withInstances(async ({ sql, url }) => {
      const pool = createPool({ ...patient, url, connections: 1 })
      await sql`CREATE TABLE kept (id integer)`
      const work = pool.transaction(async (query) => {
        await query('INSERT INTO kept VALUES (1)')
        await query('SELECT 1 / 0').catch(() => {})
      })
      await assert.rejects(work, /division by zero/)
      assert.deepEqual(await pool.query('SELECT FROM kept'), [])
      const full = `DO $$ BEGIN RAISE EXCEPTION 'full' USING ERRCODE = '53100'; END $$`
      await assert.rejects(
        pool.transaction((query) => query(full)),
        StoreUnavailable,
      )
      await pool.end()
    }))
})
