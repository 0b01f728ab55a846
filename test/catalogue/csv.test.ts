/** Rows of CSV and lines of NDJSON. They are the same wherever the text is cut, and a wrong one affects no other. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { anyCharacter } from '../../harness/random.ts'
import { times } from '../../harness/scope.ts'
import { CsvReader, cellText } from '../../src/catalogue/csv.ts'
import { LineReader } from '../../src/catalogue/lines.ts'

const numRuns = times(2_000, 500)

interface Found {
  readonly line: number
  readonly cells: readonly string[]
  readonly problem: string | undefined
}

/** Returns the records of a text that arrives in pieces. */
function recordsOf(pieces: readonly string[], delimiter?: string): Found[] {
  const records: Found[] = []
  const isLast = (index: number) => index === pieces.length - 1
  if (delimiter === undefined) {
    const reader = new LineReader()
    for (const [index, piece] of pieces.entries())
      reader.read(piece, isLast(index), (text, line, problem) => records.push({ line, cells: [text], problem }))
  } else {
    const reader = new CsvReader(delimiter)
    for (const [index, piece] of pieces.entries())
      reader.read(piece, isLast(index), (cells, line, problem) => records.push({ line, cells, problem }))
  }
  return records
}

/** Cuts a text into pieces of this many characters. */
const cut = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size))

/** Returns what csv-parse reads in the whole text, without empty rows, or undefined if it refuses the text. */
function expected(text: string, delimiter = ','): string[][] | undefined {
  try {
    const options = { delimiter, record_delimiter: ['\r\n', '\n'], relax_column_count: true, skip_empty_lines: true }
    return parse(text, options).filter((cells) => cells.some((cell) => cell.trim() !== ''))
  } catch {
    return undefined
  }
}

/** Texts of the characters that matter. Many of these texts are malformed. */
const anyText = fc.string({ unit: fc.constantFrom(',', ';', '"', '\n', '\r\n', 'a', 'é', '𝔊', ' '), maxLength: 40 })
const anyCells = fc.array(fc.array(fc.string({ unit: anyCharacter, maxLength: 8 }), { minLength: 1, maxLength: 4 }), {
  maxLength: 6,
})

for (const delimiter of [',', ';', undefined])
  test(`${delimiter ? `rows of CSV with ${delimiter}` : 'lines'} are the same wherever the text is cut`, () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const whole = recordsOf([text], delimiter)
        for (let size = 1; size <= text.length; size++)
          assert.deepEqual(recordsOf([...cut(text, size), ''], delimiter), whole, JSON.stringify([text, size]))
      }),
      { numRuns },
    )
  })

describe('a row of CSV', () => {
  test('A row of CSV has the cells that csv-parse finds, and a problem if csv-parse refuses the row [decision 28]', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(',', ';'), (text, delimiter) => {
        const records = recordsOf([text], delimiter)
        const wanted = expected(text, delimiter)
        if (wanted)
          assert.deepEqual(
            records.map(({ cells }) => cells),
            wanted,
          )
        else assert.ok(records.some(({ problem }) => problem !== undefined))
      }),
      { numRuns },
    )
  })

  test('A row of CSV that was written is read back unchanged', () => {
    fc.assert(
      fc.property(anyCells, (rows) => {
        const text = rows.map((row) => `${row.map((cell) => cellText(cell)).join()}\r\n`).join('')
        const written = rows
          .map((row) => row.map((cell) => Buffer.from(cell).toString()))
          .filter((row) => row.some((cell) => cell.trim() !== ''))
        assert.deepEqual(
          recordsOf([text], ',').map(({ cells }) => cells),
          written,
        )
      }),
      { numRuns },
    )
  })

  test('A row of CSV has the number of the line on which it begins', () => {
    assert.deepEqual(
      recordsOf(['a\n\n"b\nc\r\nd",e\r\n,,\r\nf\n'], ',').map(({ line, cells }) => [line, ...cells]),
      [
        [1, 'a'],
        [3, 'b\nc\r\nd', 'e'],
        [7, 'f'],
      ],
    )
  })

  test('Only the row of CSV whose quote is never closed is rejected [decision 28]', () => {
    const rows = Array.from({ length: 5_000 }, (_, i) => `Rex ${i},${i}`)
    for (const size of [1_000_000, 65_536, 1_000]) {
      const records = recordsOf(cut(`a,1\n"b,2\n${rows.join('\n')}`, size), ',')
      assert.equal(records.length, rows.length + 2)
      assert.deepEqual([records[1]?.line, records[1]?.cells.length], [2, 0])
      assert.deepEqual(records.at(-1)?.cells, ['Rex 4999', '4999'])
    }
  })

  test('A row of CSV that becomes too long over several lines is rejected once, wherever the text is cut [decision 28]', () => {
    const lines = Array.from({ length: 8_000 }, (_, i) => `Rex ${i},1`)
    const text = `"a\n${lines.join('\n')}"\nb,2\n`
    for (const size of [text.length, 10_000, 65_536]) {
      const records = recordsOf(cut(text, size), ',')
      const rejected = records.filter(({ problem }) => problem !== undefined).map(({ line }) => line)
      assert.deepEqual(rejected, [1, 8_001])
      assert.deepEqual(records.at(-1)?.cells, ['b', '2'])
    }
  })

  test('A row of CSV is rejected if its next line is too long, or if two of its lines together are [decision 28]', () => {
    const problems = (text: string) => recordsOf([text], ',').map(({ line, problem }) => [line, problem?.slice(0, 11)])
    const wrong = 'a quote is '
    assert.deepEqual(problems(`"a\n${'b'.repeat(65_537)}\n"\nc`), [
      [1, wrong],
      [2, 'longer than'],
      [3, wrong],
      [4, undefined],
    ])
    const half = 'b'.repeat(40_000)
    assert.deepEqual(problems(`"${half}\n${half}"\nc`), [
      [1, wrong],
      [2, wrong],
      [3, undefined],
    ])
  })
})

for (const delimiter of [',', undefined])
  test(`A line${delimiter ? ' of CSV' : ''} that is too long is rejected, wherever the text is cut`, () => {
    const longest = 'b'.repeat(65_536)
    // A carriage return at the end of a piece may or may not belong to a line break.
    for (const row of [longest, `${longest}b`, `${longest}\rb`, longest.repeat(16)])
      for (const end of ['\n', '\r\n'])
        for (const size of [2_000_000, 10_000, 65_536, 65_539]) {
          const records = recordsOf(cut(`a${end}${row}${end}c`, size), delimiter)
          assert.deepEqual(
            records.map(({ line, problem }) => [line, problem]),
            [
              [1, undefined],
              [2, row === longest ? undefined : 'longer than 65536 characters'],
              [3, undefined],
            ],
            JSON.stringify([row.length, end, size]),
          )
        }
  })

test('A line that is too long is rejected before its end arrives, and none of it is kept', () => {
  const reader = new LineReader()
  const said: unknown[] = []
  const read = (text: string, isLast = false) => reader.read(text, isLast, (...line) => said.push(line))
  read('b'.repeat(65_537))
  read('b'.repeat(65_537))
  assert.deepEqual(said, [['', 1, 'longer than 65536 characters']])
  read('b\nc', true)
  assert.deepEqual(said.slice(1), [['c', 2]])
})
