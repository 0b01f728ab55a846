/** The signal that stops the service. */
import type { Environment } from '../config/config.ts'
import { every, type Time } from '../time.ts'

/** The same signal within this time counts as one: npm forwards a signal that the service has received itself, too. */
const duplicateMilliseconds = 100

interface Signals {
  on(signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP', listener: (signal: NodeJS.Signals, number: number) => void): unknown
  exit(code: number): unknown
}

/**
 * Resolves at the first stop signal, including SIGHUP from a closed terminal. A second signal ends the process
 * immediately.
 */
export function stopSignal(time: Time, signals: Signals = process): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: { readonly signal: string; readonly ticks: number } | undefined
    const onSignal = (signal: NodeJS.Signals, number: number) => {
      const ticks = time.ticks()
      if (first === undefined) {
        first = { signal, ticks }
        resolve(signal)
        return
      }
      if (signal !== first.signal || ticks - first.ticks > duplicateMilliseconds) signals.exit(128 + number)
    }
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) signals.on(signal, onSignal)
  })
}

const lookEveryMilliseconds = 500

/**
 * Resolves when the npm process that has started this process is gone, because a killed npm does not end what `npx`
 * runs. A process that was started otherwise continues, because that may be intended.
 */
export function parentEnd(time: Time, env: Environment, parentNow = () => process.ppid): Promise<void> {
  const parent = parentNow()
  const { promise, resolve } = Promise.withResolvers<void>()
  if (env.npm_execpath === undefined) return promise
  const stop = every(time, lookEveryMilliseconds, () => {
    if (parentNow() === parent) return
    stop()
    resolve()
  })
  return promise
}
