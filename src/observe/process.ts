/** What the runtime and the operating system know of this process. */
import { readdirSync, readFileSync } from 'node:fs'
import { versions } from 'node:process'
import { programVersion } from '../config/program.ts'
import type { Collect, Sample } from '../metrics.ts'

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
