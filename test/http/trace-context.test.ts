/** `traceparent` as the W3C Trace Context recommendation defines it: https://www.w3.org/TR/trace-context/#traceparent-header */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readTraceparent } from '../../src/http/input.ts'

const numRuns = 2000
const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
const id = (length: number) => hex(length).filter((text) => /[^0]/.test(text))
const parts = fc.tuple(id(32), id(16), hex(2))
const later = hex(2).filter((version) => version !== '00' && version !== 'ff')

describe('traceparent', () => {
  test('of version 00 is read as it was written [D203]', () => {
    fc.assert(
      fc.property(parts, ([traceId, parentId, flags]) => {
        assert.deepEqual(readTraceparent(`00-${traceId}-${parentId}-${flags}`), { traceId, parentId, flags })
      }),
      { numRuns },
    )
  })

  test('of a later version is read up to its flags, whatever follows after a hyphen [D203]', () => {
    fc.assert(
      fc.property(
        later,
        parts,
        fc.constantFrom('', '-', '-what-ever, comes'),
        (version, [traceId, parentId, flags], more) => {
          const read = readTraceparent(`${version}-${traceId}-${parentId}-${flags}${more}`)
          assert.deepEqual(read, { traceId, parentId, flags })
        },
      ),
      { numRuns },
    )
  })

  test('is invalid after any change of one character to one that is no lower-case hexadecimal digit', () => {
    fc.assert(
      fc.property(parts, fc.nat(54), fc.constantFrom(...'gGA F_-\t,é'), ([traceId, parentId, flags], at, other) => {
        const valid = `00-${traceId}-${parentId}-${flags}`
        fc.pre(valid[at] !== other)
        assert.equal(readTraceparent(valid.slice(0, at) + other + valid.slice(at + 1)), undefined)
      }),
      { numRuns },
    )
  })

  test('is invalid when it is shorter, or longer in version 00', () => {
    fc.assert(
      fc.property(parts, fc.nat(54), ([traceId, parentId, flags], length) => {
        const valid = `00-${traceId}-${parentId}-${flags}`
        assert.equal(readTraceparent(valid.slice(0, length)), undefined)
        for (const more of ['-', '-00', '0', ' ', `, ${valid}`, '\n'])
          assert.equal(readTraceparent(valid + more), undefined, JSON.stringify(more))
      }),
      { numRuns },
    )
  })

  const [traceId, parentId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  for (const [what, text] of [
    ['version ff', `ff-${traceId}-${parentId}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${parentId}-01`],
    ['a parent id of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['upper case', `00-${traceId.toUpperCase()}-${parentId}-01`],
    ['a later version that goes on without a hyphen', `cc-${traceId}-${parentId}-01.what`],
    ['two headers, joined', `cc-${traceId}-${parentId}-01, cc-${traceId}-${parentId}-01`],
    ['an empty value', ''],
  ] as const)
    test(`is invalid with ${what}`, () => assert.equal(readTraceparent(text), undefined))
})
