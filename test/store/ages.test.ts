/** The age of rows, measured by the clock of the database. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { withClock } from '../../harness/database-clock.ts'
import { databases } from '../../harness/databases.ts'
import { withStores } from '../../harness/in-process.ts'
import { releasePostgres } from '../../harness/postgres.ts'
import { runSql } from '../../harness/sql.ts'
import { rex, rowOf } from './subject.ts'

const hour = 3_600_000

after(releasePostgres)

for (const database of databases)
  describe(`on ${database.name}`, () => {
    test(`An Idempotency-Key is kept for 24 hours by the clock of the database, even if that jumps, on ${database.name} [decision 8, 24]`, () =>
      withStores(withClock(database), 1, async ([store], _url, clock) => {
        const claim = { keyId: 1, route: 'r', idempotencyKey: 'one', fingerprint: 'f' }
        const isRepeated = async () => rowOf(await store.pets.insert(rex, claim)).replayed
        assert.equal(await isRepeated(), false)
        await clock.pass(-48 * hour)
        assert.equal(await isRepeated(), true)
        await clock.pass(72 * hour - 60_000)
        assert.equal(await isRepeated(), true)
        await clock.pass(120_000)
        assert.deepEqual([await isRepeated(), await isRepeated()], [false, true])
      }))

    test(`A purge removes exactly the idempotency records that are older than the given age, on ${database.name} [decision 8]`, () =>
      withStores(database, 1, async ([store], url) => {
        const claimOf = (idempotencyKey: string) => ({ keyId: 1, route: 'r', idempotencyKey, fingerprint: 'f' })
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
