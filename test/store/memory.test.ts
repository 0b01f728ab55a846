/** A store in memory. A sandbox has many of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemory } from '../../src/store/open.ts'
import { systemTime } from '../../src/time.ts'
import { rex } from './subject.ts'

test('A store in memory reports its own events, and starts no timer to poll for events of others', async () => {
  let timers = 0
  const after: typeof systemTime.after = (...args) => {
    timers++
    return systemTime.after(...args)
  }
  const store = await openMemory({ ...systemTime, after })
  let told = 0
  const unwatch = store.events.watch(() => told++)
  await store.pets.insert(rex, undefined)
  await store.events.present()
  unwatch()
  await store.close()
  assert.deepEqual([told, timers], [1, 0])
})
