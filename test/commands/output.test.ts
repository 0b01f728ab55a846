/** What commands write: files, which replace only older ones of their kind and never a database, and progress. */
import assert from 'node:assert/strict'
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createProgress, openOutputFile } from '../../src/commands/output.ts'
import { rex } from '../store/subject.ts'
import { animalsOf, csvOf, fileIn, onStore } from '../support/catalogue.ts'
import { command, Folder } from '../support/process.ts'

const kind = { name: 'an export', start: /^id,/ }
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
      test(`is not replaced by "${line}" with ${what} [D249]`, () =>
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

  test('is refused while it does not exist yet, or is empty [D249]', () => {
    for (const name of ['new.db', 'new.db-wal'])
      assert.throws(
        () => openOutputFile(join(folder.path, name), `sqlite:${folder.path}/sub/../new.db`, process.stdout, kind),
        /is a database, or belongs to one/,
      )
    fileIn(folder, 'empty.db', '')
    assert.throws(
      () => openOutputFile(join(folder.path, 'empty.db'), `sqlite:${folder.path}/empty.db`, process.stdout, kind),
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
    const file = openOutputFile(path, folder.url, process.stdout, kind)
    await command(['migrate'], { DATABASE_URL: `sqlite:${path}` })
    assert.throws(() => file.end(), /late\.csv is a database, or belongs to one/)
    file.abort()
    assert.equal(readFileSync(path).toString('latin1', 0, 15), 'SQLite format 3')
    assert.equal(existsSync(`${path}.part`), false)
  })
})

describe('a file that is there', () => {
  const csv = 'id,name,categoryId,status\r\n1,Rex 0,0,available\r\n'
  const contents = {
    'an export': csv,
    'an export that a spreadsheet has saved': '\ufeff"id";"name"\n',
    'an export in the other format': '{"id":1,"name":"Rex"}\n',
    'an empty file': '',
  }
  for (const [what, content] of Object.entries(contents))
    test(`is replaced by an export if it is ${what}, and so is what a killed one has left [D249]`, async () => {
      using folder = new Folder()
      await command(['import', fileIn(folder, 'in.csv', csvOf(1))], folder.env)
      for (const name of ['out.csv', 'out.csv.part']) fileIn(folder, name, content)
      const { code, stderr } = await command(['export', join(folder.path, 'out.csv')], folder.env)
      assert.equal(code, 0, stderr)
      assert.equal(readFileSync(join(folder.path, 'out.csv'), 'utf8'), csv)
      assert.equal(existsSync(join(folder.path, 'out.csv.part')), false)
    })

  for (const name of ['out.csv', 'out.csv.part', 'openapi.json', 'openapi.json.part'])
    test(`is left as it is if it is of another kind: ${name} [D249]`, async () => {
      using folder = new Folder()
      await command(['migrate'], folder.env)
      const file = fileIn(folder, name, 'name,category\nRex,Dogs\n')
      const target = file.replace('.part', '')
      const isExport = name.startsWith('out')
      const args = isExport ? ['export', target] : ['openapi', '--output', target]
      const { code, stderr } = await command(args, folder.env)
      const what = isExport ? 'an export' : 'an OpenAPI document'
      assert.deepEqual(
        [code, stderr],
        [1, `petstore: ${file} is there and is not ${what}. Remove it, or name another file.\n`],
      )
      assert.equal(readFileSync(file, 'utf8'), 'name,category\nRex,Dogs\n')
    })
})

test('- is standard output, and no file [D249]', async () => {
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

function progressOf(isTTY: boolean, label = '', bytesMax: number | undefined = 1_000) {
  const said: string[] = []
  let time = 0
  const progress = createProgress({ isTTY, write: (text) => said.push(text) }, label, bytesMax, () => time)
  const step = (milliseconds: number, bytes: number, rows: number) => {
    time += milliseconds
    progress.show(bytes, rows)
  }
  return { said, progress, step }
}

describe('progress', () => {
  test('is a bar with rate and time left at a terminal, drawn at most ten times a second, and cleared at the end', () => {
    const { said, progress, step } = progressOf(true)
    step(99, 10, 100)
    step(901, 250, 2_000)
    step(50, 260, 2_100)
    step(950, 1_000, 123_456)
    progress.end()
    assert.deepEqual(said, [
      '\r[#######.......................] 25 %, 2,000 rows, 2,000 per second, 3 s left',
      '\r[##############################] 100 %, 123,456 rows, 61,728 per second, 0 s left',
      `\r${' '.repeat(81)}\r`,
    ])
  })

  test('is a line every five seconds elsewhere', () => {
    const { said, progress, step } = progressOf(false)
    step(4_999, 100, 100)
    step(1, 500, 10_000)
    step(4_999, 600, 11_000)
    step(1, 750, 20_000)
    progress.end()
    assert.deepEqual(said, [
      '50 %, 10,000 rows, 2,000 per second, 5 s left\n',
      '75 %, 20,000 rows, 2,000 per second, 4 s left\n',
    ])
  })

  test('has no bar where it is not known how much there is', () => {
    const { said, step } = progressOf(true, 'Reading: ', 0)
    step(1_000, 0, 2_000)
    assert.deepEqual(said, ['\rReading: 2,000 rows, 2,000 per second'])
  })
})
