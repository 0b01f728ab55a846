/** How many requests are taken on at a time, and how many bytes of bodies; the lateness of the event loop is the test's. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, mock, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Admission,
  bodyBytesMax,
  costlyMilliseconds,
  createAdmission,
  lateMillisecondsMax,
  requestsMin,
  smallBodyBytes,
} from '../../src/http/admission.ts'
import { limits } from '../../src/limits.ts'
import { watchLoad } from '../../src/server/load.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { InProcess } from '../support/in-process.ts'
import { logInto } from '../support/log.ts'
import { Folder } from '../support/process.ts'

/** How many requests may begin now; all of them leave again. */
function room(admission: Admission): number {
  let count = 0
  while (admission.enter()) count++
  for (let i = 0; i < count; i++) admission.leave()
  return count
}

describe('requests under way', () => {
  test('are as many as may be, and another begins once one has left', () => {
    const admission = createAdmission(3)
    assert.deepEqual(
      [1, 2, 3, 4].map(() => admission.enter()),
      [true, true, true, false],
    )
    admission.leave()
    assert.deepEqual([admission.enter(), admission.enter()], [true, false])
  })

  test('do not count while their body arrives, and go on however many have begun meanwhile', () => {
    const admission = createAdmission(1)
    admission.enter()
    admission.leave()
    assert.equal(admission.enter(), true)
    admission.resume()
    admission.leave()
    assert.equal(admission.enter(), false)
    admission.leave()
    assert.equal(admission.enter(), true)
  })

  test('are fewer while the event loop is late, in proportion, and as many as before once it is not', () => {
    const admission = createAdmission(2_000)
    admission.observe(lateMillisecondsMax)
    assert.equal(room(admission), 2_000)
    admission.observe(0)
    admission.observe(lateMillisecondsMax / 0.75)
    assert.equal(room(admission), 1_500)
    admission.observe(0)
    assert.equal(room(admission), 1_600)
    for (let i = 0; i < 10; i++) admission.observe(0)
    assert.equal(room(admission), 2_000)
  })

  test('are not fewer where the event loop is late because of their number, refused ones included', () => {
    const admission = createAdmission(1_000)
    const handle = (count: number) => {
      for (let i = 0; i < count; i++) if (admission.enter()) admission.leave()
    }
    handle(1_000)
    admission.observe(1_000 * costlyMilliseconds)
    assert.equal(room(admission), 1_000)
    admission.observe(0)
    for (let i = 0; i < 1_000; i++) admission.enter()
    for (let i = 0; i < 1_000; i++) assert.equal(admission.enter(), false)
    admission.observe(2_000 * costlyMilliseconds)
    for (let i = 0; i < 1_000; i++) admission.leave()
    assert.equal(room(admission), 1_000)
    admission.observe(0)
    handle(1_000)
    admission.observe(1_000 * costlyMilliseconds + 1)
    assert.equal(room(admission), 500)
  })

  test('are never fewer than 250 by that: a pause of the process turns no ordinary traffic away', () => {
    const admission = createAdmission(2_000)
    admission.observe(60_000)
    assert.equal(room(admission), 1_000, 'one pause, however long, halves the number at most')
    for (let i = 0; i < 10; i++) admission.observe(60_000)
    assert.equal(room(admission), requestsMin)
    const small = createAdmission(10)
    small.observe(60_000)
    assert.equal(room(small), 10)
  })
})

describe('bodies', () => {
  const largest = limits.bodySize.bytes

  test('of the largest size are 256 at a time, and another is read once one is done with', () => {
    const admission = createAdmission(1)
    for (let i = 0; i < bodyBytesMax / largest; i++) assert.equal(admission.reserve(largest), true)
    assert.equal(bodyBytesMax / largest, 256)
    assert.equal(admission.reserve(largest), false)
    admission.release(largest)
    assert.equal(admission.reserve(largest), true)
  })

  test('that are small are always read', () => {
    const admission = createAdmission(1)
    while (admission.reserve(largest));
    assert.equal(admission.reserve(smallBodyBytes + 1), false)
    assert.equal(admission.reserve(smallBodyBytes), true)
    admission.release(smallBodyBytes)
    assert.equal(admission.reserve(smallBodyBytes + 1), false, 'they do not count')
  })
})

test('a body of unknown length counts as the largest only until it is here: many small ones wait for a commit together', async () => {
  using folder = new Folder()
  const store = openSqlite(folder.database)
  const service = await InProcess.on(store)
  using other = new DatabaseSync(folder.database)
  other.exec('BEGIN IMMEDIATE')
  const answers = []
  for (let i = 0; i < 2 * (bodyBytesMax / limits.bodySize.bytes); i++) {
    answers.push(service.call('POST', '/pets', { name: 'Rex', categoryId: 1 }))
    if (i % 100 === 0) await nextTurn()
  }
  other.exec('ROLLBACK')
  const statuses = new Set((await Promise.all(answers)).map(({ status }) => status))
  await store.close()
  assert.deepEqual([...statuses], [201])
})

test('the event loop is measured every 50 ms, also for the metrics, and what was refused is logged once a second, if anything was', () => {
  mock.timers.enable({ apis: ['setInterval'] })
  try {
    let now = 0
    const lines: Record<string, unknown>[] = []
    const admission = createAdmission(1_000)
    const load = watchLoad(admission, logInto(lines), () => now)
    const delays = () => load.samples().map(([, seconds]) => seconds)
    const pass = (milliseconds: number, late = 0) => {
      now += milliseconds + late
      mock.timers.tick(milliseconds)
    }
    for (let i = 0; i < 40; i++) pass(50)
    assert.equal(room(admission), 1_000, 'in time')
    assert.deepEqual(delays(), [1e-9, 1e-9, 1e-9])
    assert.deepEqual(delays(), [0, 0, 0], 'nothing since the last time')
    assert.deepEqual(lines, [])
    pass(50)
    pass(50, 500)
    assert.equal(room(admission), 500, 'late by 500 ms')
    const [p50, p99, max] = delays() as [number, number, number]
    assert.equal(p50, 1e-9)
    assert.ok(p99 >= 0.5 && p99 <= max && max < 0.501, `${p99} ${max}`)
    for (let i = 0; i < 18; i++) pass(50)
    assert.deepEqual(lines, [{ level: 40, refused: 2, msg: 'too many requests: some were refused with 503' }])
    for (let i = 0; i < 20; i++) pass(50)
    assert.equal(lines.length, 1)
    load.stop()
    pass(50, 500)
    assert.equal(room(admission), 1_000, 'no longer measured')
  } finally {
    mock.timers.reset()
  }
})
