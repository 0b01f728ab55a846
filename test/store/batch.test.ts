/** Batches of calls: how large they are, how many run concurrently, and what happens to the calls if a batch fails. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { timeAt } from '../../harness/time.ts'
import { createBatcher } from '../../src/store/postgres/batch.ts'
import { Unreachable } from '../../src/store/postgres/errors.ts'
import { StoreUnavailable } from '../../src/store/store.ts'

/** If a call were forgotten, its promise would stay open. */
const timeout = { timeout: 10_000 }

interface Batch {
  readonly items: readonly number[]
  answer(): void
  fail(error: Error): void
}

/** A batcher whose batches wait for the test to answer them, with a clock of the test. */
class Subject {
  now = 0
  /** The batches in progress, oldest first. */
  readonly running: Batch[] = []
  readonly sizes: number[] = []
  readonly batcher: ReturnType<typeof createBatcher<number, string>>

  constructor(inFlightMax = 1, timeoutMilliseconds = 1_000) {
    const run = (items: readonly number[]) =>
      new Promise<string[]>((resolve, fail) => {
        this.sizes.push(items.length)
        this.running.push({ items, fail, answer: () => resolve(items.map((item) => `row ${item}`)) })
      })
    this.batcher = createBatcher(inFlightMax, { time: timeAt(() => this.now), timeoutMilliseconds }, run)
  }

  add(count: number, first = 0): Promise<PromiseSettledResult<string>[]> {
    return Promise.allSettled(Array.from({ length: count }, (_, i) => this.batcher.add(first + i)))
  }

  /** Returns the oldest batch in progress. */
  async next(): Promise<Batch> {
    await turns()
    const batch = this.running.shift()
    assert.ok(batch, 'no batch is under way')
    return batch
  }
}

/** Waits for so many turns that everything that could begin has begun. */
async function turns(): Promise<void> {
  for (let i = 0; i < 10; i++) await nextTurn()
}

const rows = (count: number, first = 0) => Array.from({ length: count }, (_, i) => `row ${first + i}`)
const valuesOf = (results: PromiseSettledResult<string>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason)))

for (const inFlightMax of [1, 3])
  test(`At most ${inFlightMax} batches are in flight, and calls made meanwhile form the next batch`, async () => {
    const subject = new Subject(inFlightMax)
    const all = Promise.all(Array.from({ length: inFlightMax + 2 }, (_, i) => subject.add(200, i * 200)))
    await turns()
    assert.equal(subject.running.length, inFlightMax)
    while (subject.running.length > 0) {
      const batch = await subject.next()
      assert.ok(subject.running.length < inFlightMax)
      batch.answer()
      await turns()
    }
    assert.deepEqual(valuesOf((await all).flat()), rows((inFlightMax + 2) * 200))
  })

for (const [waiting, size] of [
  [31, 31],
  [32, 32],
  [33, 32],
  [64, 32],
  [65, 33],
  [300, 150],
  [399, 200],
  [401, 200],
  [1_000, 200],
] as const)
  test(`Of ${waiting} calls that wait for a batch, ${size} go together`, async () => {
    const subject = new Subject()
    subject.add(waiting)
    assert.equal((await subject.next()).items.length, size)
  })

test('A call is refused if 10,000 calls wait for a batch, and those keep their places', async () => {
  const subject = new Subject()
  const all = subject.add(10_001)
  for (let answered = 0; answered < 10_000; ) {
    const batch = await subject.next()
    answered += batch.items.length
    batch.answer()
  }
  await turns()
  assert.equal(subject.running.length, 0)
  assert.deepEqual(valuesOf(await all), [
    ...rows(10_000),
    'StoreUnavailable: too many requests are waiting for the database',
  ])
})

test('A call that has waited for longer than the timeout is refused without running', {
  timeout: 10_000,
}, async () => {
  const subject = new Subject(1, 1_000)
  const first = subject.add(1)
  const batch = await subject.next()
  const late = subject.add(1, 1)
  subject.now = 1
  const inTime = subject.add(1, 2)
  subject.now = 1_001
  batch.answer()
  const second = await subject.next()
  assert.deepEqual(second.items, [2])
  second.answer()
  assert.deepEqual(valuesOf([...(await first), ...(await late), ...(await inTime)]), [
    'row 0',
    'StoreUnavailable: the database was busy for too long',
    'row 2',
  ])
})

test('A batch that loses its connection fails and is not repeated, and waiting calls continue [decision 23]', async () => {
  const subject = new Subject(2)
  const all = subject.add(1_000)
  ;(await subject.next()).fail(new StoreUnavailable('lost'))
  for (let answered = 200; answered < 1_000; ) {
    const batch = await subject.next()
    answered += batch.items.length
    batch.answer()
  }
  const lost = Array.from({ length: 200 }, () => 'StoreUnavailable: lost')
  assert.deepEqual(valuesOf(await all), [...lost, ...rows(800, 200)])
})

test('If no server can be reached, the calls that wait fail together with the batch', async () => {
  const subject = new Subject()
  const all = subject.add(300)
  const error = new Unreachable(new Error('away'))
  ;(await subject.next()).fail(error)
  for (const result of await all) assert.deepEqual(result, { status: 'rejected', reason: error })
  await turns()
  assert.deepEqual(subject.sizes, [150])
})

test('Calls of three turns form one batch, because callers that were answered together call again in one of them', async () => {
  const subject = new Subject(4)
  const all: Promise<unknown>[] = []
  for (let i = 0; i < 3; i++) {
    all.push(subject.batcher.add(i))
    await nextTurn()
  }
  ;(await subject.next()).answer()
  assert.deepEqual(await Promise.all(all), rows(3))
})

const locked = new StoreUnavailable('locked', { cause: Object.assign(new Error(), { code: '55P03' }) })
for (const [name, error, sizes] of [
  ['refused is run again in halves', new Error('refused'), [8, 4, 2, 1, 1, 2, 4]],
  ['held up by a lock is run again item by item', locked, [8, 1, 1, 1, 1, 1, 1, 1, 1]],
] as const)
  test(`A batch that was ${name}, so that only a bad item fails`, async () => {
    const subject = new Subject()
    const all = subject.add(8)
    for (const _ of sizes) {
      const batch = await subject.next()
      if (batch.items.includes(1)) batch.fail(error)
      else batch.answer()
    }
    assert.deepEqual(subject.sizes, sizes)
    assert.deepEqual(valuesOf(await all), ['row 0', String(error), ...rows(6, 2)])
  })

test(
  'An item that is repeated by itself is refused once it has waited for longer than the timeout',
  timeout,
  async () => {
    const subject = new Subject(1, 1_000)
    const all = subject.add(2)
    ;(await subject.next()).fail(new Error('refused'))
    const alone = await subject.next()
    subject.now = 1_001
    alone.answer()
    await turns()
    assert.deepEqual(subject.sizes, [2, 1])
    assert.deepEqual(valuesOf(await all), ['row 0', 'StoreUnavailable: the database was busy for too long'])
  },
)
