/** The rows of NDJSON and of a JSON array: the same ones wherever the text is cut. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Cutter, type Format } from '../../src/catalogue/records.ts'
import { CommandFailed } from '../../src/failure.ts'
import { times } from '../support/scope.ts'

const numRuns = times(10_000, 1_000)

/** The line, text and fault of each row of a text that arrives in pieces. */
function rowsOf(format: Format, pieces: readonly string[]) {
  const cutter = new Cutter(format)
  const rows: { line: number; text: string; fault: string | undefined }[] = []
  try {
    for (const [index, piece] of pieces.entries())
      cutter.read(piece, index === pieces.length - 1, ({ line, text, fault }) => rows.push({ line, text, fault }))
  } catch (error) {
    assert.ok(error instanceof CommandFailed)
    return 'refused'
  }
  return rows
}

/** Texts of the characters that matter, many of which are malformed. */
const anyText = fc.string({ unit: fc.constantFrom('[', ']', '{', '}', ',', '"', '\\', '\n', ' ', 'a'), maxLength: 30 })
const json = fc.oneof(fc.json(), fc.json({ stringUnit: 'binary' }))
const spaced = fc.tuple(fc.array(json, { maxLength: 6 }), fc.constantFrom('', ' ', '\n', '\r\n '))

describe('the rows of a JSON array', () => {
  test('are its elements, each with the line on which it begins', () => {
    fc.assert(
      fc.property(spaced, ([elements, space]) => {
        const text = `${space}[${elements.map((element) => space + element + space).join()}]${space}`
        const rows = rowsOf('json', [text])
        assert.ok(typeof rows === 'object')
        assert.deepEqual(
          rows.map((row) => row.text),
          elements.map((element) => element.trim()),
        )
        for (const { text: row, line } of rows)
          assert.ok(
            text
              .split('\n')
              .slice(line - 1)
              .join('\n')
              .includes(row),
          )
      }),
      { numRuns },
    )
    assert.deepEqual(rowsOf('json', ['[\n1,\n\n {"a":\n2},3\n]']), [
      { line: 2, text: '1', fault: undefined },
      { line: 4, text: '{"a":\n2}', fault: undefined },
      { line: 5, text: '3', fault: undefined },
    ])
  })

  test('end with a fault where the array does not, and where text follows it', () => {
    const faultOf = (text: string) => rowsOf('json', [text]).slice(-1)
    assert.deepEqual(faultOf('[1,\n{"a":'), [{ line: 2, text: '{"a":', fault: 'the file ends before its array does' }])
    assert.deepEqual(faultOf('[1]\n[2]'), [{ line: 2, text: '[2]', fault: 'the array has ended before' }])
    for (const text of ['{"a":1}', '1', '', ' \n']) assert.equal(rowsOf('json', [text]), 'refused')
  })
})

for (const format of ['ndjson', 'json'] as const)
  describe(`rows of ${format}`, () => {
    test('are the same wherever the text is cut', () => {
      fc.assert(
        fc.property(anyText, (inner) => {
          const text = format === 'json' ? `[${inner}` : inner
          const whole = rowsOf(format, [text])
          for (let at = 0; at <= text.length; at++)
            assert.deepEqual(rowsOf(format, [text.slice(0, at), text.slice(at)]), whole, JSON.stringify([text, at]))
          assert.deepEqual(rowsOf(format, [...text.split(''), '']), whole)
        }),
        { numRuns },
      )
    })

    test('that are too long are kept only in their beginning', () => {
      const [open, between, close] = format === 'json' ? ['[', ',', ']'] : ['', '\n', '\n']
      for (const length of [65_536, 65_537, 1_000_000]) {
        const text = `${open}1${between}"${'b'.repeat(length - 2)}"${between}3${close}`
        const rows = rowsOf(format, text.match(/.{1,10000}/gs) ?? [])
        assert.ok(typeof rows === 'object')
        assert.deepEqual(
          rows.map((row) => [row.text.length, row.fault]),
          [[1, undefined], length === 65_536 ? [length, undefined] : [1_000, 'longer than 64 KiB'], [1, undefined]],
        )
      }
    })
  })
