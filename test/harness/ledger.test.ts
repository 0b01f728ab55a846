/** Which events the ledger of the simulation accepts, where the databases differ. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventRow, Ledger } from '../../harness/simulation/ledger.ts'

const time = '2027-01-01T09:00:00.000Z'
const add = (id: number, change: string, type: string, petId: number, data: object): EventRow => ({
  id,
  at: Date.parse(time),
  type,
  petId,
  data: JSON.stringify(data),
  by: 'buyers',
  change,
})
const animal = (id: number, status: string) => ({ id, name: 'Rex', categoryId: 1, status })
const order = (id: number, petId: number) => ({ id, petId, status: 'placed', createdAt: time, updatedAt: time })
const added = [1, 2].map((id) => add(id, 'one', 'pet.created', id, animal(id, 'available')))
const ledgerWith = (rows: readonly EventRow[]) => {
  const ledger = new Ledger(() => ({ ticks: 0, now: Date.parse(time), disturbedAt: 0, isPunctual: false }))
  ledger.take([...added, ...rows])
  return ledger
}

test('The ledger of the simulation accepts two orders that one statement of PostgreSQL has placed', () => {
  const ledger = ledgerWith([
    add(3, 'two', 'pet.updated', 1, animal(1, 'pending')),
    add(4, 'two', 'pet.updated', 2, animal(2, 'pending')),
    add(5, 'two', 'order.placed', 1, order(1, 1)),
    add(6, 'two', 'order.placed', 2, order(2, 2)),
  ])
  assert.deepEqual(ledger.ids('order'), [1, 2])
})

test('The ledger of the simulation refuses an order whose animal became pending in another transaction', () => {
  const rows = [add(3, 'two', 'pet.updated', 1, animal(1, 'pending')), add(4, 'three', 'order.placed', 1, order(1, 1))]
  assert.throws(() => ledgerWith(rows), /events are lawful steps: its animal is not pending: event 4/)
})
