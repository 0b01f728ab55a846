/** Group commit on SQLite. All writes of a turn share one wait for the disk, and no write affects another. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Folder } from '../../harness/process.ts'
import { openFile } from '../../harness/stores.ts'
import { createWriter } from '../../src/store/sqlite/group-commit.ts'
import { createReader } from '../../src/store/sqlite/reader.ts'
import { type Store, StoreUnavailable } from '../../src/store/store.ts'
import { systemTime } from '../../src/time.ts'
import { rex, rowOf } from './subject.ts'

const writerOn = (db: DatabaseSync, check: () => void = () => {}, waitMilliseconds?: number) =>
  createWriter(db, createReader(db), { check }, systemTime, waitMilliseconds)
const add = (store: Store) => store.pets.insert(rex, undefined)

describe('group commit', () => {
  test('The writes of one turn share one commit, even those without a caller', async () => {
    let commits = 0
    const { write } = writerOn(new DatabaseSync(':memory:'), () => commits++)
    await Promise.all(Array.from({ length: 50 }, (_, i) => write(() => {}, i % 2 > 0)))
    assert.equal(commits, 1)
    for (let i = 0; i < 2; i++) await write(() => {})
    assert.equal(commits, 3)
  })

  test('A write is answered although a watcher throws, and the other watchers are called', async () => {
    const writer = writerOn(new DatabaseSync(':memory:'))
    let heard = 0
    writer.commits.watch(() => {
      throw new Error('a fault of the watcher')
    })
    writer.commits.watch(() => heard++)
    assert.deepEqual(await Promise.all([writer.write(() => 1), writer.write(() => 2)]), [1, 2])
    assert.equal(heard, 1)
  })

  test('A write resolves only after its commit', async () => {
    using folder = new Folder()
    await using store = openFile(folder.database)
    using other = new DatabaseSync(folder.database)
    const count = () => other.prepare('SELECT count(*) AS n FROM pets').get()?.n
    const write = add(store)
    assert.equal(count(), 0)
    await write
    assert.equal(count(), 1)
  })

  test('A commit right after a read succeeds although the transaction of the read is still open', async () => {
    await using store = openFile(':memory:')
    const write = add(store)
    await nextTurn()
    assert.equal(await store.pets.find(1n), undefined)
    assert.equal(rowOf(await write).id, 1)
  })

  /** Makes a table of numbers and a writer on it. */
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
    return { db, writer: writerOn(db), put, all }
  }

  test('Consecutive items of one kind are written by one call, and one that fails does not fail the others', async () => {
    const { writer, put, all } = numbers(':memory:')
    const calls: (readonly number[])[] = []
    function putAll(items: readonly number[]): string[] {
      calls.push(items)
      items.forEach(put)
      return items.map(String)
    }
    const write = (n: number) => writer.writeItem(putAll, n)
    const between = writer.write.bind(writer, () => put(3))
    assert.deepEqual(await Promise.all([write(1), write(2), between(), write(4)]), ['1', '2', undefined, '4'])
    assert.deepEqual(calls, [[1, 2], [4]])
    const results = await Promise.allSettled([write(5), write(1), write(6)])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(all(), [1, 2, 3, 4, 5, 6])
  })

  test('Each client gets the animal that it has added, whatever else the commit writes', async () => {
    await using store = openFile(':memory:')
    const claim = { keyId: 1, route: 'r', fingerprint: 'f' }
    const names = Array.from({ length: 30 }, (_, i) => `Animal ${i}`)
    const rows = await Promise.all(
      names.map((name, i) =>
        store.pets.insert({ ...rex, name }, i % 3 ? undefined : { ...claim, idempotencyKey: String(i) }),
      ),
    )
    for (const [i, outcome] of rows.entries()) {
      const { id, json } = rowOf(outcome)
      assert.deepEqual(JSON.parse(json), { id, name: names[i], categoryId: 1, status: 'available' })
      assert.equal(await store.pets.find(BigInt(id)), json)
    }
  })

  test('While another process holds the lock, writes wait without blocking the event loop [decision 22]', async () => {
    using folder = new Folder()
    const { db, writer, put, all } = numbers(folder.database)
    const other = new DatabaseSync(folder.database)
    other.exec('BEGIN IMMEDIATE')
    let isDone = false
    const writes = [1, 2, 3].map((n) => writer.write(() => put(n)).then(() => (isDone = true)))
    // Timers and reads continue. With a busy timeout, none of them would run before it is over.
    for (let turns = 0; turns < 5; turns++) {
      await new Promise((resolve) => setTimeout(resolve, 2))
      assert.deepEqual(all(), [])
      assert.equal(isDone, false)
    }
    other.exec('ROLLBACK')
    other.close()
    await Promise.all(writes)
    assert.deepEqual(all(), [1, 2, 3])
    db.close()
  })

  test('Writes fail while a lock is held for too long, and succeed again afterwards', async () => {
    using folder = new Folder()
    const { db, put, all } = numbers(folder.database)
    const writer = writerOn(db, () => {}, 20)
    const other = new DatabaseSync(folder.database)
    other.exec('BEGIN IMMEDIATE')
    const results = await Promise.allSettled([1, 2, 3].map((n) => writer.write(() => put(n))))
    for (const result of results)
      assert.ok(result.status === 'rejected' && result.reason instanceof StoreUnavailable, JSON.stringify(result))
    await assert.rejects(
      writer.write(() => put(4)),
      StoreUnavailable,
    )
    other.exec('ROLLBACK')
    other.close()
    await writer.write(() => put(5))
    assert.deepEqual(all(), [5])
    db.close()
  })

  test('Writes beyond the maximum that can wait are refused immediately', async () => {
    using folder = new Folder()
    const { db, writer, put, all } = numbers(folder.database)
    const writes = Array.from({ length: 10_001 }, (_, n) => writer.write(() => put(n)))
    const results = await Promise.allSettled(writes)
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 10_000)
    assert.ok(results[10_000]?.status === 'rejected' && results[10_000].reason instanceof StoreUnavailable)
    assert.equal(all().length, 10_000)
    db.close()
  })

  test('An error found after a commit rejects every write of that commit, and none is repeated', async () => {
    const { db, put, all } = numbers(':memory:')
    const writer = writerOn(db, () => {
      throw new StoreUnavailable('gone')
    })
    const results = await Promise.allSettled([1, 2].map((n) => writer.write(() => put(n))))
    for (const result of results) assert.ok(result.status === 'rejected' && result.reason.message === 'gone')
    assert.deepEqual(all(), [1, 2])
  })
})
