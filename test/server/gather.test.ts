/** Requests are taken up turn by turn: all that came, in their order, and none that comes later with them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { earlyMax, gather, gatheredMax } from '../../src/server/listener.ts'

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

test('of more than are handled at a time, the first are not kept until the end of the turn', async () => {
  const handedOn: number[] = []
  const take = gather((item: number) => handedOn.push(item))
  const items = Array.from({ length: gatheredMax + 1 }, (_, i) => i)
  for (const item of items) take(item)
  assert.deepEqual(handedOn, items.slice(0, gatheredMax))
  await nextTurn()
  assert.deepEqual(handedOn, items)
})

test('a turn ends, though those that are handled early bring the next at once', async () => {
  let handedOn = 0
  let isAgain = true
  const take = gather((item: string) => {
    handedOn++
    if (isAgain) take(item)
  })
  for (let i = 0; i < gatheredMax; i++) take('request')
  assert.equal(handedOn, earlyMax)
  isAgain = false
  await nextTurn()
  assert.equal(handedOn, earlyMax + gatheredMax)
})
