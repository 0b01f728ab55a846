/**
 * What commands write: files, which replace only older ones of their kind and never a database, standard output, and
 * progress.
 */
import assert from 'node:assert/strict'
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { createProgress, openOutputFile } from '../../src/commands/output.ts'
import { csvOf, fileIn } from '../support/catalogue.ts'
import { command, done, Folder, fails, node, Program } from '../support/process.ts'
import { projectFile } from '../support/project.ts'
import { after, before, few, test, testInFull } from '../support/scope.ts'
import { main } from '../support/service.ts'
import { testOnSmallDisk } from '../support/small-disk.ts'

const kind = { name: 'an export', start: /^id,/ }
const csv = 'id,name,categoryId,status\r\n1,Rex 0,0,available\r\n2,Rex 1,1,available\r\n'

/** A folder with a database of two animals. */
async function filled(): Promise<Folder> {
  const folder = new Folder()
  await command(['import', fileIn(folder, 'in.csv', csvOf(2))], folder.env)
  return folder
}

describe('a database', () => {
  let folder: Folder
  const at = (name: string) => join(folder.path, name)
  before(async () => {
    folder = await filled()
    linkSync(folder.database, at('hard.csv'))
    mkdirSync(at('sub'))
  })
  after(() => folder[Symbol.dispose]())

  test('is refused under another name, while it does not exist yet, or is empty [D215]', () => {
    fileIn(folder, 'empty.db', '')
    for (const [name, database] of [
      ['hard.csv', 'test.db'],
      ['new.db', 'sub/../new.db'],
      ['new.db-wal', 'sub/../new.db'],
      ['empty.db', 'empty.db'],
    ] as const)
      assert.throws(
        () => openOutputFile(at(name), `sqlite:${folder.path}/${database}`, process.stdout, kind),
        /is a database, or belongs to one/,
      )
  })

  test('is not replaced where it was made while the file was written, and nothing is left of that [D215]', async () => {
    const file = openOutputFile(at('late.csv'), folder.url, process.stdout, kind)
    await command(['migrate'], { DATABASE_URL: `sqlite:${at('late.csv')}` })
    assert.throws(() => file.end(), /late\.csv is a database, or belongs to one/)
    file.abort()
    assert.equal(readFileSync(at('late.csv')).toString('latin1', 0, 15), 'SQLite format 3')
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => name.endsWith('.part')),
      [],
    )
  })
})

describe('a file that is there', () => {
  test('is replaced by an export if it is one, in either format, or empty, with its permissions [D215]', async () => {
    using folder = await filled()
    const file = join(folder.path, 'out.csv')
    for (const content of [csv, '\ufeff"id";"name"\n', '{"id":1,"name":"Rex"}\n', '']) {
      fileIn(folder, 'out.csv', content)
      chmodSync(file, 0o600)
      const names = 'The names of their categories: petstore export --categories'
      assert.equal(await done(['export', file], folder.env), `Exported 2 animals to ${file}.\n${names}\n`)
      assert.equal(readFileSync(file, 'utf8'), csv)
      assert.equal(statSync(file).mode & 0o777, 0o600)
      assert.deepEqual(
        readdirSync(folder.path).filter((name) => name.endsWith('.part')),
        [],
      )
    }
  })

  test('is left as it is if it is of another kind [D215]', async () => {
    using folder = await filled()
    const file = fileIn(folder, 'out.csv', 'name,category\nRex,Dogs\n')
    for (const [what, ...args] of [
      ['an export', 'export', file],
      ['an OpenAPI document', 'openapi', '--output', file],
    ] as const) {
      await fails(args, folder.env, `${file} is there and is not ${what}. Remove it, or name another file.`)
      assert.equal(readFileSync(file, 'utf8'), 'name,category\nRex,Dogs\n')
    }
  })

  test('is left to the last of two that write it at once', () => {
    using folder = new Folder()
    const file = fileIn(folder, 'out.csv', 'id,old')
    const open = () => openOutputFile(file, folder.url, process.stdout, kind)
    const [first, last] = [open(), open()]
    first.write('id,first')
    last.write('id,last')
    for (const one of [first, last]) {
      one.end()
      one.abort()
    }
    assert.equal(readFileSync(file, 'utf8'), 'id,last')
    assert.deepEqual(readdirSync(folder.path), ['out.csv'])
  })

  testOnSmallDisk('is left, and nothing else, where the disk is full', 256, async (disk) => {
    using folder = new Folder()
    await command(['import', fileIn(folder, 'in.csv', csvOf(12_000))], folder.env)
    const file = fileIn(disk, 'out.csv', 'id,old')
    await fails(['export', file], folder.env, /^petstore: Cannot write .*out\.csv: no space left on device\.\n$/)
    assert.equal(readFileSync(file, 'utf8'), 'id,old')
    assert.deepEqual(readdirSync(disk.path), ['out.csv'])
  })
})

