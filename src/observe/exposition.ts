/** What GET /metrics answers: samples in Prometheus's text format, and those of the process, which are taken only then. */

import { readdirSync, readFileSync } from 'node:fs'
import { versions } from 'node:process'
import { programVersion } from '../config/program.ts'
import { type Collect, type Histogram, type Metric, type MetricName, metrics, type Sample } from './metrics.ts'

export const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

/** The text, in the declared order; every metric's samples stand together. */
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

/** What the runtime and the operating system know of this process. */
export function createProcessMetrics(): Collect {
  const version = programVersion()
  const startedAt = Date.now() / 1000 - process.uptime()

  return () => {
    const { user, system } = process.cpuUsage()
    return [
      ['process_cpu_seconds_total', (user + system) / 1e6],
      ['process_resident_memory_bytes', process.memoryUsage.rss()],
      ...descriptors(),
      ['process_start_time_seconds', startedAt],
      ['petstore_build_info', 1, version, versions.bun ? 'bun' : 'node', versions.bun ?? versions.node],
    ]
  }
}

/** From /proc, which only Linux has. */
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
