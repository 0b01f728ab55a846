/** Connections that are cut in the middle of statements: each statement settles because of that, none by waiting, and none runs twice. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { createPool, type Pool } from '../../src/store/postgres/pool.ts'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { StoreUnavailable } from '../../src/store/store.ts'
import { rex, rowOf } from '../store/subject.ts'
import { CutNetwork } from '../support/cut-network.ts'
import { databasePerTest } from '../support/postgres.ts'
import { describeInFull, times } from '../support/scope.ts'

/** So long that nothing here settles by waiting. */
const timeoutMilliseconds = 3_600_000
const rounds = times(30, 8)

describeInFull('a connection that is cut', { timeout: 300_000 }, () => {
  const given = databasePerTest()
  let network: CutNetwork
  beforeEach(async () => {
    network = await CutNetwork.to(given.url)
  })
  afterEach(() => network.close())

  const open = (): Pool => createPool({ url: network.through(given.url), connections: 3, timeoutMilliseconds })

  /** How each ended: with rows, or with the reason. */
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

  /** The cut may also reach the next statements, on connections where it has not been noticed yet. */
  async function untilDone(statement: () => Promise<unknown>): Promise<void> {
    while ((await outcomes([statement()]))[0] !== 'done');
  }

  for (const side of ['onStatement', 'onAnswer'] as const)
    test(`settles every statement, again and again, ${side === 'onAnswer' ? 'with the answer on its way' : 'before the server has the statement'}`, async () => {
      await given.sql`CREATE TABLE done (round int, statement int)`
      const pool = open()
      let told = 0
      for (let round = 0; round < rounds; round++) {
        // In a later place each time: while logging in, preparing, running, one behind another on a connection.
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
    test(`leaves the inserts of an instance going (${way}) [D182]`, async () => {
      const url = network.through(given.url)
      const store = await openPostgres({ url, connections: 3, timeoutMilliseconds })
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

  test('settles what waits behind another statement of a transaction, too', async () => {
    const pool = open()
    for (let round = 0; round < rounds; round++) {
      let inside: Promise<PromiseSettledResult<unknown>[]> | undefined
      await assert.rejects(
        pool.transaction(async ({ query }) => {
          const statements = [1, 2, 3].map((i) => query('SELECT $1::int, pg_sleep(600)', [i]))
          inside = Promise.allSettled(statements)
          network.cut(round % 2 ? 'reset' : 'close')
          await Promise.all(statements)
        }),
        StoreUnavailable,
      )
      assert.ok((await inside)?.every(({ status }) => status === 'rejected'))
    }
    await pool.end()
  })

  test('fails the transaction on it, whatever that does next, and leaves statements elsewhere alone [D182]', async () => {
    const pool = open()
    await pool.query('SELECT 1')
    for (const next of ['a statement', 'nothing', 'an error'])
      await assert.rejects(
        pool.transaction(async ({ query }) => {
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
    await pool.end()
  })
})
