/**
 * `petstore import`: which rows are animals, which rows are rejected, and what the operator sees, even for files of
 * spreadsheets.
 */
import assert from 'node:assert/strict'
import { appendFileSync, existsSync, truncateSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { after, describe, test } from 'node:test'
import { animalsOf, csvOf, fileIn, onStore, withDatabase } from '../../harness/catalogue.ts'
import { databases } from '../../harness/databases.ts'
import { releasePostgres } from '../../harness/postgres.ts'
import { command, done, Folder, fails, node, Program } from '../../harness/process.ts'
import { times } from '../../harness/scope.ts'
import { main } from '../../harness/service.ts'
import { testOnSmallDisk } from '../../harness/small-disk.ts'
import { openSource } from '../../src/catalogue/source.ts'
import { rex } from '../store/subject.ts'

after(releasePostgres)

const int64Max = '9223372036854775807'
const int64Min = '-9223372036854775808'

const categoriesOf = async (env: Record<string, string>) =>
  (await command(['export', '--categories', '--format', 'csv'], env)).stdout.trimEnd().split('\r\n').slice(1)

/** Imports a file with this content into a new database. */
async function imported(name: string, content: string | Uint8Array, ...flags: readonly string[]) {
  using into = new Folder()
  const { code, stdout, stderr } = await command(['import', fileIn(into, name, content), ...flags], into.env)
  assert.equal(stdout, '')
  return {
    code,
    stderr: stderr.replaceAll(`${into.path}/`, ''),
    animals: existsSync(into.database) ? await animalsOf(into.url) : [],
  }
}

describe('the animals of a file', () => {
  const rows = [
    { name: 'Rex', categoryId: int64Max, status: 'sold' },
    { name: '"Söckchen", 𝔊; x', categoryId: int64Min, status: 'pending' },
    { name: ' =1+1 ', categoryId: '9007199254740993' },
  ]
  const objects = rows.map(
    ({ name, categoryId, status }) =>
      `{"name":${JSON.stringify(name)},"categoryId":${categoryId}${status ? `,"status":"${status}"` : ''}}`,
  )
  const cells = rows.map(
    ({ name, categoryId, status = '' }) => `"${name.replaceAll('"', '""')}",${categoryId},${status}`,
  )
  const delimited = (by: string, end: string) => cells.map((row) => row.replaceAll(/,(?=[-\d]|[a-z]*$)/g, by)).join(end)

  for (const [name, content] of Object.entries({
    'a.ndjson': `${objects.join('\n')}\n`,
    'a.jsonl': `\n${objects.join('\r\n\r\n')}`,
    'a.txt': objects.join('\n'),
    'a.csv': `name,categoryId,status\n${cells.join('\n')}`,
    'with-bom.json': `\ufeff${objects.join('\n')}`,
    'with-bom.csv': `\ufeff"name",categoryId,status\r\n${cells.join('\r\n')}\r\n`,
    'tabs.csv': `name\tcategoryId\tstatus\n${delimited('\t', '\n')}`,
    'semicolons.csv': `Name;Category ID;STATUS\r\n${delimited(';', '\r\n')}`,
  }))
    test(`All animals of a file are imported from ${name}, with exact int64 values and names [decision 28]`, async () => {
      const { code, animals, stderr } = await imported(name, content)
      assert.equal(code, 0, stderr)
      assert.match(stderr, /^Added 3 animals; 0 rows were rejected\.\n$/)
      const expected = rows.map(
        ({ name, categoryId, status = 'available' }, i) => `${i + 1} ${categoryId} ${status} ${name}`,
      )
      assert.deepEqual(animals, expected)
    })

  test('An import finds columns in any order, skips empty rows, and names the columns that it ignores [decision 28]', async () => {
    const head = '\ufeffprice;category_id;"colour, of fur"; NAME ;Status;;'
    const rows = [
      '1,50;7;"red\r\nbrown";"Rex; the ""great""";SOLD;;',
      ';;;;;;',
      '2;8;;Lady; pending ',
      '',
      '3;9;;Max;;;;',
    ]
    const { code, animals, stderr } = await imported('a.csv', `${head}\r\n${rows.join('\r\n')}\r\n\r\n`)
    assert.equal(code, 0, stderr)
    assert.deepEqual(animals, ['1 7 sold Rex; the "great"', '2 8 pending Lady', '3 9 available Max'])
    assert.match(stderr, /^Columns that are not imported: price, colour, of fur\.\nAdded 3 animals/)
    assert.match((await imported('a.csv', 'name,categoryId')).stderr, /^Added 0 animals/)
  })

  test('An import finds the same animals wherever the blocks of the file are cut', async () => {
    const names = Array.from({ length: 1_500 }, (_, i) => `${'é𝔊'.repeat(i % 50)}${i}`)
    const { animals } = await imported('a.csv', `name,categoryId\n${names.join(',1\n')},1\n`)
    const expected = names.map((name, i) => `${i + 1} 1 available ${name}`)
    assert.deepEqual(animals, expected)
  })

  test('An import reads from standard input and from a pipe [decision 28]', async () => {
    using folder = new Folder()
    const input = Readable.from([Buffer.from('name,cate'), Buffer.from('goryId\nRex,1\n')])
    assert.equal((await command(['import', '-'], folder.env, input)).code, 0)
    const line = `"$0" "$1" import <(printf 'name,categoryId\nLady,2\n')`
    await new Program(['bash', '-c', line, node, main], { env: folder.env }).succeeded
    assert.deepEqual(await animalsOf(folder.url), ['1 1 available Rex', '2 2 available Lady'])
  })

  test('An import with --dry-run checks the animals without a database and adds none', async () => {
    const { code, stderr, animals } = await imported('a.csv', 'name,categoryId\nRex,1\nLady,x\n', '--dry-run')
    assert.deepEqual([code, animals], [1, []])
    assert.match(
      stderr,
      /^line 3: .*\n1 row is valid; 1 row was rejected\.\nMend them in the file before you import it\.\n$/,
    )
    assert.equal((await imported('a.csv', 'name,categoryId\nRex,1\n', '--dry-run')).code, 0)
  })

  test('Imported animals get new ids, and the import says that the ids of the file are ignored [decision 28]', async () => {
    const { animals, stderr } = await imported('a.csv', 'id,name,categoryId\n3,Rex,1\n7,Lady,1\n')
    assert.match(stderr, /^Columns that are not imported: id\.\nAdded 2 animals/)
    assert.deepEqual(animals, ['1 1 available Rex', '2 1 available Lady'])
    const lines = '{"id":7,"name":"Max","categoryId":1}\n'
    assert.deepEqual((await imported('a.ndjson', lines)).animals, ['1 1 available Max'])
  })
})

describe('rows that are rejected', () => {
  test('Rejected rows of CSV are reported with line and reason, and all other rows are added [decision 28]', async () => {
    const content = 'name;categoryId;status\nRex;1;\n;2;\n"a\nb";1e3;gone\nLady;3;sold;4\n"Bello;5\nTramp;6;available\n'
    const { code, stderr, animals } = await imported('a.csv', content)
    const name = 'name: must be a string of 1 to 1024 characters, not only white space, without control characters'
    const told = [
      'line 3: name: is required',
      `line 4: ${name}; categoryId: must be an int64 integer; status: must be one of available, pending, sold`,
      'line 6: has 4 cells, the header has 3',
      'line 7: a quote is not closed, or stands inside a cell that does not begin with one',
    ]
    const [summary, advice, ...rest] = stderr.replace(`${told.join('\n')}\n`, '').split('\n')
    assert.match(summary ?? '', /^Added 2 animals; 4 rows were rejected\.$/)
    assert.match(advice ?? '', /^Copy the rejected rows and the header into a separate file, /)
    assert.deepEqual([code, rest], [1, ['']])
    assert.deepEqual(animals, ['1 1 available Rex', '2 6 available Tramp'])
  })

  test('Rejected rows of NDJSON are reported with the messages of POST /pets [decision 28]', async () => {
    const rows = ['{"name":"Rex"}', '', '{"name":"Lady","categoryId":"5"}', 'null', '{"name":']
    const file = [...rows, '{"name":"Max","categoryId":1,"name":"Max","colour":2}', ''].join('\n')
    const { code, stderr } = await imported('a.ndjson', file)
    assert.equal(code, 1)
    assert.deepEqual(
      stderr
        .replace(/unexpected.*/, '…')
        .split('\n')
        .slice(0, 5),
      [
        'line 1: categoryId: is required',
        'line 3: categoryId: must be an int64 integer',
        'line 4: The body must be a JSON object.',
        'line 5: not valid JSON: …',
        'line 6: name: must be given only once; colour: is not a known field',
      ],
    )
  })

  test('An import rejects rows with an integer beyond int64, a bad character in a name, or an endless line', async () => {
    const cells = [int64Max, int64Min, '9007199254740993', ' 7 ', '0']
    const beyond = ['9223372036854775808', '-9223372036854775809']
    const wrong = [...beyond, '"1,5"', '1.0', '1e3', '+5', '007', '-0', '0x10', '٣', '']
    const rows = [...cells, ...wrong].map((cell) => `Rex,${cell}\n`)
    const numbers = await imported('a.csv', `name,categoryId\n${rows.join('')}`)
    assert.match(numbers.stderr, new RegExp(`; ${wrong.length} rows were rejected`))
    const found = numbers.animals.map((animal) => animal.split(' ')[1])
    assert.deepEqual(found, [int64Max, int64Min, '9007199254740993', '7', '0'])
    const names = ['a\\u0000b', 'a\0b', '\\ud83d', '\\udc80', 'tab\\t', 'Rex']
    const lines = names.map((name) => `{"name":"${name}","categoryId":1}\n`)
    const texts = await imported('a.ndjson', `${lines.join('')}\0\n`)
    assert.match(texts.stderr, /; 6 rows were rejected/)
    assert.deepEqual(texts.animals, ['1 1 available Rex'])
    using folder = new Folder()
    const endless = Readable.from(
      (function* () {
        yield Buffer.from('{"name":"Rex","categoryId":1}\n"')
        for (let i = 0; i < times(1_000, 3); i++) yield Buffer.alloc(1_000_000, 'x')
        yield Buffer.from('"\n{"name":"Lady","categoryId":1}\n')
      })(),
    )
    const { code, stderr } = await command(['import', '-'], folder.env, endless)
    assert.equal(code, 1)
    assert.match(stderr, /line 2: longer than 65536 characters\nAdded 2 animals/)
  })

  test('An import lists the first hundred rejected rows and counts the others [decision 28]', async () => {
    const { code, stderr } = await imported('a.csv', `name,categoryId\n${'Rex,x\n'.repeat(120)}`)
    const reason = 'categoryId: must be an int64 integer (for names, call the column category)'
    const listed = Array.from({ length: 100 }, (_, i) => `line ${i + 2}: ${reason}\n`).join('')
    assert.equal(code, 1)
    assert.ok(stderr.startsWith(`${listed}Added 0 animals`), stderr)
    assert.match(stderr, /; 120 rows were rejected\.\n/)
  })
})

describe('a file', () => {
  const needs = 'needs a first line that names its columns: name and category (or categoryId), and optionally status.'
  const noText =
    'is not text in UTF-8. Save a workbook as "CSV UTF-8"; unpack what is compressed; ' +
    'if Excel has saved it as CSV: iconv -f windows-1252 -t utf-8 FILE | petstore import -'
  const latin = (text: string) => Buffer.from(text, 'latin1')
  const utf16 = Buffer.from('\ufeffname\tcategoryId\r\nRex\t1\r\n', 'utf16le')
  const longText = `name,categoryId\n${'é'.repeat(100)},1\n${'\u{1f408}\n'.repeat(40_000)}`
  const refused: Record<string, readonly [content: string | Uint8Array, message: string]> = {
    'without a header': ['\n\n', `${needs} It has: none.`],
    'whose header is a row': ['Rex,1\n', `${needs} It has: Rex, 1.`],
    'with other columns': ['Pet;Kind;Price\nRex;Dog;1,50\n', `${needs} It has: Pet, Kind, Price.`],
    'with a long header': [`${'x'.repeat(60_000)}\n`, `${needs} It has: ${'x'.repeat(200)}….`],
    'whose header would control the terminal': ['name,\x1b[31mid\n', `${needs} It has: name, [31mid.`],
    'in UTF-16': [utf16, noText],
    'in windows-1252': [latin('name,categoryId\nRex,1\nS\xf6ckchen,2\n'), noText],
    'that is not UTF-8 far behind its start, where a block ends within a character': [
      Buffer.concat([Buffer.from(longText), Buffer.of(0xe9)]),
      noText,
    ],
    'that ends within a character': [latin('name,categoryId\nRex,1\nS\xc3'), noText],
    'that is a workbook': ['PK\x03\x04\x14\0', noText],
    'that is an old workbook': [latin('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), noText],
    'that is a database': ['SQLite format 3\0', noText],
    'that is compressed': [latin('\x1f\x8b\b'), noText],
    'whose first byte alone is zero': ['\0name,categoryId\nRex,1\n', noText],
    'of zeros': ['\0'.repeat(1_000_000), noText],
    'that is a JSON array': [
      ' [\n{"name":"Rex","categoryId":1}\n]',
      "is a JSON array. Write one object per line, with: jq -c '.[]' FILE | petstore import -",
    ],
    'that is empty': ['', 'is empty.'],
    'that is empty but for a byte order mark': ['\ufeff', 'is empty.'],
  }
  for (const [what, [content, message]] of Object.entries(refused))
    test(`A file ${what} is refused with the reason, in one line [decision 28]`, async () => {
      const { code, stderr, animals } = await imported('a.csv', content)
      assert.deepEqual([code, stderr, animals], [1, `petstore: a.csv ${message}\n`, []])
    })

  test('An import refuses a repeated column, a missing file, a device and a folder [decision 28]', async () => {
    const twice = await imported('a.csv', 'name,categoryId,Name\n')
    assert.equal(twice.stderr, 'petstore: a.csv: the column name is given more than once.\n')
    using folder = new Folder()
    for (const [path, message] of [
      ['none.csv', 'Cannot read none.csv: no such file or directory.'],
      ['/dev/zero', '/dev/zero is a device. Name a file, a pipe, or - for standard input.'],
      [folder.path, `${folder.path} is a folder. Name a file in it.`],
    ] as const)
      await fails(['import', path], folder.env, message)
  })

  test('An import does not read a pipe for ever [decision 28]', async () => {
    let read = 0
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(++read && 1_000, 'Rex,1\n')
      })(),
    )
    await assert.rejects(
      openSource('-', endless, 2 ** 20),
      /^CommandFailed: Standard input has more than 1 MiB, which is too much for a pipe\. Write it .+\.$/,
    )
    assert.ok(read < 2_000, `${read} blocks were read`)
  })

  testOnSmallDisk('An import from a pipe fails if the disk for its copy is full', 256, async (disk) => {
    using folder = new Folder()
    const source = fileIn(folder, 'a.csv', `name,categoryId\n${'Rex,1\n'.repeat(60_000)}`)
    const { code, stderr } = await new Program(['bash', '-c', 'cat "$2" | "$0" "$1" import -', node, main, source], {
      env: { ...folder.env, TMPDIR: disk.path },
    }).ended
    assert.equal(code, 1)
    const said =
      /^petstore: Cannot keep Standard input in .*: no space left on device\. Write it to a file, and import that\.\n$/
    assert.match(stderr, said)
  })

  test('A file that grows during its import is read up to its first length, and one that changes is not imported [decision 28]', async () => {
    // The file is longer than one read.
    const content = csvOf(20_000)
    const textOf = async (change: (path: string) => void): Promise<string> => {
      using folder = new Folder()
      const path = fileIn(folder, 'a.csv', content)
      await using source = await openSource(path, Readable.from([]))
      change(path)
      let all = ''
      for await (const { text } of source.blocks()) all += text
      return all
    }
    assert.equal(await textOf((path) => appendFileSync(path, 'Lady,1\n')), content)
    for (const change of [
      (path: string) => truncateSync(path, 100_000),
      (path: string) => truncateSync(path, 0),
      (path: string) => writeFileSync(path, content.replace('Rex 7', 'Max 7')),
    ])
      await assert.rejects(textOf(change), /was changed while it was read\. Some of its animals may have been added\.$/)
  })
})

