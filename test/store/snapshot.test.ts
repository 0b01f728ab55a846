/** Reads on SQLite: those of one callback share a transaction, which one alone does without, and which ends with it. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { setImmediate as nextCallback } from 'node:timers/promises'
import { createSnapshot, type Snapshot } from '../../src/store/sqlite/snapshot.ts'
import { Folder } from '../support/process.ts'

interface Subject {
  readonly snapshot: Snapshot
  readonly count: () => number
  /** Adds a row through another connection. */
  readonly add: () => void
  /** Whether a read transaction keeps another connection from beginning the log again. */
  readonly isLocked: () => boolean
}

async function withSnapshot(work: (subject: Subject) => void | Promise<void>): Promise<void> {
  using folder = new Folder()
  using db = new DatabaseSync(folder.database)
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE rows (id INTEGER PRIMARY KEY)')
  using other = new DatabaseSync(folder.database)
  const insert = other.prepare('INSERT INTO rows DEFAULT VALUES')
  const countRows = db.prepare('SELECT count(*) AS count FROM rows')
  const snapshot = createSnapshot(db)
  await work({
    snapshot,
    count: () => Number(countRows.get()?.count),
    add: () => insert.run(),
    isLocked: () => other.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 1,
  })
  snapshot.end()
}

describe('the reads of a callback', () => {
  test('hold no lock beyond the statement while each callback has one', () =>
    withSnapshot(async ({ snapshot, count, add, isLocked }) => {
      for (const locks of [[false], [false, true], [true], [false]]) {
        for (const isHeld of locks) {
          add()
          snapshot.read(count)
          assert.equal(isLocked(), isHeld, String(locks))
        }
        await nextCallback()
      }
    }))

  test('see the same, after a quiet callback from the second on, until it ends or something is written', () =>
    withSnapshot(async ({ snapshot, count, add, isLocked }) => {
      const seen: number[] = []
      const addAndRead = () => {
        add()
        seen.push(snapshot.read(count))
      }
      for (let i = 0; i < 4; i++) addAndRead()
      assert.deepEqual(seen.splice(0), [1, 2, 2, 2])
      assert.equal(isLocked(), true)
      snapshot.end()
      assert.equal(isLocked(), false)
      for (let i = 0; i < 2; i++) addAndRead()
      assert.deepEqual(seen.splice(0), [5, 5])
      await nextCallback()
      assert.equal(isLocked(), false)
      for (let i = 0; i < 3; i++) addAndRead()
      assert.deepEqual(seen, [7, 7, 7])
    }))

  test('see the same if they must, also at the first', () =>
    withSnapshot(async ({ snapshot, count, add, isLocked }) => {
      const twice = snapshot.readTogether(() => {
        const first = count()
        add()
        return [first, count()]
      })
      assert.deepEqual(twice, [0, 0])
      await nextCallback()
      assert.equal(isLocked(), false)
    }))

  test('are in the transaction of a write if there is one, which they do not end', () => {
    using db = new DatabaseSync(':memory:')
    const snapshot = createSnapshot(db)
    db.exec('BEGIN')
    for (let i = 0; i < 2; i++) snapshot.readTogether(() => db.prepare('SELECT 1').get())
    snapshot.end()
    assert.equal(db.isTransaction, true)
  })
})
