/** `npm run bench`: the service on Node and on Bun against a bare server that does nothing, in one run on this machine. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Contender, contest, say, table } from './contest.ts'
import { canPin, isInstalled, median } from './load.ts'
import { bars } from './picture.ts'
import { loadOf, type OperationName, operations, writePaths } from './requests.ts'
import { bun, fill, node, root, Server } from './server.ts'

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const pace = flags.quick ? { rounds: 1, seconds: 2 } : { rounds: 5, seconds: 4 }
const count = 100_000
const starts = flags.quick ? 2 : 7

if (!isInstalled('wrk')) {
  process.stderr.write('The benchmark needs wrk; on Debian: apt-get install wrk\n')
  process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'))
const stop: (() => Promise<void>)[] = []
try {
  const template = join(folder, 'template.db')
  const key = await fill(`sqlite:${template}`, count, (done) => say(`filling a store: ${done} of ${count} animals`))
  const files = writePaths(folder, count)

  const services: { name: string; server: Server; starts: number[] }[] = []
  for (const [name, runtime] of [
    ['petstore on Node', node],
    ['petstore on Bun', bun],
  ] as const) {
    const database = join(folder, `${services.length}.db`)
    copyFileSync(template, database)
    const times: number[] = []
    for (let i = 0; i < starts; i++) {
      say(`starting ${name}, ${i + 1} of ${starts}`)
      const server = await Server.start(name, [runtime, 'src/main.ts', 'serve'], {
        env: { DATABASE_URL: `sqlite:${database}` },
        ready: '/livez',
      })
      times.push(server.startMilliseconds)
      if (i < starts - 1) await server.stop()
      else {
        services.push({ name, server, starts: times })
        stop.push(() => server.stop())
      }
    }
  }

  const events = []
  for (const operation of operations) {
    const body = await sampleBody(operation, services[0]?.server.port ?? 0, key)
    const limit = await Server.start(`LIMIT for ${operation}`, [node, 'bench/limit.ts'], { env: { BODY: body } })
    stop.push(() => limit.stop())
    const contenders: Contender[] = [
      { name: 'LIMIT', load: (round) => loadOf(operation, { port: limit.port, key }, files, round) },
      ...services.map(({ name, server }) => ({
        name,
        load: (round: number) => loadOf(operation, { port: server.port, key }, files, round),
        memory: () => server.memory,
      })),
    ]
    events.push({ name: operation, contenders })
  }

  const rows = await contest(events, pace)
  const start = Object.fromEntries(services.map(({ name, starts }) => [name, Math.round(median(starts))]))
  const machine = {
    processor: cpus()[0]?.model ?? process.arch,
    architecture: process.arch,
    cores: cpus().length,
    pinned: canPin,
  }
  process.stdout.write(
    `${table(rows)}\n\nFirst answer after the start (median of ${starts}): ${JSON.stringify(start)} ms\n`,
  )
  if (flags.quick) process.stdout.write('A quick run: the figures on record were left as they are.\n')
  else {
    const versions = { node: process.version, bun: bunVersion() }
    writeFileSync(
      join(root, 'bench/results.json'),
      `${JSON.stringify({ machine, versions, animals: count, ...pace, start, rows }, undefined, 2)}\n`,
    )
    const series = ['petstore on Node', 'petstore on Bun']
    writeFileSync(
      join(root, 'bench/results.svg'),
      bars('Requests a second, as a part of what bare Node reaches', operations, series, rows),
    )
  }
} finally {
  await Promise.all(stop.map((end) => end()))
  rmSync(folder, { recursive: true, force: true })
}

/** What the service answers, for the bare server to answer the same bytes. */
async function sampleBody(operation: OperationName, port: number, key: string): Promise<string> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const base = `http://127.0.0.1:${port}/v1/pets`
  const response =
    operation === 'POST /pets'
      ? await fetch(base, {
          method: 'POST',
          headers,
          body: '{"name":"Rex","categoryId":9007199254740993,"status":"available"}',
        })
      : await fetch(operation === 'GET /pets/{petId}' ? `${base}/50000` : base, { headers })
  return response.text()
}

function bunVersion(): string {
  return JSON.parse(readFileSync(join(root, 'node_modules/bun/package.json'), 'utf8')).version
}
