/** When a signal stops the service in order, and when it ends the process at once. */

/** npm passes a terminal's Ctrl-C on, so that it comes twice: within this time the two are one. */
const sameKeypressMilliseconds = 100

/** What sends the signals, and what ends the process. */
export interface Signals {
  on(signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP', listener: (signal: NodeJS.Signals, number: number) => void): unknown
  on(event: 'disconnect', listener: () => void): unknown
  exit(code: number): unknown
  /** Of a worker: whether its parent is there. */
  readonly connected?: boolean
}

/** Resolves at the first signal to stop, also where the terminal is closed; the second one ends the process at once. */
export function stopSignal(
  isWorker: boolean,
  signals: Signals = process,
  now: () => number = () => performance.now(),
): Promise<NodeJS.Signals | 'disconnect'> {
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
    if (!isWorker) {
      signals.on('SIGINT', onSignal)
      signals.on('SIGHUP', onSignal)
      return
    }
    // These reach every process at the terminal: a worker leaves them to its parent, which ends it by letting go of it.
    signals.on('SIGINT', () => {})
    signals.on('SIGHUP', () => {})
    const onDisconnect = () => {
      first ??= now()
      resolve('disconnect')
    }
    signals.on('disconnect', onDisconnect)
    if (signals.connected === false) onDisconnect()
  })
}
