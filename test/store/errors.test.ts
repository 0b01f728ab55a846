/**
 * Which errors of a database mean that it cannot work at the moment, which gives 503, and which are a mistake of ours,
 * which gives 500.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as postgres from '../../src/store/postgres/errors.ts'
import * as sqlite from '../../src/store/sqlite/statement.ts'
import { StoreDamaged, StoreUnavailable } from '../../src/store/store.ts'

describe('an error of PostgreSQL', () => {
  const errorOf = (code: string) => Object.assign(new Error('no'), { code })

  test('The class of an error of PostgreSQL says whether the database is unavailable', () => {
    // Connection, read-only, names of statements, password, missing database, collisions, rights, resources, locks,
    // cancelled, shut down, input and output.
    const away =
      '08006 25006 26000 28P01 3D000 40001 40P01 42501 42P05 53000 53100 53200 53300 55P03 57014 57P01 57P03 58030'
    for (const cause of away.split(' ').map(errorOf)) {
      const error = postgres.unavailable(cause)
      assert.ok(error instanceof StoreUnavailable, cause.code)
      assert.deepEqual([error.message, error.cause], ['PostgreSQL: no', cause])
    }
    for (const code of '22003 23505 23503 25001 3F000 40002 42P01 42601 55006 XX000 '.split(' '))
      assert.equal(postgres.unavailable(errorOf(code)), undefined, code)
  })

  test('An error of PostgreSQL is classified by its code: retry, unique violation, lock timeout', () => {
    const codes = ['40001', '40P01', '55P03', '23505', '23503', '']
    const which = (is: (error: unknown) => boolean) => codes.filter((code) => is(errorOf(code)))
    assert.deepEqual(which(postgres.isCollision), ['40001', '40P01'])
    assert.deepEqual(which(postgres.isTaken), ['23505'])
    assert.deepEqual(
      which((error) => postgres.isLocked(postgres.unavailable(error))),
      ['55P03'],
    )
  })

  test('An error of PostgreSQL that was classified before stays as it is, and other values are no errors', () => {
    const seen = new StoreUnavailable('seen')
    assert.equal(postgres.unavailable(seen), seen)
    for (const other of [undefined, '53100', { code: '53100' }, Object.assign(new Error(), { code: 53100 })])
      assert.equal(postgres.unavailable(other), undefined)
  })
})

describe('an error of SQLite', () => {
  const errorOf = (errcode: unknown) => Object.assign(new Error('no'), { errcode })

  test('The code of an error of SQLite, extended or not, says whether the database is unavailable', () => {
    const reasons =
      '5 busy,6 locked,8 read-only,10 disk I/O error,11 corrupt,13 disk full,14 cannot open the file,' +
      '15 locking protocol,26 not a database'
    for (const [code, reason] of reasons
      .split(',')
      .map((each) => [Number.parseInt(each, 10), each.replace(/^\d+ /, '')] as const))
      for (const errcode of [code, code | (1 << 8), code | (12 << 8)]) {
        const cause = errorOf(errcode)
        const error = sqlite.unavailable(cause)
        assert.ok(error instanceof StoreUnavailable, reason)
        assert.deepEqual([error.message, error.cause], [`SQLite: ${reason}`, cause])
        assert.equal(sqlite.isBusy(cause), code === 5)
        assert.equal(error instanceof StoreDamaged, code === 11 || code === 26, reason)
      }
  })

  test('An error of SQLite with any other code, or without one, does not make the database unavailable', () => {
    for (const code of [0, 1, 2, 3, 4, 7, 9, 12, 16, 17, 18, 19, 20, 21, 25, 27, 28, 1555, 2067])
      assert.equal(sqlite.unavailable(errorOf(code)), undefined, String(code))
    for (const other of [new Error('no'), errorOf('5'), { errcode: 5 }, undefined]) {
      assert.equal(sqlite.unavailable(other), undefined)
      assert.equal(sqlite.isBusy(other), false)
    }
  })
})
