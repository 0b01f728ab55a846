/** Names in spreadsheets. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { withoutFormulas } from '../../src/model/text.ts'

test('No escaped cell begins a formula, wherever a spreadsheet splits it, and numbers stay numbers [decision 28, 29]', () => {
  const unit = fc.constantFrom(...'=+-@＝＋－＠,;|\t\r\n "\'a1')
  const property = fc.property(fc.string({ unit, maxLength: 8 }), (text) => {
    const marked = withoutFormulas(text)
    if (/^-?\d+$/.test(text)) return assert.equal(marked, text)
    for (const cell of marked.split(/[,;|\t\r\n]/)) assert.doesNotMatch(cell, /^[\s"]*[=+@＝＋－＠-]/, marked)
    if (!/[=+@＝＋－＠-]/.test(text)) assert.equal(marked, text)
  })
  fc.assert(property, { numRuns: 1_000 })
})
