/** Orders over HTTP: placing, completing and cancelling them, what each does to the animal, and all they refuse. */
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { addPet, expectError } from '../support/expect.ts'
import { addEnded, addOrder, end, order, statusOf } from '../support/orders.ts'
import { onEveryTarget, type TestService } from '../support/service.ts'

const placedAt = Date.UTC(2027, 0, 2, 3, 4, 5, 6)
const noInt64 = ['abc', '007', '+5', '5.0', '-0', '1e3', '9223372036854775808', '%31']
const nobodys = ['0', '-1', '9007199254740993', '9223372036854775807', '-9223372036854775808']

onEveryTarget('Orders', (service) => {
  afterEach(() => service().setClock(null))
  describe('placeOrder', () => placing(service))
  describe('getOrder', () => getting(service))
  describe('completeOrder and cancelOrder', () => ending(service))
})

function placing(service: () => TestService): void {
  test('answers 201 with the order, its address and its time in UTC, and the animal is pending', async () => {
    const { id: petId } = await addPet(service())
    await service().setClock(placedAt)
    const answer = await order(service(), petId)
    assert.equal(answer.status, 201)
    const time = '2027-01-02T03:04:05.006Z'
    const { id } = answer.json
    assert.equal(
      answer.text,
      `{"id":${id},"petId":${petId},"status":"placed","createdAt":"${time}","updatedAt":"${time}"}`,
    )
    assert.equal(answer.headers.get('location'), `${service().url}/v1/store/orders/${id}`)
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(await statusOf(service(), petId), 'pending')
  })

  test('assigns ascending ids', async () => {
    const [first, second] = [await addOrder(service()), await addOrder(service())]
    assert.ok(first.id >= 1 && second.id > first.id)
  })

  test('refuses an animal that is held by an open order, or sold by a completed one', async () => {
    const { id, petId } = await addOrder(service())
    expectError(await order(service(), petId), 409, 'pet_not_available')
    await end(service(), id, 'complete')
    expectError(await order(service(), petId), 409, 'pet_not_available')
    assert.equal(await statusOf(service(), petId), 'sold')
  })

  for (const status of ['pending', 'sold'])
    test(`refuses an animal that was added or patched as ${status}`, async () => {
      const [added, patched] = [await addPet(service(), { status }), await addPet(service())]
      await service().call('PATCH', `/pets/${patched.id}`, { body: { status } })
      for (const { id } of [added, patched]) expectError(await order(service(), id), 409, 'pet_not_available')
      await service().call('PATCH', `/pets/${patched.id}`, { body: { status: 'available' } })
      assert.equal((await order(service(), patched.id)).status, 201, 'available again, and never sold')
    })

  test('refuses an animal that was sold here, also when it is patched back to available', async () => {
    const { petId } = await addEnded(service(), 'complete')
    const patched = await service().call('PATCH', `/pets/${petId}`, { body: { status: 'available' } })
    assert.equal(patched.status, 200)
    assert.equal(patched.json.status, 'available')
    expectError(await order(service(), petId), 409, 'pet_not_available')
    assert.equal(await statusOf(service(), petId), 'available')
  })

  test('takes an animal whose order was cancelled', async () => {
    const first = await addEnded(service(), 'cancel')
    const second = await addOrder(service(), first.petId)
    assert.ok(second.id > first.id)
    assert.equal(await statusOf(service(), first.petId), 'pending')
  })

  for (const petId of nobodys)
    test(`answers 422 for petId ${petId}, which no animal has`, async () => {
      expectError(await order(service(), 0, { body: `{"petId":${petId}}` }), 422, 'unknown_pet')
    })

  test('answers 422 for an animal that was removed', async () => {
    const { id } = await addPet(service())
    await service().call('DELETE', `/pets/${id}`)
    expectError(await order(service(), id), 422, 'unknown_pet')
  })

  test('takes petId in every spelling of an integer', async () => {
    const { id } = await addPet(service())
    assert.equal((await order(service(), 0, { body: `{"petId":${id}.0}` })).json.petId, id)
  })

  for (const [body, code] of [
    ['{}', 'missing_field'],
    ['[]', 'invalid_field'],
    ['{', 'malformed_json'],
    ['', 'malformed_json'],
    ['{"petId":null}', 'invalid_field'],
    ['{"petId":"1"}', 'invalid_field'],
    ['{"petId":1.5}', 'invalid_field'],
    ['{"petId":9223372036854775808}', 'invalid_field'],
    ['{"petId":1,"petId":1}', 'duplicate_field'],
    ['{"petId":1,"status":"placed"}', 'unknown_field'],
    ['{"petId":1,"id":1}', 'unknown_field'],
  ] as const)
    test(`refuses the body ${body || 'of no bytes'}`, async () => {
      expectError(await order(service(), 0, { body }), 400, code)
    })

  test('refuses another media type', async () => {
    const headers = { 'Content-Type': 'text/plain' }
    expectError(await order(service(), 1, { headers }), 415, 'unsupported_media_type')
  })
}

