/** `npm run bench:streams`: what 2,000 event streams cost that mostly rest, and how soon an event reaches all of them. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../src/clock.ts'
import { issueKey } from '../src/keys/keys.ts'
import { openStore } from '../src/store/store.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { markdown, say } from './contest.ts'
import { newAnimal } from './requests.ts'
import { bun, node, serviceCommand, serviceOptions } from './server.ts'
import { onStage } from './stage.ts'

const streams = 2_000
const runtimes = { Node: node, Bun: bun }
/** More than one comment of each stream. */
const restSeconds = 20

/** A client that notes when each event has come; times are those of the same clock on both sides. */
async function follow(port: number, key: string, delays: number[]): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  const begun = Promise.withResolvers<void>()
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    const end = text.lastIndexOf('\n\n')
    if (end < 0) return
    begun.resolve()
    for (const [, at = ''] of text.slice(0, end).matchAll(/"at":"([^"]+)"/g)) delays.push(Date.now() - Date.parse(at))
    text = text.slice(end)
  })
  await once(socket, 'connect')
  socket.write(`GET /v1/events/stream HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  await begun.promise
  return socket
}

await onStage(async (stage) => {
  const server = await startPostgres()
  stage.atEnd(server.stop)
  const events = stage.quick ? 20 : 200
  const rows: string[][] = []
  for (const [database, urlFor] of Object.entries({
    SQLite: (name: string) => `sqlite:${join(stage.folder, `${name}.db`)}`,
    PostgreSQL: () => server.url,
  }))
    for (const [name, runtime] of Object.entries(runtimes)) {
      const url = urlFor(name)
      const store = await openStore({ url, connections: 1, timeoutMilliseconds: 5_000 })
      const scopes = ['pets:write', 'events:read'] as const
      const { token: key } = await issueKey(store.keys, { name, scopes, now: systemClock(), expiresAt: undefined })
      await store.close()
      const service = await stage.start(`${name} on ${database}`, serviceCommand(runtime), serviceOptions(url))
      const before = service.memory
      const delays: number[] = []
      const sockets: Socket[] = []
      while (sockets.length < streams)
        sockets.push(...(await Promise.all(Array.from({ length: 50 }, () => follow(service.port, key, delays)))))
      await service.settled().catch(() => {})
      const each = ((service.memory - before) * 1024) / streams
      const ticks = service.ticks
      await sleep(restSeconds * 1_000)
      const atRest = (service.ticks - ticks) / restSeconds
      const rested = service.ticks
      for (let sent = 0; sent < events; sent++) {
        const response = await fetch(`http://127.0.0.1:${service.port}/v1/pets`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
          body: newAnimal(String(sent)),
        })
        await response.arrayBuffer()
        await sleep(stage.quick ? 100 : 250)
      }
      while (delays.length < events * streams) await sleep(50)
      delays.sort((a, b) => a - b)
      const perEvent = ((service.ticks - rested) * 10_000) / (events * streams)
      const at = (part: number) => `${delays[Math.floor(part * (delays.length - 1))]}`
      rows.push([
        `${name}, ${database}`,
        each.toFixed(1),
        `${atRest.toFixed(1)} %`,
        perEvent.toFixed(1),
        at(0.5),
        at(0.99),
        at(1),
      ])
      for (const socket of sockets) socket.destroy()
      await service.stop()
    }
  say('')
  const head = [`${streams} streams`, 'KiB each', 'CPU at rest', 'CPU µs', 'p50 ms', 'p99 ms', 'longest']
  process.stdout.write(`${markdown(head, rows)}\n`)
})
