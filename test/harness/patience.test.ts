/** Every wait ends, either with the awaited value or with an error that says what was seen. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { becomes, eventually, inTime, turnsUntil } from '../../harness/patience.ts'

const soon = 20

test('eventually returns the first right answer, after as many calls as that takes', async () => {
  let asked = 0
  const ask = async () => ++asked
  assert.equal(await eventually(ask, (answer) => answer === 5), 5)
  await becomes(ask, 8)
  assert.equal(asked, 8)
})

test('eventually fails with the last answer if none is right, and if none arrives', async () => {
  const wrong = eventually(
    async () => 'sold',
    (answer) => answer === 'available',
    'available',
    soon,
  )
  await assert.rejects(wrong, /^Error: waited too long for 'available'; it was still 'sold'$/)
  let asked = 0
  const ask = () => (asked++ === 0 ? Promise.resolve('sold') : new Promise<string>(() => {}))
  const silent = eventually(ask, (answer) => answer === 'gone', undefined, soon)
  await assert.rejects(silent, /waited too long for .* => answer === 'gone'; it was still 'sold'$/)
})

test('A wait with a time limit passes on the outcome of its promise, unless that takes too long', async () => {
  assert.equal(await inTime(Promise.resolve(7), 'seven', String), 7)
  await assert.rejects(inTime(Promise.reject(new Error('no')), 'seven', String), /^Error: no$/)
  const never = inTime(new Promise(() => {}), 'seven', () => [6], soon)
  await assert.rejects(never, /^Error: waited too long for seven; it was still \[ 6 \]$/)
})

test('turnsUntil lets turns of the event loop pass until a condition holds, or for too long', async () => {
  let turns = 0
  await turnsUntil(
    () => turns === 3,
    async () => turns++,
  )
  assert.equal(turns, 3)
  await assert.rejects(
    turnsUntil(() => turns === 2, undefined, soon),
    /waited too long for \(\) => turns === 2;/,
  )
})
