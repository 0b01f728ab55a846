/** Which errors of a database mean that it cannot work now, and so 503, and which are a mistake of ours, and so 500. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as postgres from '../../src/store/postgres/client.ts'
import * as sqlite from '../../src/store/sqlite/statement.ts'
import { StoreUnavailable } from '../../src/store/store.ts'

describe('an error of PostgreSQL', () => {
  const errorOf = (code: string) => Object.assign(new Error('no'), { code })

  for (const [code, name] of [
    ['08006', 'connection_failure'],
    ['25006', 'read_only_sql_transaction'],
    ['28P01', 'invalid_password'],
    ['3D000', 'invalid_catalog_name'],
    ['40001', 'serialization_failure'],
    ['40P01', 'deadlock_detected'],
    ['53000', 'insufficient_resources'],
    ['53100', 'disk_full'],
    ['53200', 'out_of_memory'],
    ['53300', 'too_many_connections'],
    ['55P03', 'lock_not_available'],
    ['57014', 'query_canceled'],
    ['57P01', 'admin_shutdown'],
    ['57P03', 'cannot_connect_now'],
    ['58030', 'io_error'],
  ] as const)
    test(`${code}, ${name}, means that the database is unavailable`, () => {
      const cause = errorOf(code)
      const error = postgres.unavailable(cause)
      assert.ok(error instanceof StoreUnavailable)
      assert.deepEqual([error.message, error.cause], ['PostgreSQL: no', cause])
    })

  for (const code of ['22003', '23505', '23503', '25001', '3F000', '40002', '42P01', '42601', '55006', 'XX000', ''])
    test(`${code || 'one without a code'} does not`, () => assert.equal(postgres.unavailable(errorOf(code)), undefined))

  test('is classified by its code: retry, unique violation, foreign key violation', () => {
    const codes = ['40001', '40P01', '55P03', '23505', '23503', '']
    const which = (is: (error: unknown) => boolean) => codes.filter((code) => is(errorOf(code)))
    assert.deepEqual(which(postgres.isCollision), ['40001', '40P01'])
    assert.deepEqual(which(postgres.isTaken), ['23505'])
    assert.deepEqual(which(postgres.isReferred), ['23503'])
    assert.deepEqual(
      which((error) => postgres.isLocked(postgres.unavailable(error))),
      ['55P03'],
    )
  })

  test('that was seen before stays as it is, and what is no error is none', () => {
    const seen = new StoreUnavailable('seen')
    assert.equal(postgres.unavailable(seen), seen)
    for (const other of [undefined, '53100', { code: '53100' }, Object.assign(new Error(), { code: 53100 })])
      assert.equal(postgres.unavailable(other), undefined)
  })
})

describe('an error of SQLite', () => {
  const errorOf = (errcode: unknown) => Object.assign(new Error('no'), { errcode })

  for (const [code, reason] of [
    [5, 'busy'],
    [6, 'locked'],
    [8, 'read-only'],
    [10, 'disk I/O error'],
    [11, 'corrupt'],
    [13, 'disk full'],
    [14, 'cannot open the file'],
    [15, 'locking protocol'],
    [26, 'not a database'],
  ] as const)
    test(`${code}, ${reason}, means that the database is unavailable, extended or not`, () => {
      for (const errcode of [code, code | (1 << 8), code | (12 << 8)]) {
        const cause = errorOf(errcode)
        const error = sqlite.unavailable(cause)
        assert.ok(error instanceof StoreUnavailable)
        assert.deepEqual([error.message, error.cause], [`SQLite: ${reason}`, cause])
        assert.equal(sqlite.isBusy(cause), code === 5)
      }
    })

  test('of any other code does not, nor does what carries none', () => {
    for (const code of [0, 1, 2, 3, 4, 7, 9, 12, 16, 17, 18, 19, 20, 21, 25, 27, 28, 1555, 2067])
      assert.equal(sqlite.unavailable(errorOf(code)), undefined, String(code))
    for (const other of [new Error('no'), errorOf('5'), { errcode: 5 }, undefined]) {
      assert.equal(sqlite.unavailable(other), undefined)
      assert.equal(sqlite.isBusy(other), false)
    }
  })
})
