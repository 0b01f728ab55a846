/** Which pages of events are kept for the next stream. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentPages } from '../../src/events/recent-pages.ts'
import type { EventQuery, StoredEvent } from '../../src/store/store.ts'

/** Pages of one event at most, and where they were read. */
function pagesOf(events: (after: number) => StoredEvent[]) {
  const read: number[] = []
  const pages = new RecentPages(async ({ after }: EventQuery) => {
    read.push(after.id)
    return { events: events(after.id), position: { id: after.id + 1, at: 0 } }
  })
  const at = (id: number, time = 0) =>
    pages.at({ after: { id, at: time }, filter: '', types: undefined, petId: undefined })
  return { read, pages, at }
}

test('the pages that were read last are kept, 16 MiB of them, also if two have asked at once', async () => {
  const json = `"${'x'.repeat(400 * 1024)}"`
  const { read, pages, at } = pagesOf((after) => [{ id: after + 1, at: 0, type: 'pet.created', petId: 1, json }])
  for (let after = 0; after < 50; after++) await at(after)
  pages.clear()
  for (let after = 0; after < 100; after++) await Promise.all([at(after), at(after)])
  read.length = 0
  for (let after = 99; after >= 0; after--) await at(after)
  assert.deepEqual([read[0], read.length], [59, 60], '40 were kept')
})

test('the number of pages without events has a limit, too', async () => {
  const { read, at } = pagesOf(() => [])
  for (let after = 0; after < 40_000; after++) await at(after)
  read.length = 0
  await at(39_999)
  await at(0)
  assert.deepEqual(read, [0])
})

test('a page after an event is none after another event that has its id', async () => {
  const { read, at } = pagesOf(() => [])
  await at(7, 1)
  await at(7, 2)
  await at(7, 1)
  assert.deepEqual(read, [7, 7])
})
