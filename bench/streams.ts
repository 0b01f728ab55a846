/**
 * `npm run bench:streams` measures what 2,000 mostly idle event streams cost, and how soon an event reaches all of
 * them.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { postgresDatabase } from '../harness/postgres.ts'
import { scopes } from '../src/model/key.ts'
import { markdown } from './contest.ts'
import { newAnimal, petstore } from './requests.ts'
import { type Server, say, startService, untilIdle } from './server.ts'
import { fill, onStage } from './stage.ts'

const streams = 2_000
/** Each stream sends more than one comment in this time. */
const restSeconds = 20

/** Follows events, and records when each of them arrives. Both sides use the same clock. */
async function follow({ port, key }: Server, delays: number[]): Promise<Socket> {
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
  const { url: server } = await stage.postgres()
  const events = stage.quick ? 20 : 200
  const rows: string[][] = []
  for (const database of ['SQLite', 'PostgreSQL']) {
    const url =
      database === 'SQLite' ? `sqlite:${join(stage.folder, 'store.db')}` : (await postgresDatabase(server)).url
    const key = await fill(url, 0, { scopes })
    const service = await startService(`petstore on ${database}`, url, { key })
    const before = service.memory()
    const delays: number[] = []
    const sockets: Socket[] = []
    while (sockets.length < streams)
      sockets.push(...(await Promise.all(Array.from({ length: 50 }, () => follow(service, delays)))))
    await untilIdle(service)
    const each = ((service.memory() - before) * 1024) / streams
    const begun = service.ticks()
    await sleep(restSeconds * 1_000)
    const rested = service.ticks()
    for (let sent = 0; sent < events; sent++) {
      await service.ask(petstore.animals, newAnimal(String(sent)))
      await sleep(stage.quick ? 100 : 250)
    }
    while (delays.length < events * streams) await sleep(50)
    delays.sort((a, b) => a - b)
    const perEvent = ((service.ticks() - rested) * 10_000) / (events * streams)
    const times = [0.5, 0.99, 1].map((part) => `${delays[Math.floor(part * (delays.length - 1))]}`)
    const atRest = `${((rested - begun) / restSeconds).toFixed(1)} %`
    rows.push([database, each.toFixed(1), atRest, perEvent.toFixed(1), ...times])
    for (const socket of sockets) socket.destroy()
    await service.stop()
  }
  say('')
  const head = [`${streams} streams`, 'KiB each', 'CPU at rest', 'CPU µs', 'p50 ms', 'p99 ms', 'longest']
  process.stdout.write(`${markdown(head, rows)}\n`)
})
