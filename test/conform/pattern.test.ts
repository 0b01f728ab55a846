/** Which values the patterns of rules accept, and how they describe a difference. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Json, parseJson, writeJson } from '../../conform/src/json.ts'
import * as is from '../../conform/src/pattern.ts'

describe('A pattern', () => {
  /** A pattern, values as JSON that match it, and a value that does not match with its description. */
  const cases: [is.Pattern, taken: string[], other: string, expected: string, actual: string][] = [
    [9007199254740993n, ['9007199254740993'], '9007199254740992', 'body: 9007199254740993', 'body: 9007199254740992'],
    [/^a/, ['"ab"'], '"b"', 'body: text that matches /^a/', 'body: "b"'],
    [{ a: 1 }, ['{"a":1}', '{"a":1,"b":2}'], '{"b":1}', 'body.a: 1', 'body.a: not there'],
    [{ toString: undefined }, ['{}'], '{"toString":1}', 'body.toString: not there', 'body.toString: 1'],
    [[1, { a: 2 }], ['[1,{"a":2}]'], '[1,{"a":3}]', 'body[1].a: 2', 'body[1].a: 3'],
    [is.integer, ['-9223372036854775808'], '9223372036854775808', 'body: an int64', 'body: 9223372036854775808'],
    [is.oneOf('a', 'b'), ['"a"', '"b"'], '"c"', 'body: one of a, b', 'body: "c"'],
    [is.atLeast(2), ['2', '3'], '1', 'body: at least 2', 'body: 1'],
    [is.atMost(2), ['2', '1'], '3', 'body: at most 2', 'body: 3'],
    [{ a: is.optional(1) }, ['{}', '{"a":1}'], '{"a":2}', 'body.a: 1, or not there', 'body.a: 2'],
    [{ a: is.not(1) }, ['{"a":2}'], '{}', 'body.a: not 1', 'body.a: not there'],
    [is.exactly({ a: [1n] }), ['{"a":[1]}'], '{"a":[1],"b":2}', 'body: {"a":[1]}', 'body: { "a": [1], "b": 2 }'],
    [is.members('b', 'a'), ['{"a":1,"b":2}'], '{"a":1}', 'body: the members b, a', 'body: { "a": 1 }'],
    [is.without('x'), ['{"a":["y"]}'], '{"a":["xy"]}', 'body: nothing with "x"', 'body: { "a": ["xy"] }'],
    [is.listOf({ a: 1 }, { least: 1 }), ['[{"a":1}]'], '[{"a":1},{"a":2}]', 'body[1].a: 1', 'body[1].a: 2'],
    [is.including(1), ['[2,1]'], '[2]', 'body: an array with 1', 'body: [2]'],
    [
      is.risingIds,
      ['[{"id":1},{"id":2}]'],
      '[{"id":1},{"id":1}]',
      'body: an array with ascending ids',
      'body: [{ "id": 1 }, { "id": 1 }]',
    ],
  ]
  for (const [pattern, taken, other, expected, actual] of cases)
    test(`A pattern accepts ${taken.join(' and ')}, and says about ${other}: ${expected}`, () => {
      for (const text of taken) assert.equal(is.differenceOf(parseJson(text), pattern, 'body'), undefined, text)
      assert.deepEqual(is.differenceOf(parseJson(other), pattern, 'body'), { expected, actual })
    })
})

test('The JSON reader of the kit keeps every digit, and refuses invalid JSON', () => {
  const text = '{"a":[9007199254740993,-12345678901234567],"12345678901234567":"1234567890123456 \\"1234567890123456"}'
  const value = {
    a: [9007199254740993n, -12345678901234567n],
    '12345678901234567': '1234567890123456 "1234567890123456',
  }
  assert.deepEqual(parseJson(text), value)
  assert.equal(writeJson(value), text)
  assert.deepEqual(parseJson('[1.5,1e2,"\\u00001",-0]') as Json[], [1.5, 100n, '\u00001', 0n])
  for (const wrong of ['', '{', '0123456789012345678', '"a', '{a:1}']) assert.throws(() => parseJson(wrong), wrong)
})
