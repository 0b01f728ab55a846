/**
 * Power cuts on SQLite, simulated from a recording of every write and every sync. Nothing that was acknowledged may be
 * lost.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cutPower } from '../harness/power/cuts.ts'
import { filesAfter } from '../harness/power/disk.ts'
import { type Event, record } from '../harness/power/recording.ts'
import { Folder, testWith } from '../harness/process.ts'
import { seedOf } from '../harness/random.ts'
import { times } from '../harness/scope.ts'

const rounds = 6
const states = times(50, 4)

async function recorded(): Promise<Event[]> {
  using folder = new Folder()
  const events = await record(folder, rounds)
  const files = filesAfter(events, { at: events.length, fate: () => ['kept', 0] })
  for (const [name, bytes] of files)
    assert.ok(bytes.equals(readFileSync(join(folder.path, name))), `the recording has every write to ${name}`)
  assert.deepEqual(
    ['test.db', 'test.db-wal', 'test.db-journal'].filter((name) => files.has(name)),
    ['test.db', 'test.db-wal', 'test.db-journal'].filter((name) => existsSync(join(folder.path, name))),
  )
  return events
}

testWith(
  ['strace'],
  `Everything that was acknowledged is there after ${states} power cuts [decision 22]`,
  async (t) => {
    const seed = seedOf(t)
    const events = await recorded()
    const { acknowledged, faulty } = await cutPower(events, { states, seed })
    assert.deepEqual(faulty, [])
    assert.ok(acknowledged > states, 'most cuts came after acknowledgements')
    // The same recording on a disk that only pretends to sync. The check must notice what is lost.
    const lying = await cutPower(events, { states: 20, seed: 1, syncsAreLost: true })
    assert.ok(lying.faulty.some((faults) => faults.some((fault) => fault.endsWith('is lost'))))
  },
)
