/** Whether a request has a body, and of which type: what is missing is named, and nothing is guessed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPet, expectError } from '../support/expect.ts'
import { exchange, request } from '../support/raw.ts'
import { type Answer, onOneTarget } from '../support/service.ts'

const mergePatch = 'application/merge-patch+json'

onOneTarget('A body and its type', (service) => {
  /** The answers of every operation that takes a body, to headers that no client library adds to. */
  async function sendToEach(lines: readonly string[], body: string): Promise<Answer[]> {
    const { id } = await addPet(service())
    const head = ['Host: a', 'Connection: close', `Authorization: Bearer ${service().key}`, ...lines]
    const sent = ['POST /v1/pets', `PATCH /v1/pets/${id}`, 'POST /v1/store/orders'].map((line) =>
      exchange(service().port, request(`${line} HTTP/1.1`, head, body)),
    )
    return (await Promise.all(sent)).map(([answer]) => answer ?? assert.fail('no answer'))
  }
  const patch = (id: number, type: string, body: unknown) =>
    service().call('PATCH', `/pets/${id}`, { body, headers: { 'Content-Type': type } })

  test('are both missing: 400 that says the body is empty', async () => {
    for (const lines of [[], ['Content-Length: 0']])
      for (const answer of await sendToEach(lines, ''))
        assert.match(expectError(answer, 400, 'malformed_json'), /body is empty/)
    const chunked = await sendToEach(['Transfer-Encoding: chunked'], '0\r\n\r\n')
    for (const answer of chunked) expectError(answer, 400, 'malformed_json')
  })

  test('a type without a body: 400 that says the body is empty', async () => {
    for (const lines of [['Content-Type: application/json'], ['Content-Type: application/json', 'Content-Length: 0']])
      for (const answer of await sendToEach(lines, ''))
        assert.match(expectError(answer, 400, 'malformed_json'), /body is empty/)
  })

  test('a wrong type without a body: 415', async () => {
    for (const answer of await sendToEach(['Content-Type: text/plain'], ''))
      expectError(answer, 415, 'unsupported_media_type')
  })

  test('a body without a type: 415', async () => {
    for (const body of ['{"name":"Rex","categoryId":1}', '{}', '{', ' '])
      for (const answer of await sendToEach([`Content-Length: ${body.length}`], body))
        expectError(answer, 415, 'unsupported_media_type')
    for (const answer of await sendToEach(['Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'))
      expectError(answer, 415, 'unsupported_media_type')
  })

  for (const type of [
    mergePatch,
    `${mergePatch}; charset=utf-8`,
    `${mergePatch};charset="UTF-8"`,
    'Application/Merge-Patch+JSON',
    'application/json',
    'application/json; charset=utf-8',
  ])
    test(`PATCH takes ${type}`, async () => {
      const pet = await addPet(service())
      const answer = await patch(pet.id, type, { name: 'Max' })
      assert.deepEqual([answer.status, answer.json], [200, { ...pet, name: 'Max' }])
    })

  for (const type of [
    `${mergePatch}; charset=latin1`,
    `${mergePatch};`,
    `${mergePatch}x`,
    'application/json-patch+json',
    'application/merge-patch',
    'application/xml',
  ])
    test(`PATCH refuses ${type}`, async () => {
      const pet = await addPet(service())
      expectError(await patch(pet.id, type, { name: 'Max' }), 415, 'unsupported_media_type')
      assert.deepEqual((await service().call('GET', `/pets/${pet.id}`)).json, pet)
    })

  test('POST refuses a merge patch', async () => {
    const { id } = await addPet(service())
    const headers = { 'Content-Type': mergePatch }
    for (const [path, body] of [
      ['/pets', { name: 'Rex', categoryId: 1 }],
      ['/store/orders', { petId: id }],
    ] as const)
      expectError(await service().call('POST', path, { body, headers }), 415, 'unsupported_media_type')
  })

  test('a null in a merge patch, which would remove a member: 400, as every member has a value', async () => {
    const pet = await addPet(service())
    for (const name of ['name', 'categoryId', 'status']) {
      const message = expectError(await patch(pet.id, mergePatch, { [name]: null }), 400, 'invalid_field')
      assert.match(message, new RegExp(`^${name}: must be `))
    }
    assert.deepEqual((await service().call('GET', `/pets/${pet.id}`)).json, pet)
  })
})
