/** Positions in the events of a store: of removed events, of missing events, and of other events with the same id. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventPosition } from '../../src/model/event.ts'
import type { EventPage, EventTable } from '../../src/store/event-table.ts'
import { ofAll, ofNone, rex, rowOf, type Subject } from './subject.ts'

export function eventSuite(subject: () => Subject): void {
  async function page(
    query: Partial<Parameters<EventTable['page']>[0]> & { after: EventPosition },
  ): Promise<EventPage> {
    const found = await subject().store.events.page({ limit: 100, ...query })
    assert.ok(typeof found === 'object', String(found))
    return found
  }

  test('A watcher is called after each write of this process, until it stops', async () => {
    const { events, pets } = subject().store
    let calls = 0
    const stop = events.watch(() => calls++)
    const { id } = rowOf(await pets.insert(rex, undefined))
    assert.ok(calls > 0)
    stop()
    calls = 0
    await pets.remove(BigInt(id), undefined)
    assert.equal(calls, 0)
  })

  test('A position expires once events after it are removed, or if its id belongs to another event [decision 15]', async () => {
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
    await events.purge(ofNone)
    assert.deepEqual(await events.oldest(), oldest)
    const [first] = (await page({ after: oldest, limit: 1 })).events
    assert.ok(first)

    await events.purge(ofAll)
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

  test('positionOf returns the position of the event with that id or of the one before, unless it was removed [decision 15]', async () => {
    const { events, pets } = subject().store
    await pets.insert(rex, undefined)
    await events.purge(ofAll)
    const purged = await events.present()
    assert.deepEqual(await events.positionOf(purged.id), purged, 'nothing after it was removed')
    assert.equal(await events.positionOf(purged.id - 1), 'events_expired')
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
