/** `petstore backup` and `petstore restore` write a complete copy or none, and replace only a complete database. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  lstatSync,
  readdirSync,
  readFileSync,
  type Stats,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { type Address, Load, walk } from '../../harness/load.ts'
import { done, Folder, fails, makeKey, Program, petstore, Served, testWith } from '../../harness/process.ts'
import { node } from '../../harness/runtimes.ts'
import { describeInFull, test, testInFull } from '../../harness/scope.ts'
import { main } from '../../harness/service.ts'
import { testOnSmallDisk } from '../../harness/small-disk.ts'
import { change, integrityOf, namesIn } from '../../harness/sqlite.ts'
import { openFile } from '../../harness/stores.ts'
import { rex } from '../store/subject.ts'

const copyOf = ({ path }: Folder) => join(path, 'copy.db')

/** Adds an animal of each name to the database of the folder, and creates the database if it does not exist. */
async function add(folder: Folder, ...names: string[]): Promise<void> {
  await using store = openFile(folder.database)
  await Promise.all(names.map((name) => store.pets.insert({ ...rex, name }, undefined)))
}

/**
 * Asserts that the command gives the reason for doing nothing in one line, and that every file stays the same, to the
 * byte.
 */
async function assertRefused(args: readonly string[], folder: Folder, reason: RegExp): Promise<void> {
  const files = () =>
    readdirSync(folder.path).map((name) => {
      const path = join(folder.path, name)
      return [name, lstatSync(path).ino, lstatSync(path).isFile() && readFileSync(path).toString('latin1')]
    })
  const before = files()
  await fails(args, folder.env, new RegExp(`^petstore: [^\\n]*(?:${reason.source})[^\\n]*\\n$`))
  assert.deepEqual(files(), before)
}

