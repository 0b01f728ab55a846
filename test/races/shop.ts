/** A shop with several doors on one database, and the one check of who bought what: the real service passes it, planted faults must not. */
import assert from 'node:assert/strict'
import type { Run } from '../support/random.ts'

export interface Answer {
  readonly status: number
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look at bodies of every shape.
  readonly json: any
  readonly link: string
}

/** What a buyer is told. */
export type Bought = Pick<Answer, 'status' | 'json'>

export interface Sale {
  readonly petId: number
  readonly status: string
}

export interface Shop {
  /** Adds animals, all available. */
  stock(count: number): Promise<number[]>
  /** Tries to order an animal; `buyer` chooses the door. */
  buy(petId: number, buyer: number): Promise<Bought>
  /** Every order there is. */
  sales(): Promise<Sale[]>
  /** The status of every animal, by its id. */
  statuses(): Promise<Map<number, string>>
}

export const outcome = ({ status, json }: Bought): string => (status < 300 ? `${status}` : `${status} ${json?.code}`)

/** All buyers want the same animal at the same instant, one animal after another: one gets it, and each other is told so. */
export async function sellToMany(
  shop: Shop,
  animals: number,
  buyers: number,
  progress?: Run['progress'],
): Promise<void> {
  const petIds = await shop.stock(animals)
  const seen = new Map<string, number>()
  for (const [i, petId] of petIds.entries()) {
    progress?.(i)
    const answers = await Promise.all(Array.from({ length: buyers }, (_, buyer) => shop.buy(petId, buyer)))
    for (const answer of answers) seen.set(outcome(answer), (seen.get(outcome(answer)) ?? 0) + 1)
  }
  assert.deepEqual(Object.fromEntries(seen), { 201: animals, '409 pet_not_available': animals * (buyers - 1) })
  const sales = await shop.sales()
  assert.deepEqual(
    sales.map(({ petId }) => petId).sort((a, b) => a - b),
    petIds.toSorted((a, b) => a - b),
    'one order on each animal',
  )
  assert.ok(sales.every(({ status }) => status === 'placed'))
  const statuses = await shop.statuses()
  assert.ok(petIds.every((petId) => statuses.get(petId) === 'pending'))
}

/** Every animal stands where its orders say, and at most one of them holds or has bought it. */
export function checkAgreement(statuses: ReadonlyMap<number, string>, sales: readonly Sale[]): void {
  const held = new Map<number, string>()
  for (const { petId, status } of sales) {
    assert.ok(statuses.has(petId), `an order on the animal ${petId}, which is gone`)
    if (status === 'cancelled' || status === 'returned') continue
    assert.ok(!held.has(petId), `the animal ${petId} is sold twice`)
    held.set(petId, status === 'placed' ? 'pending' : 'sold')
  }
  for (const [petId, status] of held) assert.equal(statuses.get(petId), status, `the animal ${petId}`)
}
