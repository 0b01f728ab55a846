/**
 * Every command with every kind of wrong file. It gives the reason in one line, and the file and its folder stay
 * unchanged.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { command, done, type Ended, Folder } from '../../harness/process.ts'
import { change } from '../../harness/sqlite.ts'
import { openFile } from '../../harness/stores.ts'
import { applicationId } from '../../src/store/sqlite/file.ts'
import { rex } from '../store/subject.ts'

/** The files in a folder beside the target, which is in its own folder `there`. */
const files = {
  database: 'ours.db',
  backup: 'backup.db',
  export: 'export.csv',
  rows: 'rows.csv',
  report: 'report.json',
  document: 'openapi.json',
  empty: 'empty',
}

interface Use {
  readonly args: readonly string[]
  readonly env: Record<string, string>
}

/** A way in which a command receives a file. */
interface Role {
  /** The file that the command expects there. */
  readonly wants: keyof typeof files
  use(target: string, at: (name: string) => string): Use
  /** Its exit code if it does not touch the target. The default is 1. */
  readonly code?: number
  /** Whether it only reads the file. */
  readonly isReading?: boolean
}

const asDatabase = (...args: readonly string[]): Role => ({
  wants: 'database',
  // No machine has this address, so the service ends wherever it tries to listen.
  use: (target, at) => ({
    args: args.map((arg) => (Object.values(files).includes(arg) ? at(arg) : arg)),
    env: { DATABASE_URL: `sqlite:${target}`, HOST: '192.0.2.1', PORT: '0' },
  }),
})
const asFile = (wants: Role['wants'], ...args: readonly string[]): Role => ({
  wants,
  use: (target, at) => ({
    args: args.map((arg) => (arg === 'TARGET' ? target : Object.values(files).includes(arg) ? at(arg) : arg)),
    env: { DATABASE_URL: `sqlite:${at(files.database)}` },
  }),
})

/** The roles by the name of the command. A command that accepts no file has none. */
const roles: Record<string, Record<string, Role>> = {
  serve: { 'as its database': asDatabase('serve') },
  keys: {
    'list, as its database': { ...asDatabase('keys', 'list'), isReading: true },
    'create, as its database': asDatabase('keys', 'create', '--name', 'x'),
    'revoke, as its database': asDatabase('keys', 'revoke', '1'),
  },
  migrate: { 'as its database': asDatabase('migrate') },
  check: { 'as its database': { ...asDatabase('check'), isReading: true } },
  demo: { 'as its database': asDatabase('demo') },
  sandbox: {},
  copy: {
    'as its source': {
      wants: 'database',
      isReading: true,
      use: (target, at) => ({
        args: ['copy', '--from', `sqlite:${target}`, '--to', `sqlite:${at('new.db')}`],
        env: {},
      }),
    },
    'as its target': {
      wants: 'empty',
      use: (target, at) => ({
        args: ['copy', '--from', `sqlite:${at(files.database)}`, '--to', `sqlite:${target}`],
        env: {},
      }),
    },
  },
  backup: {
    'as its database': {
      ...asDatabase(),
      isReading: true,
      use: (target, at) => ({ args: ['backup', at('new.db')], env: { DATABASE_URL: `sqlite:${target}` } }),
    },
    'as its file': asFile('backup', 'backup', 'TARGET'),
  },
  restore: {
    'as its database': asDatabase('restore', files.backup, '--force'),
    'as its file': { ...asFile('backup', 'restore', 'TARGET', '--force'), isReading: true },
  },
  import: {
    'as its database': asDatabase('import', files.rows),
    'as its file': asFile('rows', 'import', 'TARGET'),
  },
  export: {
    'as its database': { ...asDatabase('export'), isReading: true },
    'as its file': asFile('export', 'export', 'TARGET', '--format', 'csv'),
  },
  conform: {
    'as its report': {
      wants: 'report',
      use: (target) => {
        const { port } = service.address() as AddressInfo
        const url = `http://127.0.0.1:${port}/v1`
        return { args: ['conform', url, '--key', 'x', '--only', 'auth.valid', '--report', target], env: {} }
      },
      code: 2,
    },
  },
  openapi: { 'as its file': asFile('document', 'openapi', '--output', 'TARGET') },
}

