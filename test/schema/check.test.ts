/** The check of a body: which fault names the error, and which schemas it refuses to promise anything about. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseJson } from '../../src/schema/json.ts'
import { accepts, Choice, createBodyCheck, expects, Ignored, Int64 } from '../../src/schema/schema.ts'
import { type Schema, Type } from '../../src/schema/type.ts'

const text = Type.String({ minLength: 1, [expects]: 'a text' })
const number = Int64({ description: 'a number' })
const choice = Choice(['x', 'y'], { $id: 'XY', description: 'x or y' })

describe('the check of a body', () => {
  const check = createBodyCheck(Type.Object({ a: text, b: Type.Optional(number), c: text, id: Ignored('') }))
  const codesOf = (body: string) => check(parseJson(body)).faults?.map(({ code }) => code)

  test('puts the faults in the order duplicate, missing, invalid, unknown, wherever they stand in the body', () => {
    const order = ['duplicate_field', 'missing_field', 'invalid_field', 'unknown_field']
    assert.deepEqual(codesOf('{"x":1,"b":"","a":"a","a":"a"}'), order)
    assert.deepEqual(codesOf('{"x":1,"b":"","a":"a"}'), order.slice(1))
    assert.deepEqual(codesOf('{"x":1,"b":"","a":"a","c":"c"}'), order.slice(2))
    assert.deepEqual(codesOf('{"x":1,"b":1,"a":"a","c":"c"}'), order.slice(3))
    assert.deepEqual(codesOf('{"id":"","b":1,"a":"a","c":"c"}'), undefined)
  })

  test('keeps faults of one kind in the order in which the schema or the body has them', () => {
    const { faults } = check(parseJson('{"y":1,"x":1}'))
    assert.deepEqual(
      faults?.map((fault) => fault.text),
      ['a: is required', 'c: is required', 'y: is not a known field', 'x: is not a known field'],
    )
  })
})

describe('the check of a list and of a boolean', () => {
  const members = { list: Type.Array(choice, { maxItems: 2 }), flag: Type.Boolean() }
  const check = createBodyCheck(Type.Partial(members))

  test('takes their values and no others, and says what it expects', () => {
    for (const body of ['{}', '{"list":[]}', '{"list":["y","x"]}', '{"flag":true}', '{"flag":false}'])
      assert.equal(check(parseJson(body)).faults, undefined, body)
    const bad = ['{"list":["x","x","x"]}', '{"list":["z"]}', '{"list":"x"}', '{"list":null}', '{"list":{"0":"x"}}']
    for (const body of [...bad, '{"flag":"true"}', '{"flag":1}', '{"flag":null}'])
      assert.equal(check(parseJson(body)).faults?.[0].code, 'invalid_field', body)
    const texts = check(parseJson('{"list":1,"flag":1}')).faults?.map((fault) => fault.text)
    assert.deepEqual(texts, ['list: must be a list of at most 2, each one of x, y', 'flag: must be true or false'])
  })
})

test('members of which each may be absent keep what they accept and ignore', () => {
  const declared = Type.Partial({ id: Ignored(''), text })
  assert.equal(declared.required, undefined)
  const check = createBodyCheck(declared)
  for (const body of ['{}', '{"id":"","text":"a"}']) assert.equal(check(parseJson(body)).faults, undefined, body)
  assert.equal(check(parseJson('{"text":""}')).faults?.[0].text, 'text: must be a text')
})

describe('a schema', () => {
  const declare = (member: Schema) => createBodyCheck(Type.Object({ member }))

  test('may have a text that says what it expects, an int64, a choice, a format that an expression checks, a boolean, or a list', () => {
    const checked = Type.String({ format: 'uri', [expects]: 'a URL', [accepts]: /:/ })
    for (const member of [text, number, choice, checked, Type.Boolean(), Type.Array(choice, { maxItems: 2 })])
      assert.equal(typeof declare(member), 'function')
  })

  test('is refused where it is declared, not at a request, if no check is known for it', () => {
    for (const [what, member] of Object.entries<Schema>({
      'a text with an unknown keyword': Type.String({ format: 'email', [expects]: 'an address' }),
      'a text that does not say what it expects': Type.String({ minLength: 1 }),
      'an int64 with a bound': { ...number, minimum: 1 },
      'an integer of no format': Type.Integer(),
      'a choice with an unknown keyword': { ...Choice(['x'], { $id: 'X', description: 'x' }), maxLength: 1 },
      'a nested object': Type.Object({ inner: text }),
      'an array': Type.Array(text),
    }))
      assert.throws(() => declare(member), /^TypeError: member: no check is known for the schema \{/, what)
  })
})
