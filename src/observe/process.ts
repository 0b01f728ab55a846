/** What the runtime and the operating system know of this process. */
import { readdirSync, readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { versions } from 'node:process'
import type { Sample } from '../metrics.ts'

/** Each sample costs a wake-up: 50 a second take 0.1 % of a core. */
const resolutionMilliseconds = 20

export interface ProcessMetrics {
  samples(): Sample[]
  stop(): void
}

export const serviceVersion = (): string =>
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version

export function watchProcess(): ProcessMetrics {
  const version = serviceVersion()
  const delays = monitorEventLoopDelay({ resolution: resolutionMilliseconds })
  delays.enable()
  // Node measures the time from one sample to the next, Bun how late each was.
  const expected = versions.bun ? 0 : resolutionMilliseconds * 1e6
  /** A percentile is the bound of a bucket, which may lie above the longest delay. */
  const seconds = (nanoseconds: number): number => Math.max(0, Math.min(nanoseconds, delays.max) - expected) / 1e9
  const startedAt = Date.now() / 1000 - process.uptime()

  return {
    samples() {
      const { user, system } = process.cpuUsage()
      const samples: Sample[] = [
        ['nodejs_eventloop_delay_p50_seconds', seconds(delays.percentile(50))],
        ['nodejs_eventloop_delay_p99_seconds', seconds(delays.percentile(99))],
        ['nodejs_eventloop_delay_max_seconds', seconds(delays.max)],
        ['process_cpu_seconds_total', (user + system) / 1e6],
        ['process_resident_memory_bytes', process.memoryUsage.rss()],
        ...descriptors(),
        ['process_start_time_seconds', startedAt],
        ['petstore_workers', 1],
        ['petstore_workers_silent', 0],
        ['petstore_build_info', 1, version, versions.bun ? 'bun' : 'node', versions.bun ?? versions.node],
      ]
      delays.reset()
      return samples
    },
    stop: () => delays.disable(),
  }
}

/** From /proc, which only Linux has. */
function descriptors(): Sample[] {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return [
      ['process_open_fds', readdirSync('/proc/self/fd').length],
      ...(limit === undefined ? [] : [['process_max_fds', Number(limit)] as const]),
    ]
  } catch {
    return []
  }
}
