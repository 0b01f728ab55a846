/** A copy of the catalogue that is kept through events, and the contents of the store itself. Both are texts by id. */
import assert from 'node:assert/strict'
import type { EventPosition } from '../src/model/event.ts'
import type { EventTable, StoredEvent } from '../src/store/event-table.ts'
import type { Store } from '../src/store/store.ts'

type Copy = Record<'pet' | 'order' | 'category', Map<string, string>>

export class CatalogueCopy {
  readonly copy: Copy = { pet: new Map(), order: new Map(), category: new Map() }
  /** Where the next page begins. */
  position: EventPosition
  /** The last event that was applied. */
  last = 0
  events = 0
  readonly #isStrict: boolean

  /** A copy that begins with the very first event can recognize an event that changes nothing. */
  constructor(position: EventPosition = { id: 0, at: 0 }, isStrict = position.id === 0) {
    this.position = position
    this.#isStrict = isStrict
  }

  apply({ id, type, json }: Pick<StoredEvent, 'id' | 'type' | 'json'>): void {
    assert.ok(id > this.last, `event ${id} after ${this.last}`)
    this.last = id
    this.events++
    const [kind, what] = type.split('.') as [keyof Copy, string]
    const data = json.slice(json.indexOf('"data":') + '"data":'.length, -1)
    const [, key = assert.fail(json)] = /^\{"id":(-?\d+),/.exec(data) ?? []
    const before = this.copy[kind].get(key)
    const isGone = what === 'deleted' || what === 'unnamed'
    if (this.#isStrict && isGone) assert.equal(before, data, json)
    if (this.#isStrict && !isGone) assert.notEqual(before, data, `nothing changed: ${json}`)
    if (this.#isStrict && (what === 'created' || what === 'placed')) assert.equal(before, undefined, json)
    const statusIn = (text = '') => /"status":"(\w+)"/.exec(text)?.[1]
    if (this.#isStrict && kind === 'order')
      assert.equal(statusIn(data), what === 'updated' ? statusIn(before) : what, json)
    if (isGone) this.copy[kind].delete(key)
    else this.copy[kind].set(key, data)
  }

  /** Reads a page and applies it. Returns false if there was nothing more. */
  async step(events: EventTable, limit: number): Promise<boolean> {
    const page = await events.page({ after: this.position, limit })
    assert.ok(typeof page === 'object', String(page))
    for (const event of page.events) this.apply(event)
    const isMore = page.position.id !== this.position.id
    this.position = page.position
    return isMore
  }

  async catchUp(events: EventTable, limit = 100): Promise<void> {
    while (await this.step(events, limit));
  }

  /** Follows the events to the end, and compares the copy with the store, byte for byte. */
  async check(store: Store): Promise<void> {
    await this.catchUp(store.events)
    assert.deepEqual(sorted(this.copy), sorted(await contentsOf(store)))
  }
}

async function contentsOf({ bulk }: Store): Promise<Copy> {
  const read = async (table: 'pets' | 'orders' | 'categories') => {
    const rows = new Map<string, string>()
    await bulk.read(table, ['id', 'doc'], async (chunk) => {
      for (const [id, doc] of chunk) rows.set(id as string, doc as string)
    })
    return rows
  }
  return { pet: await read('pets'), order: await read('orders'), category: await read('categories') }
}

const sorted = (copy: Copy) =>
  Object.entries(copy).map(([kind, rows]) => [kind, [...rows].sort(([a], [b]) => Number(BigInt(a) - BigInt(b)))])