const isRoot = process.getuid?.() === 0
const sql = (path: string, ...statements: string[]) => change(path, statements.join(';'))
const foreign = 'CREATE TABLE notes (text); INSERT INTO notes VALUES (1)'
const inWalMode = 'PRAGMA journal_mode = WAL'

/** Creates a file at the path, or returns the path of another one. What it opens is closed through `held`. */
type Make = (path: string, held: DatabaseSync[]) => unknown
const others: Record<string, Make> = {
  'another program’s database': (path) => sql(path, foreign),
  'another program’s database in WAL mode': (path) => sql(path, inWalMode, foreign),
  'another program’s database with a log that was left behind': (path) => {
    const db = new DatabaseSync(`${path}.other`)
    db.exec(`${inWalMode}; ${foreign}`)
    for (const end of ['', '-wal']) copyFileSync(`${path}.other${end}`, `${path}${end}`)
    db.close()
  },
  'another program’s database with a journal that was left behind': (path) => {
    sql(path, foreign)
    // According to this journal, the file had two pages before.
    writeFileSync(`${path}-journal`, Buffer.from('d9d505f920a163d7000000000000000000000002', 'hex'))
  },
  'another program’s database with our version': (path) => sql(path, foreign, 'PRAGMA user_version = 100'),
  'another program’s database with our version in WAL mode': (path) =>
    sql(path, inWalMode, foreign, 'PRAGMA user_version = 100'),
  'another program’s database with a high version': (path) => sql(path, foreign, 'PRAGMA user_version = 9999'),
  'another program’s database with its own application_id': (path) => sql(path, foreign, 'PRAGMA application_id = 1'),
  'another program’s database that has no tables': (path) => sql(path, 'PRAGMA user_version = 1'),
  'a database of a petstore to come': (path) =>
    sql(path, `CREATE TABLE pets (name); PRAGMA application_id = ${applicationId}; PRAGMA user_version = 9999`),
  'a text': (path) => writeFileSync(path, 'Dear Sir or Madam,\n'.repeat(100)),
  'a short text': (path) => writeFileSync(path, 'x'),
  'a folder': (path) => void mkdirSync(path),
  'a link to another program’s database': (path) => {
    sql(`${path}.behind`, foreign)
    symlinkSync(`${path}.behind`, path)
  },
  'a log without its database': (path) => {
    writeFileSync(`${path}-wal`, 'acknowledged')
  },
  'a log beside an empty file': (path) => {
    writeFileSync(path, '')
    writeFileSync(`${path}-wal`, 'acknowledged')
  },
  'a link that leads nowhere': (path) => symlinkSync(`${path}.none`, path),
  'an empty file': (path) => writeFileSync(path, ''),
  'a database in use': inUse,
  'a link to a database in use': (path, held) => {
    inUse(`${path}.behind`, held)
    symlinkSync(`${path}.behind`, path)
  },
  'the log of a database in use': (path, held) => {
    inUse(path, held)
    return `${path}-wal`
  },
}

const usesOfADatabase = /^(?!restore).*as its (?:database|source|target)|^restore, as its file/

/** The commands that accept such a file, as they should. */
const takes: Record<string, RegExp> = {
  // The file is kept, and this is the way back to an older version.
  'a database of a petstore to come': /^restore, as its database/,
  'a link that leads nowhere': /^(?:serve|keys, create|migrate|demo|import|copy).*, as its (?:database|target)/,
  'an empty file': /^(?!backup).*as its (?:database|source|target)/,
  'a database in use': usesOfADatabase,
  'a link to a database in use': usesOfADatabase,
}

function inUse(path: string, held: DatabaseSync[]): void {
  copyFileSync(join(prepared.path, files.database), path)
  const db = new DatabaseSync(path)
  db.exec('UPDATE pets SET category_id = 2')
  held.push(db)
}

