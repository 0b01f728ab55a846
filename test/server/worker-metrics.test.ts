/** One answer for all workers: the sum of all, which never falls, whoever is silent or has died. */
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, test } from 'node:test'
import { AppError } from '../../src/errors.ts'
import { Histogram } from '../../src/histogram.ts'
import type { Sample } from '../../src/metrics.ts'
import { answerMilliseconds, MetricsExchange, type Peer, shareMetrics } from '../../src/server/worker-metrics.ts'
import { Exposition } from '../support/exposition.ts'
import { Folder, makeKey, runtimes, Served } from '../support/process.ts'
import { some } from '../support/scope.ts'

const cpu = 'process_cpu_seconds_total'
const memory = 'process_resident_memory_bytes'

/** Timers that go off when the test says so. */
class Timers {
  readonly #waiting = new Map<object, readonly [run: () => void, milliseconds: number]>()

  readonly later = (run: () => void, milliseconds: number) => {
    const timer = {}
    this.#waiting.set(timer, [run, milliseconds])
    return () => this.#waiting.delete(timer)
  }

  get times(): number[] {
    return [...this.#waiting.values()].map(([, milliseconds]) => milliseconds)
  }

  expire(milliseconds: number): void {
    for (const [timer, [run, time]] of [...this.#waiting])
      if (time === milliseconds && this.#waiting.delete(timer)) run()
  }
}

/** A parent with workers, whose messages go through JSON as between processes. */
class Family {
  readonly timers = new Timers()
  readonly workers: Worker[] = []
  readonly exchange = new MetricsExchange(() => this.workers, this.timers.later)

  add(samples: readonly Sample[]): Worker {
    const worker = new Worker(this, samples)
    this.workers.push(worker)
    return worker
  }

  bury(worker: Worker): void {
    this.workers.splice(this.workers.indexOf(worker), 1)
    this.exchange.forget(worker)
  }
}

class Worker implements Peer {
  samples: readonly Sample[]
  isSilent = false
  readonly scrape: () => Promise<Map<string, Sample[1]>>
  readonly child: Peer['child']

  constructor(family: Family, samples: readonly Sample[]) {
    this.samples = samples
    const inside = new EventEmitter()
    const over = (message: unknown) => JSON.parse(JSON.stringify(message))
    this.child = {
      connected: true,
      send: (message) => !this.isSilent && inside.emit('message', over(message)),
    }
    const send = (message: unknown) => family.exchange.receive(this, over(message))
    const process = Object.assign(inside, { connected: true, send })
    const collect = shareMetrics(process, family.timers.later).combine(() => this.samples)
    this.scrape = async () => new Map((await collect()).map(([name, value]) => [name, value]))
  }
}

const measured = (seconds: number, bytes: number): Sample[] => [
  [cpu, seconds],
  [memory, bytes],
  ['petstore_workers', 1],
  ['petstore_workers_silent', 0],
  ['petstore_sqlite_file_bytes', bytes, 'log'],
]

describe('the metrics of several workers', () => {
  test('are one sum, whichever worker is asked, except for what must not be added up', async () => {
    const family = new Family()
    const histogram = new Histogram([1, 2])
    for (const value of [0.5, 1, 1.5, 9]) histogram.observe(value)
    const [one, other] = [
      family.add(measured(1, 100)),
      family.add([...measured(20, 300), ['petstore_commit_writes', histogram]]),
    ]
    one.samples = [...one.samples, ['petstore_commit_writes', histogram]]
    for (const worker of [one, other]) {
      const sum = await worker.scrape()
      assert.equal(sum.get(cpu), 21)
      assert.equal(sum.get(memory), 400)
      assert.equal(sum.get('petstore_workers'), 2)
      assert.equal(sum.get('petstore_workers_silent'), 0)
      assert.equal(sum.get('petstore_sqlite_file_bytes'), 300, 'one file, not two')
      assert.deepEqual(sum.get('petstore_commit_writes'), { bounds: [1, 2], counts: [4, 2, 2], sum: 24 })
    }
    assert.deepEqual(family.timers.times, [], 'no timer is left')
  })

  test('are there without a worker that is silent, but for its counters as they last were; a gauge tells', async () => {
    const family = new Family()
    const [one, other] = [family.add(measured(1, 100)), family.add(measured(20, 300))]
    await one.scrape()
    other.isSilent = true
    one.samples = measured(2, 100)
    const answer = one.scrape()
    assert.deepEqual(family.timers.times.toSorted(), [answerMilliseconds, 2 * answerMilliseconds])
    family.timers.expire(answerMilliseconds)
    const sum = await answer
    assert.equal(sum.get(cpu), 22)
    assert.equal(sum.get(memory), 100)
    assert.equal(sum.get('petstore_workers'), 1)
    assert.equal(sum.get('petstore_workers_silent'), 1)
    other.isSilent = false
    assert.equal((await one.scrape()).get('petstore_workers_silent'), 0)
  })

  test('keep the counters of a worker that has died, and nothing else of it', async () => {
    const family = new Family()
    const [one, other] = [family.add(measured(1, 100)), family.add(measured(20, 300))]
    await one.scrape()
    family.bury(other)
    family.add(measured(5, 50))
    const sum = await one.scrape()
    assert.equal(sum.get(cpu), 26)
    assert.equal(sum.get(memory), 150)
    assert.equal(sum.get('petstore_workers'), 2)
  })

  test('do not wait for a worker that dies while it is asked', async () => {
    const family = new Family()
    const [one, other] = [family.add(measured(1, 100)), family.add(measured(20, 300))]
    other.isSilent = true
    const answer = one.scrape()
    family.bury(other)
    assert.equal((await answer).get('petstore_workers_silent'), 0)
  })

  test('are refused with 503 rather than given in part if the parent does not answer', async () => {
    const timers = new Timers()
    const parent = Object.assign(new EventEmitter(), { connected: true, send: () => true })
    const answer = shareMetrics(parent, timers.later).combine(() => measured(1, 1))()
    timers.expire(2 * answerMilliseconds)
    await assert.rejects(answer, (error) => error instanceof AppError && error.status === 503)
  })

  test('let the process end: no listener stays on the channel', () => {
    const parent = Object.assign(new EventEmitter(), { connected: true, send: () => true })
    shareMetrics(parent).stop()
    assert.equal(parent.listenerCount('message'), 0)
  })
})

for (const [name, runtime] of some(runtimes))
  test(`petstore serve with WORKERS=2 answers with the sum of both, on ${name}`, async () => {
    using folder = new Folder()
    const key = await makeKey(folder.env)
    const metricsKey = await makeKey(folder.env, '--scope', 'metrics:read')
    await using served = await Served.start({ ...folder.env, WORKERS: '2', LOG_LEVEL: 'info' }, { runtime })
    const headers = { Connection: 'close' }
    const scrape = async () =>
      new Exposition((await served.call('GET', '//metrics', { key: metricsKey, headers })).text)
    const count = 'http_server_request_duration_seconds_count'
    const pages = { http_route: '/v1/pets', http_response_status_code: '200' }
    let requests = 0
    // Until both have had some: the kernel decides which worker gets a connection.
    const ask = async (times: number) => {
      requests += times
      await Promise.all(Array.from({ length: times }, () => served.call('GET', '/pets', { key, headers })))
    }
    for (let round = 0; round < 4; round++) {
      await ask(20)
      const sum = await scrape()
      assert.equal(sum.value(count, pages), requests)
      assert.equal(sum.value('petstore_workers'), 2)
      assert.equal(sum.value('petstore_build_info'), 1)
    }
    assert.ok((await scrape()).families.has('petstore_log_lines_dropped_total'), 'its own log is counted, too')
    assert.equal((await served.end('SIGTERM')).code, 0)
  })
