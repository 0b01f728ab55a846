/** Integers keep every digit, with what newer engines have and without it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseByText, parseJson, stringifyByText, stringifyJson } from '../../client/src/json.ts'
import { projectFile } from '../support/project.ts'

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const pet = fc.record(
  { id: int64, name: fc.string({ unit: 'binary' }), categoryId: int64, status: fc.constantFrom('sold', undefined) },
  { requiredKeys: ['id', 'name'] },
)
const withoutUndefined = (body: object) => Object.fromEntries(Object.entries(body).filter(([, v]) => v !== undefined))

for (const [name, parse, stringify] of [
  ['with source text and rawJSON', parseJson, stringifyJson],
  ['without them', parseByText, stringifyByText],
] as const) {
  test(`an animal is read as it was written, ${name}`, () => {
    fc.assert(fc.property(pet, (body) => assert.deepEqual(parse(stringify(body)), withoutUndefined(body))))
  })

  test(`digits in strings and other members are left alone, ${name}`, () => {
    assert.deepEqual(parse('[ {"name":"\\"id\\":1, \\\\", "id" :\n 9007199254740993 ,"age":3,"note":{"id":-0}} ]'), [
      { name: '"id":1, \\', id: 9007199254740993n, age: 3, note: { id: 0n } },
    ])
    assert.deepEqual(parse('{"id":1.5,"petId":null,"categoryId":[1]}'), { id: 1.5, petId: null, categoryId: [1] })
    assert.deepEqual(parse('{"status":400,"code":"id"}'), { status: 400, code: 'id' })
  })

  test(`what is not JSON is refused, ${name}`, () => {
    for (const text of ['{"id":01}', '{"id":1', '{"id":-}', '{"id":1 2}', '{"id":"1}', '<h1>502</h1>'])
      assert.throws(() => parse(text), SyntaxError, text)
  })

  test(`a number that may have been rounded is not written, ${name}`, () => {
    assert.equal(stringify({ petId: 42 }), '{"petId":42}')
    for (const petId of [2 ** 53, 1.5, Number.NaN]) assert.throws(() => stringify({ petId }), TypeError)
  })
}

test('both implementations write the same text', () => {
  fc.assert(fc.property(pet, (body) => assert.equal(stringifyByText(body), stringifyJson(body))))
})

test('what is deprecated says since when, until when and what instead, as the document does', () => {
  const { get } = JSON.parse(projectFile('openapi.json')).paths['/pets/{petId}']
  const [, note = ''] =
    /(@deprecated [^\n]*)\n\s*\*\/\n\s*async get\(petId/.exec(projectFile('client/src/petstore.ts')) ?? []
  assert.ok(note.includes(`removed from the service on ${get['x-deprecated-sunset']}`), note)
  assert.ok(note.includes('list({ id: [petId] })'), note)
})