/** The server passes the check that `conform` makes before a run. */
const service = createServer((_, response) => response.setHeader('Content-Type', 'application/json').end('[]'))

let prepared: Folder
before(async () => {
  await once(service.listen(0, '127.0.0.1'), 'listening')
  // Each `serve` listens for signals.
  process.setMaxListeners(0)
  prepared = new Folder()
  const at = (name: string) => join(prepared.path, name)
  const store = openFile(at(files.database))
  await store.pets.insert(rex, undefined)
  await store.close()
  const env = { DATABASE_URL: `sqlite:${at(files.database)}` }
  await done(['backup', at(files.backup)], env)
  await done(['export', at(files.export)], env)
  writeFileSync(at(files.rows), 'name,categoryId\nLady,x\n')
  writeFileSync(at(files.report), '{\n  "url": "http://')
  writeFileSync(at(files.document), '{"openapi":')
  writeFileSync(at(files.empty), '')
})
after(() => {
  service.close()
  prepared[Symbol.dispose]()
})

/** A folder with all kinds of files, and with another folder that contains what `make` makes. */
class Given extends Folder {
  readonly target: string
  readonly #held: DatabaseSync[] = []

  constructor(make: Make) {
    super()
    for (const name of Object.values(files)) copyFileSync(join(prepared.path, name), this.at(name))
    mkdirSync(this.at('there'))
    const path = this.at(join('there', 'keep-2019-01-01T00-00-00-000Z.json'))
    const made = make(path, this.#held)
    this.target = typeof made === 'string' ? made : path
  }

  at = (name: string): string => join(this.path, name)

  /** Everything that is there, to the byte. */
  get content(): unknown[][] {
    return readdirSync(this.path, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => {
        const stats = lstatSync(this.at(name))
        const { ino, mode, mtimeMs } = stats
        // A connection to a database in use changes the -shm file.
        if (stats.isDirectory() || name.endsWith('-shm')) return [name, ino, mode]
        const content = stats.isFile() ? hashOf(readFileSync(this.at(name))) : readlinkSync(this.at(name))
        return [name, ino, mode, mtimeMs, content]
      })
  }

  override [Symbol.dispose](): void {
    for (const db of this.#held) db.close()
    super[Symbol.dispose]()
  }
}

const hashOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex')

type Run = (use: Use) => Promise<Pick<Ended, 'code' | 'stderr'>>
const inProcess: Run = ({ args, env }) => command(args, env)

/**
 * Runs a command, which must leave everything unchanged and give the reason if it fails. Resolves with its exit code.
 */
async function assertLeft(given: Given, [name, role]: (typeof all)[number], run: Run): Promise<number | null> {
  const before = given.content
  const { code, stderr } = await run(role.use(given.target, given.at))
  assert.deepEqual(given.content, before, name)
  if (code !== 0) assert.match(stderr, /^petstore: (?!E[A-Z]+: )[^\n]+\n(?:See: [^\n]+\n)?$/, name)
  return code
}

const all = Object.entries(roles).flatMap(([name, ways]) =>
  Object.entries(ways).map(([way, role]) => [`${name}, ${way}`, role] as const),
)

test('Every command is tried on files that it must not change', async () => {
  const { stdout } = await command(['--help'])
  const commands = [...stdout.matchAll(/^ {2}(\w+) {2,}\w/gm)].map(([, name]) => name)
  assert.ok(commands.length > 0)
  assert.deepEqual(Object.keys(roles).sort(), commands.sort())
})

for (const [what, make] of Object.entries(others))
  test(`${what} stays unchanged, whatever command gets it as a file [decision 27]`, async () => {
    using given = new Given(make)
    for (const each of all)
      if (!takes[what]?.test(each[0]))
        assert.equal(await assertLeft(given, each, inProcess), each[1].code ?? 1, each[0])
  })

test('A file that this user cannot write or read stays unchanged with all commands [decision 27]', async () => {
  /** Root may write everything, so the command then runs as another user. */
  const asOther: Run = async (use) => {
    if (isRoot) process.seteuid?.(65534)
    try {
      return await inProcess(use)
    } finally {
      if (isRoot) process.seteuid?.(0)
    }
  }
  for (const mode of [0o444, 0])
    for (const each of all) {
      // These commands only read the file.
      if (mode !== 0 && /^(?:restore|import), as its file$/.test(each[0])) continue
      using given = new Given((path) => copyFileSync(join(prepared.path, files[each[1].wants]), path))
      for (const name of ['', 'there', ...Object.values(files)]) chmodSync(given.at(name), 0o777)
      chmodSync(given.target, mode)
      await assertLeft(given, each, asOther)
      if (writers.includes(each)) await assertLeft(given, each, (use) => asOther(byForce(use)))
    }
})

/** The states in which a reading command may find a database. */
const states: Record<string, Make> = {
  'a backup': (path) => copyFileSync(join(prepared.path, files.backup), path),
  'a database that no process uses': (path) => copyFileSync(join(prepared.path, files.database), path),
  'a database of a killed service': (path, held) => {
    inUse(`${path}.used`, held)
    for (const end of ['', '-wal', '-shm']) copyFileSync(`${path}.used${end}`, `${path}${end}`)
  },
  'a database in use': inUse,
}
for (const [state, make] of Object.entries(states))
  test(`${state} stays unchanged, to the byte, after every command that only reads it [decision 27]`, async () => {
    const reading = all.filter(([, role]) => role.isReading)
    assert.equal(reading.length, 6)
    for (const [name, { use }] of reading) {
      using given = new Given(make)
      const inFolder = () => given.content.filter(([path]) => String(path).startsWith('there'))
      const before = inFolder()
      const { code, stderr } = await inProcess(use(given.target, given.at))
      assert.equal(code, 0, `${name}: ${stderr}`)
      assert.deepEqual(inFolder(), before, name)
    }
  })

const writers = all.filter(([name]) => /^(?:backup|export|openapi), as its file|as its report/.test(name))
const byForce = (use: Use): Use => ({ ...use, args: [...use.args, '--force'] })
const neverReplaced = /in use|a folder|leads nowhere|without its database|left behind|beside an empty file/

for (const [what, make] of Object.entries(others))
  if (neverReplaced.test(what))
    test(`With --force, no command that writes a file replaces ${what} [decision 27]`, async () => {
      using given = new Given(make)
      for (const [name, role] of writers)
        assert.notEqual(await assertLeft(given, [name, role], (use) => inProcess(byForce(use))), 0, name)
    })
  else
    test(`With --force, every command that writes a file replaces ${what} and keeps its permissions [decision 27]`, async () => {
      for (const [name, { use }] of writers) {
        using given = new Given(make)
        chmodSync(given.target, 0o640)
        if (isRoot) chownSync(given.target, 65534, 65534)
        const rights = () => (({ mode, uid, gid }) => ({ mode, uid, gid }))(statSync(given.target))
        const [before, rightsBefore] = [readdirSync(given.at('there')), rights()]
        const old = readFileSync(given.target)
        const { stderr } = await inProcess(byForce(use(given.target, given.at)))
        assert.doesNotMatch(stderr, /^petstore: /, name)
        assert.ok(!readFileSync(given.target).equals(old), name)
        assert.deepEqual([readdirSync(given.at('there')), rights()], [before, rightsBefore], name)
      }
    })

test('A command does not refuse the kind of file that it is meant for', async () => {
  for (const [name, { wants, use }] of all) {
    using given = new Given((path) => copyFileSync(join(prepared.path, files[wants]), path))
    const isWriter = writers.some(([writer]) => writer === name)
    const { stderr } = await inProcess(isWriter ? byForce(use(given.target, given.at)) : use(given.target, given.at))
    assert.doesNotMatch(stderr, /another program|is not a SQLite|exists|belongs to/, name)
  }
})
