/** Opening one socket to PostgreSQL, with TLS where it is asked for, within a time, and ready for the driver. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { isIP, Socket } from 'node:net'
import { checkServerIdentity, connect as connectTls } from 'node:tls'
import type { Address, Target } from '../../database-url.ts'

export interface Opening {
  readonly timeoutMilliseconds: number
  /** Gets the socket at once, while it is being opened: who lets go of it destroys it. */
  readonly hold: (socket: Socket) => void
}

/** Asks the server whether it takes TLS; it answers with one letter. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

export async function openSocket(
  address: Address,
  target: Pick<Target, 'sslMode' | 'sslRootCert'>,
  { timeoutMilliseconds, hold }: Opening,
): Promise<Socket> {
  const socket = new Socket()
  hold(socket)
  const late = () => socket.destroy(withCode('CONNECT_TIMEOUT', `no connection within ${timeoutMilliseconds} ms`))
  const timer = setTimeout(late, timeoutMilliseconds)
  const failed = new Promise<never>((_, reject) => {
    // Stays for good: no moment may be without a listener, or a lost connection would end the process.
    socket.on('error', reject)
    socket.once('close', () => reject(withCode('CONNECTION_CLOSED', 'the connection was closed')))
  })
  failed.catch(() => {})
  try {
    socket.connect(address)
    await Promise.race([once(socket, 'connect'), failed])
    // As with libpq, what stays on the machine needs no TLS.
    if (target.sslMode === 'disable' || 'path' in address) return socket
    return await Promise.race([secure(socket, address.host, target), failed])
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function secure(
  socket: Socket,
  host: string,
  { sslMode, sslRootCert }: Pick<Target, 'sslMode' | 'sslRootCert'>,
): Promise<Socket> {
  socket.write(sslRequest)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  // More than the letter would be words that somebody in between has put before the handshake.
  if (answer.toString('latin1') !== 'S') {
    if (answer.toString('latin1') === 'N' && sslMode === 'prefer') return socket
    throw withCode('CONNECTION_CLOSED', 'the server takes no TLS')
  }
  const isVerified = sslMode.startsWith('verify-') || (sslMode === 'require' && sslRootCert !== undefined)
  const encrypted = connectTls({
    socket,
    ...(isIP(host) ? {} : { servername: host }),
    ...(sslRootCert === undefined ? {} : { ca: readFileSync(sslRootCert) }),
    rejectUnauthorized: isVerified,
    // By the host of the URL: for an address, which may not stand in the handshake, the runtime would take another name.
    checkServerIdentity: (_, certificate) =>
      sslMode === 'verify-full' ? checkServerIdentity(host, certificate) : undefined,
  })
  encrypted.on('error', () => {})
  await once(encrypted, 'secureConnect')
  return encrypted
}

const withCode = (code: string, message: string): Error => Object.assign(new Error(message), { code })
