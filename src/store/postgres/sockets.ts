/** Opening one socket to PostgreSQL, within a time, and ready for the driver. */
import { Socket } from 'node:net'

/** Where a server listens: a host and a port, or the path of a Unix socket. */
export type Address = { readonly host: string; readonly port: number } | { readonly path: string }

export interface Opening {
  readonly timeoutMilliseconds: number
  /** Gets the socket at once, while it is being opened: who lets go of it destroys it. */
  readonly hold: (socket: Socket) => void
}

export function openSocket(address: Address, { timeoutMilliseconds, hold }: Opening): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = new Socket()
    const late = () => socket.destroy(withCode('CONNECT_TIMEOUT', `no connection within ${timeoutMilliseconds} ms`))
    const timer = setTimeout(late, timeoutMilliseconds)
    socket.once('connect', () => {
      clearTimeout(timer)
      resolve(socket)
    })
    // Stays for good: no moment may be without a listener, or a lost connection would end the process.
    socket.on('error', reject)
    socket.once('close', () => {
      clearTimeout(timer)
      reject(withCode('CONNECTION_CLOSED', 'the connection was closed'))
    })
    hold(socket)
    socket.connect(address)
  })
}

const withCode = (code: string, message: string): Error => Object.assign(new Error(message), { code })
