/** `npm run bench:instances`: one, two, four and eight instances on one PostgreSQL, for reads, inserts and orders, also beside a long snapshot. */
import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import postgres from 'postgres'
import { startPostgres } from '../test/support/postgres.ts'
import { markdown, say } from './contest.ts'
import { canPin, type Load, measure, median, type Reading, type Target } from './load.ts'
import { loadsOf, petstore } from './requests.ts'
import { node, root, type Server, serviceCommand, serviceOptions } from './server.ts'
import { onStage, type Stage } from './stage.ts'
import { Stock } from './stock.ts'

const options = {
  instances: { type: 'string', default: '1,2,4,8' },
  clients: { type: 'string', default: '32,128' },
  seconds: { type: 'string', default: '3' },
  rounds: { type: 'string', default: '1' },
  /** Microseconds by which PostgreSQL delays each commit: 5000 is a disk that takes 5 ms. */
  'commit-delay': { type: 'string', default: '0' },
  /** Starts the service of another checkout. */
  checkout: { type: 'string', default: root },
  json: { type: 'string' },
} as const

const cores = availableParallelism()
/** Animals before the first measurement, for the pages. */
const count = 50_000
const operations = ['GET /pets, random page', 'POST /pets', 'POST /store/orders'] as const
type Operation = (typeof operations)[number]

/** What was measured of one operation with so many clients: a reading per round for each number of instances. */
interface Line {
  readonly operation: Operation
  readonly clients: number
  readonly isBesideSnapshot: boolean
  readonly readings: readonly { readonly instances: number; readonly rounds: Reading[] }[]
}

await onStage(async (stage, flags) => {
  const numbers = (text: unknown): number[] => String(text).split(',').map(Number)
  const [seconds = 0] = stage.quick ? [1] : numbers(flags.seconds)
  const [rounds = 0] = numbers(flags.rounds)
  const counts = numbers(flags.instances)
  const checkout = resolve(String(flags.checkout))

  say('starting PostgreSQL')
  const commitDelay = Number(flags['commit-delay'])
  const settings = commitDelay ? [`commit_delay=${commitDelay}`, 'commit_siblings=0'] : []
  const database = await startPostgres({ settings })
  stage.atEnd(() => database.stop())
  const env = { ...process.env, DATABASE_URL: database.url }
  const create = ['src/main.ts', 'keys', 'create', '--name', 'bench']
  const key = execFileSync(node, create, { cwd: checkout, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const service = { servers: await startInstances(stage, Math.max(...counts), database.url, checkout), key: key.trim() }
  const stock = new Stock(service.servers[0] as Server, service.key)
  await stock.reserve(count)

  const pages = loadsOf(petstore, stage.folder, count)
  /** Orders a second, the most that were placed; before the first of them, more than there can be. */
  let ordersBest: number | undefined
  async function read(
    operation: Operation,
    round: number,
    target: Target,
    isBesideSnapshot: boolean,
  ): Promise<Reading> {
    let load: Load
    if (operation === 'POST /store/orders') {
      // No load may run out of animals: twice the instances, or four times the clients, order no more than five times as many.
      const most = Math.ceil(target.seconds * (ordersBest ?? 2_000) * 5)
      await stock.reserve(most)
      load = stock.orders(most)
    } else load = pages[operation](round)
    const snapshot = isBesideSnapshot ? await holdSnapshot(database.url) : undefined
    const reading = await measure(load, target)
    await snapshot?.end()
    if (operation === 'POST /store/orders') ordersBest = Math.max(ordersBest ?? 0, reading.rate)
    return reading
  }

  const lines: Line[] = numbers(flags.clients).flatMap((clients) =>
    [false, true].flatMap((isBesideSnapshot) =>
      operations.map((operation) => ({
        operation,
        clients,
        isBesideSnapshot,
        readings: counts.map((instances) => ({ instances, rounds: [] })),
      })),
    ),
  )
  // The first touch of a page or a function is not what is measured.
  const everyPort = service.servers.map(({ port }) => port)
  for (const operation of operations) {
    say(`warming up: ${operation}`)
    await read(operation, 0, { ports: everyPort, key: service.key, seconds: 1 }, false)
  }
  for (let round = 0; round < rounds; round++)
    for (const { operation, clients, isBesideSnapshot, readings } of lines)
      for (const { instances, rounds: own } of readings) {
        const servers = service.servers.slice(0, instances)
        say(
          `round ${round + 1} of ${rounds}: ${operation}, ${instances} instances, ${clients} clients${isBesideSnapshot ? ', beside a snapshot' : ''}`,
        )
        const target = { ports: servers.map(({ port }) => port), key: service.key, connections: clients, seconds }
        own.push(await read(operation, round, target, isBesideSnapshot))
        await Promise.all(servers.map((server) => server.settled()))
      }
  say('')
  process.stdout.write(`${table(lines, counts)}\n`)
  if (flags.json) stage.write(String(flags.json), { seconds, rounds, commitDelay, lines })
}, options)

async function startInstances(stage: Stage, number: number, url: string, cwd: string): Promise<Server[]> {
  const servers: Server[] = []
  for (let i = 0; i < number; i++) {
    // The load has the second core; with two cores all instances share the first.
    const core = i % (cores - 1) && (i % (cores - 1)) + 1
    servers.push(
      await stage.start(`instance ${i + 1}`, serviceCommand(node), {
        ...serviceOptions(url),
        cwd,
        core: canPin ? core : 0,
      }),
    )
  }
  return servers
}

/** As `pg_dump` holds one: while it lasts, no dead row version can be removed. */
async function holdSnapshot(url: string): Promise<{ end(): Promise<void> }> {
  const sql = postgres(url, { max: 1, fetch_types: false })
  await sql.unsafe('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1').simple()
  return { end: () => sql.end() }
}

function table(lines: readonly Line[], counts: readonly number[]): string {
  const head = ['operation', 'clients', 'snapshot', ...counts.map((n) => (n === 1 ? '1 instance' : `${n} instances`))]
  const rows = lines.map(({ operation, clients, isBesideSnapshot, readings }) => [
    operation,
    String(clients),
    isBesideSnapshot ? 'held' : '',
    ...readings.map(({ rounds }) => {
      const of = (field: keyof Reading) => median(rounds.map((reading) => reading[field]))
      return `${of('rate').toFixed(0)} (${of('p99').toFixed(0)} ms)`
    }),
  ])
  return `${markdown(head, rows)}\nRequests per second of all instances together, and the 99th percentile of the slowest instance.`
}
