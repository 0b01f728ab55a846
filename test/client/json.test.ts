/** Integers keep every digit in what the client sends and reads, and in the output of `JSON.stringify`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PetStore, parse, stringify } from '../../client/src/index.ts'
import { anyCharacter } from '../../harness/random.ts'

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const pet = fc.record({
  id: int64,
  name: fc.string({ unit: anyCharacter }),
  categoryId: int64,
  status: fc.constant('sold'),
})
const max = 2n ** 63n - 1n

test('An animal that was read is written unchanged by stringify and by JSON.stringify [decision 31]', () => {
  fc.assert(
    fc.property(pet, (members) => {
      const body = { ...members }
      const text = stringify(body)
      const read = parse(text)
      assert.deepEqual(read, body)
      assert.equal(JSON.stringify(read), text)
      assert.deepEqual(parse(JSON.stringify({ pets: [read] })), { pets: [body] })
    }),
  )
})

test('The client refuses an engine that cannot read and write every digit, and names engines that can [decision 31]', (t) => {
  t.mock.property(JSON as unknown as { rawJSON: unknown }, 'rawJSON', undefined)
  const message =
    'petstore-client needs Node 22, Chrome 114, Firefox 135 or Safari 18.4, or newer, to keep every digit of an id'
  assert.throws(() => new PetStore({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'a' }), { name: 'TypeError', message })
})

test('The method that lets JSON.stringify write exact integers is not listed, compared or cloned [decision 31]', () => {
  const read = parse(`{"id":${max},"name":"Rex"}`) as object
  assert.deepEqual(Object.keys(read), ['id', 'name'])
  assert.deepEqual(read, { id: max, name: 'Rex' })
  assert.deepEqual(structuredClone(read), { id: max, name: 'Rex' })
  assert.equal(stringify({ ...read, note: 1n }), `{"id":${max},"name":"Rex","note":1}`)
})

test('The client does not change digits in strings and in other members [decision 31]', () => {
  assert.deepEqual(parse('[ {"name":"\\"id\\":1, \\\\", "id" :\n 9007199254740993 ,"age":3,"note":{"id":-0}} ]'), [
    { name: '"id":1, \\', id: 9007199254740993n, age: 3, note: { id: 0n } },
  ])
  assert.deepEqual(parse('{"id":1.5,"petId":null,"categoryId":[1]}'), { id: 1.5, petId: null, categoryId: [1] })
  assert.deepEqual(parse('{"status":400,"code":"id"}'), { status: 400, code: 'id' })
  assert.deepEqual(parse('{"id":"007","petId":"7 "}'), { id: '007', petId: '7 ' })
})

test('The client refuses invalid JSON quickly, even a long string without an end', () => {
  for (const text of ['{"id":01}', '{"id":1', '{"id":-}', '{"id":1 2}', '{"id":"1}', '<h1>502</h1>'])
    assert.throws(() => parse(text), SyntaxError, text)
  // A pattern that searched for the end of each string again would take an hour.
  assert.throws(() => parse(`"${'\\"'.repeat(1e6)}`), SyntaxError)
})

test('stringify writes the same as JSON.stringify, but refuses an id that may have been rounded [decision 31]', () => {
  const any = { date: new Date(0), list: [undefined, null, { a: 1.5, b: undefined }], text: '\u2028"', none: () => 1 }
  assert.equal(stringify(any), JSON.stringify(any))
  assert.equal(stringify({ petId: 42 }), '{"petId":42}')
  for (const petId of [2 ** 53, 1.5, Number.NaN]) assert.throws(() => stringify({ petId }), TypeError)
})
