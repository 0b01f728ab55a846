/** `petstore export`: everything as it was at its start, exactly, and an import of it gives the same catalogue. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openOutputFile } from '../../src/commands/output.ts'
import { int64Max, int64Min, rex, rowOf } from '../store/subject.ts'
import { animalsOf, csvOf, fileIn, onStore } from '../support/catalogue.ts'
import { databases } from '../support/databases.ts'
import { releasePostgres } from '../support/postgres.ts'
import { command, Folder, node, Program } from '../support/process.ts'
import { some, testInFull } from '../support/scope.ts'
import { main } from '../support/service.ts'
import { testOnSmallDisk } from '../support/small-disk.ts'

after(releasePostgres)

const names = ['𝔊𝔯𝔦𝔰𝔲', 'e\u0301', '"\\', ' Rex ', '\u{10ffff}', 'a\ufeff', '=1+1', "a,b;c'd", '-5', '+x', '@y', '＝1']
const categories = [int64Min, int64Max, 2n ** 53n + 1n, 0n]
const at = '2026-01-01T00:00:00.000Z'

for (const database of some(databases))
  describe(`petstore export from ${database.name}`, () => {
    let env: { DATABASE_URL: string }
    let remove: () => Promise<void>
    before(async () => {
      const opened = await database.open()
      remove = opened.remove
      env = { DATABASE_URL: opened.url }
      await onStore(opened.url, async ({ pets, orders, categories: named }) => {
        for (const [i, name] of names.entries())
          await pets.insert({ name, categoryId: categories[i % 4] as bigint, status: 'available' }, undefined)
        await pets.remove(2n, undefined)
        for (const petId of [3n, 4n]) rowOf(await orders.place(petId, at, undefined))
        for (const to of ['completed', 'returned'] as const) await orders.move(2n, to, at)
        for (const [i, id] of categories.entries()) await named.put(id, names[i] as string, undefined)
      })
    })
    after(() => remove())

    for (const format of some(['csv', 'ndjson']))
      test(`imported again as ${format}, gives the same catalogue with the same ids, on either database [D248]`, async () => {
        const { code, stdout, stderr } = await command(['export', '--format', format], env)
        assert.equal(code, 0)
        assert.equal(stderr, `Exported ${names.length - 1} animals.\n`)
        using folder = new Folder()
        for (const other of databases) {
          const target = await other.open()
          const file = fileIn(folder, `a.${format}`, stdout)
          const { code, stderr } = await command(['import', file], { DATABASE_URL: target.url })
          assert.equal(code, 0, stderr)
          assert.deepEqual(await animalsOf(target.url), await animalsOf(env.DATABASE_URL))
          const added = await onStore(target.url, (store) => store.pets.insert(rex, undefined))
          assert.equal(rowOf(added).id, names.length + 1, 'ids go on after the last')
          await target.remove()
        }
      })

    for (const format of some(['csv', 'ndjson']))
      test(`the names of categories, imported again as ${format}, are the same on either database [D247]`, async () => {
        const { code, stdout, stderr } = await command(['export', '--categories', '--format', format], env)
        assert.deepEqual([code, stderr], [0, 'Exported 4 categories.\n'])
        using folder = new Folder()
        const file = fileIn(folder, `a.${format}`, stdout)
        for (const other of databases) {
          const target = await other.open()
          const into = { DATABASE_URL: target.url }
          await onStore(target.url, (store) => store.categories.put(0n, 'Before', undefined))
          for (let i = 0; i < 2; i++) {
            const { code, stderr } = await command(['import', '--categories', file], into)
            assert.equal(code, 0, stderr)
            assert.match(stderr, /^Added 4 categories in /)
          }
          assert.equal((await command(['export', '--categories', '--format', format], into)).stdout, stdout)
          assert.deepEqual(await animalsOf(target.url), [])
          await target.remove()
        }
      })

    test('writes orders, and filters by status and category', async () => {
      const order = { id: 1, petId: 3, status: 'placed', createdAt: at, updatedAt: at }
      const returned = { ...order, id: 2, petId: 4, status: 'returned' }
      const lines = (await command(['export', '--orders'], env)).stdout.trimEnd().split('\n')
      assert.deepEqual(
        lines.map((line) => JSON.parse(line)),
        [order, returned],
      )
      assert.deepEqual(
        JSON.parse((await command(['export', '--orders', '--status', 'returned'], env)).stdout),
        returned,
      )
      assert.equal(
        (await command(['export', '--orders', '--format', 'csv', '--status', 'placed'], env)).stdout,
        `id,petId,status,createdAt,updatedAt\r\n1,3,placed,${at},${at}\r\n`,
      )
      assert.equal((await command(['export', '--orders', '--status', 'completed'], env)).stdout, '')
      assert.match((await command(['export', '--status', 'pending'], env)).stdout, /^\{"id":3,.*"pending"\}\n$/)
      const both = await command(['export', '--status', 'available', `--category=${int64Min}`], env)
      assert.deepEqual(
        both.stdout
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line).id),
        [1, 5, 9],
      )
    })

    test('marks what a spreadsheet would run only with --for-spreadsheets [D251]', async () => {
      const plain = await command(['export', '--format', 'csv'], env)
      assert.match(plain.stdout, /^id,name,categoryId,status\r\n1,𝔊/)
      assert.match(plain.stdout, /\r\n7,=1\+1,/)
      const { stdout } = await command(['export', '--for-spreadsheets'], env)
      assert.match(stdout, /^\ufeffid,name,categoryId,status\r\n/)
      for (const line of [/^7,'=1\+1,/m, /^10,'\+x,/m, /^11,'@y,/m, /^12,'＝1,/m, /^9,-5,-9223372036854775808,/m])
        assert.match(stdout, line)
    })

    test('shows one moment, while others go on writing [D250]', async () => {
      using folder = new Folder()
      const opened = await database.open()
      const own = { DATABASE_URL: opened.url }
      await command(['import', fileIn(folder, 'a.csv', csvOf(30_000))], own)
      const seen: number[] = []
      await onStore(opened.url, (reader) =>
        onStore(opened.url, (writer) =>
          reader.bulk.read('pets', ['id', 'status'], {}, async (rows) => {
            seen.push(...rows.map(([id]) => Number(id)))
            assert.ok(rows.every(([, status]) => status === 'available'))
            await writer.pets.insert(rex, undefined)
            await writer.pets.update(29_000n, { status: 'sold' }, undefined)
            await writer.pets.remove(BigInt(30_000 - seen.length / 1_000), undefined)
          }),
        ),
      )
      assert.deepEqual(
        seen,
        Array.from({ length: 30_000 }, (_, i) => i + 1),
      )
      await opened.remove()
    })
  })

test('petstore export --for-spreadsheets leaves no formula, whatever a spreadsheet takes for the end of a cell [D251]', async () => {
  using folder = new Folder()
  const harmless = ['Rex', 'Jean-Luc', 'a - b', 'a=b', '-5', 'x; y', "it's", '5;6', 'a+b@c']
  const formulas = [
    '=1',
    'a;=1+1',
    'a,=1+1',
    'a|=1+1',
    ';=1;',
    'a; =1',
    'a;"=1+1"',
    '"=1"',
    ' @x',
    '-5+1',
    'a;-5+1',
    ';;+x',
    'a;＝1',
    '==',
  ]
  const rows = [...harmless, ...formulas].map((name) => `{"name":${JSON.stringify(name)},"categoryId":-1}\n`)
  await command(['import', fileIn(folder, 'in.ndjson', rows.join(''))], folder.env)
  const { stdout } = await command(['export', '--for-spreadsheets'], folder.env)
  for (const name of harmless) assert.ok(stdout.includes(`,${name},-1,`), name)
  // Cut in every way: quotes count only where they surround a whole cell.
  for (const delimiter of [',', ';', '|', '\t'])
    for (const line of stdout.trimEnd().split('\r\n').slice(1))
      for (const cell of line.split(delimiter))
        assert.doesNotMatch(cell.replace(/^[\s"]+/, ''), /^(?:[=@＝＋－＠]|[+-](?!\d+$))/, `${delimiter} ${line}`)
})

describe('petstore export to a file', () => {
  test('replaces it once all is written, and chooses CSV by its name', async () => {
    using folder = new Folder()
    await command(['import', fileIn(folder, 'in.csv', csvOf(2))], folder.env)
    const file = fileIn(folder, 'out.csv', 'id,old')
    const { code, stdout, stderr } = await command(['export', file], folder.env)
    assert.deepEqual([code, stdout, stderr], [0, '', `Exported 2 animals to ${file}.\n`])
    assert.equal(
      readFileSync(file, 'utf8'),
      'id,name,categoryId,status\r\n1,Rex 0,0,available\r\n2,Rex 1,1,available\r\n',
    )
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => name.includes('part')),
      [],
    )
  })

  test('leaves the old one where it fails', async () => {
    using folder = new Folder()
    await command(['import', fileIn(folder, 'in.csv', csvOf(2))], folder.env)
    const file = fileIn(folder, 'out.csv', 'id,old')
    mkdirSync(`${file}.part`)
    const { code, stderr } = await command(['export', file], folder.env)
    assert.equal(code, 1)
    assert.match(stderr, /^petstore: Cannot write .*out\.csv: .*EISDIR.*\n$/)
    assert.equal(readFileSync(file, 'utf8'), 'id,old')
  })

  test('says in plain words that it is a folder, or that its folder is not there', async () => {
    using folder = new Folder()
    await command(['migrate'], folder.env)
    const missing = join(folder.path, 'none', 'out.csv')
    for (const [file, fault] of [
      [folder.path, `${folder.path} is a folder. Name a file in it.`],
      [missing, `Cannot write ${missing}: no such file or directory.`],
    ] as const)
      assert.deepEqual(await command(['export', file, '--format', 'csv'], folder.env), {
        code: 1,
        stdout: '',
        stderr: `petstore: ${fault}\n`,
      })
  })

  test('leaves it to the last of two that write it at once, and replaces what a killed one left', () => {
    using folder = new Folder()
    const file = fileIn(folder, 'out.csv', 'id,old')
    fileIn(folder, 'out.csv.part', 'id,left')
    const open = () => openOutputFile(file, folder.url, process.stdout, { name: 'an export', start: /^id/ })
    const [first, last] = [open(), open()]
    first.write('first')
    last.write('last')
    assert.throws(() => first.end(), /Cannot write .*out\.csv: another process writes it\.$/)
    first.abort()
    last.end()
    last.abort()
    assert.equal(readFileSync(file, 'utf8'), 'last')
    assert.deepEqual(readdirSync(folder.path), ['out.csv'])
  })

  testOnSmallDisk('leaves the old one, and nothing else, where the disk is full', 256, async (disk) => {
    using folder = new Folder()
    await command(['import', fileIn(folder, 'in.csv', csvOf(20_000))], folder.env)
    const file = fileIn(disk, 'out.csv', 'id,old')
    const { code, stderr } = await command(['export', file], folder.env)
    assert.equal(code, 1)
    assert.match(stderr, /^petstore: Cannot write .*out\.csv: no space left on device\.\n$/)
    assert.equal(readFileSync(file, 'utf8'), 'id,old')
    assert.deepEqual(readdirSync(disk.path), ['out.csv'])
  })

  test('writes to a pipe or a device as it is', async () => {
    using folder = new Folder()
    await command(['import', fileIn(folder, 'in.csv', csvOf(2))], folder.env)
    const { code, stderr } = await command(['export', '/dev/full'], folder.env)
    assert.equal(code, 1)
    assert.match(stderr, /^petstore: Cannot write \/dev\/full: no space left on device\.\n$/)
    assert.equal((await command(['export', '/dev/null'], folder.env)).code, 0)
  })

  test('writes to /dev/stdout, however it is named, between what others write to the same file', async () => {
    using folder = new Folder()
    await command(['import', fileIn(folder, 'in.csv', csvOf(1))], folder.env)
    for (const name of ['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']) {
      const line = `(echo before; "$0" "$1" export ${name} --format csv; echo after) > out`
      await new Program(['bash', '-c', line, node, main], { env: folder.env, cwd: folder.path }).ended
      assert.equal(
        readFileSync(join(folder.path, 'out'), 'utf8'),
        'before\nid,name,categoryId,status\r\n1,Rex 0,0,available\r\nafter\n',
      )
    }
  })

  testInFull('says nothing of a reader that has read enough, and waits for a slow one', async () => {
    using folder = new Folder()
    await command(['import', fileIn(folder, 'in.csv', csvOf(50_000))], folder.env)
    const reading = (reader: string) =>
      new Program(['bash', '-c', `set -o pipefail; "$0" "$1" export | (${reader})`, node, main], { env: folder.env })
        .ended
    const enough = await reading('head -n 1')
    assert.deepEqual(
      [enough.code, enough.stdout, enough.stderr],
      [1, '{"id":1,"name":"Rex 0","categoryId":0,"status":"available"}\n', ''],
    )
    const all = await reading('sleep 1; cat')
    assert.equal(all.stdout.split('\n').length, 50_001)
  })

  test('creates no database', async () => {
    using folder = new Folder()
    const { code } = await command(['export'], folder.env)
    assert.equal(code, 1)
    assert.equal(existsSync(folder.database), false)
  })

  for (const [args, message] of [
    [['--format', 'xml'], '--format must be ndjson or csv.'],
    [
      ['animals.xlsx'],
      'Name a file that ends in .csv, which spreadsheets open, or in .ndjson; or give --format. There is no format for .xlsx.',
    ],
    [['--status', 'placed'], '--status must be one of available, pending, sold.'],
    [['--orders', '--status', 'sold'], '--status must be one of placed, completed, cancelled, returned.'],
    [['--category', '1.0'], '--category must be an int64.'],
    [['--categories', '--orders'], 'Give --orders or --categories, not both.'],
    [['--categories', '--status', 'sold'], '--status is not for categories.'],
    [['--categories', '--category', '1'], '--category is for animals, not for categories.'],
    [['--orders', '--category', '1'], '--category is for animals, not for orders.'],
    [['--format', 'ndjson', '--for-spreadsheets'], '--for-spreadsheets needs --format csv.'],
    [['a', 'b'], 'Unexpected argument "b".'],
    [[''], 'An argument is empty.'],
  ] as const)
    test(`"export ${args.join(' ')}" ends with exit code 2 [D250]`, async () => {
      const { code, stderr } = await command(['export', ...args])
      assert.equal(code, 2)
      assert.equal(stderr, `petstore: ${message}\nSee: petstore export --help\n`)
    })
})
