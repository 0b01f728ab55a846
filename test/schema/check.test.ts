/** The check of a body: which problem determines the error, and which schemas are refused. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseJson } from '../../src/schema/json.ts'
import { Choice, createBodyCheck, expects, Ignored, Int64, problemsText } from '../../src/schema/schema.ts'
import { type Schema, Type } from '../../src/schema/type.ts'

const text = Type.String({ minLength: 1, [expects]: 'a text' })
const number = Int64({ description: 'a number' })
const choice = Choice(['x', 'y'], { $id: 'XY', description: 'x or y' })

describe('the check of a list and of a boolean', () => {
  const members = { list: Type.Array(choice, { maxItems: 2 }), flag: Type.Boolean() }
  const check = createBodyCheck(Type.Partial(members))

  test('The check of a list and of a boolean accepts exactly their values, and says what it expects', () => {
    for (const body of ['{}', '{"list":[]}', '{"list":["y","x"]}', '{"flag":true}', '{"flag":false}'])
      assert.equal(check(parseJson(body)).problems, undefined, body)
    const bad = ['{"list":["x","x","x"]}', '{"list":["z"]}', '{"list":"x"}', '{"list":null}', '{"list":{"0":"x"}}']
    for (const body of [...bad, '{"flag":"true"}', '{"flag":1}', '{"flag":null}'])
      assert.equal(check(parseJson(body)).problems?.[0].code, 'invalid_field', body)
    const texts = check(parseJson('{"list":1,"flag":1}')).problems?.map((problem) => problem.text)
    assert.deepEqual(texts, ['list: must be a list of at most 2, each one of x, y', 'flag: must be true or false'])
  })
})

test('A member that is ignored may have any value, and the checked body does not contain it', () => {
  const check = createBodyCheck(Type.Object({ text, id: Ignored('Ignored.') }))
  for (const id of ['7', '"x"', 'null', '[1]', '{"a":1}'])
    assert.deepEqual(check(parseJson(`{"text":"a","id":${id}}`)), { value: { text: 'a' } }, id)
})

describe('the problems of a body', () => {
  const check = createBodyCheck(Type.Object({ text, number }))
  const problemsOf = (body: string) => {
    const checked = check(parseJson(body))
    return checked.problems ? problemsText(checked).split('; ') : []
  }
  const members = (count: number, value = '1') => Array.from({ length: count }, (_, i) => `"m${i}":${value}`).join()

  test('The problems of a body are ordered: repeated, missing, invalid and unknown members, each name once [decision 4]', () => {
    assert.deepEqual(problemsOf('{"z":1,"number":"1","y":2,"y":3,"y":4}'), [
      'y: must be given only once',
      'text: is required',
      'number: must be an int64 integer',
      'z: is not a known field',
      'y: is not a known field',
    ])
  })

  test('The first ten problems of a body are described, and the number of the others is given [decision 4]', () => {
    assert.equal(problemsOf(`{"text":"a","number":1,${members(10)}}`).length, 10)
    const problems = problemsOf(`{${members(3_000)}}`)
    assert.deepEqual(problems.slice(0, 3), ['text: is required', 'number: is required', 'm0: is not a known field'])
    assert.deepEqual(problems.slice(9), ['m7: is not a known field', 'and 2,992 more'])
    const repeated = problemsOf(`{"text":"a","number":1,${members(20)},${members(20)}}`)
    assert.deepEqual(repeated.slice(9), ['m9: must be given only once', 'and 30 more'])
  })

  test('The problems of all items of a list in a body are counted together [decision 4]', () => {
    const checked = createBodyCheck(Type.Array(Type.Object({ text }), { maxItems: 3 }))(
      parseJson(`[{"text":"a"},{"text":"a",${members(20)}},{${members(2)}}]`),
    )
    const problems = checked.problems ? problemsText(checked).split('; ') : []
    assert.deepEqual(problems.slice(9), ['[1] m9: is not a known field', 'and 13 more'])
  })

  test('The problems of a body fit in a message, whatever the names of members [decision 4]', () => {
    const [problem = '', ...others] = problemsOf(`{"text":"a","number":1,"${'🐕'.repeat(5_000)}":1}`)
    assert.equal(problem.length, 2_001)
    assert.ok(problem.isWellFormed() && problem.endsWith('…'))
    assert.deepEqual(others, [])
  })
})

describe('a schema', () => {
  const declare = (member: Schema) => createBodyCheck(Type.Object({ member }))

  test('A schema without a known check is refused when it is declared, not at a request', () => {
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
