/**
 * `npm run bench:import` measures `petstore import` of CSV on both databases, alone and beside a service, and how long
 * the clients of that service wait.
 */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { postgresDatabase } from '../harness/postgres.ts'
import { animal } from './animals.ts'
import { measure, type Reading } from './load.ts'
import { petstore } from './requests.ts'
import { node, root, type Server, say, startService } from './server.ts'
import { fill, onStage } from './stage.ts'

/**
 * The rate is far below what the service can do, because the benchmark measures how long a request waits for the
 * import.
 */
const rate = 100
const size = { connections: 64, seconds: 5 }
const requests = [
  { method: 'GET', paths: [petstore.animals], body: '', rate },
  { method: 'POST', paths: [petstore.animals], body: petstore.newAnimal, rate },
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
    const service = await startService(`the service on ${database}`, url, { key: await fill(url, 0) })
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

function ask(service: Server): Promise<Reading[]> {
  return Promise.all(requests.map((request) => measure(request, [service], size)))
}

/** Returns the longest p99 of all rounds for each request, in milliseconds. */
function worstOf(rounds: readonly (readonly Reading[])[]): object {
  const worst = (n: number) => Math.round(Math.max(...rounds.map((round) => round[n]?.p99 ?? NaN)))
  return Object.fromEntries(requests.map(({ method }, n) => [method, worst(n)]))
}

/** Runs the command like an operator does, and reports the most memory that it used. */
async function runImport(file: string, url: string): Promise<object> {
  const atExit = 'data:text/javascript,process.on("exit",()=>console.error("Peak "+process.resourceUsage().maxRSS))'
  const command = ['--import', atExit, 'bin/petstore.js', 'import', file]
  const env = { ...process.env, DATABASE_URL: url }
  const began = performance.now()
  const { stderr } = await promisify(execFile)(node, command, { cwd: root, env, encoding: 'utf8' })
  const seconds = Math.round((performance.now() - began) / 100) / 10
  const megabytes = Math.round(Number(/^Peak (\d+)$/m.exec(stderr)?.[1]) / 1024)
  return { seconds, megabytes, summary: /^Added .*$/m.exec(stderr)?.[0] }
}
