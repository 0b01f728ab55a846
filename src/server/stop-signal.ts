/** Decides when a signal stops the service gracefully, and when it ends the process at once. */

/** npm forwards Ctrl-C, so the process receives SIGINT twice: two within this time count as one. */
const sameKeypressMilliseconds = 100

/** The part of `process` that is used here. */
export interface Signals {
  on(signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP', listener: (signal: NodeJS.Signals, number: number) => void): unknown
  on(event: 'disconnect', listener: () => void): unknown
  exit(code: number): unknown
  /** In a worker: whether its parent is still running. */
  readonly connected?: boolean
}

/** Resolves at the first stop signal, including SIGHUP from a closed terminal; a second one ends the process at once. */
export function stopSignal(
  isWorker: boolean,
  signals: Signals = process,
  now: () => number = () => performance.now(),
): Promise<NodeJS.Signals | 'disconnect'> {
  return new Promise((resolve) => {
    let first: number | undefined
    let isDisconnected = false
    const onSignal = (signal: NodeJS.Signals, number: number) => {
      const time = now()
      if (first === undefined) {
        first = time
        resolve(signal)
        return
      }
      // A SIGTERM to every process at once reaches a worker before or after its parent has disconnected.
      const mayBeSame = signal === 'SIGINT' || isDisconnected
      if (!mayBeSame || time - first > sameKeypressMilliseconds) signals.exit(128 + number)
    }
    signals.on('SIGTERM', onSignal)
    if (!isWorker) {
      signals.on('SIGINT', onSignal)
      signals.on('SIGHUP', onSignal)
      return
    }
    // A terminal sends these to every process: a worker leaves them to its parent, which stops it by disconnecting.
    signals.on('SIGINT', () => {})
    signals.on('SIGHUP', () => {})
    const onDisconnect = () => {
      if (first === undefined) {
        first = now()
        isDisconnected = true
      }
      resolve('disconnect')
    }
    signals.on('disconnect', onDisconnect)
    if (signals.connected === false) onDisconnect()
  })
}
