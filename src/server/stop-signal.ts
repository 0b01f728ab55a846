/** Decides when a signal stops the service gracefully, and when it ends the process at once. */

/** npm forwards signals, so what is sent to it and the service together arrives twice: the same within this time counts as one. */
const sameMilliseconds = 100

/** The part of `process` that is used here. */
export interface Signals {
  on(signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP', listener: (signal: NodeJS.Signals, number: number) => void): unknown
  exit(code: number): unknown
}

/** Resolves at the first stop signal, including SIGHUP from a closed terminal; a second one ends the process at once. */
export function stopSignal(
  signals: Signals = process,
  now: () => number = () => performance.now(),
): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: { readonly signal: string; readonly time: number } | undefined
    const onSignal = (signal: NodeJS.Signals, number: number) => {
      const time = now()
      if (first === undefined) {
        first = { signal, time }
        resolve(signal)
        return
      }
      if (signal !== first.signal || time - first.time > sameMilliseconds) signals.exit(128 + number)
    }
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) signals.on(signal, onSignal)
  })
}
