/** `npm run bench:import`: `petstore import` of CSV on both databases, alone and beside a service, and what that service's clients wait. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { postgresDatabase, startPostgres } from '../test/support/postgres.ts'
import { say } from './contest.ts'
import { measureOpen, type OpenReading } from './open-loop.ts'
import { petstore } from './requests.ts'
import { animal, node, root, serviceCommand, serviceOptions } from './server.ts'
import { onStage } from './stage.ts'

/** Far below what the service can do: what is measured is how long a request waits for the import. */
const load = { connections: 64, rate: 100, seconds: 5 }
const requests = {
  'GET /pets': { method: 'GET', path: petstore.animals, body: '' },
  'POST /pets': { method: 'POST', path: petstore.animals, body: petstore.newAnimal },
}
type Latencies = Record<string, { readonly p50: number; readonly p99: number; readonly refused: number }>

await onStage(async (stage) => {
  const count = stage.quick ? 100_000 : 1_000_000
  const file = join(stage.folder, 'animals.csv')
  const lines = Array.from({ length: count }, (_, n) => Object.values(animal(n)).join())
  writeFileSync(file, `name,categoryId,status\n${lines.join('\n')}\n`)
  say('starting PostgreSQL')
  const server = await startPostgres()
  stage.atEnd(() => server.stop())
  const databases = {
    SQLite: async (name: string) => `sqlite:${join(stage.folder, `${name}.db`)}`,
    PostgreSQL: async () => (await postgresDatabase(server.url)).url,
  }
  const results: object[] = []
  for (const [database, make] of Object.entries(databases)) {
    say(`importing ${count} animals into ${database}`)
    const alone = await runImport(file, await make('alone'))
    const url = await make('beside')
    const key = await stage.fill(url, 0)
    const { port } = await stage.start(`the service on ${database}`, serviceCommand(node), serviceOptions(url))
    const idle = latenciesOf([await measureAll(port, key)])
    const rounds: OpenReading[][] = []
    let isOver = false
    const importing = runImport(file, url).finally(() => (isOver = true))
    while (!isOver) rounds.push(await measureAll(port, key))
    const beside = await importing
    results.push({ database, animals: count, alone, beside, idle, meanwhile: latenciesOf(rounds) })
  }
  process.stdout.write(`${JSON.stringify(results, undefined, 2)}\n`)
  stage.record('import', { results })
})

function measureAll(port: number, key: string): Promise<OpenReading[]> {
  return Promise.all(Object.values(requests).map((request) => measureOpen({ port, key, ...request, ...load })))
}

/** Of the worst round. */
function latenciesOf(rounds: readonly (readonly OpenReading[])[]): Latencies {
  return Object.fromEntries(
    Object.keys(requests).map((name, i) => {
      const worst = (member: 'p50' | 'p99' | 'refused') =>
        Math.round(10 * Math.max(...rounds.map((round) => round[i]?.[member] ?? 0))) / 10
      return [name, { p50: worst('p50'), p99: worst('p99'), refused: worst('refused') }]
    }),
  )
}

/** Runs the command as an operator does; memory is the most that it had. */
async function runImport(file: string, url: string) {
  const child = spawn(node, ['src/main.ts', 'import', file], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (output += text))
  const exited = once(child, 'close')
  let megabytes = 0
  while (child.exitCode === null && child.signalCode === null) {
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))
    megabytes = Math.max(megabytes, Math.round(Number(peak?.[1] ?? 0) / 1024))
    await sleep(100)
  }
  await exited
  if (child.exitCode !== 0) throw new Error(output)
  const [summary = ''] = /^Added .*$/m.exec(output) ?? []
  say(summary)
  return { rowsPerSecond: Number(/\(([\d,]+) per/.exec(summary)?.[1]?.replaceAll(',', '')), megabytes, summary }
}
