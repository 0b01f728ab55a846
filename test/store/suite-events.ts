/** What every store must do with events: one for each change, in order, and none for what changes nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventPosition } from '../../src/model/event.ts'
import type { OrderMove } from '../../src/model/order.ts'
import type { EventPage, EventTable } from '../../src/store/store.ts'
import { rex, rowOf, type Subject } from './subject.ts'

const farFuture = Date.UTC(2100, 0)

export function eventSuite(subject: () => Subject): void {
  async function page(
    query: Partial<Parameters<EventTable['page']>[0]> & { after: EventPosition },
  ): Promise<EventPage> {
    const found = await subject().store.events.page({ limit: 100, ...query })
    assert.ok(typeof found === 'object', String(found))
    return found
  }

  test('every change is an event with the thing as it was then, of its type, and what changes nothing is none [D104]', async () => {
    const { pets, orders, categories, events } = subject().store
    const [start, before] = [await events.present(), Date.now()]
    const created = rowOf(await pets.insert({ ...rex, name: 'Ré"\\x 🐕' }, undefined))
    const other = rowOf(await pets.insert(rex, undefined))
    const petId = BigInt(created.id)
    const placed = rowOf(await orders.place(petId, 't', undefined))
    const held = await pets.find(petId)
    const move = (to: OrderMove) => orders.move(BigInt(placed.id), to, 't')
    const completed = rowOf((await move('completed')) ?? assert.fail())
    await move('returned')
    rowOf(await orders.place(BigInt(other.id), 't', undefined))
    for (const name of ['Dogs', 'Cats', 'Cats']) await categories.put(7n, name, undefined)
    await categories.remove(7n, undefined)
    const present = await events.present()
    await Promise.all([
      pets.update(petId, {}, undefined),
      pets.update(petId, { name: 'Rex' }, 'another version'),
      pets.remove(petId, undefined),
      orders.place(-1n, 't', undefined),
      move('completed'),
      categories.remove(8n, undefined),
    ])
    const all = await page({ after: start })
    assert.deepEqual([await events.present(), all.position], [present, present])
    const texts = all.events.map(({ type, json }) => `${type} ${json.replace(/^.*?"data":(.*)}$/, '$1')}`)
    for (const text of [
      `pet.created ${created.json}`,
      `order.placed ${placed.json}`,
      `pet.updated ${held}`,
      `order.completed ${completed.json}`,
      'category.named {"id":7,"name":"Cats"}',
      'category.unnamed {"id":7,"name":"Cats"}',
    ])
      assert.ok(texts.includes(text), text)
    assert.equal(texts.length, 13)
    for (const { id, at, type, json } of all.events) {
      const event = JSON.parse(json)
      assert.deepEqual(Object.keys(event), ['id', 'type', 'at', 'data'])
      assert.deepEqual([event.id, event.type, event.at], [id, type, new Date(at).toISOString()])
      // The clock of the database is that of this machine.
      assert.ok(at >= before - 1 && at <= Date.now() + 1, event.at)
    }

    const typesOf = async (query: Partial<Parameters<EventTable['page']>[0]>) => {
      const found = await page({ after: start, ...query })
      assert.deepEqual(found.position, present, 'it passes those that do not match')
      return found.events.map(({ type }) => type).toSorted()
    }
    const ofAnimal = ['order.completed', 'order.placed', 'order.returned', 'pet.created']
    assert.deepEqual(await typesOf({ petId }), [...ofAnimal, 'pet.updated', 'pet.updated', 'pet.updated'])
    assert.deepEqual(await typesOf({ types: ['order.returned', 'pet.created'] }), [
      'order.returned',
      'pet.created',
      'pet.created',
    ])
    assert.deepEqual(await typesOf({ petId, types: ['pet.created', 'category.named'] }), ['pet.created'])
    assert.deepEqual(await typesOf({ petId: -1n }), [])
    const first = await page({ after: start, limit: 1, petId: BigInt(other.id) })
    assert.deepEqual(
      first.events.map(({ id, at }) => ({ id, at })),
      [first.position],
    )
    for (const id of [created.id, other.id]) {
      const pet = await subject().found(BigInt(id))
      if (pet) subject().model.push(pet)
    }
  })

  test('pages follow one another without a gap, whatever their size, and the last one stays where it is [D109]', async () => {
    const { pets, events } = subject().store
    const start = await events.present()
    const added = await Promise.all(Array.from({ length: 7 }, () => pets.insert(rex, undefined)))
    const all = (await page({ after: start })).events
    assert.deepEqual(
      all.map(({ json }) => JSON.parse(json).data.id),
      added.map((outcome) => rowOf(outcome).id),
    )
    for (const limit of [1, 3, 7, 8]) {
      const seen: unknown[] = []
      let after = start
      for (let next = await page({ after, limit }); next.events.length > 0; next = await page({ after, limit })) {
        assert.ok(next.position.id > after.id)
        seen.push(...next.events)
        after = next.position
      }
      assert.deepEqual(seen, all)
      assert.deepEqual(after, await events.present())
      assert.deepEqual(await page({ after, limit }), { events: [], position: after })
    }
    for (const outcome of added) await pets.remove(BigInt(rowOf(outcome).id), undefined)
  })

  test('whoever watches is told of each write of this process, until they stop', async () => {
    const { events, pets } = subject().store
    let calls = 0
    const stop = events.watch(() => calls++)
    const { id } = rowOf(await pets.insert(rex, undefined))
    assert.equal(calls, 1)
    stop()
    await pets.remove(BigInt(id), undefined)
    assert.equal(calls, 1)
  })

  test('a position is expired once events after it are removed, if it is ahead of all, or if its event is another one', async () => {
    const { events, pets } = subject().store
    const present = await events.present()
    for (const after of [
      { id: present.id + 1, at: present.at },
      { id: present.id, at: present.at + 1 },
      { id: present.id, at: 0 },
    ])
      for (const filters of [{}, { types: ['pet.created'] }] as const)
        assert.equal(await events.page({ after, limit: 1, ...filters }), 'events_expired', JSON.stringify(after))
    const oldest = await events.oldest()
    assert.ok(oldest.id < present.id)
    await events.purge(0)
    assert.deepEqual(await events.oldest(), oldest)
    const [first] = (await page({ after: oldest, limit: 1 })).events
    assert.ok(first)

    await events.purge(farFuture)
    assert.deepEqual([await events.oldest(), await events.present()], [present, present])
    assert.equal(await events.page({ after: oldest, limit: 1 }), 'events_expired')
    assert.equal(await events.page({ after: first, limit: 1 }), 'events_expired')
    assert.deepEqual(await page({ after: present }), { events: [], position: present })
    const { id } = rowOf(await pets.insert(rex, undefined))
    const [next, ...more] = (await page({ after: present })).events
    assert.ok(next && next.id > present.id && more.length === 0)
    await subject().reopen()
    assert.deepEqual(await page({ after: present }), { events: [next], position: { id: next.id, at: next.at } })
    await subject().store.pets.remove(BigInt(id), undefined)
  })

  test('an id alone gives the position of its event, or of the one before if there is none, and none that was removed [D114]', async () => {
    const { events, pets } = subject().store
    await events.purge(farFuture)
    const purged = await events.present()
    const added = rowOf(await pets.insert(rex, undefined))
    const present = await events.present()
    assert.deepEqual(await events.positionOf(present.id), present)
    assert.deepEqual(await events.positionOf(purged.id), purged)
    assert.deepEqual(await events.positionOf(present.id - 1), purged, 'on PostgreSQL an id may be left out')
    assert.equal(await events.positionOf(purged.id - 1), 'events_expired')
    assert.equal(await events.positionOf(present.id + 1), 'events_expired')
    await pets.remove(BigInt(added.id), undefined)
  })
}
