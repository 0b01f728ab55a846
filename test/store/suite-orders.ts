/** Orders in a store: each moves its animal, from state to state as it may, and no animal is sold twice. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '../../src/limits.ts'
import { type OrderMove, OrderStatus } from '../../src/model/order.ts'
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
/** Each state, the one before it, and what the animal is then. */
const moves: readonly (readonly [OrderMove, OrderMove | undefined, PetStatus])[] = [
  ['completed', undefined, 'sold'],
  ['cancelled', undefined, 'available'],
  ['returned', 'completed', 'available'],
]

function orderFrom(members: JsonObject): Order {
  assert.deepEqual([...members.keys()], ['id', 'petId', 'status', 'createdAt', 'updatedAt'])
  return Object.fromEntries(members) as unknown as Order
}
const orderOf = (json: string | undefined): Order => orderFrom(parseJson(json ?? 'null').value as JsonObject)
const ordersOf = (json: string): Order[] => (parseJson(json).value as JsonObject[]).map(orderFrom)

export function orderSuite(given: () => Subject): void {
  const place = (petId: bigint, at: string = t1, claim?: IdempotencyClaim) =>
    given().store.orders.place(petId, at, claim)
  const move = (id: bigint, to: OrderMove, at: string = t2) => given().store.orders.move(id, to, at)
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
  /** One in any state. */
  const orderIn = async (petId: bigint, status: OrderStatus): Promise<Order> => {
    let order = await placed(petId)
    const before = moves.find(([to]) => to === status)?.[1]
    for (const to of [before, status])
      if (to && to !== 'placed') order = orderOf(rowOf((await move(order.id, to)) as Outcome).json)
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

    test('one that moves on under a clock that was set back does so when it last changed, not before', async () => {
      for (const [to, before] of moves) {
        const order = await orderIn(await add(), before ?? 'placed')
        const { json } = rowOf((await move(order.id, to, '2001-01-01T00:00:00.000Z')) as Outcome)
        assert.deepEqual(orderOf(json), { ...order, status: to, updatedAt: order.updatedAt })
        await statusOf(order.petId)
      }
    })

    for (const [to, before = 'placed', status] of moves) {
      test(`one that is ${to} was ${before}, leaves its animal ${status}, and can be so again and again`, async () => {
        const petId = await add()
        const order = await orderIn(petId, before)
        const row = rowOf((await move(order.id, to, t3)) as Outcome)
        assert.equal(row.replayed, false)
        assert.deepEqual(orderOf(row.json), { ...order, status: to, updatedAt: t3 })
        assert.equal(await given().store.orders.find(order.id), row.json)
        assert.equal(await statusOf(petId), status)
        assert.deepEqual(await move(order.id, to, t1), { ...row, replayed: true }, 'again, and the same')
        assert.equal(await statusOf(petId), status)
      })

      test(`one that was not ${before} cannot be ${to}`, async () => {
        for (const other of OrderStatus.enum.filter((each) => each !== before && each !== to)) {
          const petId = await add()
          const order = await orderIn(petId, other)
          const pet = await given().store.pets.find(petId)
          assert.equal(await move(order.id, to, t3), 'order_state_conflict', other)
          assert.deepEqual(orderOf((await given().store.orders.find(order.id)) as string), order)
          assert.equal(await given().store.pets.find(petId), pet)
        }
      })

      test(`one that does not exist cannot be ${to}`, async () => {
        for (const id of [0n, -1n, 2n ** 53n + 1n, int64Min, int64Max]) {
          assert.equal(await move(id, to), undefined)
          assert.equal(await given().store.orders.find(id), undefined)
        }
      })
    }

    for (const as of ['cancelled', 'returned'] as const)
      test(`one that is ${as} lets its animal go to another, and never moves it again`, async () => {
        const petId = await add()
        const [first, second] = [await orderIn(petId, as), await placed(petId)]
        assert.ok(second.id > first.id)
        rowOf((await move(first.id, as, t3)) as Outcome)
        assert.equal(await statusOf(petId), 'pending')
        rowOf((await move(second.id, 'completed')) as Outcome)
        assert.equal(await move(first.id, 'completed'), 'order_state_conflict')
        assert.equal(await statusOf(petId), 'sold')
      })

    test('the status of an animal is free to change, except while an order is open or completed', async () => {
      const petId = await add()
      const { update } = given().store.pets
      for (const status of ['sold', 'available'] as const)
        assert.equal(petOf(rowOf((await update(petId, { status }, undefined)) as Outcome).json).status, status)
      const order = await placed(petId)
      for (const held of ['pending', 'sold'] as const) {
        for (const status of statuses) assert.equal(await update(petId, { status }, undefined), 'order_state_conflict')
        const renamed = petOf(rowOf((await update(petId, { name: `Max, ${held}` }, undefined)) as Outcome).json)
        assert.deepEqual(renamed, { id: petId, name: `Max, ${held}`, categoryId: 900n, status: held })
        await move(order.id, held === 'pending' ? 'completed' : 'returned')
      }
      rowOf((await update(petId, { status: 'pending' }, undefined)) as Outcome)
      assert.equal(await statusOf(petId), 'pending')
    })

    test('an animal with orders is kept, one without is removed for good', async () => {
      const { remove } = given().store.pets
      const [free, open, cancelled] = [await add(), await add(), await add()]
      await placed(open)
      await orderIn(cancelled, 'cancelled')
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

    test('one placed under a claim is repeated as it was, and under an old one placed anew', async () => {
      const [petId, claim] = [await add(), { ...(await given().newClaim()), route: 'POST /v1/store/orders' }]
      const row = rowOf(await place(petId, t1, claim))
      assert.deepEqual(await place(petId, t2, claim), { ...row, replayed: true })
      await move(BigInt(row.id), 'cancelled')
      assert.deepEqual(await place(petId, t2, claim), { ...row, replayed: true })
      assert.equal(await statusOf(petId), 'available', 'a repetition holds nothing')
      const other = await add()
      assert.equal(await place(other, t2, { ...claim, fingerprint: 'b' }), 'idempotency_key_reused')
      assert.equal(await statusOf(other), 'available', 'nor does a key that was used')
      const later = rowOf(await place(petId, t3, { ...claim, now: claim.now + limits.idempotencyTime.milliseconds }))
      assert.ok(!later.replayed && later.id > row.id)
      assert.equal(await statusOf(petId), 'pending')
    })

    test('pages of them are what a plain search gives, from either end', async () => {
      const petIds = [await add(), await add()]
      const expected: Order[] = []
      for (let i = 0; i < 9; i++)
        expected.push(await orderIn(petIds[i % 2] as bigint, i === 8 ? 'completed' : i % 3 ? 'cancelled' : 'returned'))
      expected.push(await placed(petIds[1] as bigint))
      const { page } = given().store.orders
      for (const isDescending of [false, true])
        for (const petId of petIds)
          for (const status of [undefined, ...OrderStatus.enum])
            for (const limit of [1, 2, 100]) {
              const rows = expected.filter((each) => each.petId === petId && (!status || each.status === status))
              if (isDescending) rows.reverse()
              const first = await page({ after: undefined, limit, petId, status, isDescending })
              assert.deepEqual(ordersOf(first.json), rows.slice(0, limit))
              assert.equal(first.next, rows.length > limit ? Number(rows[limit - 1]?.id) : undefined)
              if (first.next === undefined) continue
              const rest = await page({ after: first.next, limit: 100, petId, status, isDescending })
              assert.deepEqual(ordersOf(rest.json), rows.slice(limit))
            }
      const after = Number((expected[0] as Order).id) - 1
      assert.deepEqual(ordersOf((await page({ after, limit: 100 })).json), expected)
    })
  })
}
