/**
 * Reads on SQLite: those of one callback but the first share a transaction, which the next does not see, and no turn
 * outlives.
 */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createReader, type Reader } from '../../src/store/sqlite/reader.ts'
import { systemTime } from '../../src/time.ts'
import { Folder } from '../support/process.ts'

interface Subject {
  readonly reader: Reader
  readonly count: () => number
  /** Adds a row through another connection. */
  readonly add: () => void
  /** Whether a read transaction keeps another connection from beginning the log again. */
  readonly isLocked: () => boolean
}

async function withReader(work: (subject: Subject) => void | Promise<void>): Promise<void> {
  using folder = new Folder()
  using db = new DatabaseSync(folder.database)
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE rows (id INTEGER PRIMARY KEY)')
  using other = new DatabaseSync(folder.database)
  const insert = other.prepare('INSERT INTO rows DEFAULT VALUES')
  const countRows = db.prepare('SELECT count(*) AS count FROM rows')
  const reader = createReader(db, systemTime)
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
  test('see the same from the second on, until something is written', () =>
    withReader(({ reader, count, add, isLocked }) => {
      const seen: number[] = []
      const readAndAdd = () => {
        seen.push(reader.read(count))
        add()
      }
      readAndAdd()
      assert.equal(isLocked(), false, 'a lone read holds no lock')
      for (let i = 0; i < 3; i++) readAndAdd()
      assert.equal(isLocked(), true)
      reader.end()
      assert.equal(isLocked(), false)
      for (let i = 0; i < 2; i++) readAndAdd()
      assert.deepEqual(seen, [0, 1, 1, 1, 4, 4])
    }))

  test('see what was written before it began, also within a turn, and end with each', () =>
    withReader(async ({ reader, count, add, isLocked }) => {
      for (let rows = 0; rows < 6; rows += 2) {
        for (const seen of [rows, rows + 1, rows + 1]) {
          assert.equal(reader.read(count), seen)
          if (seen === rows) add()
        }
        add()
        await (rows === 2 ? nextTurn : nextCallback)()
      }
      await nextTurn()
      assert.equal(isLocked(), false)
    }))

  test('see the same within one of several statements', () =>
    withReader(({ reader, count, add }) => {
      const counts = reader.read(() => [count(), add(), count()], true)
      assert.deepEqual(counts, [0, undefined, 0])
    }))

  test('are in the transaction of a write if there is one, which they do not end', async () => {
    using db = new DatabaseSync(':memory:')
    const reader = createReader(db, systemTime)
    db.exec('BEGIN')
    for (let i = 0; i < 2; i++) {
      reader.read(() => db.prepare('SELECT 1').get())
      await nextCallback()
    }
    reader.end()
    assert.equal(db.isTransaction, true)
  })

  test('leave no transaction open that cannot be committed', () => {
    using db = new DatabaseSync(':memory:')
    db.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, other REFERENCES rows DEFERRABLE INITIALLY DEFERRED)')
    const reader = createReader(db, systemTime)
    reader.read(() => db.exec('INSERT INTO rows (other) VALUES (9)'), true)
    reader.end()
    assert.equal(db.isTransaction, false)
  })
})
