/** The text format of metrics, and its histograms. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Exposition } from '../../harness/exposition.ts'
import { testWith } from '../../harness/process.ts'
import { projectFile } from '../../harness/project.ts'
import { promtool } from '../../harness/promtool.ts'
import { TestTime } from '../../harness/time.ts'
import { operations } from '../../src/app.ts'
import { createProcessMetrics, render } from '../../src/observe/exposition.ts'
import {
  durationBounds,
  Histogram,
  type Metric,
  metrics,
  RequestMetrics,
  type Sample,
} from '../../src/observe/metrics.ts'

describe('a histogram', () => {
  test('A histogram counts a value that equals a bound below that bound, and values above the last bound [decision 26]', () => {
    const histogram = new Histogram([1, 2.5])
    for (const value of [0, 1, 1.0001, 2.5, 2.6, 1000]) histogram.observe(value)
    assert.deepEqual(histogram.counts, [2, 2, 2])
    assert.ok(Math.abs(histogram.sum - 1007.1001) < 1e-9)
    const text = render([['petstore_commit_writes', histogram]])
    const exposed = new Exposition(text)
    for (const [le, count] of [
      ['1', 2],
      ['2.5', 4],
      ['+Inf', 6],
    ] as const)
      assert.equal(exposed.value('petstore_commit_writes_bucket', { le }), count)
  })
})

describe('the text format', () => {
  test('The text format of metrics escapes the value of a label', () => {
    const text = render([['petstore_build_info', 1, 'a"b\\c\nd', '26']])
    assert.match(text, /version="a\\"b\\\\c\\nd"/)
    assert.equal(new Exposition(text).families.get('petstore_build_info')?.series[0]?.labels.version, 'a"b\\c\nd')
  })

  testWith(['promtool'], 'promtool finds nothing wrong in the text format of all metrics [decision 26]', async () => {
    const samples = Object.entries<Metric>(metrics).map(([name, { type, labels }]) => {
      const histogram = new Histogram(durationBounds)
      histogram.observe(0.001)
      return [name, type === 'histogram' ? histogram : 1, ...labels.map(() => 'x')] as unknown as Sample
    })
    const faults = (await promtool(['check', 'metrics'], render(samples))).split('\n')
    // OpenTelemetry prescribes this name for a gauge.
    assert.deepEqual(
      faults.filter((fault) => fault !== '' && !fault.startsWith('db_client_connection_count ')),
      [],
    )
  })
})

test('A scrape has less than 100 KB, even if every operation and page was requested and refused in many ways [decision 26]', (t) => {
  const counted = new RequestMetrics(new Set(operations.map(({ method, path }) => `${method} /v1${path}`)))
  for (const { method, path, answer } of operations)
    for (const each of [method, 'HEAD', 'OPTIONS', 'PUT', '_OTHER'])
      for (const status of each === method ? [answer.status, 304, 400, 401, 404, 409] : [405])
        counted.answered(`/v1${path}`, each, status, 0.0012345678, 10, 1000)
  for (let page = 0; page < 30; page++)
    for (const status of [200, 304]) counted.answered(`/docs/page-${page}.js`, 'GET', status, 0.001, 0, 1000)
  const bytes = Buffer.byteLength(render(counted.samples()))
  t.diagnostic(`${bytes} bytes`)
  assert.ok(bytes < 100_000, `${bytes}`)
})

describe('docs/metrics.md', () => {
  test('docs/metrics.md lists every metric as it is declared [decision 26]', () => {
    const rows = Object.entries<Metric>(metrics).map(([name, { type, labels, help, database }]) => {
      const notes = [help, ...(database ? [`${database} only`] : [])]
      return `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${notes.join('; ')} |`
    })
    assert.deepEqual(projectFile('docs/metrics.md').match(/^\| `.*$/gm), rows)
  })
})

test('The delay of the event loop is measured every 50 ms until the measurement is stopped', () => {
  const time = new TestTime()
  let late = 0
  const { samples, stop } = createProcessMetrics({ ...time, ticks: () => time.ticks() + late })
  const delays = () => samples().flatMap(([name, value]) => (name.startsWith('nodejs_eventloop') ? [value] : []))
  const pass = (more = 0) => {
    late += more
    time.advance(50)
  }
  for (let i = 0; i < 40; i++) pass()
  assert.deepEqual(delays(), [1e-9, 1e-9, 1e-9])
  assert.deepEqual(delays(), [0, 0, 0], 'nothing since the last time')
  pass()
  pass(500)
  const [p50, p99, max] = delays() as [number, number, number]
  assert.equal(p50, 1e-9)
  assert.ok(p99 >= 0.5 && p99 <= max && max < 0.501, `${p99} ${max}`)
  stop()
  pass()
  assert.deepEqual(delays(), [0, 0, 0])
})