test('what cannot be written is told in one line: a folder, one that is missing, a full device', async () => {
  using folder = await filled()
  const missing = join(folder.path, 'none', 'out.csv')
  for (const [file, fault] of [
    [folder.path, /^petstore: .+ is a folder\. Name a file in it\.\n$/],
    [missing, /^petstore: Cannot write .*out\.csv: no such file or directory\.\n$/],
    ['/dev/full', /^petstore: Cannot write \/dev\/full: no space left on device\.\n$/],
  ] as const)
    await fails(['export', file, '--format', 'csv'], folder.env, fault)
  await fails(['openapi', '--output', missing], {}, /^petstore: Cannot write .+\n$/)
})

test('petstore openapi writes the document of the project', async () => {
  using folder = new Folder()
  const file = join(folder.path, 'written.json')
  await done(['openapi', '--output', file])
  const isSame = readFileSync(file, 'utf8') === projectFile('openapi.json')
  assert.ok(isSame, 'openapi.json is not up to date; write it again: npx --no-install petstore openapi')
})

describe('standard output', () => {
  test('is meant by -, and no file is made [D215]', async () => {
    using folder = new Folder()
    await done(['import', fileIn(folder, 'in.csv', 'name,categoryId\nRex,1\n')], folder.env)
    const line = '{"id":1,"name":"Rex","categoryId":1,"status":"available"}\n'
    assert.equal((await command(['export', '-'], folder.env)).stdout, line)
    assert.equal((await command(['openapi', '--output', '-'])).stdout, projectFile('openapi.json'))
    assert.equal(existsSync('-'), false)
  })

  test('is not replaced where it is a file and named as a device [D215]', async () => {
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

  test('that is full is one clear line; a reader that has read enough is no failure [D382]', async () => {
    const full = openSync('/dev/full', 'w')
    await using program = new Program([node, main, 'openapi', '--output', '-'], { stdout: full })
    closeSync(full)
    const { code, stderr } = await program.ended
    assert.equal(code, 1)
    assert.match(stderr, /^petstore: Cannot write to standard output: ENOSPC.*\n$/)
    const enough = await piped('openapi --output -', 'head -n 1')
    assert.deepEqual([enough.code, enough.stdout, enough.stderr], [0, '{\n', ''])
  })

  testInFull('waits for a reader that takes its time, and gives it all', async () => {
    using folder = new Folder()
    await command(['import', fileIn(folder, 'in.csv', csvOf(50_000))], folder.env)
    const { stdout } = await piped('export', 'sleep 1; cat', folder.env)
    assert.equal(stdout.split('\n').length, 50_001)
  })
})

test('progress is shown at a terminal alone, in one line that is cleared at the end', () => {
  for (const isTTY of [true, false]) {
    const said: string[] = []
    const progress = createProgress({ isTTY, write: (text) => said.push(text) }, 1_000)
    progress.show(250, 2_000)
    progress.end()
    assert.deepEqual(said, isTTY ? [`\r${'25 %, 2,000 rows'.padEnd(40)}\r`, `\r${' '.repeat(40)}\r`] : [])
  }
})
