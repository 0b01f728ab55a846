/** Requests are taken up turn by turn: all that came, in their order, and none that comes later with them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { gather } from '../../src/server/listener.ts'

test('what arrives in one turn is handled at its end, in order of arrival', async () => {
  const handedOn: number[] = []
  const take = gather((item: number) => handedOn.push(item))
  take(1)
  await Promise.resolve()
  take(2)
  assert.deepEqual(handedOn, [])
  await nextTurn()
  assert.deepEqual(handedOn, [1, 2])
})

test('what arrives while others are handled waits for the next turn', async () => {
  const handedOn: number[] = []
  const take = gather((item: number) => {
    handedOn.push(item)
    if (item < 3) take(item + 1)
  })
  take(1)
  for (const expected of [[1], [1, 2], [1, 2, 3], [1, 2, 3]]) {
    await nextTurn()
    assert.deepEqual(handedOn, expected)
  }
})
