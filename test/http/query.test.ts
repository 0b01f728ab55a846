/** Query strings are read as URLSearchParams reads them, whichever way is taken. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pairsOf } from '../../src/http/parameters.ts'

test('a query string means what URLSearchParams says it means', () => {
  const piece = fc.constantFrom('a', 'limit', '=', '&', '%', '%20', '%C3%BC', '%ff', '+', 'ü', '20', '?')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const query = pieces.join('')
      const named = pairsOf(query).filter(([name, value]) => name !== '' || value !== '')
      const expected = [...new URLSearchParams(`?${query}`)].filter(([name, value]) => name !== '' || value !== '')
      assert.deepEqual(named, expected)
    }),
    { numRuns: 2_000 },
  )
})
