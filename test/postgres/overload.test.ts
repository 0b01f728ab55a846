/** PostgreSQL too slow: load is shed while it lasts, and then no more. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type postgres from 'postgres'
import { expectError } from '../support/expect.ts'
import { eventually } from '../support/load.ts'
import { postgresDatabase, releasePostgres } from '../support/postgres.ts'
import { node } from '../support/process.ts'
import { describeInFull } from '../support/scope.ts'
import { type Answer, TestService } from '../support/service.ts'

const pet = { name: 'Rex', categoryId: 1 }

after(releasePostgres)

describeInFull('an overloaded PostgreSQL', { timeout: 120_000 }, () => {
  let service: TestService
  let sql: postgres.Sql
  let remove: () => Promise<void>
  before(async () => {
    const database = await postgresDatabase()
    remove = database.remove
    sql = database.connect()
    await database.setTimeouts(1_000)
    service = await TestService.start(node, {
      DATABASE_URL: database.url,
      DATABASE_TIMEOUT: '1000',
      DATABASE_POOL: '2',
      LOG_LEVEL: 'warn',
    })
  })
  after(async () => {
    await service?.stop()
    await sql?.end()
    await remove?.()
  })

  /** Holds the table of animals while `work` is done, so that every statement on it waits. */
  async function whileLocked(work: () => Promise<void>): Promise<void> {
    await sql`BEGIN`
    await sql`LOCK TABLE pets IN ACCESS EXCLUSIVE MODE`
    try {
      await work()
    } finally {
      await sql`ROLLBACK`
    }
  }

  const many = (count: number, ask: (i: number) => Promise<Answer>): Promise<Answer[]> =>
    Promise.all(Array.from({ length: count }, (_, i) => ask(i)))

  test('sheds reads with 503 instead of queueing them, and recovers afterwards', async () => {
    await whileLocked(async () => {
      // All are answered although the table is never let go.
      const answers = await many(300, (i) => service.call('GET', i % 2 ? `/pets?categoryId=${i}` : `/pets/${i + 1}`))
      for (const answer of answers) {
        expectError(answer, 503, 'unavailable')
        assert.equal(answer.headers.get('retry-after'), '1')
      }
      await service.logged(/too many statements are waiting/)
      assert.equal((await service.call('GET', '//livez', { key: null })).status, 200)
    })
    await eventually(
      () => service.call('GET', '/pets'),
      ({ status }) => status === 200,
    )
  })

  test('sheds writes alike: none of them is made later, and none is lost that was acknowledged', async () => {
    await whileLocked(async () => {
      for (const answer of await many(300, () => service.call('POST', '/pets', { body: pet })))
        expectError(answer, 503, 'unavailable')
      const headers = { 'Idempotency-Key': 'locked' }
      const answer = await service.call('POST', '/pets', { body: pet, headers })
      assert.ok(answer.status === 503 || answer.status === 409, answer.text)
    })
    const headers = { 'Idempotency-Key': 'locked' }
    await eventually(
      () => service.call('POST', '/pets', { body: pet, headers }),
      ({ status }) => status === 201,
    )
    assert.deepEqual((await service.call('GET', '/pets')).json.length, 1)
  })
})
