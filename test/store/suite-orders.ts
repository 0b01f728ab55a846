/** Orders in a store: each moves its animal, ends once, and no animal is sold twice. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '../../src/limits.ts'
import type { OrderEnd, OrderStatus } from '../../src/model/order.ts'
import type { PetStatus } from '../../src/model/pet.ts'
import { type JsonObject, parseJson } from '../../src/schema/json.ts'
import type { IdempotencyClaim, Outcome } from '../../src/store/store.ts'
import { int64Max, int64Min, petOf, rex, rowOf, type Subject, statuses } from './subject.ts'

interface Order {
  readonly id: bigint
  readonly petId: bigint
  readonly status: OrderStatus
  readonly createdAt: string
  readonly updatedAt: string
}

const [t1, t2, t3] = ['2027-01-02T03:04:05.006Z', '2027-01-02T03:04:05.007Z', '2028-02-29T00:00:00.000Z'] as const
const ends: readonly (readonly [OrderEnd, PetStatus, OrderEnd])[] = [
  ['completed', 'sold', 'cancelled'],
  ['cancelled', 'available', 'completed'],
]

function orderIn(members: JsonObject): Order {
  assert.deepEqual([...members.keys()], ['id', 'petId', 'status', 'createdAt', 'updatedAt'])
  return Object.fromEntries(members) as unknown as Order
}
const orderOf = (json: string | undefined): Order => orderIn(parseJson(json ?? 'null').value as JsonObject)
const ordersOf = (json: string): Order[] => (parseJson(json).value as JsonObject[]).map(orderIn)

export function orderSuite(given: () => Subject): void {
  const place = (petId: bigint, at: string = t1, claim?: IdempotencyClaim) =>
    given().store.orders.place(petId, at, claim)
  const end = (id: bigint, as: OrderEnd, at: string = t2, claim?: IdempotencyClaim) =>
    given().store.orders.end(id, as, at, claim)
  const add = async (status: PetStatus = 'available') => {
    const pet = petOf(rowOf(await given().store.pets.insert({ ...rex, status, categoryId: 900n }, undefined)).json)
    given().model.push(pet)
    return pet.id
  }
  /** How the animal stands now; the model follows. */
  const statusOf = async (id: bigint): Promise<PetStatus | undefined> => {
    const pet = await given().found(id)
    const { model } = given()
    const index = model.findIndex((each) => each.id === id)
    if (index >= 0) model.splice(index, 1, ...(pet ? [pet] : []))
    return pet?.status
  }
  const placed = async (petId: bigint): Promise<Order> => {
    const order = orderOf(rowOf(await place(petId)).json)
    await statusOf(petId)
    return order
  }
  const ended = async (petId: bigint, as: OrderEnd): Promise<Order> => {
    const order = orderOf(rowOf((await end((await placed(petId)).id, as)) as Outcome).json)
    await statusOf(petId)
    return order
  }

  describe('orders', () => {
    test('placing one holds an available animal', async () => {
      const petId = await add()
      const row = rowOf(await place(petId))
      const order = orderOf(row.json)
      assert.deepEqual(order, { id: BigInt(row.id), petId, status: 'placed', createdAt: t1, updatedAt: t1 })
      assert.equal(row.replayed, false)
      assert.equal(await given().store.orders.find(order.id), row.json)
      assert.equal(await statusOf(petId), 'pending')
      assert.equal(await place(petId), 'pet_not_available')
    })

    for (const status of ['pending', 'sold'] as const)
      test(`an animal that is ${status} cannot be ordered`, async () => {
        const petId = await add(status)
        assert.equal(await place(petId), 'pet_not_available')
        assert.equal(await statusOf(petId), status)
      })

    test('an animal that is not there cannot be ordered', async () => {
      for (const id of [0n, -1n, 2n ** 53n + 1n, int64Min, int64Max]) assert.equal(await place(id), 'unknown_pet')
    })

    test('one that ends under a clock that was set back ends when it was placed, not before', async () => {
      for (const [as] of ends) {
        const order = await placed(await add())
        const { json } = rowOf((await end(order.id, as, '2001-01-01T00:00:00.000Z')) as Outcome)
        assert.deepEqual(orderOf(json), { ...order, status: as, updatedAt: order.createdAt })
        await statusOf(order.petId)
      }
    })

    for (const [as, status, opposite] of ends) {
      test(`one that is ${as} leaves its animal ${status}, and ends once`, async () => {
        const petId = await add()
        const order = await placed(petId)
        const row = rowOf((await end(order.id, as)) as Outcome)
        assert.deepEqual(orderOf(row.json), { ...order, status: as, updatedAt: t2 })
        assert.equal(await given().store.orders.find(order.id), row.json)
        assert.equal(await statusOf(petId), status)
        assert.deepEqual(await end(order.id, as, t3), row, 'again, and the same')
        assert.equal(await end(order.id, opposite, t3), 'order_state_conflict')
        assert.equal(await given().store.orders.find(order.id), row.json)
        assert.equal(await statusOf(petId), status)
      })

      test(`one that does not exist cannot be ${as}`, async () => {
        const claim = { ...(await given().newClaim()), route: 'end' }
        for (const id of [0n, -1n, 2n ** 53n + 1n, int64Min, int64Max]) {
          assert.equal(await end(id, as), undefined)
          assert.equal(await end(id, as, t2, claim), undefined)
          assert.equal(await given().store.orders.find(id), undefined)
        }
      })

      test(`one that is ${as} under an claim is repeated as it was, and recorded for every claim`, async () => {
        const petId = await add()
        const { id } = await placed(petId)
        const [first, second] = [await given().newClaim(), await given().newClaim()]
        const row = rowOf((await end(id, as, t2, first)) as Outcome)
        assert.equal(row.replayed, false)
        assert.deepEqual(await end(id, as, t3, second), row)
        for (const claim of [first, second]) assert.deepEqual(await end(id, as, t3, claim), { ...row, replayed: true })
        assert.equal(await end(id, as, t3, { ...first, fingerprint: 'b' }), 'idempotency_key_reused')
        const later = { ...first, now: first.now + limits.idempotencyTime.milliseconds }
        assert.deepEqual(await end(id, as, t3, later), row, 'a day later it is no repetition')
        await statusOf(petId)
      })
    }

    test('a cancelled one lets its animal go to another, and never moves it again', async () => {
      const petId = await add()
      const [first, second] = [await ended(petId, 'cancelled'), await placed(petId)]
      assert.ok(second.id > first.id)
      rowOf((await end(first.id, 'cancelled', t3)) as Outcome)
      assert.equal(await statusOf(petId), 'pending')
      rowOf((await end(second.id, 'completed')) as Outcome)
      assert.equal(await statusOf(petId), 'sold')
    })

    test('an animal that was sold is not sold again, whatever its status says', async () => {
      const petId = await add()
      await ended(petId, 'completed')
      for (const status of statuses) {
        rowOf((await given().store.pets.update(petId, { status }, undefined)) as Outcome)
        assert.equal(await statusOf(petId), status)
        assert.equal(await place(petId), 'pet_not_available')
      }
    })

    test('the status of an animal is free to change, except while an order is open', async () => {
      const petId = await add()
      const { update } = given().store.pets
      for (const status of ['sold', 'available'] as const)
        assert.equal(petOf(rowOf((await update(petId, { status }, undefined)) as Outcome).json).status, status)
      const order = await placed(petId)
      for (const status of statuses) assert.equal(await update(petId, { status }, undefined), 'order_state_conflict')
      const renamed = petOf(rowOf((await update(petId, { name: 'Max' }, undefined)) as Outcome).json)
      assert.deepEqual(renamed, { id: petId, name: 'Max', categoryId: 900n, status: 'pending' })
      await end(order.id, 'cancelled')
      assert.equal(await statusOf(petId), 'available')
    })

    test('an animal with orders is kept, one without is removed for good', async () => {
      const { remove } = given().store.pets
      const [free, open, cancelled] = [await add(), await add(), await add()]
      await placed(open)
      await ended(cancelled, 'cancelled')
      for (const id of [open, cancelled]) assert.equal(await remove(id, undefined), 'order_state_conflict')
      assert.equal(rowOf((await remove(free, undefined)) as Outcome).id, Number(free))
      assert.equal(await statusOf(free), undefined)
      assert.equal(await remove(free, undefined), undefined)
      assert.equal(await given().store.pets.update(free, {}, undefined), undefined)
      assert.equal(await place(free), 'unknown_pet')
      assert.ok((await add()) > free)
    })

    test('a change is made to the version it means, or not at all', async () => {
      const { update, remove, find } = given().store.pets
      const petId = await add()
      const version = await find(petId)
      const changed = rowOf((await update(petId, { categoryId: int64Min }, version)) as Outcome)
      assert.equal(petOf(changed.json).categoryId, int64Min)
      assert.equal(await update(petId, { name: 'Lost' }, version), 'precondition_failed')
      assert.equal(await remove(petId, version), 'precondition_failed')
      assert.deepEqual(await update(petId, {}, changed.json), changed)
      await placed(petId)
      assert.equal(await update(petId, { status: 'sold' }, changed.json), 'precondition_failed')
      assert.equal(await update(int64Max, {}, version), undefined)
      assert.equal(await statusOf(petId), 'pending')
    })

    test('one placed under an claim is repeated as it was, and under an old one placed anew', async () => {
      const [petId, claim] = [await add(), { ...(await given().newClaim()), route: 'POST /v1/store/orders' }]
      const row = rowOf(await place(petId, t1, claim))
      assert.deepEqual(await place(petId, t2, claim), { ...row, replayed: true })
      await end(BigInt(row.id), 'cancelled')
      assert.deepEqual(await place(petId, t2, claim), { ...row, replayed: true })
      assert.equal(await statusOf(petId), 'available', 'a repetition holds nothing')
      const other = await add()
      assert.equal(await place(other, t2, { ...claim, fingerprint: 'b' }), 'idempotency_key_reused')
      assert.equal(await statusOf(other), 'available', 'nor does a key that was used')
      const later = rowOf(await place(petId, t3, { ...claim, now: claim.now + limits.idempotencyTime.milliseconds }))
      assert.ok(!later.replayed && later.id > row.id)
      assert.equal(await statusOf(petId), 'pending')
    })

    test('pages of them are what a plain search gives', async () => {
      const petIds = [await add(), await add()]
      const expected: Order[] = []
      for (let i = 0; i < 7; i++)
        expected.push(await ended(petIds[i % 2] as bigint, i === 6 ? 'completed' : 'cancelled'))
      expected.push(await placed(petIds[1] as bigint))
      for (const petId of petIds)
        for (const status of [undefined, 'placed', 'completed', 'cancelled'] as const)
          for (const limit of [1, 2, 100]) {
            const rows = expected.filter((each) => each.petId === petId && (!status || each.status === status))
            const first = await given().store.orders.page({ after: 0, limit, petId, status })
            assert.deepEqual(ordersOf(first.json), rows.slice(0, limit))
            assert.equal(first.next, rows.length > limit ? Number(rows[limit - 1]?.id) : undefined)
            if (first.next === undefined) continue
            const rest = await given().store.orders.page({ after: first.next, limit: 100, petId, status })
            assert.deepEqual(ordersOf(rest.json), rows.slice(limit))
          }
      const after = Number((expected[0] as Order).id) - 1
      assert.deepEqual(ordersOf((await given().store.orders.page({ after, limit: 100 })).json), expected)
    })
  })
}