function getting(service: () => TestService): void {
  test('answers the order as it was placed, with an ETag that gives 304 while it holds', async () => {
    const placed = await addOrder(service())
    const path = `/store/orders/${placed.id}`
    const first = await service().call('GET', path)
    assert.equal(first.status, 200)
    assert.deepEqual(first.json, placed)
    assert.equal(first.headers.get('cache-control'), 'private, no-cache')
    const ifNoneMatch = { headers: { 'If-None-Match': first.headers.get('etag') ?? '' } }
    assert.equal((await service().call('GET', path, ifNoneMatch)).status, 304)
    assert.equal((await service().call('HEAD', path)).text, '')
    await end(service(), placed.id, 'cancel')
    assert.equal((await service().call('GET', path, ifNoneMatch)).json.status, 'cancelled')
  })

  test('answers 404 for an identifier no order has, and for what is no canonical int64', async () => {
    await addOrder(service())
    for (const id of [...nobodys, ...noInt64])
      expectError(await service().call('GET', `/store/orders/${id}`), 404, 'order_not_found')
  })
}

function ending(service: () => TestService): void {
  const ends = [
    ['complete', 'completed', 'sold', 'cancel'],
    ['cancel', 'cancelled', 'available', 'complete'],
  ] as const

  for (const [verb, status, pet, opposite] of ends) {
    test(`${verb} ends the order as ${status} at its own time, and the animal is ${pet}`, async () => {
      const placed = await addOrder(service())
      await service().setClock(placedAt)
      const answer = await end(service(), placed.id, verb)
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.json, { ...placed, status, updatedAt: '2027-01-02T03:04:05.006Z' })
      assert.deepEqual((await service().call('GET', `/store/orders/${placed.id}`)).json, answer.json)
      assert.equal(await statusOf(service(), placed.petId), pet)
    })

    test(`${verb} again answers 200 with the same order, whatever became of the animal`, async () => {
      const { id, petId } = await addOrder(service())
      const first = await end(service(), id, verb)
      await service().setClock(placedAt)
      assert.equal((await end(service(), id, verb)).text, first.text)
      await service().call('PATCH', `/pets/${petId}`, { body: { status: 'pending' } })
      const again = await end(service(), id, verb)
      assert.equal(again.status, 200)
      assert.equal(again.text, first.text)
      assert.equal(again.headers.get('idempotency-replayed'), null)
      assert.equal(await statusOf(service(), petId), 'pending', 'an order that has ended moves nothing')
    })

    test(`${opposite} after ${verb} answers 409 and changes nothing`, async () => {
      const { id, petId } = await addEnded(service(), verb)
      const message = expectError(await end(service(), id, opposite), 409, 'order_state_conflict')
      assert.doesNotMatch(message, /[/\\]|SQL/)
      assert.equal((await service().call('GET', `/store/orders/${id}`)).json.status, status)
      assert.equal(await statusOf(service(), petId), pet)
    })

    test(`${verb} answers 404 for an identifier no order has`, async () => {
      for (const id of [...nobodys, ...noInt64]) expectError(await end(service(), id, verb), 404, 'order_not_found')
    })

    test(`${verb} needs no body and passes over one`, async () => {
      for (const body of ['', '{}', 'not json', '{"status":"placed"}']) {
        const { id } = await addOrder(service())
        assert.equal((await end(service(), id, verb, { body })).json.status, status)
      }
    })
  }

  test('an old cancelled order leaves the animal to the order that holds it now', async () => {
    const old = await addEnded(service(), 'cancel')
    const { id } = await addOrder(service(), old.petId)
    assert.equal((await end(service(), old.id, 'cancel')).status, 200)
    expectError(await end(service(), old.id, 'complete'), 409, 'order_state_conflict')
    assert.equal(await statusOf(service(), old.petId), 'pending')
    assert.equal((await end(service(), id, 'complete')).json.status, 'completed')
    assert.equal(await statusOf(service(), old.petId), 'sold')
  })
}
