/**
 * Our JSON reader compared with JSON.parse. It accepts and refuses the same texts, and keeps what JSON.parse loses.
 * Integers are read exactly, and in one form only.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../harness/random.ts'
import { type Json, parseJson } from '../../src/schema/json.ts'
import { parseInt64 } from '../../src/schema/schema.ts'

const numRuns = 2000

/** Returns a value of ours in the form in which JSON.parse would return it. */
function plain(value: Json): unknown {
  if (typeof value === 'bigint' || value === 0) return Number(value) + 0
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, member]) => [name, plain(member)]))
  return value
}

/** The sign of zero is ignored here, because our integers have no negative zero. */
const withoutNegativeZero = (_: string, value: unknown): unknown => (value === 0 ? 0 : value)

type Outcome = { value: unknown } | 'refused'
function outcome(read: () => unknown): Outcome {
  try {
    return { value: read() }
  } catch (error) {
    assert.ok(error instanceof SyntaxError, String(error))
    return 'refused'
  }
}

function expectAgreement(text: string): void {
  assert.deepEqual(
    outcome(() => plain(parseJson(text).value)),
    outcome(() => JSON.parse(text, withoutNegativeZero)),
    text,
  )
}

const jsonText = fc.oneof(
  fc.json({ maxDepth: 6 }),
  fc.json({ maxDepth: 6, stringUnit: anyCharacter }),
  fc
    .tuple(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 0, max: 4 }))
    .map(([value, n]) => JSON.stringify(value, null, n)),
)
const numberText = fc.stringMatching(/^-?(0|[1-9][0-9]{0,44})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?$/)
const fragments = [
  ...'{}[],:"\\01-+.eEt\' \n\t\r\v\f\u00a0\ufeff\0\u001f\ud800',
  'true',
  'null',
  'nul',
  'NaN',
  '\\u',
  '\\ud800',
  '\\x',
  '//',
]

