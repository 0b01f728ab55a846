/** Query strings are read as URLSearchParams reads them, whichever way is taken, and refused with every fault. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AppError } from '../../src/errors.ts'
import { int64, readQuery } from '../../src/http/input.ts'

test('a query string means what URLSearchParams says it means', () => {
  const piece = fc.constantFrom('a', 'limit', '=', '&', '%', '%20', '%C3%BC', '%ff', '+', 'ü', '20', '?')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const query = pieces.join('')
      const values = new URLSearchParams(`?${query}`)
      const names = [...new Set(values.keys())].filter((name) => name !== '')
      const asText = { ...int64('', 1), parse: (text: string) => text, isList: true }
      const read = readQuery(Object.fromEntries(names.map((name) => [name, asText])), query)
      assert.deepEqual(read, Object.fromEntries(names.map((name) => [name, values.getAll(name).join()])))
    }),
    { numRuns: 2_000 },
  )
})

test('of several bad parameters each is named, and the first as declared gives the code', () => {
  const declared = { a: int64('', 1, 'invalid_cursor'), b: int64('', 1), c: int64('', 1, 'pet_not_found') }
  const refusalOf = (query: string) => {
    try {
      return readQuery(declared, query)
    } catch (error) {
      assert.ok(error instanceof AppError)
      return [error.code, error.message]
    }
  }
  const bad = ': must be an int64 integer'
  assert.deepEqual(refusalOf('c=x&b=x&a=x'), ['invalid_cursor', `a${bad}; b${bad}; c${bad}`])
  assert.deepEqual(refusalOf('c=x&a=1&b=x'), ['invalid_parameter', `b${bad}; c${bad}`])
  assert.deepEqual(refusalOf('c=x'), ['pet_not_found', `c${bad}`])
  assert.deepEqual(refusalOf('c=x&a=1&a=1'), ['invalid_parameter', `a: given more than once; c${bad}`])
  assert.deepEqual(refusalOf('c=3&a=1'), { a: 1n, b: undefined, c: 3n })
})
