/** Reads on SQLite. The reads of one callback share a transaction, which ends before the next callback. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Folder } from '../../harness/process.ts'
import { openFile } from '../../harness/stores.ts'
import { createReader, type Reader } from '../../src/store/sqlite/reader.ts'

interface Subject {
  readonly reader: Reader
  readonly count: () => number
  /** Adds a row through another connection. */
  readonly add: () => void
  /** Whether a read transaction keeps another connection from restarting the log. */
  readonly isLocked: () => boolean
}

async function withReader(work: (subject: Subject) => void | Promise<void>): Promise<void> {
  using folder = new Folder()
  using db = new DatabaseSync(folder.database)
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE rows (id INTEGER PRIMARY KEY)')
  using other = new DatabaseSync(folder.database)
  const insert = other.prepare('INSERT INTO rows DEFAULT VALUES')
  const countRows = db.prepare('SELECT count(*) AS count FROM rows')
  const reader = createReader(db)
  await work({
    reader,
    count: () => Number(countRows.get()?.count),
    add: () => void insert.run(),
    isLocked: () => other.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 1,
  })
  reader.end()
}

const nextCallback = () => new Promise<void>((resolve) => process.nextTick(resolve))

describe('the reads of a callback', () => {
  test('The reads of a callback see the same state until something is written', () =>
    withReader(({ reader, count, add, isLocked }) => {
      const seen: number[] = []
      const readAndAdd = () => {
        seen.push(reader.read(count))
        add()
      }
      for (let i = 0; i < 3; i++) readAndAdd()
      assert.equal(isLocked(), true)
      reader.end()
      assert.equal(isLocked(), false)
      for (let i = 0; i < 2; i++) readAndAdd()
      assert.deepEqual(seen, [0, 0, 0, 3, 3])
    }))

  test('The reads of a callback see everything written before it, even in the same turn, and leave nothing locked', () =>
    withReader(async ({ reader, count, add, isLocked }) => {
      for (let rows = 0; rows < 6; rows += 2) {
        for (const n of [1, 2]) {
          assert.equal(reader.read(count), rows, `read ${n}`)
          add()
        }
        await (rows === 2 ? nextTurn : nextCallback)()
        assert.equal(isLocked(), false)
      }
    }))

  test('The version of a SQLite file changes exactly with a commit of this or another process', () =>
    withReader(async ({ reader, count, add }) => {
      const versions = [reader.version()]
      const next = async (change: () => void) => {
        change()
        await nextCallback()
        versions.push(reader.version())
        // The version is read again in the same transaction.
        assert.equal(reader.version(), versions.at(-1))
        reader.read(count)
      }
      for (const change of [() => {}, add, () => {}, reader.setChanged, add]) await next(change)
      const isOther = versions.map((version, i) => i > 0 && version !== versions[i - 1])
      assert.deepEqual(isOther, [false, false, true, false, true, true])
      assert.equal(new Set(versions).size, 4, 'none comes back')
    }))

  test('Reads within the transaction of a write use that transaction and do not end it', async () => {
    using db = new DatabaseSync(':memory:')
    const reader = createReader(db)
    db.exec('BEGIN')
    for (let i = 0; i < 2; i++) {
      reader.read(() => db.prepare('SELECT 1').get())
      await nextCallback()
    }
    reader.end()
    assert.equal(db.isTransaction, true)
  })

  test('Reads leave no transaction open even if it cannot be committed', () => {
    using db = new DatabaseSync(':memory:')
    db.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, other REFERENCES rows DEFERRABLE INITIALLY DEFERRED)')
    const reader = createReader(db)
    reader.read(() => db.exec('INSERT INTO rows (other) VALUES (9)'))
    reader.end()
    assert.equal(db.isTransaction, false)
  })
})

test('The statement of a page on SQLite is prepared once, whatever its start, size and filter values', async (t) => {
  await using store = openFile(':memory:')
  const read = async (at: number) => {
    for (const isDescending of [false, true])
      await store.pets.page({ after: at, limit: 20 + at, isDescending, categoryId: BigInt(at) })
  }
  await read(1)
  const prepare = t.mock.method(DatabaseSync.prototype, 'prepare')
  await read(2)
  assert.equal(prepare.mock.callCount(), 0)
})
