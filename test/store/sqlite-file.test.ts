/** A SQLite file and its surroundings: who may read it, whether it is still there, and whether it accepts writes. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { InProcess } from '../../harness/in-process.ts'
import { logInto } from '../../harness/log.ts'
import { eventually } from '../../harness/patience.ts'
import { command, Folder, node, Program, testWith } from '../../harness/process.ts'
import { main } from '../../harness/service.ts'
import { change } from '../../harness/sqlite.ts'
import { openFile } from '../../harness/stores.ts'
import { applicationId, openToRead } from '../../src/store/sqlite/file.ts'
import { DatabaseUnusable, type Store, StoreDamaged, StoreUnavailable } from '../../src/store/store.ts'
import { rex, rowOf } from './subject.ts'

const add = (store: Store) => store.pets.insert(rex, undefined)
function replace(file: string): void {
  copyFileSync(file, `${file}.other`)
  renameSync(`${file}.other`, file)
}
const removeLog = (file: string) => rmSync(`${file}-wal`)
const modeOf = (path: string): number => statSync(path).mode & 0o777

describe('the file', () => {
  test('The SQLite file and its log are created with mode 0600, whatever the umask [decision 22]', async () => {
    using folder = new Folder()
    const umask = process.umask(0)
    try {
      await using store = openFile(folder.database)
      await add(store)
      for (const name of ['test.db', 'test.db-wal', 'test.db-shm'])
        assert.equal(modeOf(`${folder.path}/${name}`), 0o600, name)
    } finally {
      process.umask(umask)
    }
  })

  test('A SQLite file has our application id in its header even while everything else is still in the log [decision 27]', async () => {
    using folder = new Folder()
    await using _store = openFile(folder.database)
    // See https://www.sqlite.org/fileformat2.html for the application_id, and for the version, which is still in the
    // log.
    const header = readFileSync(folder.database)
    assert.deepEqual([header.readInt32BE(68), header.readInt32BE(60)], [applicationId, 0])
  })

  test('A SQLite file is created again if a power cut came while it was created', async () => {
    using folder = new Folder()
    // The file has its first page, and a journal according to which it was empty before.
    const page = Buffer.alloc(4096)
    const journal = Buffer.alloc(512)
    journal.write('d9d505f920a163d7', 'hex')
    journal.writeUInt32BE(512, 20)
    journal.writeUInt32BE(4096, 24)
    writeFileSync(`${folder.database}-journal`, journal)
    // What another program was about to create is longer.
    const theirs = Buffer.alloc(page.length + 1)
    writeFileSync(folder.database, theirs)
    assert.throws(() => openFile(folder.database), DatabaseUnusable)
    assert.deepEqual(readFileSync(folder.database), theirs)
    assert.deepEqual(readFileSync(`${folder.database}-journal`), journal)
    writeFileSync(folder.database, page)
    await openFile(folder.database).close()
    assert.deepEqual(readdirSync(folder.path), ['test.db'])
  })

  test('After two processes have read a SQLite file at the same time, no other file is beside it [decision 27]', async () => {
    using folder = new Folder()
    await openFile(folder.database).close()
    for (const last of [0, 1]) {
      const readers = [openToRead(folder.database), openToRead(folder.database)]
      for (const reader of readers) reader.prepare('SELECT count(*) FROM pets').get()
      readers.splice(1 - last, 1)[0]?.close()
      readers[0]?.close()
      assert.deepEqual(readdirSync(folder.path), ['test.db'])
    }
  })

  testWith(['mkfifo'], 'A SQLite file that is a pipe is refused without waiting for a writer', async () => {
    using folder = new Folder()
    execFileSync('mkfifo', [folder.database])
    assert.throws(() => openFile(folder.database), /is not a SQLite database\. Move it away/)
  })

  test('A SQLite file that existed before keeps its permissions', async () => {
    using folder = new Folder()
    writeFileSync(folder.database, '', { mode: 0o640 })
    await openFile(folder.database).close()
    assert.equal(modeOf(folder.database), 0o640)
  })

  test('A SQLite file that was moved is read but not written to, and works again once it is back [decision 22]', async () => {
    using folder = new Folder()
    await using store = openFile(folder.database)
    const { id, json } = rowOf(await add(store))
    renameSync(folder.database, `${folder.database}.away`)
    await assert.rejects(add(store), (error) => error instanceof StoreUnavailable && /was removed/.test(error.message))
    await assert.rejects(store.tryWrite(), StoreUnavailable)
    assert.equal(await store.pets.find(BigInt(id)), json)
    assert.match(String(store.fault()), /was removed/)
    renameSync(`${folder.database}.away`, folder.database)
    await add(store)
    assert.equal(store.fault(), undefined)
  })

  for (const [what, change, reason, writesBefore] of [
    ['was replaced', replace, /was replaced/, 1],
    ['has lost its log', removeLog, /-wal was removed/, 1],
    ['has lost its log before the first write', removeLog, /-wal was removed/, 0],
  ] as const)
    test(`A SQLite file is no longer written to once it ${what}`, async () => {
      using folder = new Folder()
      await using store = openFile(folder.database)
      for (let i = 0; i < writesBefore; i++) await add(store)
      change(folder.database)
      await assert.rejects(add(store), (error) => error instanceof StoreUnavailable && reason.test(error.message))
    })

  test('A SQLite file is not used if it was replaced while the service waited for its lock [decision 27]', async () => {
    using folder = new Folder()
    await openFile(folder.database).close()
    copyFileSync(folder.database, `${folder.path}/new.db`)
    // `petstore restore` holds this lock.
    const lock = new DatabaseSync(folder.database)
    lock.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
    await using opening = new Program([node, main, 'migrate'], { env: folder.env })
    const files = `/proc/${opening.pid}/fd`
    const targetOf = (file: string) => {
      try {
        return readlinkSync(`${files}/${file}`)
      } catch {
        // The store was closed meanwhile.
      }
    }
    await eventually(
      async () => readdirSync(files).map(targetOf),
      (targets) => targets.includes(folder.database),
    )
    renameSync(`${folder.path}/new.db`, folder.database)
    lock.close()
    const { code, stderr } = await opening.ended
    assert.equal(code, 1)
    assert.match(stderr, /^petstore: Cannot open .+test\.db was replaced/)
    assert.deepEqual(readdirSync(folder.path), ['test.db'])
  })

  test('A link may name the SQLite file, even one that does not exist yet, which is then created for its owner alone', async () => {
    using folder = new Folder()
    mkdirSync(`${folder.path}/data`)
    symlinkSync('data/real.db', folder.database)
    await using store = openFile(folder.database)
    await add(store)
    assert.equal(modeOf(`${folder.path}/data/real.db`), 0o600)
    rmSync(`${folder.path}/data/real.db-wal`)
    await assert.rejects(add(store), /-wal was removed/)
  })
})

describe('a file that is damaged while it is open', () => {
  /** Runs `work` on an open store whose file has been overwritten since, except for the first page with the schema. */
  async function withDamaged(work: (store: Store) => Promise<void>, before = async (_store: Store) => {}) {
    using folder = new Folder()
    const filled = openFile(folder.database)
    await Promise.all(
      Array.from({ length: 2000 }, () => filled.pets.insert({ ...rex, name: 'x'.repeat(500) }, undefined)),
    )
    await filled.close()
    await using store = openFile(folder.database)
    await before(store)
    const file = openSync(folder.database, 'r+')
    writeSync(file, Buffer.alloc(statSync(folder.database).size - 4096, 0xff), 0, undefined, 4096)
    closeSync(file)
    await work(store)
  }

  test('If an open SQLite file is damaged, only what cannot be read fails, and the process and the store continue', () =>
    withDamaged(async (store) => {
      for (const id of [1n, 1000n, 2000n]) {
        await assert.rejects(store.pets.find(id), StoreDamaged)
        await assert.rejects(store.pets.page({ after: Number(id) - 1, limit: 20 }), StoreDamaged)
        // What was begun for the reads of this turn ends with the turn.
        await new Promise(setImmediate)
      }
      await store.tryWrite()
      assert.ok(store.fault() instanceof StoreDamaged, 'it stays damaged, though something can be written')
    }))

  test('If an open SQLite file is damaged, clients get 500 without Retry-After, the log says what to do, and it is not ready [decision 22]', async () => {
    const lines: Record<string, unknown>[] = []
    let service: InProcess
    await withDamaged(
      async () => {
        const answer = await service.call('GET', '/pets?after=1000')
        assert.deepEqual([answer.status, answer.json.code], [500, 'internal_error'])
        assert.equal(answer.headers.get('retry-after'), undefined)
        const [line] = lines.filter(({ level }) => level === 50)
        assert.match(String(line?.msg), /^the database is damaged: .*restore a backup/)
        const ready = await service.send({
          method: 'GET',
          url: 'http://shop.example/readyz',
          headers: [],
          body: undefined,
        })
        assert.deepEqual([ready.status, ready.json.code], [503, 'unavailable'])
        assert.equal(ready.headers.get('retry-after'), undefined)
      },
      async (store) => {
        service = await InProcess.on(store, logInto(lines))
        assert.equal((await service.call('GET', '/me')).status, 200)
      },
    )
  })

  test('Commands report a damaged SQLite file in one line', async () => {
    using folder = new Folder()
    const store = openFile(folder.database)
    await Promise.all(Array.from({ length: 2000 }, () => add(store)))
    await store.close()
    const bytes = readFileSync(folder.database)
    writeFileSync(folder.database, bytes.fill(0xff, bytes.length / 2))
    for (const args of [['export'], ['copy', '--from', folder.url, '--to', `sqlite:${folder.path}/copy.db`]]) {
      const { code, stderr } = await command(args, folder.env)
      assert.equal(code, 1)
      assert.match(stderr, /^petstore: SQLite: corrupt\. The database is damaged: .*restore a backup[^\n]*\n$/)
    }
  })
})