describe('petstore backup and restore', () => {
  testInFull(
    'A backup under load contains everything that was acknowledged before it began [decision 27]',
    async () => {
      using folder = new Folder()
      const key = await makeKey(folder.env)
      await using served = await Served.start(folder.env)
      await using second = await Served.start(folder.env)
      const addresses = [served, second].map(({ url }) => ({ url: new URL(url).origin, key }))
      let picks = 0
      const load = new Load(() => addresses[picks++ % 2] as Address, 8)
      let isOver = false
      const sales = sellUntil(served, key, () => isOver)
      await load.more(60)
      const before = [...load.acknowledged.values()]
      const taken = await petstore(['backup', copyOf(folder)], { env: folder.env })
      assert.equal(taken.code, 0, taken.stderr)
      await done(['check'], folder.env)
      await load.more(1)
      isOver = true
      await Promise.all([load.stop(), sales])
      for (const service of [served, second]) assert.equal((await service.end('SIGTERM')).code, 0)

      await done(['restore', copyOf(folder), '--force'], folder.env)
      await done(['check'], folder.env)
      await using again = await Served.start(folder.env)
      const restored = await walk(() => ({ url: new URL(again.url).origin, key }))
      const ids = new Set(restored.map(({ id }) => id))
      const missing = before.filter((id) => !ids.has(id))
      assert.deepEqual(missing, [])
      for (const pet of restored)
        if (load.acknowledged.has(pet.name)) assert.equal(load.acknowledged.get(pet.name), pet.id)
      const added = await again.call('POST', '/pets', { key, body: { name: 'New', categoryId: 1 } })
      assert.equal(added.json.id, Math.max(...ids) + 1)
    },
  )

  /** Adds animals, and places and ends orders, until it is over. */
  async function sellUntil(served: Served, key: string, isOver: () => boolean): Promise<void> {
    for (let i = 0; !isOver(); i++) {
      const pet = await served.call('POST', '/pets', { key, body: { name: `for sale ${i}`, categoryId: 1 } })
      const order = await served.call('POST', '/store/orders', { key, body: { petId: pet.json.id } })
      await served.call('POST', `/store/orders/${order.json.id}/${i % 2 ? 'complete' : 'cancel'}`, { key })
    }
  }

  test('A backup is one file that only its owner can read, and a restore keeps the replaced database with its permissions', async () => {
    using folder = new Folder()
    await add(folder, 'first')
    assert.match(await done(['backup', copyOf(folder)], folder.env), /copy\.db: 1 animal, 0\.\d MB, checked\.\n$/)
    await add(folder, 'second')
    await done(['backup', copyOf(folder), '--force'], folder.env)
    assert.deepEqual(readdirSync(folder.path).sort(), ['copy.db', 'test.db'])
    assert.equal(statSync(copyOf(folder)).mode & 0o777, 0o600)
    assert.deepEqual(namesIn(copyOf(folder)), ['first', 'second'])

    await add(folder, 'since')
    chmodSync(folder.database, 0o640)
    if (process.getuid?.() === 0) chownSync(folder.database, 65534, 65534)
    const rightsOf = ({ uid, gid, mode }: Stats) => ({ uid, gid, mode })
    const before = rightsOf(statSync(folder.database))
    const [, old = ''] = /now (.+)\.\n$/.exec(await done(['restore', copyOf(folder), '--force'], folder.env)) ?? []
    assert.match(old, /\/test-replaced-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.db$/)
    assert.deepEqual(namesIn(old), ['first', 'second', 'since'])
    assert.deepEqual(namesIn(folder.database), ['first', 'second'])
    assert.deepEqual(rightsOf(statSync(folder.database)), before)

    using other = new Folder()
    const said = await done(['restore', copyOf(folder)], other.env)
    assert.match(said, /keys that were revoked after the backup work again/)
    assert.match(said, /have read events newer than the backup get 410 and start over. Webhooks send again/)
    assert.doesNotMatch(said, /replaced/)
    assert.deepEqual(namesIn(other.database), ['first', 'second'])
  })

  test('A backup also copies rows that break a rule, because it must not depend on them', async () => {
    using folder = new Folder()
    await add(folder, 'one')
    change(
      folder.database,
      `PRAGMA ignore_check_constraints = ON; UPDATE pets SET status = 'lost';
      INSERT INTO orders (pet_id, status, created_at, updated_at) VALUES (9, 'placed', '', '')`,
    )
    for (const name of ['backup', 'restore']) await done([name, copyOf(folder), '--force'], folder.env)
    assert.deepEqual(namesIn(folder.database), ['one'])
  })

  test('A restore follows a symbolic link to the database or to the backup', async () => {
    using folder = new Folder()
    using behind = new Folder()
    await add(behind, 'first')
    symlinkSync(behind.database, folder.database)
    writeFileSync(copyOf(behind), '')
    symlinkSync(copyOf(behind), copyOf(folder))
    await done(['backup', copyOf(folder), '--force'], folder.env)
    assert.deepEqual(namesIn(copyOf(behind)), ['first'])
    await add(behind, 'second')
    await done(['restore', copyOf(folder), '--force'], folder.env)
    assert.deepEqual(namesIn(behind.database), ['first'])
  })
})

describe('petstore restore is refused', () => {
  test('petstore restore is refused while the service runs, and the service continues [decision 27]', async () => {
    using folder = new Folder()
    const key = await makeKey(folder.env)
    await done(['backup', copyOf(folder)], folder.env)
    await using served = await Served.start(folder.env)
    const exists = `${folder.database} exists. Name another file, or replace it with --force.`
    await fails(['restore', copyOf(folder)], folder.env, exists)
    await fails(['restore', copyOf(folder), '--force'], folder.env, /^petstore: \S+test\.db is in use\. /)
    const added = await served.call('POST', '/pets', { key, body: { name: 'Rex', categoryId: 1 } })
    assert.equal(added.status, 201)
    await served.end('SIGKILL')
    await done(['restore', copyOf(folder), '--force'], folder.env)
    assert.deepEqual(namesIn(folder.database), [])
  })

  const inFolder = async (work: (folder: Folder, file: string) => Promise<void>) => {
    using folder = new Folder()
    await add(folder, 'one')
    await done(['backup', copyOf(folder)], folder.env)
    await work(folder, copyOf(folder))
  }

  const spoiled: Record<string, readonly [spoil: (file: string) => void, reason: RegExp]> = {
    'is not a database': [
      (file) => writeFileSync(file, 'a text '.repeat(1000)),
      /is not a SQLite database\. Move it away/,
    ],
    'is empty': [(file) => truncateSync(file), /is empty/],
    'was cut short': [(file) => truncateSync(file, 20_000), /corrupt|damaged/],
    'has a damaged page': [
      // The second page contains animals.
      (file) => writeFileSync(file, readFileSync(file).fill(0x55, 4096, 6144)),
      /corrupt|damaged/,
    ],
    'is of a newer version, though it leaves room for this one': [
      (file) => change(file, 'PRAGMA user_version = 101'),
      /written by a newer petstore \(schema 101, this program knows 100\)\. Restore it with that version/,
    ],
    'is of a development version': [
      (file) => change(file, 'PRAGMA user_version = 20'),
      /written by a development version of petstore \(schema 20\)/,
    ],
  }
  for (const [what, [spoil, reason]] of Object.entries(spoiled))
    test(`petstore restore is refused for a file that ${what}`, () =>
      inFolder(async (folder, file) => {
        spoil(file)
        await assertRefused(['restore', file, '--force'], folder, reason)
      }))

  test('petstore restore is refused for a missing file, for the database itself, and for a folder', () =>
    inFolder(async (folder) => {
      await assertRefused(['restore', `${folder.path}/none.db`], folder, /There is no backup at .+none\.db/)
      await assertRefused(['restore', folder.database], folder, /is the database itself/)
      await assertRefused(['restore', folder.path], folder, /is not a file\. Name a backup\./)
    }))

  for (const ending of ['wal', 'journal'])
    test(`petstore restore is refused if the database is gone but its ${ending} file is there`, () =>
      inFolder(async (_, file) => {
        using other = new Folder()
        writeFileSync(`${other.database}-${ending}`, 'acknowledged')
        const reason = new RegExp(`test\\.db-${ending} is left over from a database that is gone`)
        await assertRefused(['restore', file], other, reason)
      }))
})

