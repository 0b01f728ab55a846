/** PATCH and DELETE of an animal: what changes, what an order keeps as it is, and the version a client means. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addPet, expectError, freshCategory, idsOf } from '../support/expect.ts'
import { addEnded, addOrder, end, order, statusOf } from '../support/orders.ts'
import { type Answer, type CallOptions, onEveryTarget, type TestService } from '../support/service.ts'

const unknown = ['0', '-1', '9223372036854775807', 'abc', '007', '+5', '5.0', '9223372036854775808', '%31']

onEveryTarget('Changing an animal', (service) => {
  describe('updatePet', () => patching(service))
  describe('deletePet', () => deleting(service))
  describe('If-Match', () => versions(service))
})

function patching(service: () => TestService): void {
  const patch = (id: unknown, body: unknown) => service().call('PATCH', `/pets/${id}`, { body })

  test('changes the members that are sent and leaves the others', async () => {
    const { id } = await addPet(service(), { name: 'Rex', categoryId: 1 })
    const states: [object, object][] = [
      [{ name: 'Max' }, { id, name: 'Max', categoryId: 1, status: 'available' }],
      [{ categoryId: -2 }, { id, name: 'Max', categoryId: -2, status: 'available' }],
      [{ status: 'sold' }, { id, name: 'Max', categoryId: -2, status: 'sold' }],
      [
        { status: 'pending', name: 'Ada', categoryId: 0 },
        { id, name: 'Ada', categoryId: 0, status: 'pending' },
      ],
    ]
    for (const [body, expected] of states) {
      const answer = await patch(id, body)
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.json, expected)
      const found = await service().call('GET', `/pets/${id}`)
      assert.equal(found.text, answer.text)
      assert.equal(found.headers.get('etag'), answer.headers.get('etag'))
    }
  })

  test('takes an empty object, which changes nothing', async () => {
    const pet = await addPet(service())
    const answer = await patch(pet.id, {})
    assert.deepEqual([answer.status, answer.json], [200, pet])
  })

  test('ignores id, so that a Pet can be sent back', async () => {
    const [pet, other] = [await addPet(service()), await addPet(service())]
    const answer = await patch(pet.id, { ...pet, id: other.id, name: 'Max' })
    assert.deepEqual([answer.status, answer.json], [200, { ...pet, name: 'Max' }])
    assert.equal((await service().call('GET', `/pets/${other.id}`)).json.name, other.name)
  })

  test('keeps int64 and names exact', async () => {
    const { id } = await addPet(service())
    const answer = await patch(id, '{"categoryId":-9223372036854775808,"name":"  e\u0301 👩‍👩‍👧 "}')
    assert.equal(
      answer.text,
      `{"id":${id},"name":"  e\u0301 👩‍👩‍👧 ","categoryId":-9223372036854775808,"status":"available"}`,
    )
  })

  test('moves the animal between lists filtered by status', async () => {
    const [from, to] = [freshCategory(), freshCategory()]
    const { id } = await addPet(service(), { categoryId: from })
    await patch(id, { categoryId: to, status: 'sold' })
    assert.deepEqual(idsOf(await service().call('GET', `/pets?categoryId=${from}`)), [])
    assert.deepEqual(idsOf(await service().call('GET', `/pets?categoryId=${to}&status=sold`)), [id])
  })

  for (const [body, code] of [
    ['{"name":null}', 'invalid_field'],
    ['{"categoryId":null}', 'invalid_field'],
    ['{"status":null}', 'invalid_field'],
    ['{"name":" "}', 'invalid_field'],
    ['{"categoryId":"1"}', 'invalid_field'],
    ['{"status":"Sold"}', 'invalid_field'],
    ['{"held":0}', 'unknown_field'],
    ['{"name":"a","name":"b"}', 'duplicate_field'],
    ['[]', 'invalid_field'],
    ['', 'malformed_json'],
  ] as const)
    test(`refuses the body ${body || 'of no bytes'} and changes nothing`, async () => {
      const pet = await addPet(service())
      expectError(await patch(pet.id, body), 400, code)
      assert.deepEqual((await service().call('GET', `/pets/${pet.id}`)).json, pet)
    })

  test('answers 404 for an identifier no animal has', async () => {
    for (const id of unknown) expectError(await patch(id, { name: 'Max' }), 404, 'pet_not_found')
  })

  test('does not change the status while an order is open, but all other members', async () => {
    const { id, petId } = await addOrder(service())
    for (const status of ['available', 'pending', 'sold'])
      expectError(await patch(petId, { status, name: 'Lost' }), 409, 'order_state_conflict')
    const renamed = await patch(petId, { name: 'Max', categoryId: 5 })
    assert.deepEqual(renamed.json, { id: petId, name: 'Max', categoryId: 5, status: 'pending' })
    await end(service(), id, 'cancel')
    assert.equal((await patch(petId, { status: 'sold' })).json.status, 'sold')
  })

  test('does not change the status of an animal that an order has sold, and says how it is taken back', async () => {
    const { id, petId } = await addEnded(service(), 'complete')
    for (const status of ['pending', 'available', 'sold']) {
      const message = expectError(await patch(petId, { status, name: 'Lost' }), 409, 'order_state_conflict')
      assert.match(message, /^status: only the order .+ POST \/store\/orders\/\{orderId\}\/return/)
    }
    const renamed = await patch(petId, { name: 'Max' })
    assert.deepEqual([renamed.status, renamed.json.name, renamed.json.status], [200, 'Max', 'sold'])
    await end(service(), id, 'return')
    for (const status of ['pending', 'sold', 'available'])
      assert.equal((await patch(petId, { status })).json.status, status)
  })
}

function deleting(service: () => TestService): void {
  const remove = (id: unknown) => service().call('DELETE', `/pets/${id}`)

  test('answers 204 without a body; the animal is gone, and its id is never assigned again', async () => {
    const categoryId = freshCategory()
    const { id } = await addPet(service(), { categoryId })
    const answer = await remove(id)
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assert.equal(answer.headers.get('content-type'), null)
    expectError(await remove(id), 404, 'pet_not_found')
    expectError(await service().call('GET', `/pets/${id}`), 404, 'pet_not_found')
    expectError(await service().call('PATCH', `/pets/${id}`, { body: {} }), 404, 'pet_not_found')
    assert.deepEqual(idsOf(await service().call('GET', `/pets?categoryId=${categoryId}`)), [])
    assert.ok((await addPet(service())).id > id)
  })

  for (const status of ['pending', 'sold'])
    test(`removes an animal that was added as ${status}`, async () => {
      assert.equal((await remove((await addPet(service(), { status })).id)).status, 204)
    })

  test('keeps an animal with an order, open, completed or cancelled', async () => {
    const orders = [
      await addOrder(service()),
      await addEnded(service(), 'complete'),
      await addEnded(service(), 'cancel'),
    ]
    for (const { id, petId } of orders) {
      const status = await statusOf(service(), petId)
      expectError(await remove(petId), 409, 'order_state_conflict')
      assert.equal(await statusOf(service(), petId), status)
      assert.equal((await service().call('GET', `/store/orders/${id}`)).status, 200)
    }
  })

  test('answers 404 for an identifier no animal has', async () => {
    for (const id of unknown) expectError(await remove(id), 404, 'pet_not_found')
  })
}

function versions(service: () => TestService): void {
  const tagOf = ({ headers }: Answer): string => headers.get('etag') ?? assert.fail('no ETag')
  const get = (id: number) => service().call('GET', `/pets/${id}`)
  const create = () => service().call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } })
  const patch = (id: number, ifMatch: string, body: object = { name: 'Max' }) =>
    service().call('PATCH', `/pets/${id}`, { body, headers: { 'If-Match': ifMatch } })
  const remove = (id: number, ifMatch: string) =>
    service().call('DELETE', `/pets/${id}`, { headers: { 'If-Match': ifMatch } })
  const refused = (answer: Answer) => expectError(answer, 412, 'precondition_failed')

  test('takes the tag of POST, of PATCH and of GET while it is current', async () => {
    const created = await create()
    const { id } = created.json
    assert.equal(tagOf(created), tagOf(await get(id)))
    const renamed = await patch(id, tagOf(created))
    assert.equal(renamed.status, 200)
    assert.notEqual(tagOf(renamed), tagOf(created))
    assert.equal((await patch(id, tagOf(renamed), { categoryId: 2 })).status, 200)
    assert.equal((await remove(id, tagOf(await get(id)))).status, 204)
  })

  test('refuses a tag that is stale, weak or made up with 412, and changes nothing', async () => {
    const created = await create()
    const { id } = created.json
    const stale = tagOf(created)
    const current = tagOf(await patch(id, stale))
    for (const tag of [stale, `W/${current}`, '"x"', current.slice(1, -1), '', '"*"']) {
      refused(await patch(id, tag, { name: 'Lost' }))
      refused(await remove(id, tag))
    }
    assert.equal((await get(id)).json.name, 'Max')
  })

  test('takes one of several tags, and * for any version', async () => {
    const { id } = await addPet(service())
    assert.equal((await patch(id, `"x", ${tagOf(await get(id))} , W/"y"`)).status, 200)
    assert.equal((await patch(id, '*', { name: 'Ada' })).json.name, 'Ada')
    assert.equal((await remove(id, '*')).status, 204)
  })

  test('of an animal that is not there answers 404', async () => {
    for (const tag of ['*', '"x"']) {
      expectError(await patch(2 ** 52, tag), 404, 'pet_not_found')
      expectError(await remove(2 ** 52, tag), 404, 'pet_not_found')
    }
  })

  test('detects that an order changed the animal: 412 comes before 409', async () => {
    const created = await create()
    const { id } = created.json
    const { json: placed } = await order(service(), id)
    refused(await patch(id, tagOf(created), { status: 'sold' }))
    refused(await remove(id, tagOf(created)))
    const pending = tagOf(await get(id))
    expectError(await patch(id, pending, { status: 'sold' }), 409, 'order_state_conflict')
    expectError(await remove(id, pending), 409, 'order_state_conflict')
    await end(service(), placed.id, 'cancel')
    assert.equal((await patch(id, tagOf(created))).status, 200, 'as it was, so the tag means it again')
  })

  test('lets one of many changes to the same version win', async () => {
    const created = await create()
    const names = Array.from({ length: 8 }, (_, i) => `name ${i}`)
    const answers = await Promise.all(names.map((name) => patch(created.json.id, tagOf(created), { name })))
    const won = answers.filter(({ status }) => status === 200)
    assert.equal(won.length, 1)
    for (const answer of answers) if (answer !== won[0]) refused(answer)
    assert.equal((await get(created.json.id)).text, won[0]?.text)
  })

  test('is ignored on other operations', async () => {
    const options: CallOptions = { headers: { 'If-Match': '"x"' } }
    const { id } = await addPet(service())
    assert.equal((await order(service(), id, options)).status, 201)
    assert.equal((await service().call('GET', `/pets/${id}`, options)).status, 200)
  })
}
