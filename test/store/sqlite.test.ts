/** The store on SQLite: the common suite, and tests only for SQLite. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, truncateSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { Folder, node, Program, testWith } from '../../harness/process.ts'
import { times } from '../../harness/scope.ts'
import { integrityOf } from '../../harness/sqlite.ts'
import { openFile } from '../../harness/stores.ts'
import { TestTime } from '../../harness/time.ts'
import { baselineVersion } from '../../src/store/migrations.ts'
import { applicationId } from '../../src/store/sqlite/file.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { migrations } from '../../src/store/sqlite/schema.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { DatabaseUnusable, type Store, StoreUnavailable } from '../../src/store/store.ts'
import { systemTime } from '../../src/time.ts'
import { rex, rowOf } from './subject.ts'
import { storeSuite } from './suite.ts'

storeSuite('SQLite', async () => {
  const folder = new Folder()
  let store = openFile(folder.database)
  return {
    url: folder.url,
    store,
    async reopen() {
      await store.close()
      store = openFile(folder.database)
      return store
    },
    async remove() {
      await store.close()
      folder[Symbol.dispose]()
    },
  }
})

/** Queries a file through a separate connection. */
function ask<T>(file: string, question: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file)
  try {
    return question(db)
  } finally {
    db.close()
  }
}
const versionOf = (file: string) => ask(file, (db) => db.prepare('PRAGMA user_version').get()?.user_version)

const add = (store: Store, name = rex.name) => store.pets.insert({ ...rex, name }, undefined)
const found = async (store: Store, id: number) => (await store.pets.find(BigInt(id))) !== undefined

describe('a SQLite file', () => {
  test('A SQLite file can be opened and read while another process holds the write lock', async () => {
    using folder = new Folder()
    await openFile(folder.database).close()
    using other = new DatabaseSync(folder.database)
    other.exec('BEGIN IMMEDIATE')
    await using store = openFile(folder.database)
    assert.equal((await store.bulk.counts()).pets, 0)
    const added = add(store)
    other.exec('ROLLBACK')
    assert.equal(rowOf(await added).id, 1)
  })

  test('A SQLite file is opened with a write-ahead log that is synced to disk at every commit [decision 22]', async () => {
    using folder = new Folder()
    let db: DatabaseSync | undefined
    const connect = (path: string) => (db = new DatabaseSync(path, { timeout: 5_000 }))
    const store = openSqlite(folder.database, { time: systemTime, connect })
    const setting = (name: string) => Object.values(db?.prepare(`PRAGMA ${name}`).get() ?? {})[0]
    assert.equal(setting('journal_mode'), 'wal')
    assert.equal(setting('synchronous'), 2, 'FULL')
    assert.equal(setting('busy_timeout'), 0, 'a wait for a lock would stop the whole process')
    assert.equal(setting('journal_size_limit'), 16 * 1024 * 1024)
    assert.equal(setting('foreign_keys'), 1)
    const [inFile, inMemory] = [1, 2]
    assert.equal(setting('temp_store'), inMemory, 'a commit of many animals would make a file to undo them')
    await store.bulk.import(async () => ({ api_keys: 0, pets: 0, orders: 0, events: 0, webhooks: 0 }))
    assert.equal(setting('temp_store'), inFile, 'the words of all animals may be more than fit in memory')
    await store.close()
  })

  test('A SQLite file of the release is updated by a later migration, and the release can still use it', async () => {
    using folder = new Folder()
    const store = openFile(folder.database)
    const { json } = rowOf(await add(store))
    await store.close()
    const sql = 'ALTER TABLE pets ADD COLUMN colour TEXT'
    const later = [...migrations, { version: 101, sql }]
    const colours = () => ask(folder.database, (db) => db.prepare('SELECT doc, colour FROM pets').all())
    // The migration is applied completely or not at all, and only once.
    const failing = [...migrations, { version: 101, sql: `${sql}; INSERT INTO nowhere VALUES (1)` }]
    ask(folder.database, (db) => assert.throws(() => migrate(db, folder.database, failing), /nowhere/))
    assert.throws(colours, /no such column/)
    using other = new Folder()
    ask(other.database, (db) => assert.throws(() => migrate(db, other.database, failing), /nowhere/))
    assert.equal(versionOf(other.database), 0, 'a new file is never left with some of the migrations')
    for (let i = 0; i < 2; i++) ask(folder.database, (db) => migrate(db, folder.database, later))
    assert.deepEqual(
      colours().map((row) => ({ ...row })),
      [{ doc: json, colour: null }],
    )
    assert.equal(versionOf(folder.database), 101)
    const before = openFile(folder.database)
    assert.equal(rowOf(await add(before)).id, 2)
    await before.close()
    const breaking = [...later, { version: 200, sql: 'ALTER TABLE pets DROP COLUMN colour' }]
    ask(folder.database, (db) => migrate(db, folder.database, breaking))
    assert.throws(
      () => openFile(folder.database),
      /was written by a newer petstore \(schema 200, this program knows 100\)/,
    )
  })

  test('The clock of a SQLite store is the given one, to the millisecond [decision 24]', async () => {
    const time = new TestTime()
    const store = openSqlite(':memory:', { time })
    const start = await store.events.present()
    const expected: number[] = []
    for (let i = 0; i < 100; i++) {
      time.advance(i)
      expected.push(time.now())
      await store.pets.insert(rex, undefined)
    }
    const page = await store.events.page({ after: start, limit: 100 })
    assert.deepEqual(page !== 'events_expired' && page.events.map(({ at }) => at), expected)
    await store.close()
  })

  test('Two processes can open a new SQLite file concurrently', async () => {
    using folder = new Folder()
    const source = `
      import { createInterface } from 'node:readline'
      import { openSqlite } from ${JSON.stringify(new URL('../../src/store/sqlite/sqlite.ts', import.meta.url).href)}
      import { systemTime } from ${JSON.stringify(new URL('../../src/time.ts', import.meta.url).href)}
      for await (const path of createInterface({ input: process.stdin })) {
        await openSqlite(path, { time: systemTime }).close()
        console.log(path + ' is open')
      }`
    const command = [node, '--input-type=module', '--eval', source]
    await using first = new Program(command)
    await using second = new Program(command)
    for (let i = 0; i < times(40, 10); i++) {
      const file = `${folder.database}-${i}`
      for (const program of [first, second]) program.type(`${file}\n`)
      await Promise.all([first, second].map((program) => program.until(new RegExp(`-${i} is open`))))
      assert.equal(versionOf(file), baselineVersion)
    }
  })
})

