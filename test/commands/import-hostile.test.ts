/** `petstore import` and `export` with what should not be, and sometimes is: encodings, numbers, files that change. */
import assert from 'node:assert/strict'
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { openSource } from '../../src/catalogue/source.ts'
import { animalsOf, csvOf, fileIn } from '../support/catalogue.ts'
import { command, Folder, node, Program } from '../support/process.ts'
import { times } from '../support/scope.ts'
import { main } from '../support/service.ts'
import { testOnSmallDisk } from '../support/small-disk.ts'

const noInput = () => Readable.from([])

describe('petstore import of a file', () => {
  for (const [what, content, message] of [
    [
      'in UTF-16, as spreadsheets save it',
      Buffer.from('\ufeffname\tcategoryId\r\nRex\t1\r\n', 'utf16le'),
      'is UTF-16. Save it as UTF-8.',
    ],
    [
      'in UTF-16, big-endian',
      Buffer.from('\ufeffname,categoryId\r\n', 'utf16le').swap16(),
      'is UTF-16. Save it as UTF-8.',
    ],
    [
      'whose lines end in CR only',
      'name,categoryId\rRex,1\r',
      'needs a first line that names its columns: name and category (or categoryId), and optionally status. Its lines must end in LF or CRLF.',
    ],
    [
      'in windows-1252',
      Buffer.from('name,categoryId\nRex,1\nS\xf6ckchen,2\n', 'latin1'),
      'is not UTF-8 (line 3). Save it as "CSV UTF-8"; or, if Excel has saved it: iconv -f windows-1252 -t utf-8 FILE | petstore import -',
    ],
    [
      'that is not UTF-8 far behind its start, where a block ends within a character',
      Buffer.concat([
        Buffer.from(`name,categoryId\n${'é'.repeat(100)},1\n${'\u{1f408}\n'.repeat(40_000)}`),
        Buffer.of(0xe9),
      ]),
      'is not UTF-8 (line 40003). Save it as "CSV UTF-8"; or, if Excel has saved it: iconv -f windows-1252 -t utf-8 FILE | petstore import -',
    ],
    [
      'that is a workbook',
      'PK\x03\x04\x14\0',
      'is a workbook, as Excel and LibreOffice save it, or another zip file. Save it as "CSV UTF-8", and import that.',
    ],
    [
      'that is an old workbook',
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      'is a workbook of an old Excel. Save it as "CSV UTF-8", and import that.',
    ],
    [
      'that is a database',
      'SQLite format 3\0',
      'is a database. To copy one, use "petstore copy" or "petstore restore".',
    ],
    ['that is compressed', Buffer.of(0x1f, 0x8b, 8), 'is compressed. Unpack it: gunzip -c FILE | petstore import -'],
    ['of zeros', '\0'.repeat(1_000_000), 'is not text in UTF-8.'],
    [
      'that is a JSON array',
      ' [\n{"name":"Rex","categoryId":1}\n]',
      "is a JSON array. Write one object per line, with: jq -c '.[]' FILE | petstore import -",
    ],
    [
      'that ends within a character',
      Buffer.from('name,categoryId\nRex,1\nS\xc3', 'latin1'),
      'is not UTF-8 (line 3). Save it as "CSV UTF-8"; or, if Excel has saved it: iconv -f windows-1252 -t utf-8 FILE | petstore import -',
    ],
    ['that is empty', '', 'is empty.'],
    ['that is empty but for a byte order mark', '\ufeff', 'is empty.'],
  ] as const)
    test(`${what}, is refused with the reason [D236 D238]`, async () => {
      using folder = new Folder()
      const file = fileIn(folder, 'a.csv', content)
      const { code, stderr } = await command(['import', file], folder.env)
      assert.deepEqual([code, stderr], [1, `petstore: ${file} ${message}\n`])
    })

  test('takes integers of CSV only where every digit is kept', async () => {
    using folder = new Folder()
    const cells = ['9223372036854775807', '-9223372036854775808', '9007199254740993', ' 7 ', '0']
    const wrong = [
      '9223372036854775808',
      '-9223372036854775809',
      '"1,5"',
      '1.0',
      '1e3',
      '+5',
      '007',
      '-0',
      '0x10',
      '٣',
      '',
    ]
    const rows = [...cells, ...wrong].map((cell) => `Rex,${cell}\n`)
    const { code, stderr } = await command(
      ['import', fileIn(folder, 'a.csv', `name,categoryId\n${rows.join('')}`)],
      folder.env,
    )
    assert.equal(code, 1)
    assert.match(stderr, new RegExp(`; ${wrong.length} rows were rejected`))
    assert.deepEqual(
      (await animalsOf(folder.url)).map((animal) => animal.split(' ')[1]),
      cells.map((cell) => cell.trim()),
    )
  })

  test('rejects NUL, control characters and halves of surrogate pairs in a name, and goes on', async () => {
    using folder = new Folder()
    const rows = ['a\\u0000b', 'a\0b', '\\ud83d', '\\udc80', 'tab\\t', 'Rex']
    const text = rows.map((name) => `{"name":"${name}","categoryId":1}\n`).join('')
    const { stderr } = await command(['import', fileIn(folder, 'a.ndjson', `${text}\0\n`)], folder.env)
    assert.match(stderr, /; 6 rows were rejected/)
    assert.match(stderr, /^line 7: not valid JSON/m)
    assert.deepEqual(await animalsOf(folder.url), ['1 1 available Rex'])
  })

  test('leaves out the line with which Excel names the delimiter [D238]', async () => {
    using folder = new Folder()
    const file = fileIn(folder, 'a.csv', '\ufeffsep=;\r\nname;categoryId\r\n"Rex;Lady";1\r\n')
    assert.equal((await command(['import', file], folder.env)).code, 0)
    assert.deepEqual(await animalsOf(folder.url), ['1 1 available Rex;Lady'])
  })

  test('takes rejected rows that were rejected again, and no row', async () => {
    using folder = new Folder()
    const rejects = join(folder.path, 'r.ndjson')
    let file = fileIn(folder, 'a.ndjson', '{"name":"Rex"}\nnull\n')
    for (const round of [1, 2, 3]) {
      assert.equal((await command(['import', file, '--rejects', rejects], folder.env)).code, 1)
      file = fileIn(folder, `${round}.ndjson`, readFileSync(rejects))
    }
    const last = readFileSync(rejects, 'utf8')
    assert.match(last, /"reason":"categoryId: is required"/)
    assert.match(last, /"reason":"The body must be a JSON object\."/)
    const mended = last
      .replaceAll('{"name":"Rex"}', '{"name":"Rex","categoryId":1}')
      .replaceAll('null', '{"name":"Lady","categoryId":2}')
    const { code, stderr } = await command(['import', fileIn(folder, 'm.ndjson', mended)], folder.env)
    assert.equal(code, 0, stderr)
    assert.deepEqual(await animalsOf(folder.url), ['1 1 available Rex', '2 2 available Lady'])
  })

  test('with an endless line keeps only its beginning, and goes on', async () => {
    using folder = new Folder()
    const block = Buffer.alloc(1_000_000, 'x')
    const input = Readable.from(
      (function* () {
        yield Buffer.from('{"name":"Rex","categoryId":1}\n"')
        for (let i = 0; i < times(1_000, 3); i++) yield block
        yield Buffer.from('"\n{"name":"Lady","categoryId":1}\n')
      })(),
    )
    const { code, stderr } = await command(['import', '-'], folder.env, input)
    assert.equal(code, 1)
    assert.match(stderr, /line 2: longer than 64 KiB\nAdded 2 animals/)
  })
})

