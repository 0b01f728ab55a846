/**
 * `npm run bench:flood` measures ten clients that wait for each answer, while 100 connections send thousands of
 * requests at once and do not wait.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { markdown } from './contest.ts'
import { type Server, say, startService } from './server.ts'
import { fill, onStage } from './stage.ts'

const floodConnections = 100
const floodBytes = 62_000
const floodEveryMilliseconds = 2_500
const clients = 10
const probeEveryMilliseconds = 50

interface Flood {
  readonly name: string
  readonly request: (key: string) => string
  /** Whether each wave uses the connections of the first. */
  readonly isOnSameConnections?: boolean
  /** Whether the answers are read, in small pieces. */
  readonly isRead?: boolean
}

const floods: readonly Flood[] = [
  { name: 'GET / without a key', request: () => 'GET / HTTP/1.1\r\nHost:x\r\n\r\n' },
  {
    name: 'the same on connections that stay',
    request: () => 'GET / HTTP/1.1\r\nHost:x\r\n\r\n',
    isOnSameConnections: true,
  },
  {
    name: 'GET /v1/pets with a key',
    request: (key) => `GET /v1/pets HTTP/1.1\r\nHost:x\r\nAuthorization:Bearer ${key}\r\n\r\n`,
  },
  {
    name: 'the same, answers read slowly',
    request: (key) => `GET /v1/pets HTTP/1.1\r\nHost:x\r\nAuthorization:Bearer ${key}\r\n\r\n`,
    isRead: true,
  },
  {
    name: 'POST /v1/pets without a key, with bodies',
    request: () => 'POST /v1/pets HTTP/1.1\r\nHost:x\r\nContent-Length:4\r\n\r\n1234',
  },
  {
    name: 'POST /v1/pets without a key, bodies of 1-byte chunks',
    request: () =>
      `POST /v1/pets HTTP/1.1\r\nHost:x\r\nTransfer-Encoding:chunked\r\n\r\n${'1\r\na\r\n'.repeat(200)}0\r\n\r\n`,
  },
]

/** Sends waves of requests until it is told to stop. */
function flood({ port, key }: Server, { request, isOnSameConnections, isRead }: Flood): () => void {
  const one = request(key)
  const wave = Buffer.from(one.repeat(Math.floor(floodBytes / one.length)))
  let sockets: Socket[] = []
  const readSome = () => {
    for (const socket of sockets) socket.read(1_024)
  }
  const send = () => {
    if (!isOnSameConnections || sockets.length === 0) {
      for (const socket of sockets) socket.destroy()
      sockets = Array.from({ length: floodConnections }, () => connect(port, '127.0.0.1').pause())
      for (const socket of sockets) socket.on('error', () => {})
      if (isRead) for (const socket of sockets) socket.on('readable', () => {})
    }
    for (const socket of sockets) if (!socket.destroyed) socket.write(wave)
  }
  send()
  const timers = [setInterval(send, floodEveryMilliseconds), setInterval(readSome, 100)]
  return () => {
    for (const timer of timers) clearInterval(timer)
    for (const socket of sockets) socket.destroy()
  }
}

/** Returns the requests per second of clients that send the next request after each answer. */
async function honestRate({ port, key }: Server, seconds: number): Promise<number> {
  const text = Buffer.from(`GET /v1/pets HTTP/1.1\r\nHost:x\r\nAuthorization:Bearer ${key}\r\n\r\n`)
  let answered = 0
  const sockets = Array.from({ length: clients }, () => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let left = 0
    socket.on('data', (chunk) => {
      if (left === 0) {
        const head = chunk.indexOf('\r\n\r\n') + 4
        left = head + Number(/\r\ncontent-length: (\d+)/i.exec(chunk.toString('latin1', 0, head))?.[1])
      }
      left -= chunk.length
      if (left > 0) return
      answered++
      socket.write(text)
    })
    return socket.once('connect', () => socket.write(text))
  })
  await sleep(seconds * 1_000)
  for (const socket of sockets) socket.destroy()
  return answered / seconds
}

/** Requests `/livez` on new connections until it is stopped, and resolves with the longest time in milliseconds. */
function probe({ port }: Server): () => Promise<number> {
  let isOver = false
  let longest = 0
  const ended = (async () => {
    while (!isOver) {
      const began = performance.now()
      const socket = connect(port, '127.0.0.1')
      socket.write('GET /livez HTTP/1.1\r\nHost:x\r\nConnection:close\r\n\r\n')
      await once(socket, 'data')
      longest = Math.max(longest, performance.now() - began)
      socket.destroy()
      await sleep(probeEveryMilliseconds)
    }
  })()
  return async () => {
    isOver = true
    await ended
    return longest
  }
}

await onStage(async (stage) => {
  const seconds = stage.quick ? 5 : 15
  const rows: string[][] = []
  for (const [index, kind] of floods.entries()) {
    const url = `sqlite:${join(stage.folder, `${index}.db`)}`
    const key = await fill(url, 1_000)
    const service = await startService(kind.name, url, { key })
    say(kind.name)
    await honestRate(service, 2)
    const undisturbed = await honestRate(service, 5)
    const stopFlood = flood(service, kind)
    const longest = probe(service)
    const disturbed = await honestRate(service, seconds)
    const livez = await longest()
    stopFlood()
    rows.push(
      [kind.name, undisturbed, disturbed, disturbed / undisturbed, livez, service.memoryPeak()].map((cell) =>
        typeof cell === 'number' ? (cell < 2 ? cell.toFixed(2) : cell.toFixed(0)) : cell,
      ),
    )
    await service.stop()
  }
  say('')
  process.stdout.write(
    `${markdown(['flood', 'requests/s before', 'during', 'ratio', '/livez at most, ms', 'MB at most'], rows)}\n`,
  )
})
