/**
 * The sockets of one driver instance. When it ends, the driver forgets a socket that is connecting or waits to
 * reconnect, and keeps one that a dead network never closes; each would keep the process from exiting.
 */
import { Socket } from 'node:net'
import { StoreUnavailable } from '../store.ts'

/** Where the driver connects to: one of several hosts, or a Unix socket path. */
interface Addresses {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path: string | false
}

export interface Sockets {
  readonly open: (addresses: Addresses) => Socket
  /** Destroys every socket; no more can be opened. */
  readonly destroy: () => void
}

export function createSockets(): Sockets {
  const sockets = new Set<Socket>()
  let isOver = false
  let failures = 0

  return {
    open({ host, port, path }) {
      if (isOver) throw new StoreUnavailable('PostgreSQL: the connections were closed')
      for (const socket of sockets) if (socket.destroyed) sockets.delete(socket)
      const index = failures % host.length
      const socket = new Socket()
      sockets.add(socket)
      const onFailure = () => failures++
      socket.once('error', onFailure).once('connect', () => socket.removeListener('error', onFailure))
      // The driver writes at once, but adds its listeners only after this call: an error must not come before.
      socket.cork()
      setImmediate(() => {
        if (socket.destroyed) return
        if (path) socket.connect(path)
        else socket.connect(port[index] as number, host[index] as string)
        socket.uncork()
      })
      // The driver checks the certificate against this name.
      return Object.assign(socket, { host: host[index], port: port[index] })
    },
    destroy() {
      isOver = true
      for (const socket of sockets) socket.destroy()
    },
  }
}