describe('The JSON reader', () => {
  const broken = fc
    .tuple(jsonText, fc.nat(), fc.nat(3), fc.array(fc.constantFrom(...fragments), { maxLength: 3 }))
    .map(([text, at, drop, insert]) => {
      const start = at % (text.length + 1)
      return text.slice(0, start) + insert.join('') + text.slice(start + drop)
    })
  const soup = fc.array(fc.constantFrom(...fragments), { maxLength: 12 }).map((parts) => parts.join(''))
  for (const [what, texts] of Object.entries({
    'every JSON text': jsonText,
    'every number': numberText,
    'broken texts: it refuses exactly what JSON.parse refuses': broken,
    'soups of fragments': soup,
    'any text': fc.string({ unit: anyCharacter }),
  }))
    test(`The JSON reader agrees with JSON.parse on ${what}`, () => {
      fc.assert(fc.property(texts, expectAgreement), { numRuns })
    })

  test('The JSON reader refuses the smallest texts that JSON.parse refuses', () => {
    const wrong = ['', ' ', '01', '-', '1.', '.5', '1e', '+1', '0x1', '--1', '"\\', '"\\u12"', '{"a"}', '[1 2]', '{,}']
    for (const text of wrong) assert.throws(() => parseJson(text), SyntaxError, text)
  })

  test('The JSON reader keeps every digit of an integer, in whatever form it is written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 38n), max: 10n ** 38n }), fc.nat(5), (value, zeros) => {
        assert.equal(parseJson(`${value}`).value, value)
        assert.equal(parseJson(`${value}.${'0'.repeat(zeros + 1)}`).value, value)
        assert.equal(parseJson(`${value * 10n ** BigInt(zeros)}e-${zeros}`).value, value)
        const digits = String(value)
        const point = digits.length - 1
        const shifted = value < 0n || point === 0 ? `${value}e0` : `${digits[0]}.${digits.slice(1)}E+${point}`
        assert.equal(parseJson(shifted).value, value)
      }),
      { numRuns: 500 },
    )
  })

  test('The JSON reader distinguishes integers from other numbers', () => {
    for (const text of ['0', '-0', '0.0', '0e9', '1e3', '1.0', '10e-1', '1.50e1'])
      assert.equal(typeof parseJson(text).value, 'bigint', text)
    for (const text of ['0.5', '1e-1', '1.05', '15e-1', '1e999999999', '-1e400', '1e-999999999', '9'.repeat(41)])
      assert.equal(typeof parseJson(text).value, 'number', text)
  })

  test('The JSON reader reports repeated members, in whatever form they are written and wherever they stand [decision 5]', () => {
    const found = (text: string) => parseJson(text).duplicates
    assert.deepEqual(found('{"a":1,"b":2}'), [])
    assert.deepEqual(found('{"a":1,"a":1}'), ['a'])
    assert.deepEqual(found('{"a":1,"\\u0061":2,"a":3}'), ['a', 'a'])
    assert.deepEqual(found('[{"a":1},{"a":{"b":1,"b":2}}]'), ['b'])
    assert.deepEqual(found('{"__proto__":1,"__proto__":2,"toString":1}'), ['__proto__'])
    assert.deepEqual(parseJson('{"a":1,"a":2}').value, new Map([['a', 2n]]), 'the last counts')
  })

  test('The JSON reader accepts a value a hundred levels deep and refuses it one level deeper', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
      [' [ ', ' ] '],
    ] as const) {
      const nested = (depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`
      expectAgreement(nested(100))
      assert.throws(() => parseJson(nested(101)), SyntaxError)
      assert.throws(() => parseJson(open.repeat(200_000)), SyntaxError)
    }
  })

  // The texts are so long that a reader that needs quadratic time would not end.
  test('The JSON reader reads long runs of zeros, digits, spaces and quotes to the end', () => {
    const many = 300_000
    const zeros = '0'.repeat(many)
    assert.equal(parseJson(`1.${zeros}`).value, 1n)
    assert.equal(parseJson(`0.${zeros}`).value, 0n)
    assert.equal(parseJson(`1${zeros}e-${many}`).value, 1n)
    assert.equal(parseJson(`0.${zeros}1`).value, 0)
    assert.equal(parseJson(`1${zeros}`).value, Number.POSITIVE_INFINITY)
    assert.equal(parseJson(`1.${zeros}1`).value, 1)
    assert.equal(parseJson(`1e${zeros}1`).value, 10n)
    assert.equal(parseJson(`${' '.repeat(many)}1${' '.repeat(many)}`).value, 1n)
    assert.equal(parseJson(`"${'\\\\'.repeat(many)}"`).value, '\\'.repeat(many))
    const wrong = [`0${zeros}`, `1e${zeros}.`, `-${' '.repeat(many)}`, `"${'\\"'.repeat(many)}`, '"a" '.repeat(many)]
    for (const text of wrong) assert.throws(() => parseJson(text), SyntaxError)
  })
})

test('The JSON reader reads every int64 exactly, even beyond 2⁵³', () => {
  const digits = fc
    .integer({ min: 1, max: 63 })
    .chain((bits) => fc.bigInt({ min: -(2n ** BigInt(bits)), max: 2n ** BigInt(bits) - 1n }))
  fc.assert(fc.property(digits, (value) => parseInt64(String(value)) === value))
  for (const value of [2n ** 53n + 1n, 10n ** 16n + 1n, 10n ** 18n - 1n, 2n ** 63n - 1n, -(2n ** 63n)])
    assert.equal(parseInt64(String(value)), value)
})

test('The JSON reader refuses an int64 that is out of range or written in another form', () => {
  for (const text of ['9223372036854775808', '-9223372036854775809', '007', '-0', '+1', '1e3', '', ' 1', '1.0'])
    assert.equal(parseInt64(text), undefined, text)
})
