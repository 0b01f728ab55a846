/** How many requests are taken on at a time, and how many bytes of bodies; what was refused is logged. */
import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { Admission, overload } from '../../src/http/admission.ts'
import { limits } from '../../src/limits.ts'
import { watchLoad } from '../../src/server/load.ts'
import { logInto } from '../support/log.ts'

const refuses = (enter: () => void) => assert.throws(enter, (error) => error === overload)

describe('requests under way', () => {
  test('are as many as may be, and another begins once one has left', () => {
    const admission = new Admission(2)
    admission.enter()
    admission.enter()
    refuses(() => admission.enter())
    admission.leave(0)
    admission.enter()
    refuses(() => admission.enter())
  })

  test('do not count while their body arrives, and go on however many have begun meanwhile', async () => {
    const admission = new Admission(1)
    admission.enter()
    await admission.receive(async () => {
      admission.enter()
      return new Uint8Array()
    })
    admission.leave(0)
    refuses(() => admission.enter())
    admission.leave(0)
    admission.enter()
    await assert.rejects(admission.receive(() => Promise.reject(new Error('gone'))))
    refuses(() => admission.enter())
  })
})

test('bodies take 16 MiB together, and another is read once one is done with', () => {
  const admission = new Admission(1)
  for (let i = 0; i < 256; i++) admission.hold(limits.bodySize.bytes)
  refuses(() => admission.hold(1))
  admission.enter()
  admission.leave(limits.bodySize.bytes)
  admission.hold(limits.bodySize.bytes)
  refuses(() => admission.hold(1))
})

test('the event loop is measured every 50 ms for the metrics, and what was refused is logged once a second, if anything was', () => {
  mock.timers.enable({ apis: ['setInterval'] })
  try {
    let now = 0
    const lines: Record<string, unknown>[] = []
    const admission = new Admission(0)
    const load = watchLoad(admission, logInto(lines), () => now)
    const delays = () => load.samples().map(([, seconds]) => seconds)
    const pass = (milliseconds: number, late = 0) => {
      now += milliseconds + late
      mock.timers.tick(milliseconds)
    }
    for (let i = 0; i < 40; i++) pass(50)
    assert.deepEqual(delays(), [1e-9, 1e-9, 1e-9])
    assert.deepEqual(delays(), [0, 0, 0], 'nothing since the last time')
    assert.deepEqual(lines, [])
    pass(50)
    pass(50, 500)
    for (let i = 0; i < 2; i++) refuses(() => admission.enter())
    const [p50, p99, max] = delays() as [number, number, number]
    assert.equal(p50, 1e-9)
    assert.ok(p99 >= 0.5 && p99 <= max && max < 0.501, `${p99} ${max}`)
    for (let i = 0; i < 18; i++) pass(50)
    assert.deepEqual(lines, [{ level: 40, refused: 2, msg: 'too many requests: some were refused with 503' }])
    for (let i = 0; i < 20; i++) pass(50)
    assert.equal(lines.length, 1)
    load.stop()
    refuses(() => admission.enter())
    for (let i = 0; i < 20; i++) pass(50)
    assert.equal(lines.length, 1, 'no longer measured')
  } finally {
    mock.timers.reset()
  }
})