for (const database of databases)
  describe(`categories that a file names, on ${database.name}`, () => {
    test(`Categories in a file are matched by their words on ${database.name}, and new categories get the next numbers [decision 28]`, () =>
      withDatabase(database, async (env, folder) => {
        await onStore(env.DATABASE_URL, async ({ categories, pets }) => {
          await categories.put(-7n, 'Guinea pigs', undefined)
          // The second category is too large to count.
          for (const categoryId of [40n, 2n ** 60n]) await pets.insert({ ...rex, categoryId }, undefined)
        })
        const rows = [
          'Rex,GUINEA   PIGS',
          'Lady,Dogs',
          'Max,41',
          'Bello,ｄｏｇｓ',
          'Tramp,Big  cats',
          'Tiger,"bíg cats! "',
          'Leo,-7',
        ]
        const file = fileIn(folder, 'a.csv', `name,category\n${rows.join('\n')}\n`)
        const said = /^Added 2 categories: Dogs \(42\), Big {2}cats \(43\)\.\nAdded 7 animals/
        assert.match(await done(['import', file], env), said)
        const found = (await animalsOf(env.DATABASE_URL)).slice(2).map((animal) => animal.split(' ')[1])
        assert.deepEqual(found, ['-7', '42', '41', '42', '43', '43', '-7'])
        assert.match((await command(['import', file, '--again'], env)).stderr, /^Added 7 animals/)
        assert.deepEqual(await categoriesOf(env), ['-7,Guinea pigs', '42,Dogs', '43,Big  cats'])
      }))

    test(`Two processes that name the same categories concurrently on ${database.name} create each of them once [decision 28]`, () =>
      withDatabase(database, async (env, folder) => {
        await command(['migrate'], env)
        const names = Array.from({ length: 30 }, (_, i) => `Kind ${i}`)
        const fileOf = (name: string, list: readonly string[]) =>
          fileIn(folder, name, `name,category\n${list.map((kind) => `Rex,${kind}\n`).join('')}`)
        const files = [fileOf('a.csv', names), fileOf('b.csv', names.toReversed())]
        await Promise.all(files.map((file) => done(['import', file], env)))
        const found = await categoriesOf(env)
        assert.deepEqual(found.map((each) => each.replace(/^\d+,/, '')).sort(), names.toSorted())
        assert.equal((await animalsOf(env.DATABASE_URL)).length, 60)
      }))
  })

