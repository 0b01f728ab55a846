/** Decides when a signal stops the service gracefully, and when it ends the process at once. */

/** npm forwards signals, so what is sent to it and the service together arrives twice: the same within this time counts as one. */
const sameMilliseconds = 100

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
    let first: { readonly signal: string; readonly time: number } | undefined
    const onSignal = (signal: NodeJS.Signals, number: number) => {
      const time = now()
      if (first === undefined) {
        first = { signal, time }
        resolve(signal)
        return
      }
      // A SIGTERM to every process at once reaches a worker before or after its parent has disconnected.
      const mayBeSame = signal === first.signal || first.signal === 'disconnect'
      if (!mayBeSame || time - first.time > sameMilliseconds) signals.exit(128 + number)
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
      first ??= { signal: 'disconnect', time: now() }
      resolve('disconnect')
    }
    signals.on('disconnect', onDisconnect)
    if (signals.connected === false) onDisconnect()
  })
}
