/** Group commit on SQLite: one wait for the disk for all writes of a turn, and none pays for another. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { createWriter } from '../../src/store/sqlite/commit.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { type Store, StoreUnavailable } from '../../src/store/store.ts'
import { Folder } from '../support/process.ts'
import { rex } from './subject.ts'

const add = (store: Store) => store.pets.insert(rex, undefined)

/** How many commits stand in the write-ahead log: frames that carry the size of the database, https://sqlite.org/walformat.html */
function commitsIn(file: string): number {
  const log = readFileSync(`${file}-wal`)
  const frameBytes = 24 + log.readUInt32BE(8)
  let commits = 0
  for (let at = 32; at + frameBytes <= log.length; at += frameBytes)
    if (log.subarray(at + 8, at + 16).equals(log.subarray(16, 24)) && log.readUInt32BE(at + 4) > 0) commits++
  return commits
}

describe('group commit', () => {
  test('the writes of one turn share one commit', async () => {
    using folder = new Folder()
    const store = openSqlite(folder.database)
    const before = commitsIn(folder.database)
    await Promise.all(Array.from({ length: 50 }, () => add(store)))
    assert.equal(commitsIn(folder.database), before + 1)
    await Promise.all([add(store), store.keys.touch(1, 1), store.purgeIdempotencyRecords(0)])
    assert.equal(commitsIn(folder.database), before + 2)
    await add(store)
    await add(store)
    assert.equal(commitsIn(folder.database), before + 4)
    await store.close()
  })

  test('a write resolves only after its commit', async () => {
    using folder = new Folder()
    const store = openSqlite(folder.database)
    using other = new DatabaseSync(folder.database)
    const count = () => other.prepare('SELECT count(*) AS n FROM pets').get()?.n
    const write = add(store)
    assert.equal(count(), 0)
    await write
    assert.equal(count(), 1)
    await store.close()
  })

  /** A table of numbers and a writer on it. */
  function numbers(file: string) {
    const db = new DatabaseSync(file, { timeout: 0 })
    db.exec('PRAGMA journal_mode = WAL; CREATE TABLE numbers (n INTEGER PRIMARY KEY) STRICT')
    const insert = db.prepare('INSERT INTO numbers VALUES (?)')
    const put = (n: number) => void insert.run(n)
    const all = () =>
      db
        .prepare('SELECT n FROM numbers ORDER BY n')
        .all()
        .map((row) => row.n)
    return { db, writer: createWriter(db), put, all }
  }

  test('a job that fails never fails its neighbours, and nothing of it remains', async () => {
    const { writer, put, all } = numbers(':memory:')
    const results = await Promise.allSettled([
      writer.write(() => put(1)),
      writer.write(() => {
        put(2)
        throw new Error('after writing')
      }),
      writer.write(() => {
        put(3)
        return 'three'
      }),
      writer.write(() => put(1)),
      writer.write(() => put(4)),
    ])
    assert.deepEqual(
      results.map((result) => result.status),
      ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
    )
    assert.equal(results[1]?.status === 'rejected' && results[1].reason.message, 'after writing')
    assert.equal(results[2]?.status === 'fulfilled' && results[2].value, 'three')
    assert.deepEqual(all(), [1, 3, 4])
  })

  test('a job that fails alone leaves nothing, and the next one works', async () => {
    const { writer, put, all } = numbers(':memory:')
    await assert.rejects(
      writer.write(() => {
        put(1)
        throw new RangeError('no')
      }),
      RangeError,
    )
    await writer.write(() => put(2))
    assert.deepEqual(all(), [2])
  })

  test('flush commits what waits at once', async () => {
    const { writer, put, all } = numbers(':memory:')
    const writes = [writer.write(() => put(1)), writer.write(() => put(2))]
    writer.flush()
    assert.deepEqual(all(), [1, 2])
    await Promise.all(writes)
  })

  test('a locked database is waited for once for all jobs, which are told it is unavailable, and then works again', async () => {
    using folder = new Folder()
    const { db, put, all } = numbers(folder.database)
    let begins = 0
    const prepare = db.prepare.bind(db)
    db.prepare = (sql, ...options) => {
      const statement = prepare(sql, ...options)
      const run = statement.run.bind(statement)
      if (sql.startsWith('BEGIN'))
        statement.run = () => {
          begins++
          return run()
        }
      return statement
    }
    const writer = createWriter(db)
    const other = new DatabaseSync(folder.database)
    other.exec('BEGIN IMMEDIATE')
    const results = await Promise.allSettled([1, 2, 3].map((n) => writer.write(() => put(n))))
    for (const result of results)
      assert.ok(result.status === 'rejected' && result.reason instanceof StoreUnavailable, JSON.stringify(result))
    assert.equal(begins, 1)
    other.exec('ROLLBACK')
    other.close()
    await writer.write(() => put(4))
    assert.deepEqual(all(), [4])
    db.close()
  })
})
