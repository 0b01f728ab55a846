/** Rows of CSV and lines of NDJSON: the same ones wherever the text is cut, and one that is wrong costs no other. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { cellText, RecordReader } from '../../src/catalogue/records.ts'
import { times } from '../support/scope.ts'

const numRuns = times(2_000, 500)

interface Found {
  readonly line: number
  readonly text: string
  readonly cells: readonly string[]
  readonly fault: string | undefined
}

/** The records of a text that arrives in pieces. */
function recordsOf(pieces: readonly (string | Buffer)[], delimiter?: string): Found[] {
  const reader = new RecordReader(delimiter)
  const records: Found[] = []
  for (const [index, piece] of pieces.entries())
    reader.read(Buffer.from(piece as string), index === pieces.length - 1, (cells, fault) =>
      records.push({ line: reader.line, text: reader.text, cells, fault }),
    )
  return records
}

/** In pieces of so many bytes. */
function cut(text: string, size: number): Buffer[] {
  const bytes = Buffer.from(text)
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))
}

/** What csv-parse makes of the whole text, without rows in which nothing is written; undefined if it refuses it. */
function expected(text: string, delimiter = ','): string[][] | undefined {
  try {
    const options = { delimiter, record_delimiter: ['\r\n', '\n'], relax_column_count: true, skip_empty_lines: true }
    return parse(text, options).filter((cells) => cells.some((cell) => cell.trim() !== ''))
  } catch {
    return undefined
  }
}

/** Texts of the characters that matter, many of which are malformed. */
const anyText = fc.string({ unit: fc.constantFrom(',', ';', '"', '\n', '\r\n', 'a', 'é', '𝔊', ' '), maxLength: 40 })
const anyCells = fc.array(fc.array(fc.string({ unit: 'binary', maxLength: 8 }), { minLength: 1, maxLength: 4 }), {
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
  test('has the cells that csv-parse finds in the whole text, and a fault where that refuses it', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(',', ';'), (text, delimiter) => {
        const records = recordsOf([text], delimiter)
        const wanted = expected(text, delimiter)
        if (wanted)
          assert.deepEqual(
            records.map(({ cells }) => cells),
            wanted,
          )
        else assert.ok(records.some(({ fault }) => fault !== undefined))
      }),
      { numRuns },
    )
  })

  test('is read back as it was written', () => {
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

  test('is known by the line on which it begins, and by its text', () => {
    const text = 'a\n\n"b\nc\r\nd",e\r\n,,\r\nf\n'
    assert.deepEqual(
      recordsOf([text], ',').map(({ line, text }) => [line, text]),
      [
        [1, 'a'],
        [3, '"b\nc\r\nd",e'],
        [7, 'f'],
      ],
    )
  })

  test('with a quote that is never closed is rejected, and no other [D237]', () => {
    const rows = Array.from({ length: 5_000 }, (_, i) => `Rex ${i},${i}`)
    for (const size of [1_000_000, 65_536, 1_000]) {
      const records = recordsOf(cut(`a,1\n"b,2\n${rows.join('\n')}`, size), ',')
      assert.equal(records.length, rows.length + 2)
      assert.deepEqual([records[1]?.line, records[1]?.text, records[1]?.cells.length], [2, '"b,2', 0])
      assert.deepEqual(records.at(-1)?.cells, ['Rex 4999', '4999'])
    }
  })

  test('with wrong quotes is found without csv-parse, which would begin anew for each [D237]', () => {
    let calls = 0
    const counting = ((...given: Parameters<typeof parse>) => {
      calls++
      return parse(...given)
    }) as typeof parse
    for (const line of ['"a', 'a"b', 'a"b"', '"a"b', 'a,"b"c']) {
      const reader = new RecordReader(',', counting)
      let rejected = 0
      const pieces = cut(`${line}\n`.repeat(20_000), 65_536)
      for (const [index, piece] of pieces.entries())
        reader.read(piece, index === pieces.length - 1, (_, fault) => (rejected += Number(fault !== undefined)))
      assert.deepEqual([calls, rejected], [0, 20_000], line)
    }
  })

  test('that is too long with all its lines is rejected in its first line only, in whatever pieces it comes [D237]', () => {
    const lines = Array.from({ length: 8_000 }, (_, i) => `Rex ${i},1`)
    const text = `"a\n${lines.join('\n')}"\nb,2\n`
    for (const size of [text.length, 10_000, 65_536]) {
      const records = recordsOf(cut(text, size), ',')
      assert.deepEqual(
        records.filter(({ fault }) => fault !== undefined).map(({ line, text }) => [line, text]),
        [
          [1, '"a'],
          [8_001, 'Rex 7999,1"'],
        ],
      )
      assert.deepEqual(records.at(-1)?.cells, ['b', '2'])
    }
  })
})

for (const delimiter of [',', undefined])
  test(`of a line${delimiter ? ' of CSV' : ''} that is too long only the beginning is kept, in whatever pieces it comes`, () => {
    const longest = 'b'.repeat(65_536)
    // A carriage return at the end of a piece is part of a line break, or it is not.
    for (const row of [longest, `${longest}b`, `${longest}\rb`, longest.repeat(16)])
      for (const end of ['\n', '\r\n'])
        for (const size of [2_000_000, 10_000, 65_536, 65_539]) {
          const records = recordsOf(cut(`a${end}${row}${end}c`, size), delimiter)
          assert.deepEqual(
            records.map(({ line, text, fault }) => [line, text.length, fault]),
            [
              [1, 1, undefined],
              row === longest ? [2, row.length, undefined] : [2, 1_000, 'longer than 64 KiB'],
              [3, 1, undefined],
            ],
            JSON.stringify([row.length, end, size]),
          )
        }
  })