describe('petstore backup is refused', () => {
  test('Even with --force, petstore backup refuses the database itself, a database in use and a missing folder as its target [decision 27]', async () => {
    using folder = new Folder()
    await add(folder, 'one')
    const at = (name: string) => join(folder.path, name)
    symlinkSync(folder.database, at('link.db'))
    const refused = (name: string, reason: RegExp) => assertRefused(['backup', at(name), '--force'], folder, reason)
    for (const name of ['test.db', 'test.db-wal', 'test.db-journal', 'link.db'])
      await refused(name, /belongs to the database itself/)
    await using other = openFile(at('other.db'))
    await other.pets.insert(rex, undefined)
    for (const name of ['other.db', 'other.db-wal']) await refused(name, /belongs to a database in use/)
    await refused('none/copy.db', /There is no folder .+\. Create it first\./)
  })

  test('petstore backup is refused for a database that is empty or in memory', async () => {
    using folder = new Folder()
    writeFileSync(folder.database, '')
    await assertRefused(['backup', copyOf(folder)], folder, /is empty/)
    const env = { DATABASE_URL: 'sqlite::memory:' }
    await fails(['backup', copyOf(folder)], env, 'A database in memory has no file.')
  })

  test('petstore backup and restore are refused for PostgreSQL, and name the command to use instead', async () => {
    const env = { DATABASE_URL: 'postgres://petstore@db.example/petstore' }
    const outcomes = [
      ['backup', 'pg_dump --format=custom --file=my.dump "$DATABASE_URL"'],
      ['restore', 'pg_restore --no-owner --exit-on-error --dbname=URL_OF_A_NEW_DATABASE my.dump'],
    ]
    for (const [name = '', instead] of outcomes)
      await fails([name, 'my.dump'], env, `This command is for SQLite. For PostgreSQL, run: ${instead}`)
  })

  testOnSmallDisk(
    'petstore backup fails on a full disk, and the last backup stays [decision 27]',
    400,
    async (disk) => {
      using folder = new Folder()
      await add(folder, 'one')
      await done(['backup', copyOf(disk)], folder.env)
      change(folder.database, `UPDATE pets SET name = printf('%.*c', 500000, 'x')`)
      const said = /SQLite: (disk full|disk I\/O error)\); .+ is as it was before\.\n$/
      await fails(['backup', copyOf(disk), '--force'], folder.env, said)
      assert.deepEqual(readdirSync(disk.path), ['copy.db'])
      assert.deepEqual(namesIn(copyOf(disk)), ['one'])
    },
  )
})