describe('a category that a file names', () => {
  test('A category in a file that is an integer is a number, and one that is nearly a number or an invalid name is rejected [decision 28]', async () => {
    using folder = new Folder()
    await onStore(folder.url, ({ categories }) => categories.put(1n, '7', undefined))
    const wrong = ['1.0', '1e3', '+5', '007', '"1,5"', '9223372036854775808', '"a\nb"', '']
    const file = fileIn(folder, 'a.csv', `name,category\nRex,7\n${wrong.map((cell) => `Lady,${cell}\n`).join('')}`)
    const { code, stderr } = await command(['import', file], folder.env)
    assert.equal(code, 1)
    const reasons = stderr.split('\n').filter((line) => line.startsWith('line'))
    assert.equal(reasons.length, wrong.length)
    assert.equal(reasons[0], 'line 3: category: must be a name, or an int64 integer')
    assert.equal(reasons.at(-1), 'line 11: category: is required')
    assert.deepEqual(await animalsOf(folder.url), ['1 7 available Rex'])
    assert.deepEqual(await categoriesOf(folder.env), ['1,7'])
  })

  test('A category in a file matches the same spelling first, then the lowest number; beside an id or in NDJSON it is no name [decision 28]', async () => {
    using folder = new Folder()
    await onStore(folder.url, async ({ categories }) => {
      for (const [i, name] of ['Dogs', 'dogs', 'Cats', 'Cats'].entries())
        await categories.put(BigInt(i + 1), name, undefined)
    })
    const before = await categoriesOf(folder.env)
    for (const [name, content, said] of [
      ['a.csv', 'name,category\nRex,dogs\nLady,DOGS\nTiger,Cats\n', '^Added 3 animals'],
      ['b.csv', 'name,category,status\nRex,Birds,gone\n', '^line 2: status: must be one of .*\nAdded 0 animals'],
      [
        'c.csv',
        'name,category,categoryId\nMax,Birds,7\nLady,Birds,\n',
        '^line 3: categoryId: is required\nColumns that are not imported: category\\.\n',
      ],
      ['d.ndjson', '{"name":"Max","category":"Birds"}\n', 'categoryId: is required; category: is not a known'],
    ] as const)
      assert.match((await command(['import', fileIn(folder, name, content)], folder.env)).stderr, new RegExp(said))
    assert.deepEqual(await animalsOf(folder.url), [
      '1 2 available Rex',
      '2 1 available Lady',
      '3 3 available Tiger',
      '4 7 available Max',
    ])
    assert.deepEqual(await categoriesOf(folder.env), before)
  })

  test('--dry-run reports the categories in a file, and an import refuses a file that names too many new ones [decision 28]', async () => {
    using folder = new Folder()
    const rows = Array.from({ length: 1_001 }, (_, i) => `Rex,Kind ${i}\n`)
    const file = fileIn(folder, 'a.csv', `name,category\n${rows.join('')}`)
    const dry = await command(['import', file, '--dry-run'], folder.env)
    assert.match(dry.stderr, /^The file names 1,001 categories: Kind 0, .*, Kind 9, …\.\n1,001 rows are valid/)
    const said =
      /^petstore: The file names more than 1000 categories that the store does not have, such as Kind 1000\. /
    await fails(['import', file], folder.env, said)
    assert.deepEqual(await animalsOf(folder.url), [])
    assert.deepEqual(await categoriesOf(folder.env), [])
  })

  test('import --categories names categories: the last name counts, and rows with other fields are rejected [decision 28]', async () => {
    using folder = new Folder()
    const run = async (name: string, content: string, ...flags: string[]) =>
      (await command(['import', '--categories', fileIn(folder, name, content), ...flags], folder.env)).stderr
    const rows = [
      '{"id":7,"name":"Dogs"}',
      `{"id":${int64Min},"name":"Cats"}`,
      '{"id":7,"name":"Birds"}',
      '{"name":"Fish"}',
    ]
    const told = /^line 4: id: is required\nAdded 3 categories; 1 row was rejected\./
    assert.match(await run('a.ndjson', rows.join('\n')), told)
    for (const [name, content, said, ...flags] of [
      [
        'animals.csv',
        'id,name,categoryId,status\n1,Rex,7,sold\n',
        /^line 2: categoryId: is not a known field; status: is not a known field\nAdded 0 /,
      ],
      ['b.csv', 'name;id\nFish;8\n', /^1 row is valid; 0 rows were rejected/, '--dry-run'],
      ['c.csv', 'name,categoryId\nFish,8\n', /c\.csv needs a first line that names its columns: id and name\./],
    ] as const)
      assert.match(await run(name, content, ...flags), said)
    assert.deepEqual(await categoriesOf(folder.env), [`${int64Min},Cats`, '7,Birds'])
    assert.deepEqual(await animalsOf(folder.url), [])
  })
})
