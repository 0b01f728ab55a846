/** The response to GET /metrics: samples in Prometheus's text format; and the metrics of the process. */
import { readdirSync, readFileSync } from 'node:fs'
import { createHistogram } from 'node:perf_hooks'
import { programVersion } from '../config/program.ts'
import { every, type Time } from '../time.ts'
import { type Collect, type Histogram, type Metric, type MetricName, metrics, type Sample } from './metrics.ts'

export const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

/** The text in the declared order, with the samples of each metric together. */
export function render(samples: readonly Sample[]): string {
  const groups = Map.groupBy(samples, ([name]) => name)
  let text = ''
  for (const [name, { type, help, labels: names }] of Object.entries<Metric>(metrics)) {
    const group = groups.get(name as MetricName)
    if (!group) continue
    text += `# HELP ${name} ${help}.\n# TYPE ${name} ${type}\n`
    for (const [, value, ...labels] of group) {
      const pairs = names.map((label, i) => `${label}="${escaped(labels[i] ?? '')}"`)
      text += typeof value === 'number' ? line(name, pairs, value) : histogramLines(name, pairs, value)
    }
  }
  return text
}

function histogramLines(name: string, pairs: readonly string[], { bounds, counts, sum }: Histogram): string {
  let text = ''
  let total = 0
  for (const [range, count] of counts.entries()) {
    total += count
    text += line(`${name}_bucket`, [...pairs, `le="${bounds[range] ?? '+Inf'}"`], total)
  }
  return text + line(`${name}_sum`, pairs, sum) + line(`${name}_count`, pairs, total)
}

const line = (name: string, pairs: readonly string[], value: number): string =>
  `${name}${pairs.length > 0 ? `{${pairs.join()}}` : ''} ${value}\n`

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

/** How often the delay of the event loop is measured: 20 wake-ups a second take less than 0.1 % of a core. */
const delayMilliseconds = 50

/**
 * Metrics of this process from the runtime and the operating system, and the delay of its event loop, measured until
 * `stop` is called.
 */
export function createProcessMetrics(time: Time): { samples: Collect; stop(): void } {
  const version = programVersion()
  const startedAt = time.now() / 1000 - process.uptime()
  /** The delays in nanoseconds since the previous scrape. */
  const delays = createHistogram()
  let due = time.ticks() + delayMilliseconds
  const stop = every(time, delayMilliseconds, () => {
    const ticks = time.ticks()
    delays.record(Math.max(1, Math.round((ticks - due) * 1e6)))
    due = ticks + delayMilliseconds
  })

  function delaySamples(): Sample[] {
    const { max } = delays
    // A percentile is the bound of a bucket, which may be above the longest delay.
    const seconds = (percentile: number) => Math.min(delays.percentile(percentile), max) / 1e9
    const [p50, p99] = [seconds(50), seconds(99)]
    delays.reset()
    return [
      ['nodejs_eventloop_delay_p50_seconds', p50],
      ['nodejs_eventloop_delay_p99_seconds', p99],
      ['nodejs_eventloop_delay_max_seconds', max / 1e9],
    ]
  }

  function samples(): Sample[] {
    const { versions } = process
    const { user, system } = process.cpuUsage()
    return [
      ...delaySamples(),
      ['process_cpu_seconds_total', (user + system) / 1e6],
      ['process_resident_memory_bytes', process.memoryUsage.rss()],
      ...descriptors(),
      ['process_start_time_seconds', startedAt],
      ['petstore_build_info', 1, version, versions.node],
    ]
  }
  return { samples, stop }
}

/** Open file descriptors and their limit, from /proc, which only Linux has. */
function descriptors(): Sample[] {
  try {
    const [, limit = 'NaN'] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return [
      ['process_open_fds', readdirSync('/proc/self/fd').length],
      ['process_max_fds', Number(limit)],
    ]
  } catch {
    return []
  }
}