testOnSmallDisk('petstore backup says in one line that a disk is read-only', 64, async (disk) => {
  using folder = new Folder()
  await add(folder, 'one')
  execFileSync('mount', ['-o', 'remount,ro', disk.path])
  const { code, stderr } = await petstore(['backup', copyOf(disk)], { env: folder.env })
  assert.equal(code, 1)
  assert.match(stderr, /^petstore: Cannot write [^\n]+: read-only file system\.\n$/)
})

describeInFull('killed in the middle', () => {
  /** Runs a command in which a system call fails in this way. */
  const tampered = (call: string, fault: string, name: string, folder: Folder) => {
    const inject = ['-e', `trace=/^${call}`, '-e', `inject=/^${call}:${fault}`]
    const line = ['strace', '-f', '-qq', '-o', '/dev/null', ...inject, node, main, name, copyOf(folder), '--force']
    return new Program(line, { env: folder.env }).ended
  }
  /** The process is killed when it makes the system call for this time, and the call is not made. */
  const killedAt = (time: string) => `error=EIO:signal=KILL:when=${time}`
  /** Returns a folder with a copy of a database, to which animals may have been added since. */
  const backedUp = async (...since: string[]): Promise<Folder> => {
    const folder = new Folder()
    await add(folder, 'old')
    await done(['backup', copyOf(folder)], folder.env)
    await add(folder, ...since)
    return folder
  }

  for (const moment of ['rename 1', 'link 1', 'fsync 1', 'fsync 2', 'unlink 1'])
    testWith(
      ['strace'],
      `A restore killed at ${moment.replace(' ', ' number ')} leaves the old database or the new one [decision 27]`,
      async () => {
        const [call = '', time = ''] = moment.split(' ')
        using folder = await backedUp('new')
        assert.notEqual((await tampered(call, killedAt(time), 'restore', folder)).code, 0)
        const names = namesIn(folder.database)
        assert.ok(names.join() === 'old' || names.join() === 'old,new', names.join())
        assert.equal(integrityOf(folder.database), 'ok')
        await done(['restore', copyOf(folder), '--force'], folder.env)
        assert.deepEqual(namesIn(folder.database), ['old'])
        const unfinished = readdirSync(folder.path).filter((name) => name.includes('partial'))
        assert.deepEqual(unfinished, [])
      },
    )

  testWith(['strace'], 'A restore that cannot be finished leaves no second name of the database', async () => {
    using folder = await backedUp()
    const { code, stderr } = await tampered('rename', 'error=EIO', 'restore', folder)
    assert.equal(code, 1)
    assert.match(stderr, /^petstore: Cannot write \S+test\.db: i\/o error\.\n$/)
    assert.deepEqual(readdirSync(folder.path).sort(), ['copy.db', 'test.db'])
  })

  testWith(['strace'], 'petstore backup notices a page that the disk has lost, and keeps the last backup', async () => {
    using folder = await backedUp('new')
    // The first writes go to other files. This write reports success but does nothing.
    const { code, stderr } = await tampered('pwrite64', 'retval=4096:when=16', 'backup', folder)
    assert.deepEqual([code, stderr.split(' (')[0]], [1, `petstore: The copy of ${folder.database} is damaged`])
    assert.deepEqual(namesIn(copyOf(folder)), ['old'])
    assert.deepEqual(readdirSync(folder.path).sort(), ['copy.db', 'test.db'])
  })

  testWith(
    ['strace'],
    'A killed backup keeps the last backup, and the next one removes its remains [decision 27]',
    async () => {
      using folder = await backedUp('new')
      assert.notEqual((await tampered('rename', killedAt('1'), 'backup', folder)).code, 0)
      assert.deepEqual(namesIn(copyOf(folder)), ['old'])
      assert.equal(readdirSync(folder.path).filter((name) => /^copy\.db\.partial-\d+$/.test(name)).length, 1)
      // The partial file of a running process must not be touched.
      writeFileSync(`${copyOf(folder)}.partial-${process.ppid}`, '')
      await done(['backup', copyOf(folder), '--force'], folder.env)
      // The first run was killed while it read the database, so the log of SQLite stays beside the database until the
      // next write.
      const names = readdirSync(folder.path).filter((name) => !name.startsWith('test.db-'))
      assert.deepEqual(names.sort(), ['copy.db', `copy.db.partial-${process.ppid}`, 'test.db'])
      assert.deepEqual(namesIn(copyOf(folder)), ['old', 'new'])
    },
  )
})
