/** Orders over HTTP: placing, completing, cancelling and returning them, what each does to the animal, and all they refuse. */
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { addPet, expectError } from '../support/expect.ts'
import { addEnded, addOrder, end, type Order, order, statusOf } from '../support/orders.ts'
import { onEveryTarget, type TestService } from '../support/service.ts'

const placedAt = Date.UTC(2027, 0, 2, 3, 4, 5, 6)
const noInt64 = ['abc', '007', '+5', '5.0', '-0', '1e3', '9223372036854775808', '%31']
const nobodys = ['0', '-1', '9007199254740993', '9223372036854775807', '-9223372036854775808']

onEveryTarget('Orders', (service) => {
  afterEach(() => service().setClock(null))
  describe('placeOrder', () => placing(service))
  describe('getOrder', () => getting(service))
  describe('completeOrder, cancelOrder and returnOrder', () => ending(service))
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

  test('refuses an animal that was sold here, which no PATCH makes available', async () => {
    const { petId } = await addEnded(service(), 'complete')
    const patched = await service().call('PATCH', `/pets/${petId}`, { body: { status: 'available' } })
    expectError(patched, 409, 'order_state_conflict')
    expectError(await order(service(), petId), 409, 'pet_not_available')
    assert.equal(await statusOf(service(), petId), 'sold')
  })

  for (const verb of ['cancel', 'return'] as const)
    test(`takes an animal that is available again after ${verb}`, async () => {
      const first = await addEnded(service(), verb)
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
  const moves = [
    ['complete', 'completed', 'sold'],
    ['cancel', 'cancelled', 'available'],
    ['return', 'returned', 'available'],
  ] as const
  /** The states of an order, and what can be done in each. */
  const states = [
    ['placed', 'pending', ['complete', 'cancel']],
    ['completed', 'sold', ['complete', 'return']],
    ['cancelled', 'available', ['cancel']],
    ['returned', 'available', ['return']],
  ] as const
  const addIn = (state: Order['status']) => {
    const verb = moves.find(([, status]) => status === state)?.[0]
    return verb ? addEnded(service(), verb) : addOrder(service())
  }

  for (const [verb, status, pet] of moves) {
    test(`${verb} moves the order to ${status} at its own time, and the animal is ${pet}`, async () => {
      const before = verb === 'return' ? await addEnded(service(), 'complete') : await addOrder(service())
      await service().setClock(placedAt)
      const answer = await end(service(), before.id, verb)
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.json, { ...before, status, updatedAt: '2027-01-02T03:04:05.006Z' })
      assert.deepEqual((await service().call('GET', `/store/orders/${before.id}`)).json, answer.json)
      assert.deepEqual((await service().call('GET', `/store/orders?petId=${before.petId}&status=${status}`)).json, [
        answer.json,
      ])
      assert.equal(await statusOf(service(), before.petId), pet)
    })

    test(`${verb} again answers 200 with the same order and moves nothing, with an Idempotency-Key or without`, async () => {
      const first = await addEnded(service(), verb)
      // One that sells stands in the way of the next order.
      const next = verb === 'complete' ? undefined : await addOrder(service(), first.petId)
      const headers = { 'Idempotency-Key': `${verb} again` }
      await service().setClock(placedAt)
      for (const options of [{}, { headers }, { headers }, { headers: { 'Idempotency-Key': 'a b' } }]) {
        const again = await end(service(), first.id, verb, options)
        assert.deepEqual([again.status, again.json], [200, first])
        assert.equal(again.headers.get('idempotency-replayed'), null)
      }
      assert.equal(await statusOf(service(), first.petId), next ? 'pending' : 'sold')
    })

    test(`${verb} answers 404 for an identifier no order has`, async () => {
      for (const id of [...nobodys, ...noInt64]) expectError(await end(service(), id, verb), 404, 'order_not_found')
    })

    test(`${verb} needs no body and passes over one`, async () => {
      for (const body of ['', '{}', 'not json', '{"status":"placed"}']) {
        const { id } = await addIn(verb === 'return' ? 'completed' : 'placed')
        assert.equal((await end(service(), id, verb, { body })).json.status, status)
      }
    })
  }

  for (const [state, pet, possible] of states)
    for (const [verb] of moves.filter(([verb]) => !(possible as readonly string[]).includes(verb)))
      test(`${verb} of an order that is ${state} answers 409 and changes nothing`, async () => {
        const before = await addIn(state)
        const message = expectError(await end(service(), before.id, verb), 409, 'order_state_conflict')
        assert.doesNotMatch(message, /[/\\]|SQL/)
        assert.deepEqual((await service().call('GET', `/store/orders/${before.id}`)).json, before)
        assert.equal(await statusOf(service(), before.petId), pet)
      })

  for (const verb of ['cancel', 'return'] as const)
    test(`an old order, after ${verb}, leaves the animal to the order that holds it now`, async () => {
      const old = await addEnded(service(), verb)
      const { id } = await addOrder(service(), old.petId)
      assert.equal((await end(service(), old.id, verb)).status, 200)
      expectError(await end(service(), old.id, 'complete'), 409, 'order_state_conflict')
      assert.equal(await statusOf(service(), old.petId), 'pending')
      assert.equal((await end(service(), id, 'complete')).json.status, 'completed')
      assert.equal(await statusOf(service(), old.petId), 'sold')
    })

  test('an animal that was taken back can be sold and taken back again', async () => {
    const { petId } = await addPet(service()).then(({ id }) => addEnded(service(), 'return', id))
    const second = await addEnded(service(), 'return', petId)
    const { json } = await service().call('GET', `/store/orders?petId=${petId}`)
    assert.deepEqual(
      json.map(({ status }: Order) => status),
      ['returned', 'returned'],
    )
    assert.equal(json[1].id, second.id)
    assert.equal(await statusOf(service(), petId), 'available')
  })

  test('of many that take an animal back at once, all get the same order, and it is sold once more', async () => {
    const { id, petId } = await addEnded(service(), 'complete')
    const answers = await Promise.all(Array.from({ length: 8 }, () => end(service(), id, 'return')))
    assert.deepEqual([...new Set(answers.map(({ status, json }) => `${status} ${json.status}`))], ['200 returned'])
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    await addEnded(service(), 'complete', petId)
  })
}
