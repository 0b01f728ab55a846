/** When a signal stops the service in order, and when it ends the process at once. */

/** npm passes a terminal's Ctrl-C on, so that it comes twice: within this time the two are one. */
const sameKeypressMilliseconds = 100

/** What sends the signals, and what ends the process. */
export interface Signals {
  on(signal: 'SIGTERM' | 'SIGINT', listener: (signal: NodeJS.Signals, number: number) => void): unknown
  exit(code: number): unknown
}

/**
 * Resolves at the first signal to stop; the second one ends the process at once. A worker leaves Ctrl-C, which reaches
 * every process at the terminal, to its parent.
 */
export function stopSignal(
  isWorker: boolean,
  signals: Signals = process,
  now: () => number = () => performance.now(),
): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | undefined
    const onSignal = (signal: NodeJS.Signals, number: number) => {
      const time = now()
      if (first === undefined) {
        first = time
        resolve(signal)
      } else if (signal !== 'SIGINT' || time - first > sameKeypressMilliseconds) signals.exit(128 + number)
    }
    signals.on('SIGTERM', onSignal)
    signals.on('SIGINT', isWorker ? () => {} : onSignal)
  })
}
