/**
 * Open-loop load in a process of its own: requests arrive at a fixed rate, whether or not earlier ones were answered. wrk
 * waits for each answer, so it never offers more than a server can carry. An arrival that finds every connection busy is
 * not sent, as in the pool of a proxy. Reads its options from the command line as JSON, writes an `OpenReading` as JSON.
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pinned } from './load.ts'

export interface OpenLoad {
  readonly port: number
  readonly key: string
  readonly method: string
  readonly path: string
  readonly body: string
  readonly connections: number
  /** Arrivals per second; null sends the next request on a connection as soon as it is free. */
  readonly rate: number | null
  readonly seconds: number
}

export interface OpenReading {
  /** Per second: answered with 2xx, refused with 503, and not sent. */
  readonly served: number
  readonly refused: number
  readonly unsent: number
  /** Milliseconds from sending to the answer, of the requests with 2xx. */
  readonly p50: number
  readonly p99: number
  /** The same of those with 503. */
  readonly p99Refused: number
}

async function run({ port, key, method, path, body, connections, rate, seconds }: OpenLoad): Promise<OpenReading> {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${key}`]
  if (body) lines.push('Content-Type: application/json', `Content-Length: ${body.length}`)
  const request = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
  const times: Record<number, number[]> = { 2: [], 5: [] }
  const free: Socket[] = []
  let unsent = 0
  let isOver = false

  function open(): Socket {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let sentAt = 0
    let received = ''
    socket.on('send', () => {
      sentAt = performance.now()
      socket.write(request)
    })
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      const headEnd = received.indexOf('\r\n\r\n')
      if (headEnd < 0) return
      const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, headEnd))
      if (received.length < headEnd + 4 + Number(length?.[1])) return
      const kind = times[Number(received[9])]
      if (!kind) throw new Error(received.slice(0, headEnd))
      kind.push(performance.now() - sentAt)
      received = ''
      if (rate === null && !isOver) socket.emit('send')
      else free.push(socket)
    })
    return socket
  }

  const sockets: Socket[] = []
  while (sockets.length < connections) {
    const more = Array.from({ length: Math.min(100, connections - sockets.length) }, open)
    await Promise.all(more.map((socket) => once(socket, 'connect')))
    sockets.push(...more)
  }
  const began = performance.now()
  const elapsed = () => (performance.now() - began) / 1000
  if (rate === null) for (const socket of sockets) socket.emit('send')
  else free.push(...sockets)
  for (let arrived = 0; elapsed() < seconds; await new Promise((resolve) => setTimeout(resolve, 1)))
    for (const due = Math.floor(elapsed() * (rate ?? 0)); arrived < due; arrived++) {
      const socket = free.pop()
      if (socket) socket.emit('send')
      else unsent++
    }
  isOver = true
  const total = elapsed()
  for (const socket of sockets) socket.destroy()
  const [served = [], refused = []] = [times[2], times[5]].map((kind) => kind?.sort((a, b) => a - b))
  const at = (values: number[], part: number) => values[Math.floor(values.length * part)] ?? 0
  return {
    served: served.length / total,
    refused: refused.length / total,
    unsent: unsent / total,
    p50: at(served, 0.5),
    p99: at(served, 0.99),
    p99Refused: at(refused, 0.99),
  }
}

/** Runs a load in a process of its own, on the second core. */
export async function measureOpen(load: OpenLoad): Promise<OpenReading> {
  const [program = '', ...args] = pinned(1, [process.execPath, fileURLToPath(import.meta.url), JSON.stringify(load)])
  const { stdout } = await promisify(execFile)(program, args, { encoding: 'utf8' })
  return JSON.parse(stdout)
}

if (import.meta.main) process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2] ?? ''))))
