/**
 * The program whose writes are recorded. Clients write through the store concurrently, and each acknowledgement is one
 * write to standard output. It ends without closing the store, as in a power cut. The arguments are the URL of the
 * database and the number of rounds.
 */
import assert from 'node:assert/strict'
import { writeSync } from 'node:fs'
import { openStore } from '../../src/store/open.ts'
import type { IdempotencyClaim, Outcome, Store } from '../../src/store/store.ts'
import { systemTime } from '../../src/time.ts'
import type { Acknowledgement } from './recording.ts'

const [, , url = '', rounds = ''] = process.argv
const clients = 8

function acknowledge(acknowledgement: Acknowledgement): void {
  writeSync(1, `${JSON.stringify(acknowledgement)}\n`)
}

function claimOf(key: string): IdempotencyClaim {
  return { keyId: 1, route: '/test', idempotencyKey: key, fingerprint: key }
}

/**
 * The work of one client in one round. Of three animals, one is sold, one stays ordered, and one is cancelled and
 * ordered again.
 */
async function round(store: Store, name: string, turn: number): Promise<void> {
  async function write(
    table: 'pets' | 'orders',
    run: (claim?: IdempotencyClaim) => Promise<Outcome | undefined>,
    key?: string,
  ) {
    const claim = key === undefined ? undefined : claimOf(`${name} ${key}`)
    const row = await run(claim)
    assert.ok(typeof row === 'object', `${name}: ${row}`)
    acknowledge({ row: `${table} ${row.id}`, json: row.json, ...(claim && { claim }) })
    return BigInt(row.id)
  }
  // The names have many lengths, so that rows fill pages and overflow them.
  const pet = {
    name: `${name} ${'x'.repeat((turn * 97) % 900)}`,
    categoryId: BigInt(turn % 5),
    status: 'available',
  } as const
  const add = (key?: string) => write('pets', (claim) => store.pets.insert(pet, claim), key)
  const place = (petId: bigint, key?: string) => write('orders', (claim) => store.orders.place({ petId }, claim), key)
  const move = (id: bigint, to: 'completed' | 'cancelled' | 'returned') =>
    write('orders', () => store.orders.move(id, to))

  const petId = await add(turn % 2 ? 'add' : undefined)
  const orderId = await place(petId, 'order')
  if (turn % 3 > 0) await move(orderId, 'completed')
  if (turn % 3 === 2) {
    await move(orderId, 'returned')
    await move(await place(petId), 'cancelled')
  }
  await write('pets', () => store.pets.update(petId, { name: `${name}, renamed` }, undefined))
  const short = await add()
  await store.pets.remove(short, undefined)
  acknowledge({ row: `pets ${short}`, json: null })
}

async function work(from: number, to: number): Promise<Store> {
  const store = await openStore({ time: systemTime, url, connections: 1, timeoutMilliseconds: 1, schema: 'migrate' })
  const client = async (number: number) => {
    for (let i = from; i < to; i++) await round(store, `client ${number}, round ${i}`, i * clients + number)
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  return store
}

// The store is closed and opened once in the middle, because closing copies the log into the file and removes it.
const half = Math.floor(Number(rounds) / 2)
await (await work(0, half)).close()
await work(half, Number(rounds))
process.kill(process.pid, 'SIGKILL')
