/** PostgreSQL too slow or in its own way: load is shed while it lasts, collisions are tried again, and then no more. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type postgres from 'postgres'
import { expectError } from '../support/expect.ts'
import { eventually } from '../support/load.ts'
import { postgresDatabase, releasePostgres } from '../support/postgres.ts'
import { runtimes } from '../support/process.ts'
import { describeInFull, some } from '../support/scope.ts'
import { type Answer, TestService } from '../support/service.ts'

const pet = { name: 'Rex', categoryId: 1 }
const collisionsMax = 5

after(releasePostgres)

for (const [name, runtime] of some(runtimes))
  describeInFull(`an overloaded PostgreSQL, on ${name}`, { timeout: 120_000 }, () => {
    let service: TestService
    let sql: postgres.Sql
    let remove: () => Promise<void>
    before(async () => {
      const database = await postgresDatabase()
      remove = database.remove
      sql = database.connect()
      await database.setTimeouts(1_000)
      service = await TestService.start(runtime, {
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

    for (const code of ['40001', '40P01'])
      describe(`collisions (${code})`, () => {
        /** Lets the next statements that add animals fail, as if they had collided, this many times. */
        async function collide(times: number): Promise<void> {
          await sql.unsafe(`
            DROP SEQUENCE IF EXISTS tries;
            CREATE SEQUENCE tries;
            CREATE OR REPLACE FUNCTION collide() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              IF nextval('tries') <= ${times} THEN RAISE EXCEPTION 'collided' USING ERRCODE = '${code}'; END IF;
              RETURN NULL;
            END $$;
            CREATE OR REPLACE TRIGGER collide BEFORE INSERT ON pets FOR EACH STATEMENT EXECUTE FUNCTION collide()`)
        }
        const tries = async () => Number((await sql`SELECT last_value FROM tries`)[0]?.last_value)

        test(`are tried again up to ${collisionsMax} times, unseen by the client`, async () => {
          await collide(collisionsMax)
          const answer = await service.call('POST', '/pets', { body: pet })
          assert.equal(answer.status, 201, answer.text)
          assert.equal(await tries(), collisionsMax + 1)
        })

        test('that do not end get 503, and the next request starts anew', async () => {
          await collide(collisionsMax + 1)
          expectError(await service.call('POST', '/pets', { body: pet }), 503, 'unavailable')
          assert.equal(await tries(), collisionsMax + 1)
          assert.equal((await service.call('POST', '/pets', { body: pet })).status, 201)
        })
      })
  })
