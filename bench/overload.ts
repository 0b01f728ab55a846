/** `npm run bench:overload`: what the service still does when it is asked for more than it can do, relative to its best. */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { figure, markdown, say } from './contest.ts'
import { measure as measureClosed, median } from './load.ts'
import { measureOpen, type OpenReading } from './open-loop.ts'
import { bars } from './picture.ts'
import { newAnimal } from './requests.ts'
import { bun, node, type Server, serviceCommand, serviceOptions } from './server.ts'
import { onStage } from './stage.ts'

const count = 100_000
/** As many as wrk has in the other benchmarks. */
const connectionsForBest = 64
const runtimes = { Node: node, Bun: bun }
const operations = {
  'GET /pets/{petId}': { method: 'GET', path: '/v1/pets/50000', body: '' },
  'POST /pets': { method: 'POST', path: '/v1/pets', body: newAnimal('7') },
}
/** What is asked for, as a multiple of the best rate, and on how many connections; the last are more than REQUESTS_MAX. */
const loads = {
  half: [0.5, 1_000],
  'all it can do': [1, 1_000],
  twice: [2, 1_000],
  'four times': [4, 1_000],
  'twice, 8,000 connections': [2, 8_000],
} as const

/** Clients that send their next request when they have an answer, from the moment they connect, all at once. */
const busyClients = 1_200

interface Sample extends OpenReading {
  /** Requests a second with 2xx, relative to the best of the same round. */
  readonly ratio: number
  /** Microseconds of processor time per request that was answered with 2xx. */
  readonly cpu: number
  readonly memory: number
}

await onStage(async (stage) => {
  const template = join(stage.folder, 'template.db')
  const key = await stage.fill(`sqlite:${template}`, count)
  const servers = new Map<string, Server>()
  for (const [name, runtime] of Object.entries(runtimes)) {
    const database = join(stage.folder, `${name}.db`)
    copyFileSync(template, database)
    servers.set(name, await stage.start(name, serviceCommand(runtime), serviceOptions(`sqlite:${database}`)))
  }

  const { rounds, seconds } = stage.pace
  const samples = new Map<string, Sample[]>()
  for (let round = 0; round < rounds; round++)
    for (const [operation, request] of Object.entries(operations))
      for (const [runtime, server] of servers) {
        const event = `${operation}, ${runtime}`
        const load = { ...request, port: server.port, key, seconds }
        async function measure(name: string, rate: number | null, connections: number, best?: number): Promise<number> {
          say(`round ${round + 1} of ${rounds}: ${event}, ${name}`)
          const before = server.ticks
          const reading = await measureOpen({ ...load, rate, connections })
          const { memory } = server
          await server.settled()
          const cpu = ((server.ticks - before) * 10_000) / (reading.served * seconds)
          const sample = { ...reading, ratio: reading.served / (best ?? reading.served), cpu, memory }
          samples.set(`${event}|${name}`, [...(samples.get(`${event}|${name}`) ?? []), sample])
          return reading.served
        }
        if (round === 0) await measureOpen({ ...load, rate: null, connections: connectionsForBest, seconds: 1 })
        const best = await measure('best', null, connectionsForBest)
        for (const [name, [multiple, connections]] of Object.entries(loads))
          await measure(name, best * multiple, connections, best)
      }
  say('')

  const waits = new Map<string, number[]>()
  for (let round = 0; round < rounds; round++)
    for (const [runtime, { port }] of servers) {
      say(`round ${round + 1} of ${rounds}: a new connection beside ${busyClients} busy ones, ${runtime}`)
      waits.set(runtime, [...(waits.get(runtime) ?? []), ...(await newConnections(port, key, 2 * seconds))])
    }
  say('')

  const rows = [...samples].map(([name, own]) => {
    const [event = '', contender = ''] = name.split('|')
    const of = (member: keyof Sample) => median(own.map((sample) => sample[member]))
    const ratios = own.map(({ ratio }) => ratio)
    return {
      event,
      contender,
      rate: Math.round(of('served')),
      ratio: of('ratio'),
      spread: [Math.min(...ratios), Math.max(...ratios)],
      refused: Math.round(of('refused')),
      unsent: Math.round(of('unsent')),
      p50: of('p50'),
      p99: of('p99'),
      p99Refused: of('p99Refused'),
      cpu: of('cpu'),
      memory: Math.max(...own.map(({ memory }) => memory)),
    }
  })
  const head = ['operation', 'asked for', 'done/s', 'of best', 'spread', '503/s', 'p50 ms', 'p99 ms', 'CPU µs', 'MB']
  const cells = rows.map((row) => [
    row.event,
    row.contender,
    String(row.rate),
    figure(row.ratio),
    row.spread.map(figure).join('–'),
    String(row.refused),
    row.p50.toFixed(1),
    row.p99.toFixed(1),
    row.cpu.toFixed(0),
    row.memory.toFixed(0),
  ])
  process.stdout.write(`${markdown(head, cells)}\n`)
  const newConnection = [...waits].map(([runtime, own]) => ({ runtime, p50: median(own), max: Math.max(...own) }))
  for (const { runtime, p50, max } of newConnection)
    process.stdout.write(
      `/livez on a new connection beside ${busyClients} busy ones, ${runtime}: p50 ${p50.toFixed(0)} ms, at most ${max.toFixed(0)} ms\n`,
    )
  const events = [...new Set(rows.map(({ event }) => event))]
  const title = 'Requests a second done, as a part of the best, by what is asked for'
  stage.record(
    'overload',
    { animals: count, loads, rows, newConnection },
    bars(title, events, Object.keys(loads), rows),
  )
})

/** Milliseconds until `/livez` is answered on a new connection, ten times a second while others are busy. */
async function newConnections(port: number, key: string, seconds: number): Promise<number[]> {
  const load = { ports: [port], key, seconds, connections: busyClients }
  let isOver = false
  const busy = measureClosed({ path: '/v1/pets/50000' }, load).finally(() => {
    isOver = true
  })
  const waits: Promise<number>[] = []
  while (!isOver) {
    waits.push(firstAnswer(port))
    await sleep(100)
  }
  await busy
  return Promise.all(waits)
}

async function firstAnswer(port: number): Promise<number> {
  const began = performance.now()
  await (await fetch(`http://127.0.0.1:${port}/livez`, { headers: { Connection: 'close' } })).arrayBuffer()
  return performance.now() - began
}
