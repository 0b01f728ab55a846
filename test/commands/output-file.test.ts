/** No command that writes a file takes a database for it, by whatever name; and `-` is standard output. */
import assert from 'node:assert/strict'
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openOutputFile } from '../../src/commands/output-file.ts'
import { rex } from '../store/subject.ts'
import { animalsOf, csvOf, fileIn, onStore } from '../support/catalogue.ts'
import { command, Folder } from '../support/process.ts'

const refusal = /^petstore: .* is a database, or belongs to one, and was left as it is\. Name another file\.\n$/

describe('a database', () => {
  let folder: Folder
  let other: string
  before(async () => {
    folder = new Folder()
    await command(['import', fileIn(folder, 'in.csv', csvOf(2))], folder.env)
    other = join(folder.path, 'other.sqlite')
    await command(['migrate'], { DATABASE_URL: `sqlite:${other}` })
    symlinkSync(folder.database, join(folder.path, 'symbolic.csv'))
    linkSync(folder.database, join(folder.path, 'hard.csv'))
    mkdirSync(join(folder.path, 'sub'))
    fileIn(folder, 'bad.csv', 'name,categoryId\nRex,x\n')
  })
  after(() => folder[Symbol.dispose]())

  const names = {
    'the one in use': () => folder.database,
    'its log': () => `${folder.database}-wal`,
    'its index of the log': () => `${folder.database}-shm`,
    'its journal': () => `${folder.database}-journal`,
    'a symbolic link to it': () => join(folder.path, 'symbolic.csv'),
    'a hard link to it': () => join(folder.path, 'hard.csv'),
    'another spelling of it': () => `${folder.path}/sub/..//${folder.database.slice(folder.path.length + 1)}`,
    'another database': () => other,
    'the log of another database': () => `${other}-wal`,
  }
  const commands = {
    'export FILE': (file: string) => ['export', file, '--format', 'csv'],
    'import --rejects FILE': (file: string) => ['import', join(folder.path, 'bad.csv'), '--rejects', file],
    'import --dry-run --rejects FILE': (file: string) => [
      'import',
      join(folder.path, 'bad.csv'),
      '--dry-run',
      '--rejects',
      file,
    ],
    'openapi --output FILE': (file: string) => ['openapi', '--output', file],
  }
  for (const [what, name] of Object.entries(names))
    for (const [line, args] of Object.entries(commands))
      test(`is not replaced by "${line}" with ${what}`, () =>
        // Somebody has it open, so that there is a log.
        onStore(folder.url, async ({ pets }) => {
          await pets.insert(rex, undefined)
          const files = readdirSync(folder.path)
          const { code, stderr } = await command(args(name()), folder.env)
          assert.equal(code, 1)
          assert.match(stderr, refusal)
          assert.deepEqual(readdirSync(folder.path), files)
          await pets.insert(rex, undefined)
          assert.ok((await animalsOf(folder.url)).length > 2)
        }))

  test('is refused while it does not exist yet, or is empty', () => {
    for (const name of ['new.db', 'new.db-wal'])
      assert.throws(
        () => openOutputFile(join(folder.path, name), `sqlite:${folder.path}/sub/../new.db`, process.stdout),
        /is a database, or belongs to one/,
      )
    fileIn(folder, 'empty.db', '')
    assert.throws(
      () => openOutputFile(join(folder.path, 'empty.db'), `sqlite:${folder.path}/empty.db`, process.stdout),
      /is a database, or belongs to one/,
    )
  })

  test('is not removed where its name is that of the unfinished file', async () => {
    const url = `sqlite:${folder.path}/out.csv.part`
    await command(['migrate'], { DATABASE_URL: url })
    const { code, stderr } = await command(['export', join(folder.path, 'out.csv')], folder.env)
    assert.equal(code, 1)
    assert.match(stderr, refusal)
    assert.deepEqual(await animalsOf(url), [])
  })

  test('that was made while the file was written stays', async () => {
    const path = join(folder.path, 'late.csv')
    const file = openOutputFile(path, folder.url, process.stdout)
    await command(['migrate'], { DATABASE_URL: `sqlite:${path}` })
    assert.throws(() => file.end(), /late\.csv is a database, or belongs to one/)
    file.abort()
    assert.equal(readFileSync(path).toString('latin1', 0, 15), 'SQLite format 3')
    assert.equal(existsSync(`${path}.part`), false)
  })
})

test('- is standard output, and no file', async () => {
  using folder = new Folder()
  const rows = fileIn(folder, 'in.csv', 'name,categoryId\nRex,1\nLady,x\n')
  const { stdout } = await command(['import', rows, '--rejects', '-'], folder.env)
  assert.equal(
    stdout,
    'line,reason,name,categoryId\n3,"categoryId: must be an int64 integer (for names, call the column category)",Lady,x\n',
  )
  const line = '{"id":1,"name":"Rex","categoryId":1,"status":"available"}\n'
  assert.equal((await command(['export', '-'], folder.env)).stdout, line)
  assert.match((await command(['openapi', '--output', '-'])).stdout, /^\{\n {2}"openapi"/)
  const backup = await command(['backup', '-'], folder.env)
  assert.deepEqual(
    [backup.code, backup.stderr],
    [2, 'petstore: A backup needs a file, not standard output.\nSee: petstore backup --help\n'],
  )
  assert.equal(existsSync('-'), false)
})
