/** Orders in a store, beyond the model of their life (harness/model). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expireAll } from '../../harness/orders.ts'
import { runSql } from '../../harness/sql.ts'
import type { OrderMove } from '../../src/model/order.ts'
import { expiredMax, type OrderQuery, type Placement } from '../../src/store/store.ts'
import { rex, rowOf, type Subject } from './subject.ts'

/** Each state that an order can reach, and the state before it, if that is not the first. */
const moves: readonly (readonly [OrderMove, OrderMove | undefined])[] = [
  ['completed', undefined],
  ['cancelled', undefined],
  ['returned', 'completed'],
]
/** These times are long ago by every clock, so an order with such an end is over on either database. */
const [at, then] = ['2001-01-01T00:00:00.000Z', '2001-01-02T00:00:00.000Z']
const future = '2100-01-01T00:00:00.000Z'

export function orderSuite(given: () => Subject): void {
  async function place(order: Omit<Placement, 'petId'> = {}) {
    const { id: petId } = rowOf(await given().store.pets.insert(rex, undefined))
    const placed = rowOf(await given().store.orders.place({ petId: BigInt(petId), ...order }, undefined))
    return { ...placed, petId, order: BigInt(placed.id) }
  }
  /** Sets the times of orders without going through the store, as if its clock had been different. */
  const setTimes = (times: string, ...orders: readonly bigint[]) =>
    runSql(given().url, `UPDATE orders SET ${times} WHERE id IN (${orders})`)
  /** Places orders whose end is long ago. */
  async function placeOver(count: number, reference?: string) {
    const placed = await Promise.all(Array.from({ length: count }, () => place({ heldUntil: future, reference })))
    const times = `created_at = '${at}', updated_at = '${at}', held_until = '${then}'`
    await setTimes(times, ...placed.map(({ order }) => order))
    return placed
  }
  const isStatus = async (petId: number, status: string) =>
    assert.equal(JSON.parse((await given().store.pets.find(BigInt(petId))) ?? '').status, status)

  test('If the clock was set back, an order changes at the time of its last change, not before', async () => {
    const { orders } = given().store
    const inFuture = `created_at = '${future}', updated_at = '${future}'`
    const { order: renamed } = await place()
    await setTimes(inFuture, renamed)
    const { json: text } = rowOf((await orders.update(renamed, { reference: 'Novak' })) ?? assert.fail('it is gone'))
    assert.deepEqual([JSON.parse(text).reference, JSON.parse(text).updatedAt], ['Novak', future])
    for (const [to, earlier] of moves) {
      const { id, petId, order } = await place()
      if (earlier) await orders.move(order, earlier)
      await setTimes(earlier ? `${inFuture}, completed_at = '${future}'` : inFuture, order)
      const completed = to === 'cancelled' ? {} : { completedAt: future }
      const json = JSON.stringify({ id, petId, status: to, createdAt: future, updatedAt: future, ...completed })
      for (const replayed of [false, true]) assert.deepEqual(await orders.move(order, to), { id, json, replayed })
    }
  })

  test('An order that would be over at once is refused for its time, whatever its animal is, and changes nothing [decision 12]', async () => {
    const { pets, orders } = given().store
    const id = BigInt(rowOf(await pets.insert(rex, undefined)).id)
    assert.equal(await orders.place({ petId: id, heldUntil: then }, undefined), 'invalid_field')
    await isStatus(Number(id), 'available')
    rowOf(await orders.place({ petId: id, heldUntil: future }, undefined))
    for (const petId of [id, 999_999n])
      assert.equal(await orders.place({ petId, heldUntil: then }, undefined), 'invalid_field')
  })

  test('Of an order whose time has passed, only the reference can be changed, and then it expires [decision 12]', async () => {
    const { orders } = given().store
    const [placed] = await placeOver(1, 'Novak')
    const { id, petId, order } = placed ?? assert.fail('none was placed')
    const refused = () => [
      ...(['completed', 'cancelled', 'returned'] as const).map((to) => orders.move(order, to)),
      ...[future, null].map((heldUntil) => orders.update(order, { heldUntil })),
    ]
    for (const outcome of await Promise.all(refused())) assert.equal(outcome, 'order_state_conflict')
    await isStatus(petId, 'pending')
    assert.equal(await expireAll(given().store.orders), 1)
    const expired = {
      id,
      petId,
      status: 'expired',
      reference: 'Novak',
      heldUntil: then,
      createdAt: at,
      updatedAt: then,
    }
    assert.equal(await orders.find(order), JSON.stringify(expired))
    await isStatus(petId, 'available')
    for (const outcome of await Promise.all(refused())) assert.equal(outcome, 'order_state_conflict')
    const reference = 'Mrs "\\ Novak'
    const { json } = rowOf((await orders.update(order, { reference })) ?? assert.fail('it is gone'))
    const { updatedAt } = JSON.parse(json)
    assert.equal(json, JSON.stringify({ ...expired, reference, updatedAt }))
    assert.ok(updatedAt > then)
    rowOf(await orders.place({ petId: BigInt(petId) }, undefined))
  })

  test('Only orders that are due expire, a bounded number at a time, and the next due time is known [decision 12]', async () => {
    const { orders } = given().store
    await expireAll(orders)
    const { json } = await orders.page({ after: undefined, limit: 1_000, status: 'placed' })
    for (const { id } of JSON.parse(json)) await orders.update(BigInt(id), { heldUntil: null })
    const due = await placeOver(expiredMax + 5)
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    const kept = [await place({ heldUntil: soon }), await place(), await place({ heldUntil: future }), await place()]
    await orders.update(kept[2]?.order ?? 0n, { heldUntil: null })
    await orders.move(kept[3]?.order ?? 0n, 'completed')
    const first = await orders.expire()
    assert.equal(first.expired, expiredMax)
    assert.ok(first.nextIn !== undefined && first.nextIn <= 0)
    const second = await orders.expire()
    assert.equal(second.expired, 5)
    assert.ok(second.nextIn !== undefined && second.nextIn > 0 && second.nextIn <= 3_600_000)
    for (const { petId } of due) await isStatus(petId, 'available')
    for (const { order, petId } of kept) {
      assert.doesNotMatch((await orders.find(order)) ?? '', /expired/)
      await isStatus(petId, order === kept[3]?.order ? 'sold' : 'pending')
    }
    await orders.update(kept[0]?.order ?? 0n, { heldUntil: null })
    assert.deepEqual(await orders.expire(), { expired: 0, nextIn: undefined })
  })

  test('A change that changes nothing leaves an order, its updatedAt and the feed as they are [decision 12]', async () => {
    const { orders, events } = given().store
    const { order, json } = await place({ heldUntil: future, reference: 'Novak' })
    const before = await events.present()
    for (const change of [{}, { reference: 'Novak' }, { heldUntil: future }])
      assert.equal(rowOf((await orders.update(order, change)) ?? assert.fail('it is gone')).json, json)
    assert.deepEqual(await events.present(), before)
    assert.equal(await orders.update(2n ** 62n, { reference: 'Novak' }), undefined)
  })

  test('A change for another version of an order is refused, whatever else it changes [decision 20]', async () => {
    const { orders } = given().store
    const { order, json } = await place({ heldUntil: future, reference: 'Novak' })
    const update = (change: { reference?: string; heldUntil?: null }, version: string) =>
      orders.update(order, change, 'desk', version)
    const changed = rowOf((await update({ reference: 'Abe' }, json)) ?? assert.fail('it is gone')).json
    for (const change of [{}, { reference: 'Novak' }, { heldUntil: null }])
      assert.equal(await update(change, json), 'precondition_failed')
    assert.equal(await orders.find(order), changed)
    const { json: over } = rowOf((await orders.move(order, 'completed')) ?? assert.fail('it is gone'))
    assert.equal(await update({ heldUntil: null }, changed), 'precondition_failed')
    assert.equal(await update({ heldUntil: null }, over), 'order_state_conflict')
  })

  test('References are stored and found exactly, with every filter and in both directions [decision 12]', async () => {
    const { orders } = given().store
    const references = ['Novak', 'novak', 'Nova\u0301k', 'Novák', ' Novak', 'Novak%', 'a'.repeat(128), '\u{10ffff}']
    const placed: { id: number; petId: number; reference: string | undefined; status: string }[] = []
    for (const reference of [...references, ...references, undefined]) {
      const { id, petId, order } = await place({ reference })
      const status = placed.length % 3 === 0 ? 'completed' : 'placed'
      if (status === 'completed') await orders.move(order, 'completed')
      placed.push({ id, petId, reference, status })
    }
    const first = placed[0]?.id ?? 0
    for (const reference of references)
      for (const filters of [
        {},
        { status: 'completed' },
        { status: 'placed' },
        { petId: BigInt(placed[1]?.petId ?? 0) },
      ])
        for (const isDescending of [false, true]) {
          const query = { ...filters, reference } as Partial<OrderQuery>
          const expected = placed.filter(
            (one) =>
              one.reference === reference &&
              (query.status === undefined || one.status === query.status) &&
              (query.petId === undefined || BigInt(one.petId) === query.petId),
          )
          const found: number[] = []
          let after: number | undefined
          do {
            const page = await orders.page({ ...query, isDescending, limit: 1, after })
            for (const one of JSON.parse(page.json)) {
              assert.equal(one.reference, reference)
              found.push(one.id)
            }
            after = page.next
          } while (after !== undefined)
          const ids = expected.map(({ id }) => id)
          assert.deepEqual(
            found.filter((id) => id >= first),
            isDescending ? ids.reverse() : ids,
          )
        }
  })
}
