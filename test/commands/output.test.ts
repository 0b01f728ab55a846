/**
 * What commands write. An existing file is replaced only with --force, and a database in use never. Also standard
 * output, and progress.
 */
import assert from 'node:assert/strict'
import { closeSync, existsSync, linkSync, mkdirSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { csvOf, fileIn } from '../../harness/catalogue.ts'
import { eventually } from '../../harness/patience.ts'
import { command, done, Folder, fails, node, Program } from '../../harness/process.ts'
import { projectFile } from '../../harness/project.ts'
import { after, before, few, some, test, testInFull } from '../../harness/scope.ts'
import { main } from '../../harness/service.ts'
import { testOnSmallDisk } from '../../harness/small-disk.ts'
import { change } from '../../harness/sqlite.ts'
import { openFile } from '../../harness/stores.ts'
import { createProgress, openOutputFile } from '../../src/commands/output.ts'

const csv = 'id,name,categoryId,status\r\n1,Rex 0,0,available\r\n2,Rex 1,1,available\r\n'

/** Makes a folder with a database of two animals. */
async function filled(): Promise<Folder> {
  const folder = new Folder()
  await command(['import', fileIn(folder, 'in.csv', csvOf(2))], folder.env)
  return folder
}

describe('a database', () => {
  let folder: Folder
  const at = (name: string) => join(folder.path, name)
  const open = (name: string, database: string) =>
    openOutputFile(at(name), {
      isForced: true,
      databaseUrl: `sqlite:${folder.path}/${database}`,
      stdout: process.stdout,
    })
  before(async () => {
    folder = await filled()
    linkSync(folder.database, at('hard.csv'))
    mkdirSync(at('sub'))
  })
  after(() => folder[Symbol.dispose]())

  test('A command never writes its output over a database of the settings, under whatever name, even before it exists [decision 27]', () => {
    for (const [name, database] of [
      ['test.db', 'test.db'],
      ['hard.csv', 'test.db'],
      ['new.db', 'sub/../new.db'],
      ['new.db-wal', 'sub/../new.db'],
    ] as const)
      assert.throws(() => open(name, database), /belongs to the database itself\. Name another file\.$/)
  })

  test('A command does not write its output over a database that was created meanwhile, and leaves nothing behind [decision 27]', async () => {
    const before = readdirSync(folder.path)
    {
      using file = open('late.csv', 'test.db')
      fileIn(folder, 'late.csv', 'a database')
      fileIn(folder, 'late.csv-wal', 'its log')
      assert.throws(() => file.end(), /late\.csv belongs to a database in use/)
    }
    assert.equal(readFileSync(at('late.csv'), 'utf8'), 'a database')
    assert.deepEqual(readdirSync(folder.path).sort(), [...before, 'late.csv', 'late.csv-wal'].sort())
  })
})

describe('a file that exists', () => {
  const writers = (file: string) => [
    ['export', file],
    ['openapi', '--output', file],
    ['backup', file],
  ]

  test('An export refuses any existing file, and replaces it with --force [decision 27]', async () => {
    using folder = await filled()
    for (const content of ['', 'id,name\r\n', 'name,category\nRex,Dogs\n'])
      for (const args of writers(join(folder.path, 'out.csv'))) {
        const file = fileIn(folder, 'out.csv', content)
        const before = readdirSync(folder.path)
        await fails(args, folder.env, `${file} exists. Name another file, or replace it with --force.`)
        assert.equal(readFileSync(file, 'utf8'), content)
        await done([...args, '--force'], folder.env)
        assert.notEqual(readFileSync(file, 'utf8'), content)
        assert.deepEqual(readdirSync(folder.path), before)
      }
  })

  test('An export refuses a file that was created while the export was written [decision 27]', () => {
    using folder = new Folder()
    const file = join(folder.path, 'out.csv')
    {
      using output = openOutputFile(file, { isForced: false, databaseUrl: folder.url, stdout: process.stdout })
      output.write('mine')
      fileIn(folder, 'out.csv', 'of somebody else')
      assert.throws(() => output.end(), /out\.csv exists\. /)
    }
    assert.equal(readFileSync(file, 'utf8'), 'of somebody else')
    assert.deepEqual(readdirSync(folder.path), ['out.csv'])
  })

  test('If two exports replace the same file concurrently, the last one wins', async () => {
    using folder = await filled()
    const file = fileIn(folder, 'out.csv', 'old')
    const run = () => new Program([node, main, 'export', file, '--force'], { env: folder.env }).ended
    for (const { code, stderr } of await Promise.all([run(), run()])) assert.equal(code, 0, stderr)
    assert.equal(readFileSync(file, 'utf8'), csv)
    assert.deepEqual(readdirSync(folder.path).sort(), ['in.csv', 'out.csv', 'test.db'])
  })

  testOnSmallDisk('On a full disk, an export keeps the existing file and leaves nothing else', 256, async (disk) => {
    using folder = new Folder()
    await command(['import', fileIn(folder, 'in.csv', csvOf(12_000))], folder.env)
    const file = fileIn(disk, 'out.csv', 'id,old')
    await fails(
      ['export', file, '--force'],
      folder.env,
      /^petstore: Cannot write .*out\.csv: no space left on device\.\n$/,
    )
    assert.equal(readFileSync(file, 'utf8'), 'id,old')
    assert.deepEqual(readdirSync(disk.path), ['out.csv'])
  })
})

describe('an export that is stopped', () => {
  const folder = new Folder()
  const file = join(folder.path, 'out.csv')
  const written = () => readdirSync(folder.path).filter((name) => name.startsWith('out.csv'))
  before(() => {
    openFile(folder.database).close()
    // There are so many animals that an export takes a while.
    change(
      folder.database,
      `DROP TRIGGER pets_insert; INSERT INTO pets (name, words, category_id, status)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500000)
       SELECT 'Rex', 'rex', 1, 'sold' FROM n`,
    )
  })
  after(() => folder[Symbol.dispose]())

  /** Starts an export, and stops it in the middle. */
  async function stopped(signal: NodeJS.Signals): Promise<number | null> {
    fileIn(folder, 'out.csv', 'old')
    await using program = new Program([node, main, 'export', file, '--force'], { env: folder.env })
    await eventually(
      async () => written().some((name) => /partial/.test(name) && statSync(join(folder.path, name)).size > 0),
      (isBegun) => isBegun,
    )
    const { code } = await program.end(signal)
    assert.equal(readFileSync(file, 'utf8'), 'old')
    return code
  }

  for (const [signal, code] of some([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const))
    test(`An export that is stopped by ${signal} keeps the old file and leaves nothing else [decision 27]`, async () => {
      assert.equal(await stopped(signal), code)
      assert.deepEqual(written(), ['out.csv'])
    })

  test('An export that is stopped by SIGKILL keeps the old file, and the next export removes its remains [decision 27]', async () => {
    await stopped('SIGKILL')
    assert.equal(written().length, 2)
    // The partial file of a running process must not be touched.
    const other = `out.csv.partial-${process.ppid}`
    fileIn(folder, other, '')
    await done(['export', file, '--orders', '--force'], folder.env)
    assert.deepEqual(written(), ['out.csv', other])
  })
})

test('An export is written even if the remains of a killed export cannot be removed [decision 27]', async () => {
  using folder = await filled()
  const { pid, ended } = new Program([node, '--version'])
  await ended
  // This stands for the file of another user in a folder such as /tmp, which only root could create here.
  mkdirSync(join(folder.path, `out.csv.partial-${pid}`))
  const file = join(folder.path, 'out.csv')
  await done(['export', file], folder.env)
  assert.equal(readFileSync(file, 'utf8'), csv)
})

test('An export that cannot be written to a folder, a missing folder or a full device is reported in one line', async () => {
  using folder = await filled()
  const missing = join(folder.path, 'none', 'out.csv')
  for (const [file, fault] of [
    [folder.path, /^petstore: .+ is a folder\. Name a file in it\.\n$/],
    [missing, /^petstore: There is no folder .+none\. Create it first\.\n$/],
    ['/dev/full', /^petstore: Cannot write \/dev\/full: no space left on device\.\n$/],
  ] as const)
    await fails(['export', file, '--format', 'csv'], folder.env, fault)
  await fails(['openapi', '--output', missing], {}, /^petstore: There is no folder .+\n$/)
})

test('petstore openapi writes the document of the project', async () => {
  using folder = new Folder()
  const file = join(folder.path, 'written.json')
  await done(['openapi', '--output', file])
  const isSame = readFileSync(file, 'utf8') === projectFile('openapi.json')
  assert.ok(isSame, 'openapi.json is not up to date; write it again: npx --no-install petstore openapi --force')
})

describe('standard output', () => {
  test('A hyphen as the file name means standard output, and creates no file [decision 27]', async () => {
    using folder = new Folder()
    await done(['import', fileIn(folder, 'in.csv', 'name,categoryId\nRex,1\n')], folder.env)
    const line = '{"id":1,"name":"Rex","categoryId":1,"status":"available"}\n'
    assert.equal((await command(['export', '-'], folder.env)).stdout, line)
    assert.equal((await command(['openapi', '--output', '-'])).stdout, projectFile('openapi.json'))
    assert.equal(existsSync('-'), false)
  })

  test('An export does not replace standard output that is a file and was named as a device [decision 27]', async () => {
    using folder = await filled()
    const names = few(['/dev/stdout', '/proc/self/fd/1', '/dev/fd/1'], 2)
    const lines = names.map((name) => `"$0" "$1" export ${name} --format csv; echo after`)
    const line = `(echo before; ${lines.join('; ')}) > out`
    const { stderr } = await new Program(['bash', '-c', line, node, main], { env: folder.env, cwd: folder.path }).ended
    const said = names.map((name) => `petstore: ${name} is a file here. Write - for standard output.\n`)
    assert.equal(stderr, said.join(''))
    assert.equal(readFileSync(join(folder.path, 'out'), 'utf8'), `before\n${'after\n'.repeat(names.length)}`)
  })

  const piped = (args: string, reader: string, env: Record<string, string> = {}) =>
    new Program(['bash', '-c', `set -o pipefail; "$0" "$1" ${args} | (${reader})`, node, main], { env }).ended

  test('Full standard output is reported in one line, and a reader that stops early is no failure [decision 27]', async () => {
    const full = openSync('/dev/full', 'w')
    await using program = new Program([node, main, 'openapi', '--output', '-'], { stdout: full })
    closeSync(full)
    const { code, stderr } = await program.ended
    assert.equal(code, 1)
    assert.match(stderr, /^petstore: Cannot write to standard output: ENOSPC.*\n$/)
    const enough = await piped('openapi --output -', 'head -n 1')
    assert.deepEqual([enough.code, enough.stdout, enough.stderr], [0, '{\n', ''])
  })

  testInFull('An export waits for a slow reader of standard output, and delivers everything', async () => {
    using folder = new Folder()
    await command(['import', fileIn(folder, 'in.csv', csvOf(50_000))], folder.env)
    const { stdout } = await piped('export', 'sleep 1; cat', folder.env)
    assert.equal(stdout.split('\n').length, 50_001)
  })
})

test('Progress is shown only on a terminal, in one line that is cleared at the end', () => {
  for (const isTTY of [true, false]) {
    const said: string[] = []
    const progress = createProgress({ isTTY, write: (text) => said.push(text) }, 1_000)
    progress.show(250, 2_000)
    progress.end()
    assert.deepEqual(said, isTTY ? [`\r${'25 %, 2,000 rows'.padEnd(40)}\r`, `\r${' '.repeat(40)}\r`] : [])
  }
})
