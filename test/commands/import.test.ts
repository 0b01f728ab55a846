/** `petstore import`: which rows are animals, which are rejected, and what an operator is told. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { animalsOf, fileIn } from '../support/catalogue.ts'
import { bun, command, Folder, Program } from '../support/process.ts'
import { main } from '../support/service.ts'
import { testOnSmallDisk } from '../support/small-disk.ts'

/** Imports a file of this content into a new database. */
async function imported(name: string, content: string | Uint8Array, ...flags: string[]) {
  using folder = new Folder()
  const file = fileIn(folder, name, content)
  const rejects = join(folder.path, 'rejected')
  const { code, stdout, stderr } = await command(['import', file, '--rejects', rejects, ...flags], folder.env)
  assert.equal(stdout, '')
  return {
    code,
    stderr: stderr.replaceAll(folder.path, ''),
    animals: await animalsOf(folder.url),
    rejects: readFileSync(rejects),
  }
}

const int64Max = '9223372036854775807'
const int64Min = '-9223372036854775808'

describe('petstore import', () => {
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
  const wanted = rows.map(({ name, categoryId, status = 'available' }, i) => `${i + 1} ${categoryId} ${status} ${name}`)

  for (const [name, content, ...flags] of [
    ['a.ndjson', `${objects.join('\n')}\n`],
    ['a.jsonl', `\n${objects.join('\r\n\r\n')}`],
    ['a.txt', objects.join('\n')],
    ['a.csv', `name,categoryId,status\n${cells.join('\n')}`],
    ['with-bom.json', `\ufeff${objects.join('\n')}`],
    ['with-bom.csv', `\ufeff"name",categoryId,status\r\n${cells.join('\r\n')}\r\n`],
    [
      'tabs.csv',
      `name\tcategoryId\tstatus\n${cells.map((row) => row.replaceAll(/,(?=[-\d]|[a-z]*$)/g, '\t')).join('\n')}`,
    ],
    [
      'semicolons.csv',
      `Name;Category ID;STATUS\r\n${cells.map((row) => row.replaceAll(/,(?=[-\d]|[a-z]*$)/g, ';')).join('\r\n')}`,
    ],
  ] as [string, string, ...string[]][])
    test(`adds every animal of ${name}, int64 and names exact [D233 D236]`, async () => {
      const { code, animals, stderr, rejects } = await imported(name, content, ...flags)
      assert.equal(code, 0, stderr)
      assert.deepEqual(animals, wanted)
      assert.match(stderr, /^Added 3 animals in \d+\.\d s \([\d,]+ per second\); 0 rows were rejected\.\n$/)
      assert.equal(rejects.length, 0)
    })

  test('finds the columns of CSV in any order, and names those that it leaves out [D233]', async () => {
    const { code, animals, stderr } = await imported(
      'a.csv',
      'price;category_id;"colour, of fur";name;status\n1,50;7;"red\nbrown";Rex;\n;;;;\n2;8;;Lady;sold;;\n',
    )
    assert.equal(code, 0, stderr)
    assert.deepEqual(animals, ['1 7 available Rex', '2 8 sold Lady'])
    assert.match(stderr, /^Columns that are not imported: price, colour, of fur\.\nAdded 2 animals/)
  })

  test('rejects bad rows of CSV with their line and reason, in a file that can be mended and imported [D233 D243]', async () => {
    using folder = new Folder()
    const file = fileIn(
      folder,
      'a.csv',
      'name;categoryId;status\nRex;1;\n;2;\n"a\nb";1e3;gone\nLady;3;sold;4\n"Bello;5\nTramp;6;available\n',
    )
    const rejects = join(folder.path, 'rejected.csv')
    const { code, stderr } = await command(['import', file, '--rejects', rejects], folder.env)
    assert.equal(code, 1)
    assert.match(
      stderr,
      /^Added 2 animals in .*; 4 rows were rejected\.\nMend the rejected rows in .*rejected\.csv, and import that file\.\n$/,
    )
    const name = 'name: must be a string of 1 to 1024 characters, not only white space, without control characters'
    const text = readFileSync(rejects, 'utf8')
    assert.equal(
      text,
      [
        'line;reason;name;categoryId;status',
        '3;name: is required;;2;',
        `4;"${name}; categoryId: must be an int64 integer; status: must be one of available, pending, sold";"a\nb";1e3;gone`,
        '6;has 4 cells, the header has 3;Lady;3;sold;4',
        '7;a quote is not closed, or stands inside a cell that does not begin with one;"""Bello;5"',
        '',
      ].join('\n'),
    )
    const mended = text
      .replace(';;2;', ';Max;2;')
      .replace('"a\nb";1e3;gone', 'Moritz;1000;')
      .replace('sold;4', 'sold')
      .replace('"""Bello;5"', 'Bello;5')
    const again = await command(['import', fileIn(folder, 'mended.csv', mended)], folder.env)
    assert.equal(again.code, 0, again.stderr)
    assert.deepEqual(await animalsOf(folder.url), [
      '1 1 available Rex',
      '2 6 available Tramp',
      '3 2 available Max',
      '4 1000 available Moritz',
      '5 3 sold Lady',
      '6 5 available Bello',
    ])
  })

  const badRows =
    '{"name":"Rex"}\n\n{"name":"Lady","categoryId":"5"}\nnull\n{"name":\n{"name":"Max","categoryId":1,"name":"Max","colour":2}\n'
  test('rejects bad rows of NDJSON with the words of POST, in a file that can be mended and imported [D233]', async () => {
    const { code, rejects } = await imported('a.ndjson', badRows)
    assert.equal(code, 1)
    const lines = rejects.toString().trimEnd().split('\n')
    assert.deepEqual(
      lines.slice(0, 3).map((line) => JSON.parse(line)),
      [
        { line: 1, reason: 'categoryId: is required', row: { name: 'Rex' } },
        { line: 3, reason: 'categoryId: must be an int64 integer', row: { name: 'Lady', categoryId: '5' } },
        { line: 4, reason: 'The body must be a JSON object.', row: null },
      ],
    )
    assert.match(
      lines[3] as string,
      /^\{"line":5,"reason":"not valid JSON: unexpected (end|character at position \d+)","row":"\{\\"name\\":/,
    )
    assert.match(
      lines[4] as string,
      /^\{"line":6,"reason":"name: given more than once; colour: is not a known field","row":\{.*\}\}$/,
    )
    const mended = await imported(
      'mended.ndjson',
      lines.map((line) => line.replace(/"row":.*/, '"row":{"name":"Tramp","categoryId":1}}')).join('\n'),
    )
    assert.equal(mended.code, 0, mended.stderr)
    assert.equal(mended.animals.length, lines.length)
  })

  test('shows the first reasons where there is no file for them', async () => {
    using folder = new Folder()
    const file = fileIn(folder, 'a.csv', `name,categoryId\n${'Rex,x\n'.repeat(20)}`)
    const { code, stderr } = await command(['import', file], folder.env)
    assert.equal(code, 1)
    const lines = stderr.split('\n')
    assert.equal(lines[0], 'line 2: categoryId: must be an int64 integer (for names, call the column category)')
    assert.equal(lines[9], 'line 11: categoryId: must be an int64 integer (for names, call the column category)')
    assert.match(lines[10] as string, /^Added 0 animals in .*; 20 rows were rejected\.$/)
    assert.equal(
      lines[11],
      'Run it with --dry-run --rejects FILE to get them in a file; mend them there, and import FILE.',
    )
  })

  test('reads the same names wherever its blocks are cut', async () => {
    const names = Array.from({ length: 40_000 }, (_, i) => `${'é𝔊'.repeat(i % 5)}${i}`)
    const { animals } = await imported('a.ndjson', names.map((name) => `{"name":"${name}","categoryId":1}\n`).join(''))
    assert.deepEqual(
      animals,
      names.map((name, i) => `${i + 1} 1 available ${name}`),
    )
  })

  const needs =
    'a.csv needs a first line that names its columns: name and category (or categoryId), and optionally status.'
  for (const [content, message] of [
    ['\n\n', `${needs} It has: none.`],
    ['Rex,1\n', `${needs} It has: Rex, 1.`],
    ['Pet;Kind;Price\nRex;Dog;1,50\n', `${needs} It has: Pet, Kind, Price.`],
    [`${'x'.repeat(70_000)}\n`, `${needs} It has: ${'x'.repeat(200)}….`],
    ['name,\x1b[31mid\n', `${needs} It has: name, [31mid.`],
    ['name,categoryId,Name\n', 'a.csv: the column name is given more than once.'],
  ] as const)
    test(`refuses CSV that is ${JSON.stringify(content.slice(0, 20))}, in one line [D233]`, async () => {
      using folder = new Folder()
      const { code, stderr } = await command(['import', fileIn(folder, 'a.csv', content)], folder.env)
      assert.equal(code, 1)
      assert.equal(stderr.replace(`${folder.path}/`, ''), `petstore: ${message}\n`)
    })

  test('takes a header without rows', async () => {
    const { code, stderr } = await imported('a.csv', 'name,categoryId')
    assert.equal(code, 0)
    assert.match(stderr, /^Added 0 animals/)
  })

  test('says of a file that is not there that it is not, in one line', async () => {
    const { code, stderr } = await command(['import', 'none.csv'])
    assert.deepEqual([code, stderr], [1, 'petstore: Cannot read none.csv: no such file or directory.\n'])
  })

  test('reads standard input, and a pipe [D244]', async () => {
    using folder = new Folder()
    const input = Readable.from([Buffer.from('name,cate'), Buffer.from('goryId\nRex,1\n')])
    const { code, stderr } = await command(['import', '-'], folder.env, input)
    assert.equal(code, 0, stderr)
    const piped = new Program(['bash', '-c', `"$0" "$1" import <(printf 'name,categoryId\nLady,2\n')`, bun, main], {
      env: folder.env,
    })
    assert.equal((await piped.ended).code, 0, piped.stderr)
    assert.deepEqual(await animalsOf(folder.url), ['1 1 available Rex', '2 2 available Lady'])
  })

  test('checks everything and adds nothing with --dry-run, without a database', async () => {
    using folder = new Folder()
    const file = fileIn(folder, 'a.csv', 'name,categoryId\nRex,1\nLady,x\n')
    const { code, stderr } = await command(['import', file, '--dry-run'], {
      DATABASE_URL: `sqlite:${folder.path}/none.db`,
    })
    assert.equal(code, 1)
    assert.match(
      stderr,
      /^line 3: categoryId: must be an int64 integer \(for names, call the column category\)\n1 row is valid; 1 row was rejected\.\n/,
    )
    assert.equal(
      (await command(['import', fileIn(folder, 'b.csv', 'name,categoryId\nRex,1\n'), '--dry-run'], folder.env)).code,
      0,
    )
    assert.deepEqual(await animalsOf(folder.url), [])
  })

  test('never writes the rejected rows over the file itself', async () => {
    using folder = new Folder()
    const file = fileIn(folder, 'a.csv', 'name,categoryId\nRex,x\n')
    const { code, stderr } = await command(
      ['import', file, '--rejects', `${folder.path}/../${folder.path.split('/').at(-1)}/a.csv`],
      folder.env,
    )
    assert.equal(code, 2)
    assert.match(stderr, /^petstore: --rejects names the file that is imported\.\n/)
    assert.equal(readFileSync(file, 'utf8'), 'name,categoryId\nRex,x\n')
  })

  test('writes the rejected rows over an earlier file of them, or an empty one, and over no other file [D249]', async () => {
    using folder = new Folder()
    const csv = fileIn(folder, 'a.csv', 'name,categoryId\nRex,x\n')
    const ndjson = fileIn(folder, 'a.ndjson', '{"name":"Rex"}\n')
    const rejects = join(folder.path, 'rejected')
    const run = (file: string) => command(['import', file, '--dry-run', '--rejects', rejects], folder.env)
    for (const content of ['', '\ufeffline;reason;name\n', '"line"\t"reason"\n']) {
      writeFileSync(rejects, content)
      for (const file of [csv, ndjson, csv]) {
        await run(file)
        assert.match(readFileSync(rejects, 'utf8'), file === csv ? /^line,reason,/ : /^\{"line":1,/)
      }
    }
    for (const content of ['name,categoryId\nLady,1\n', 'line,reasons\n', '{"line":1}', ' ']) {
      writeFileSync(rejects, content)
      const { code, stderr } = await run(csv)
      assert.equal(code, 1)
      assert.equal(
        stderr,
        `petstore: ${rejects} is there and is not a file of rejected rows. Remove it, or name another file.\n`,
      )
      assert.equal(readFileSync(rejects, 'utf8'), content)
    }
  })

  testOnSmallDisk(
    'a full disk under the rejected rows is one clear line, and the import goes on later',
    256,
    async (disk) => {
      using folder = new Folder()
      const file = fileIn(folder, 'a.csv', `name,categoryId\n${'Rex,1\n'.repeat(60_000)}${'Lady,x\n'.repeat(20_000)}`)
      const full = await command(['import', file, '--rejects', join(disk.path, 'rejected.csv')], folder.env)
      assert.equal(full.code, 1)
      // On a busy machine it has told how far it is.
      assert.match(full.stderr, /^(?:\d+ %.*\n)*petstore: Cannot write .*rejected\.csv: no space left on device\.\n$/)
      const { stderr } = await command(['import', file], folder.env)
      assert.match(stderr, /^Going on after row [\d,]+\.\n/)
      assert.equal((await animalsOf(folder.url)).length, 60_000)
    },
  )

  test('names categories with --categories: the last name of each counts, and rows of anything else are rejected [D247]', async () => {
    using folder = new Folder()
    const run = (name: string, content: string, ...flags: string[]) =>
      command(['import', '--categories', fileIn(folder, name, content), ...flags], folder.env)
    const names = () => command(['export', '--categories'], folder.env)
    const rows = [
      '{"id":7,"name":"Dogs"}',
      `{"id":${int64Min},"name":"Cats"}`,
      '{"id":7,"name":"Birds"}',
      '{"name":"Fish"}',
    ]
    const { code, stderr } = await run('a.ndjson', rows.join('\n'))
    assert.equal(code, 1)
    assert.match(stderr, /^line 4: id: is required\nAdded 3 categories in .*; 1 row was rejected\./)
    const expected = `{"id":${int64Min},"name":"Cats"}\n{"id":7,"name":"Birds"}\n`
    assert.equal((await names()).stdout, expected)
    const animals = await run('animals.csv', 'id,name,categoryId,status\n1,Rex,7,sold\n')
    assert.match(animals.stderr, /^line 2: categoryId: is not a known field; status: is not a known field\nAdded 0 /)
    assert.match((await run('b.csv', 'name;id\nFish;8\n', '--dry-run')).stderr, /^1 row is valid; 0 rows were rejected/)
    assert.match(
      (await run('c.csv', 'name,categoryId\nFish,8\n')).stderr,
      /c\.csv needs a first line that names its columns: id and name\./,
    )
    assert.equal((await names()).stdout, expected)
    assert.deepEqual(await animalsOf(folder.url), [])
  })
})
