/** What the SQLite store counts about its files and about waiting writes. */
import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Folder } from '../../harness/process.ts'
import { openFile } from '../../harness/stores.ts'
import type { Histogram, MetricName } from '../../src/observe/metrics.ts'
import type { Store } from '../../src/store/store.ts'
import { rex } from './subject.ts'

const read = (store: Store, name: MetricName, ...labels: string[]) =>
  store.samples().find((sample) => sample[0] === name && labels.every((label, i) => sample[i + 2] === label))?.[1]

describe('the metrics of a SQLite store', () => {
  test('The metrics of a SQLite store contain the sizes of its files', async () => {
    using folder = new Folder()
    await using store = openFile(folder.database)
    await store.pets.insert(rex, undefined)
    const { database } = folder
    for (const [name, file] of Object.entries({ database, log: `${database}-wal` }))
      assert.equal(read(store, 'petstore_sqlite_file_bytes', name), statSync(file).size)
  })

  test('The metrics of a SQLite store count writes that wait until they are committed', async () => {
    await using store = openFile(':memory:')
    const writes = [store.pets.insert(rex, undefined), store.pets.insert(rex, undefined)]
    assert.equal(read(store, 'petstore_writes_waiting'), 2)
    await Promise.all(writes)
    assert.equal(read(store, 'petstore_writes_waiting'), 0)
    assert.equal(read(store, 'petstore_sqlite_file_bytes'), undefined, 'a database in memory has no files')
  })

  test('The metrics of a SQLite store count neither the use of a key nor an attempt to write, and pages stay cached', async () => {
    await using store = openFile(':memory:')
    let hints = 0
    const stop = store.events.watch(() => hints++)
    const version = store.version?.()
    await store.keys.touch(1, 1)
    await store.tryWrite()
    assert.deepEqual([store.version?.(), hints], [version, 0])
    assert.equal((read(store, 'petstore_commit_writes') as Histogram).sum, 0)
    await store.categories.put(1n, 'Cats', undefined)
    assert.deepEqual([store.version?.() === version, hints > 0], [false, true])
    stop()
    assert.equal((read(store, 'petstore_commit_writes') as Histogram).sum, 1)
  })

  test('The metrics of a SQLite store do not fail while the files are gone', async () => {
    const folder = new Folder()
    await using store = openFile(folder.database)
    folder[Symbol.dispose]()
    assert.equal(read(store, 'petstore_sqlite_file_bytes', 'database'), 0)
    assert.equal(read(store, 'petstore_sqlite_file_bytes', 'log'), 0)
  })
})
