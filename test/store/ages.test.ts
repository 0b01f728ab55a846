/** How old something is, told by the clock of the database. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { databases } from '../support/databases.ts'
import { withStores } from '../support/in-process.ts'
import { releasePostgres } from '../support/postgres.ts'
import { runSql } from '../support/sql.ts'
import { rex, rowOf } from './subject.ts'

const hour = 3_600_000

after(releasePostgres)

for (const database of databases)
  describe(`on ${database.name}`, () => {
    test('a purge removes idempotency records that are older than given, and only those [D48]', () =>
      withStores(database, 1, async ([store], url) => {
        const claimOf = (idempotencyKey: string) => ({
          keyId: 1,
          route: 'r',
          idempotencyKey,
          fingerprint: 'f',
          now: Date.now(),
        })
        const isRepeated = async (key: string) => rowOf(await store.pets.insert(rex, claimOf(key))).replayed
        assert.equal(await isRepeated('old'), false)
        await runSql(url, `UPDATE idempotency_records SET created_at = created_at - ${2 * hour}`)
        assert.equal(await isRepeated('young'), false)
        await store.purgeIdempotencyRecords(3 * hour)
        assert.equal(await isRepeated('old'), true)
        await store.purgeIdempotencyRecords(hour)
        assert.deepEqual([await isRepeated('young'), await isRepeated('old')], [true, false])
      }))
  })
