/** The check of a body: which fault names the error, and which schemas it refuses to promise anything about. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseJson } from '../../src/schema/json.ts'
import { Choice, createBodyCheck, expects, Int64 } from '../../src/schema/schema.ts'
import { type Schema, Type } from '../../src/schema/type.ts'

const text = Type.String({ minLength: 1, [expects]: 'a text' })
const number = Int64({ description: 'a number' })
const choice = Choice(['x', 'y'], { $id: 'XY', description: 'x or y' })

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

describe('a schema', () => {
  const declare = (member: Schema) => createBodyCheck(Type.Object({ member }))

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
