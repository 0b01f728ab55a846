/**
 * Races for an animal, or for the name of a category, through several instances. One client wins, and some sequence of
 * the requests explains every answer.
 */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { databases } from '../harness/databases.ts'
import { releasePostgres } from '../harness/postgres.ts'
import { explainHistories, nameTogether, readThenWrite, sellToMany } from '../harness/races/concurrent.ts'
import { completeOrExpire } from '../harness/races/expiry.ts'
import { isLinearizable, type Operation } from '../harness/races/history.ts'
import { runOf } from '../harness/random.ts'
import { times } from '../harness/scope.ts'

after(releasePostgres)

for (const database of databases) {
  const count = times(200, 8)
  test(`${count} random histories on ${database.name} are linearizable [decision 23]`, (t) =>
    explainHistories(database, count, runOf(t)))

  const [buyers, animals] = [64, times(20, 2)]
  test(`${buyers} concurrent buyers of each of ${animals} animals place ${animals} orders, on ${database.name} [decision 12]`, () =>
    sellToMany(database, { animals, buyers }))

  const names = times(200, 20)
  test(`${names} names sent concurrently to three instances create ${names} categories, on ${database.name} [decision 13]`, () =>
    nameTogether(database, names))

  const held = times(2_000, 200)
  test(`Each of ${held} orders that is completed at the moment of its end either completes or expires, on ${database.name} [decision 12]`, async () => {
    const completed = await completeOrExpire(database, held)
    assert.ok(completed > 0 && completed < held, String(completed))
  })
}

test('The check of races notices buyers who read first and write later, and so sell one animal twice', () =>
  assert.rejects(sellToMany(databases[0], { animals: 1, buyers: 64 }, undefined, readThenWrite), assert.AssertionError))

describe('the checker', () => {
  /** Makes a history of operations one after another. Operations in one list happen concurrently. */
  function historyOf(...groups: Pick<Operation, 'kind' | 'orderId' | 'answer'>[][]): Operation[] {
    let moment = 0
    return groups.flatMap((group) => {
      const invoked = group.map(() => moment++)
      return group.map((operation, i) => ({ ...operation, invoked: invoked[i] as number, returned: moment++ }))
    })
  }
  const place = (answer: number | string) => ({ kind: 'place', answer }) as const
  const move = (kind: 'complete' | 'cancel' | 'return', orderId: number, answer: string) =>
    ({ kind, orderId, answer }) as const
  const pet = (answer: string) => ({ kind: 'pet', answer }) as const
  const orders = (answer: string) => ({ kind: 'orders', answer }) as const

  const remove = (answer: string) => ({ kind: 'remove', answer }) as const
  const sell = (answer: string) => ({ kind: 'sell', answer }) as const
  const sold = [[place(7)], [move('complete', 7, 'completed')]]
  const cancelled = move('cancel', 7, 'cancelled')

  const right: Record<string, Operation[]> = {
    'one after another': historyOf([place(7)], [pet('pending')], [move('complete', 7, 'completed')], [pet('sold')]),
    'a reader at the same time sees the animal before or after': historyOf([
      pet('available'),
      place(7),
      pet('pending'),
    ]),
    'a cancelled order lets the next one in, all at once': historyOf(
      [place(7)],
      [place(8), cancelled, cancelled, orders('7:cancelled 8:placed')],
    ),
    'an animal that is taken back is sold again': historyOf(...sold, [
      move('return', 7, 'returned'),
      place(8),
      orders('7:returned 8:placed'),
    ]),
    'a loser between two winners': historyOf([place(7), place('pet_not_available'), cancelled, place(8)]),
    'an animal that is gone or ordered': historyOf([remove('removed'), place('unknown_pet')], [pet('pet_not_found')]),
    'one that is sold by hand or ordered': historyOf([sell('order_state_conflict'), place(7)], [pet('pending')]),
  }
  const wrong: Record<string, Operation[]> = {
    'an animal sold to two': historyOf([place(7), place(8)]),
    'an order ended both ways': historyOf([place(7)], [move('complete', 7, 'completed'), cancelled]),
    'a read that is behind': historyOf([place(7)], [pet('available')]),
    'a read that goes back': historyOf([place(7)], [cancelled, pet('available')], [pet('pending')]),
    'an order that is lost': historyOf([place(7)], [orders('')]),
    'a loser without a winner': historyOf([place('pet_not_available')]),
    'a loser after the order was cancelled': historyOf([place(7)], [cancelled], [place('pet_not_available')]),
    'a completed order whose animal is sold again': historyOf([place(7)], [move('complete', 7, 'completed'), place(8)]),
    'an order that is returned before it is completed': historyOf([place(7)], [move('return', 7, 'returned')]),
    'an animal that does not follow its order': historyOf(...sold, [pet('pending')]),
    'an animal both gone and ordered': historyOf([remove('removed'), place(7)]),
    'an animal both sold by hand and ordered': historyOf([sell('sold'), place(7)], [pet('sold')]),
  }
  for (const [name, history] of Object.entries(right))
    test(`The checker of races accepts ${name}`, () => assert.ok(isLinearizable(history)))
  for (const [name, history] of Object.entries(wrong))
    test(`The checker of races rejects ${name}`, () => assert.ok(!isLinearizable(history)))
})
