/** Which core a process of a benchmark runs on. */
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** With two cores, the server has one and the load the other. With one core, they share it. */
export const canPin = availableParallelism() > 1 && isInstalled('taskset')
export const pinned = (core: number | 'any', command: readonly string[]): string[] =>
  canPin && core !== 'any' ? ['taskset', '-c', String(core), ...command] : [...command]

export function isInstalled(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
}
