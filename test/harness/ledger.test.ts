/** Which events and lists of them the ledger of the simulation accepts, where the databases differ. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventText, readSince } from '../../harness/simulation/followers.ts'
import { type EventRow, Ledger } from '../../harness/simulation/ledger.ts'
import type { Client } from '../../harness/simulation/network.ts'
import type { Answer } from '../../harness/simulation/requests.ts'
import type { Shop } from '../../harness/simulation/shop.ts'

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

/** Asks for the events since a time in the future, and gets those from an index on after `meanwhile` has happened. */
async function readSinceFuture(ledger: Ledger, from: number, meanwhile = () => {}): Promise<void> {
  const send: Shop['send'] = async (_client, _method, _path, _body, _headers, told) => {
    const answer = () => ({ status: 200, text: `[${ledger.told.slice(from).map(eventText)}]` }) as Answer
    told?.begun?.()
    meanwhile()
    told?.answered?.(answer())
    return answer()
  }
  const shop: Partial<Shop> = { ledger, purged: () => 0, send }
  await readSince(shop as Shop, {} as Client, Date.parse(time) + 1_000)
}

test('Events since a future time may begin with one that became visible after others with higher ids', () => {
  const ledger = ledgerWith([add(4, 'two', 'pet.created', 4, animal(4, 'available'))])
  const late = add(3, 'three', 'pet.created', 3, animal(3, 'available'))
  return readSinceFuture(ledger, 2, () => ledger.take([late]))
})

test('Events since a future time must not begin with one that was visible before', () =>
  assert.rejects(readSinceFuture(ledgerWith([]), 1), /events since a time begin with the first/))
