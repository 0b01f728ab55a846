/** The clock of a shop, whose timers move with it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClock } from '../../src/sandbox/clock.ts'
import { every } from '../../src/time.ts'
import { TestTime } from '../support/time.ts'

test('timers of a clock that jumps run once and in order, and later ones when they are due [D398]', () => {
  const system = new TestTime()
  const clock = createClock(system)
  const ran: string[] = []
  const note = (what: string) => () => ran.push(`${what} ${clock.now() - start}`)
  const start = clock.now()
  clock.after(300, note('c'))
  clock.after(100, note('a'))
  clock.after(200, note('b'))
  const cancel = clock.after(250, note('never'))
  const stop = every(clock, 1_000, note('each'))
  cancel()
  system.advance(150)
  assert.deepEqual(ran, ['a 100'])
  clock.set(start + 5_000)
  assert.deepEqual(ran.splice(0), ['a 100', 'b 5000', 'c 5000', 'each 5000'])
  assert.equal(clock.ticks() - system.ticks(), 4_850)
  system.advance(999)
  assert.deepEqual(ran, [])
  system.advance(1)
  assert.deepEqual(ran.splice(0), ['each 6000'])
  // Back: what is to come stays as far ahead as it was.
  clock.set(start)
  system.advance(1_000)
  assert.deepEqual(ran.splice(0), ['each 1000'])
  stop()
  clock.after(10, note('stopped'))
  clock.stop()
  system.advance(10_000)
  clock.set(start + 100_000)
  assert.deepEqual(ran, [])
})