describe('what is not a file', () => {
  test('is a device, and refused; or a folder, and refused [D238]', async () => {
    using folder = new Folder()
    for (const [path, message] of [
      ['/dev/zero', 'is a device. Name a file, a pipe, or - for standard input.'],
      [folder.path, 'is a folder. Name a file in it.'],
    ] as const) {
      const { code, stderr } = await command(['import', path], folder.env)
      assert.deepEqual([code, stderr], [1, `petstore: ${path} ${message}\n`])
    }
  })

  test('is a pipe, and not read for ever [D238]', async () => {
    let read = 0
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(++read && 1_000, 'Rex,1\n')
      })(),
    )
    await assert.rejects(
      openSource('-', endless, 2 ** 20),
      /^CommandFailed: Standard input has more than 1 MiB, which is too much for a pipe\. Write it to a file, and import that\.$/,
    )
    assert.ok(read < 2_000, `${read} blocks were read`)
  })

  testOnSmallDisk('is a pipe, and the disk for it is full', 256, async (disk) => {
    using folder = new Folder()
    const rows = `name,categoryId\n${'Rex,1\n'.repeat(100_000)}`
    const source = fileIn(folder, 'a.csv', rows)
    const { code, stderr } = await new Program(['bash', '-c', 'cat "$2" | "$0" "$1" import -', node, main, source], {
      env: { ...folder.env, TMPDIR: disk.path },
    }).ended
    assert.equal(code, 1)
    assert.match(
      stderr,
      /^petstore: Cannot keep Standard input in .*: no space left on device\. Write it to a file, and import that\.\n$/,
    )
  })
})

describe('a file that changes while it is imported', () => {
  const textsOf = async (change: (path: string) => void): Promise<string> => {
    using folder = new Folder()
    const path = fileIn(folder, 'a.csv', csvOf(10_000))
    await using source = await openSource(path, noInput())
    change(path)
    let all = ''
    for await (const { block } of source.blocks()) all += block
    return all
  }

  test('and grows, is read as far as it was at the start [D241]', async () => {
    assert.equal(await textsOf((path) => appendFileSync(path, 'Lady,1\n')), csvOf(10_000))
  })

  for (const [how, change] of [
    ['is cut short', (path: string) => truncateSync(path, 100_000)],
    ['is emptied', (path: string) => truncateSync(path, 0)],
    ['is written anew', (path: string) => writeFileSync(path, csvOf(10_000).replace('Rex 7', 'Max 7'))],
  ] as const)
    test(`and ${how}, does not count as imported [D241]`, async () => {
      await assert.rejects(
        textsOf(change),
        /a\.csv was changed while it was read\. Some of its animals may have been added\.$/,
      )
    })
})
