/** Our CSV reader against csv-parse: the same cells from the same text, wherever the text is cut. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { cellsOf, cellText } from '../../src/catalogue/csv.ts'
import { Cutter, type TextRecord } from '../../src/catalogue/records.ts'
import { times } from '../support/scope.ts'

const numRuns = times(10_000, 2_000)

/** The records of a text that arrives in pieces. */
function recordsOf(pieces: readonly string[], delimiter = ','): TextRecord[] {
  const reader = new Cutter('csv', (text) => cellsOf(text, delimiter))
  const records: TextRecord[] = []
  for (const [index, piece] of pieces.entries())
    reader.read(piece, index === pieces.length - 1, (record) => records.push(record))
  return records
}

/** What csv-parse makes of it; undefined if it refuses the text. */
function expected(text: string, delimiter = ','): string[][] | undefined {
  try {
    return parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      skip_empty_lines: true,
    })
  } catch {
    return undefined
  }
}

/** Texts of the characters that matter, many of which are malformed. */
const anyText = fc.string({ unit: fc.constantFrom(',', ';', '"', '\n', '\r\n', 'a', 'é', '𝔊', ' '), maxLength: 40 })
const anyCells = fc.array(fc.array(fc.string({ unit: 'binary', maxLength: 8 }), { minLength: 1, maxLength: 4 }), {
  maxLength: 6,
})

describe('the CSV reader', () => {
  test('gives the cells that csv-parse gives, and finds a fault where that refuses the text', () => {
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

  test('reads the same records wherever the text is cut', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const whole = recordsOf([text])
        for (let at = 0; at <= text.length; at++)
          assert.deepEqual(recordsOf([text.slice(0, at), text.slice(at)]), whole, JSON.stringify([text, at]))
        assert.deepEqual(recordsOf([...text.split(''), '']), whole)
      }),
      { numRuns },
    )
  })

  test('reads back every cell that was written', () => {
    fc.assert(
      fc.property(anyCells, (rows) => {
        const text = rows.map((row) => `${row.map((cell) => cellText(cell)).join()}\r\n`).join('')
        const wanted = rows.filter((row) => row.length > 1 || row[0] !== '')
        const found = recordsOf([text]).map(({ cells }) => cells)
        // A carriage return at the end of a line belongs to the line end; the cells that have one are in quotes.
        assert.deepEqual(found, wanted)
        assert.deepEqual(found, expected(text))
      }),
      { numRuns },
    )
  })

  test('says on which line each record begins', () => {
    const text = 'a\n\n"b\nc\r\nd",e\r\nf\n'
    assert.deepEqual(
      recordsOf([text]).map(({ line, text }) => [line, text]),
      [
        [1, 'a'],
        [3, '"b\nc\r\nd",e'],
        [6, 'f'],
      ],
    )
  })

  test('rejects only the line of a quote that is never closed', () => {
    const rows = Array.from({ length: 5_000 }, (_, i) => `Rex ${i},${i}`)
    const records = recordsOf([`a,1\n"b,2\n${rows.join('\n')}`])
    assert.equal(records.length, rows.length + 2)
    assert.deepEqual([records[1]?.line, records[1]?.text, records[1]?.cells.length], [2, '"b,2', 0])
    assert.deepEqual(records.at(-1)?.cells, ['Rex 4999', '4999'])
  })

  test('rejects only the first line of a record that is too long with all its lines, in whatever pieces it comes', () => {
    const lines = Array.from({ length: 8_000 }, (_, i) => `Rex ${i},1`)
    const text = `"a\n${lines.join('\n')}"\nb,2\n`
    for (const size of [text.length, 10_000, 65_536]) {
      const records = recordsOf(text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [])
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

  test('keeps only the beginning of a line that is too long, in whatever pieces it comes', () => {
    for (const [length, isTaken] of [
      [65_536, true],
      [65_537, false],
      [1_000_000, false],
    ] as const)
      for (const size of [length, 10_000, 65_536]) {
        const text = `a\n${'b'.repeat(length)}\nc`
        const pieces = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
        const records = recordsOf(pieces)
        assert.deepEqual(
          records.map(({ line, text, fault }) => [line, text.length, fault]),
          [[1, 1, undefined], isTaken ? [2, length, undefined] : [2, 1_000, 'longer than 64 KiB'], [3, 1, undefined]],
        )
      }
  })
})
