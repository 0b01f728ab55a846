/** One answer for all workers: the sum of all, which never falls, whoever is silent or has died. */
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { afterEach, describe, mock, test } from 'node:test'
import { AppError } from '../../src/errors.ts'
import { Histogram } from '../../src/histogram.ts'
import type { Sample } from '../../src/metrics.ts'
import { type Channel, type OtherProcess, openChannel } from '../../src/server/channel.ts'
import { answerMilliseconds, connectToParent, MetricsExchange, type Peer } from '../../src/server/worker-metrics.ts'
import { Exposition } from '../support/exposition.ts'
import { Folder, makeKey, runtimes, Served } from '../support/process.ts'
import { some } from '../support/scope.ts'

const cpu = 'process_cpu_seconds_total'
const memory = 'process_resident_memory_bytes'

/** A parent with workers, whose messages go through JSON as between processes. */
class Family {
  readonly workers: Worker[] = []
  readonly exchange = new MetricsExchange(() => this.workers)

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

/** One end of a connection between processes; what it sends is a message to the other end. */
class End extends EventEmitter implements OtherProcess {
  connected = true
  isSilent = false
  other: End | undefined

  send(message: object): void {
    if (!this.isSilent) this.other?.emit('message', JSON.parse(JSON.stringify(message)))
  }
}

class Worker implements Peer {
  samples: readonly Sample[]
  readonly channel: Channel
  readonly scrape: () => Promise<Map<string, Sample[1]>>
  readonly #inside = new End()

  constructor(family: Family, samples: readonly Sample[]) {
    this.samples = samples
    const outside = new End()
    this.#inside.other = outside
    outside.other = this.#inside
    this.channel = openChannel(outside, { metrics: (own: readonly Sample[]) => family.exchange.sum(this, own) })
    const collect = connectToParent(this.#inside).combine(() => this.samples)
    this.scrape = async () => new Map((await collect()).map(([name, value]) => [name, value]))
  }

  /** What it says is held back. */
  set isSilent(value: boolean) {
    this.#inside.isSilent = value
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
  afterEach(() => mock.timers.reset())

  test('are one sum, whichever worker is asked, except for what must not be added up', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
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
    assert.equal(timers(), before, 'no timer is left')
  })

  test('are there without a worker that is silent, but for its counters as they last were; a gauge tells', async () => {
    const family = new Family()
    const [one, other] = [family.add(measured(1, 100)), family.add(measured(20, 300))]
    await one.scrape()
    other.isSilent = true
    one.samples = measured(2, 100)
    mock.timers.enable({ apis: ['setTimeout'] })
    const answer = one.scrape()
    mock.timers.tick(answerMilliseconds)
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

  test('are summed with those of a worker of a later version, as one is that is replaced during an upgrade', async () => {
    const family = new Family()
    const later = [...measured(20, 300), ['later_total', 1]] as Sample[]
    const [one, other] = [family.add(measured(1, 100)), family.add(later)]
    family.add(later)
    await one.scrape()
    family.bury(other)
    const sum = await one.scrape()
    assert.equal(sum.get(cpu), 41)
    assert.equal(sum.get('petstore_workers_silent'), 0)
  })

  test('leave out what comes of a worker after it has died, as what it had counted is in the sum already', async () => {
    const family = new Family()
    const [one, other] = [family.add(measured(1, 100)), family.add(measured(20, 300))]
    await one.scrape()
    family.bury(other)
    mock.timers.enable({ apis: ['setTimeout'] })
    const unanswered = assert.rejects(other.scrape(), AppError)
    mock.timers.tick(2 * answerMilliseconds)
    await unanswered
    const sum = await one.scrape()
    assert.equal(sum.get(cpu), 21)
    assert.equal(sum.get(memory), 100)
  })

  test('do not wait for a worker that dies while it is asked', async () => {
    const family = new Family()
    const [one, other] = [family.add(measured(1, 100)), family.add(measured(20, 300))]
    other.isSilent = true
    // Time stands still.
    mock.timers.enable({ apis: ['setTimeout'] })
    const answer = one.scrape()
    family.bury(other)
    assert.equal((await answer).get('petstore_workers_silent'), 0)
  })

  test('are refused with 503 rather than given in part if the parent does not answer', async () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    const answer = connectToParent(new End()).combine(() => measured(1, 1))()
    mock.timers.tick(2 * answerMilliseconds)
    await assert.rejects(answer, (error) => error instanceof AppError && error.status === 503)
    const gone = Object.assign(new End(), { connected: false })
    const refused = connectToParent(gone).combine(() => measured(1, 1))()
    await assert.rejects(refused, (error) => error instanceof AppError && error.status === 503)
  })

  test('survive a question that cannot be answered: it is told, and the next is answered', async () => {
    const [inside, outside] = [new End(), new End()]
    inside.other = outside
    outside.other = inside
    const told = once(process, 'warning')
    openChannel(outside, { fails: () => Promise.reject(new Error('no answer')), works: () => 7 })
    const { ask } = openChannel(inside, {})
    void ask('fails')
    assert.match(String((await told)[0]), /no answer/)
    assert.equal(await ask('works'), 7)
  })

  test('let the process end: no listener stays on the channel', () => {
    const parent = new End()
    connectToParent(parent).close()
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