describe('a file that is refused', () => {
  const statements = (sql: string) => (file: string) => ask(file, (db) => db.exec(sql))
  const ours = `PRAGMA application_id = ${applicationId}; PRAGMA user_version = `
  for (const [what, spoil, reason] of [
    ['from a newer program', statements(`${ours} 9999`), /a newer petstore \(schema 9999, this program knows \d+\)/],
    [
      'of a development version, with the way to save its animals',
      statements(`CREATE TABLE pets (x); ${ours} 11`),
      /\(schema 11\)\. Save its animals with "petstore export" of that version, and names of categories/,
    ],
    [
      'that says it is ours, with a negative version',
      statements(`PRAGMA journal_mode = WAL; CREATE TABLE notes (x); ${ours} -1`),
      /is the database of another program/,
    ],
    [
      'that has our version but no such tables',
      statements(`PRAGMA journal_mode = WAL; ${ours} 100`),
      /lacks parts of its schema: pets, /,
    ],
    [
      'that was cut short',
      async (file: string) => {
        await openFile(file).close()
        truncateSync(file, 4096)
      },
      /SQLite: corrupt/,
    ],
  ] as const)
    test(`A SQLite file is refused if it is one ${what}`, async () => {
      using folder = new Folder()
      const file = folder.database
      await spoil(file)
      const before = readFileSync(file)
      assert.throws(
        () => openFile(file),
        (error) => error instanceof DatabaseUnusable && reason.test(error.message) && error.message.includes(file),
      )
      assert.ok(readFileSync(file).equals(before), 'the file is untouched')
    })

  test('A SQLite file that this user cannot write to is refused', async () => {
    using folder = new Folder()
    await openFile(folder.database).close()
    chmodSync(folder.path, 0o777)
    chmodSync(folder.database, 0o444)
    const isRoot = process.getuid?.() === 0
    // Root may write everything, so another user opens the file.
    if (isRoot) process.seteuid?.(65534)
    try {
      assert.throws(
        () => openFile(folder.database),
        new DatabaseUnusable(`This user may only read ${folder.database}. Run this as the user of the service.`),
      )
    } finally {
      if (isRoot) process.seteuid?.(0)
    }
  })
})

describe('a full disk', () => {
  const limit = (size: string) => execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${size}:`])
  // Without a listener, the signal of the limit would end the process.
  const ignore = () => {}
  before(() => void process.on('SIGXFSZ', ignore))
  after(() => process.off('SIGXFSZ', ignore))

  testWith(
    ['prlimit'],
    'While the disk is full, writes fail and the service is not ready, and both recover afterwards [decision 26]',
    async () => {
      using folder = new Folder()
      const store = openFile(folder.database)
      const ids: number[] = []
      limit('300000')
      try {
        await assert.rejects(async () => {
          for (let i = 0; i < 10_000; i++) {
            ids.push(rowOf(await add(store, 'x'.repeat(1000))).id)
            assert.equal(store.fault(), undefined)
          }
        }, StoreUnavailable)
        assert.match(String(store.fault()), /disk/)
        for (let i = 0; i < 3; i++) {
          await assert.rejects(store.tryWrite(), StoreUnavailable)
          assert.ok(store.fault(), 'though there is room for a page')
        }
        const batch = await Promise.allSettled([add(store, 'y'.repeat(1000)), store.keys.touch(1, 1)])
        assert.ok(batch.some((result) => result.status === 'rejected' && result.reason instanceof StoreUnavailable))
        assert.ok(ids.length > 0)
        for (const id of ids) assert.ok(await found(store, id), 'what stands can be read all the while')
      } finally {
        limit('unlimited')
      }
      await store.tryWrite()
      assert.equal(store.fault(), undefined)
      ids.push(rowOf(await add(store)).id)
      await store.close()
      const again = openFile(folder.database)
      for (const id of ids) assert.ok(await found(again, id))
      await again.close()
      assert.equal(integrityOf(folder.database), 'ok')
    },
  )
})
