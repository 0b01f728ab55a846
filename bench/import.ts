/** `npm run bench:import`: `petstore import` of CSV on both databases, alone and beside a service, and what that service's clients wait. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { postgresDatabase } from '../test/support/postgres.ts'
import { say } from './contest.ts'
import { measure, type Reading } from './load.ts'
import { animal, petstore } from './requests.ts'
import { node, root, type Server } from './server.ts'
import { onStage } from './stage.ts'

/** Far below what the service can do: what is measured is how long a request waits for the import. */
const rate = 100
const size = { connections: 64, seconds: 5 }
const requests = [
  { method: 'GET', path: petstore.animals, body: '', rate },
  { method: 'POST', path: petstore.animals, body: petstore.newAnimal, rate },
] as const

await onStage(async (stage) => {
  const count = stage.quick ? 100_000 : 1_000_000
  const file = join(stage.folder, 'animals.csv')
  const lines = Array.from({ length: count }, (_, n) => Object.values(animal(n)).join())
  writeFileSync(file, `name,categoryId,status\n${lines.join('\n')}\n`)
  const { url: server } = await stage.postgres()
  const databases = {
    SQLite: async (name: string) => `sqlite:${join(stage.folder, `${name}.db`)}`,
    PostgreSQL: async () => (await postgresDatabase(server)).url,
  }
  const results: object[] = []
  for (const [database, make] of Object.entries(databases)) {
    say(`importing ${count} animals into ${database}`)
    const alone = await runImport(file, await make('alone'))
    const url = await make('beside')
    const service = await stage.service(`the service on ${database}`, node, url, { key: await stage.fill(url, 0) })
    const idle = worstOf([await ask(service)])
    const rounds: Reading[][] = []
    let isOver = false
    const importing = runImport(file, url).finally(() => (isOver = true))
    while (!isOver) rounds.push(await ask(service))
    results.push({ database, animals: count, alone, beside: await importing, idle, meanwhile: worstOf(rounds) })
  }
  process.stdout.write(`${JSON.stringify(results, undefined, 2)}\n`)
  stage.record('import', { results })
})

const ask = (service: Server): Promise<Reading[]> =>
  Promise.all(requests.map((request) => measure(request, [service], size)))

/** What the clients waited in the worst round, by the method of their request. */
function worstOf(rounds: readonly (readonly Reading[])[]): object {
  const worst = (n: number, field: keyof Reading) =>
    Number(Math.max(...rounds.map((round) => round[n]?.[field] ?? 0)).toFixed(1))
  const entries = requests.map(({ method }, n) => [
    method,
    { p50: worst(n, 'p50'), p99: worst(n, 'p99'), refused: worst(n, 'refused') },
  ])
  return Object.fromEntries(entries)
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
  return { rowsPerSecond: Number(/\(([\d,]+) per/.exec(summary)?.[1]?.replaceAll(',', '')), megabytes, summary }
}
