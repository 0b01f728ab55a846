/**
 * Puts load on servers, either with wrk, whose clients wait for each answer, or at a fixed rate, whatever is answered.
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pinned } from './cores.ts'
import type { Server } from './server.ts'

export interface ClosedLoad {
  readonly path: string
  /**
   * A script of lua/ with its arguments. It also receives the number of the load and the number of loads. Without a
   * script, `path` is requested repeatedly.
   */
  readonly script?: readonly [name: string, ...args: string[]]
}

/** A load at a fixed rate. If every connection is busy, a request is not sent, like in the pool of a proxy. */
export interface OpenLoad {
  readonly method: string
  /** The paths, which are requested one after another. */
  readonly paths: readonly string[]
  readonly body: string
  /** Requests per second. With null, each connection sends the next request as soon as it is free. */
  readonly rate: number | null
}

export type Load = ClosedLoad | OpenLoad

export interface Size {
  readonly seconds: number
  /** The number of connections in total, which the servers share. */
  readonly connections: number
}

export interface Reading {
  /** Requests per second that were answered with 2xx, and that were refused. */
  readonly rate: number
  readonly refused: number
  /** Milliseconds until the answer. */
  readonly p50: number
  readonly p99: number
}

const running = new AbortController()
/** Ends the load in progress if the benchmark is stopped. */
export const stopLoad = (): void => running.abort()

async function output(command: readonly string[]): Promise<string> {
  const [program = '', ...args] = pinned(1, command)
  return (await promisify(execFile)(program, args, { encoding: 'utf8', signal: running.signal })).stdout
}

export async function measure(load: Load, servers: readonly Server[], size: Size): Promise<Reading> {
  const connections = Math.max(1, Math.floor(size.connections / servers.length))
  const readings = await Promise.all(
    servers.map(async ({ port, key }, index): Promise<Reading> => {
      const options = { ...load, ...size, port, key, connections }
      if (!('rate' in options)) return wrk(options, [String(index), String(servers.length)])
      return JSON.parse(await output([process.execPath, fileURLToPath(import.meta.url), JSON.stringify(options)]))
    }),
  )
  const sum = (field: keyof Reading) => readings.reduce((total, reading) => total + reading[field], 0)
  const most = (field: keyof Reading) => Math.max(...readings.map((reading) => reading[field]))
  return { rate: sum('rate'), refused: sum('refused'), p50: most('p50'), p99: most('p99') }
}

type Sending<T extends Load> = T & Size & { readonly port: number; readonly key: string }

async function wrk(load: Sending<ClosedLoad>, place: readonly string[]): Promise<Reading> {
  const { path, script, port, key, connections, seconds } = load
  // The timeout suits a server that answers one request after another, each in half a second.
  const command = ['wrk', '-t1', '-c', String(connections), '-d', `${seconds}s`, '--latency', '--timeout', '60s']
  command.push('-H', `Authorization: Bearer ${key}`)
  if (script) command.push('-s', fileURLToPath(new URL(`lua/${script[0]}.lua`, import.meta.url)))
  command.push(`http://127.0.0.1:${port}${path}`, ...(script ? ['--', ...script.slice(1), ...place] : []))
  const text = await output(command)
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1])
  if (Number.isNaN(rate) || /Socket errors|Non-2xx/.test(text))
    throw new Error(`the load met errors on ${path}:\n${text}`)
  const latency = (percent: number): number => {
    const [, value = 'NaN', unit = ''] = new RegExp(`${percent}%\\s+([\\d.]+)(us|ms|s|m)`).exec(text) ?? []
    return Number(value) * ({ us: 0.001, ms: 1, s: 1000, m: 60_000 }[unit] ?? Number.NaN)
  }
  return { rate, refused: 0, p50: latency(50), p99: latency(99) }
}

/**
 * Runs in a separate process, which is this file. Counting begins when every connection has had an answer, and p50 and
 * p99 are those of 2xx.
 */
async function sendOpen(load: Sending<OpenLoad>): Promise<Reading> {
  const { port, key, method, paths, body, connections, rate, seconds } = load
  const head = [' HTTP/1.1', 'Host: 127.0.0.1', `Authorization: Bearer ${key}`]
  if (body) head.push('Content-Type: application/json', `Content-Length: ${body.length}`)
  const requests = paths.map((path) => Buffer.from(`${method} ${path}${head.join('\r\n')}\r\n\r\n${body}`))
  let times: number[] = []
  const free: Socket[] = []
  let [sent, refused] = [0, 0]
  let isRunning = false

  function open(): Socket {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let sentAt = 0
    let received = ''
    socket.on('send', () => {
      sentAt = performance.now()
      socket.write(requests[sent++ % requests.length] as Buffer)
    })
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      const headEnd = received.indexOf('\r\n\r\n')
      if (headEnd < 0) return
      const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, headEnd))
      if (received.length < headEnd + 4 + Number(length?.[1])) return
      if (received[9] === '2') times.push(performance.now() - sentAt)
      else if (received.startsWith('503', 9)) refused++
      else throw new Error(received.slice(0, headEnd))
      received = ''
      if (rate === null && isRunning) socket.emit('send')
      else free.push(socket)
    })
    return socket
  }

  const sockets: Socket[] = []
  while (sockets.length < connections) {
    const more = Array.from({ length: Math.min(100, connections - sockets.length) }, open)
    await Promise.all(more.map((socket) => once(socket, 'connect')))
    for (const socket of more) socket.emit('send')
    sockets.push(...more)
  }
  while (free.length < connections) await sleep(1)
  ;[times, refused, isRunning] = [[], 0, true]
  const began = performance.now()
  const elapsed = () => (performance.now() - began) / 1000
  if (rate === null) for (const socket of free.splice(0)) socket.emit('send')
  for (let arrived = 0; elapsed() < seconds; await sleep(1))
    for (const due = Math.floor(elapsed() * (rate ?? 0)); arrived < due; arrived++) free.pop()?.emit('send')
  isRunning = false
  const total = elapsed()
  for (const socket of sockets) socket.destroy()
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.floor(times.length * part)] ?? 0
  return { rate: times.length / total, refused: refused / total, p50: at(0.5), p99: at(0.99) }
}

if (import.meta.main) process.stdout.write(JSON.stringify(await sendOpen(JSON.parse(process.argv[2] ?? ''))))
