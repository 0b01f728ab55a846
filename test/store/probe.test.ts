/** Whether a database accepts writes: one write for all who ask, not more often than needed, and an answer in time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProbe } from '../../src/store/commits.ts'
import { StoreUnavailable } from '../../src/store/store.ts'
import { TestTime } from '../support/time.ts'

/** A probe with a clock of the test's own, whose writes wait for the test. */
class Subject {
  readonly time = new TestTime()
  readonly writes: PromiseWithResolvers<void>[] = []
  readonly commits = { failures: 0 }
  readonly doubts: boolean[] = []
  readonly probe = createProbe({
    write: (isDoubtful) => {
      const write = Promise.withResolvers<void>()
      this.doubts.push(isDoubtful)
      this.writes.push(write)
      return write.promise
    },
    late: 'it hangs',
    commits: this.commits,
    time: this.time,
  })
}

test('all who ask while a write is under way share it, and for a second after it there is none', async () => {
  const subject = new Subject()
  const asked = [subject.probe(), subject.probe()]
  subject.writes[0]?.resolve()
  await Promise.all(asked)
  subject.time.advance(999)
  await subject.probe()
  assert.equal(subject.writes.length, 1)
  subject.time.advance(1)
  const again = subject.probe()
  subject.writes[1]?.resolve()
  await again
})

test('a write that fails is the answer to all who share it, and the next who asks makes another', async () => {
  const subject = new Subject()
  const asked = [subject.probe(), subject.probe()].map((probe) => assert.rejects(probe, /disk full/))
  subject.writes[0]?.reject(new StoreUnavailable('disk full'))
  await Promise.all(asked)
  const again = subject.probe()
  subject.writes[1]?.resolve()
  await again
})

test('a write that failed makes the last success doubtful, until a later probe succeeds [D208]', async () => {
  const subject = new Subject()
  const answer = async (end: (write: PromiseWithResolvers<void> | undefined) => void) => {
    const asked = subject.probe().then(
      () => true,
      () => false,
    )
    end(subject.writes.at(-1))
    return asked
  }
  assert.equal(await answer((write) => write?.resolve()), true)
  subject.commits.failures++
  assert.equal(await answer((write) => write?.reject(new StoreUnavailable('disk full'))), false)
  assert.equal(
    await answer((write) => {
      subject.commits.failures++
      write?.resolve()
    }),
    true,
  )
  assert.equal(await answer((write) => write?.resolve()), true)
  await subject.probe()
  assert.deepEqual(subject.doubts, [false, true, true, true])
})

test('a write that hangs is waited for a second, and not made twice; once it ends, it counts [D208]', async () => {
  const subject = new Subject()
  for (let i = 0; i < 2; i++) {
    const asked = assert.rejects(
      subject.probe(),
      (error) => error instanceof StoreUnavailable && error.message === 'it hangs',
    )
    subject.time.advance(1_000)
    await asked
  }
  assert.equal(subject.writes.length, 1)
  subject.writes[0]?.resolve()
  await subject.writes[0]?.promise
  await subject.probe()
  assert.equal(subject.writes.length, 1)
})