test('A SQLite file that lacks parts of its schema is refused with advice, and can be copied from [decision 23]', async () => {
  using folder = new Folder()
  for (const [statement, part] of [
    ['DROP TABLE order_counts', 'order_counts'],
    ['DROP TRIGGER pets_insert', 'pets_insert'],
    ['DROP INDEX orders_one_sale', 'orders_one_sale'],
    ['DROP INDEX categories_by_words; ALTER TABLE categories DROP COLUMN words', 'categories.words'],
  ] as const) {
    const path = `${folder.path}/${part}.db`
    const store = openFile(path)
    await add(store)
    await store.close()
    change(path, statement)
    const before = readFileSync(path)
    assert.throws(() => openFile(path), {
      name: 'DatabaseUnusable',
      message:
        `${path} lacks parts of its schema: ${part}. Restore it as a whole from a backup. ` +
        'If a development version of petstore made it, copy it into a new database with "petstore copy".',
    })
    assert.deepEqual(readFileSync(path), before)
    const { code, stderr } = await command(['copy', '--from', `sqlite:${path}`, '--to', `sqlite:${path}.copy`])
    assert.equal(code, 0, stderr)
  }
})

describe('a try to write', () => {
  test('An attempt to write keeps the version that a newer program has meanwhile given the SQLite file', async () => {
    using folder = new Folder()
    await using store = openFile(folder.database)
    using newer = new DatabaseSync(folder.database)
    newer.exec('PRAGMA user_version = 1000')
    await store.tryWrite()
    assert.deepEqual({ ...newer.prepare('PRAGMA user_version').get() }, { user_version: 1000 })
  })
})

describe('old idempotency records', () => {
  test('Old idempotency records are deleted in batches, and others can write between them', async () => {
    using folder = new Folder()
    await openFile(folder.database).close()
    using other = new DatabaseSync(folder.database)
    other.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO idempotency_records SELECT 1, 'POST /v1/pets', 'k' || i, 'f', i, '{}', i * 86400000 FROM n`)
    const count = () => other.prepare('SELECT count(*) AS n FROM idempotency_records').get()?.n
    await using store = openFile(folder.database)
    const purge = store.purgeIdempotencyRecords(Date.now() - 1900.5 * 86_400_000)
    const seen = new Set<unknown>()
    for (let isOver = false; !isOver; ) {
      void purge.then(() => (isOver = true))
      await add(store)
      seen.add(count())
    }
    assert.ok(seen.size > 4, `seen in between: ${[...seen]}`)
    assert.equal(count(), 100, 'those made later stay')
  })
})
