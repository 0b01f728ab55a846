/** Integers are read from text exactly, over the whole range, and in one form only. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseInt64 } from '../../src/schema/schema.ts'

test('every int64 is read exactly, also between 2⁵³ and the longest', () => {
  const digits = fc
    .integer({ min: 1, max: 63 })
    .chain((bits) => fc.bigInt({ min: -(2n ** BigInt(bits)), max: 2n ** BigInt(bits) - 1n }))
  fc.assert(fc.property(digits, (value) => parseInt64(String(value)) === value))
  for (const value of [2n ** 53n + 1n, 10n ** 16n + 1n, 10n ** 18n - 1n, 2n ** 63n - 1n, -(2n ** 63n)])
    assert.equal(parseInt64(String(value)), value)
})

test('what is beyond the range, or written otherwise, is refused', () => {
  for (const text of ['9223372036854775808', '-9223372036854775809', '007', '-0', '+1', '1e3', '', ' 1', '1.0'])
    assert.equal(parseInt64(text), undefined, text)
})
