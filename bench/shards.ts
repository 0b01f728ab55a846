/** `npm run bench:shards`: what a write costs one PostgreSQL in bytes and CPU time, and from that a simulation of shards of it. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { openStore, type Store } from '../src/store/store.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { markdown, say } from './contest.ts'
import { commitMilliseconds, type Plan, pageEvents, results, simulate } from './shard-simulation.ts'

/** Of one write: the rows of its batch, CPU time of the server and of this process in microseconds, bytes of the log. */
type Cost = Readonly<Record<'rows' | 'server' | 'own' | 'wal', number>>

/** Processor time of a server with all its processes, in microseconds; `/proc` counts hundredths of a second. */
function serverTime(folder: string): number {
  const [first = ''] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n')
  const processes = rows.map((row) => row.trim().split(/\s+/)).filter((ids) => ids.includes(first))
  return processes.reduce((sum, [pid = '']) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
      .map(Number)
    // Its own times; those of processes that have ended are with the first.
    return fields.slice(11, pid === first ? 15 : 13).reduce((a, b) => a + b * 10_000, sum)
  }, 0)
}

async function measure(count = 50_000) {
  // Pages are logged whole once after a checkpoint; here there is none.
  const settings = [`commit_delay=${commitMilliseconds * 1000}`, 'commit_siblings=0', 'checkpoint_timeout=1h']
  const { url, folder, stop } = await startPostgres({ settings: [...settings, 'max_wal_size=8GB'] })
  const sql = postgres(url, { max: 1 })
  const stores = [0, 1, 2, 3].map(() => openStore({ url, connections: 10, timeoutMilliseconds: 60_000 }))
  const ask = async (expression: string) => Number((await sql.unsafe(`SELECT ${expression} AS value`))[0]?.value)
  const position = () => ask(`pg_current_wal_insert_lsn() - '0/0'`)
  const commits = (store: Store) => {
    const writes = store.samples().find(([name]) => name === 'petstore_commit_writes')?.[1]
    return typeof writes === 'object' && 'counts' in writes ? writes.counts.reduce((a, b) => a + b) : 0
  }
  const costs: Record<string, Cost> = {}
  /** So many clients, each with one call under way, shared out among so many instances. */
  async function run(
    name: string,
    calls: number,
    instances: number,
    call: (store: Store, n: number) => unknown,
    clients = 128,
  ) {
    say(`measuring: ${name}`)
    const all = await Promise.all(stores)
    const batches = () => all.reduce((sum, store) => sum + commits(store), 0)
    const [server, own, wal, before] = [serverTime(folder), process.cpuUsage(), await position(), batches()]
    let next = 0
    const client = async (_: unknown, index: number) => {
      for (let n = next++; n < calls; n = next++) await call(all[index % instances] as Store, n)
    }
    await Promise.all(Array.from({ length: clients }, client))
    const { user, system } = process.cpuUsage(own)
    const each = (sum: number) => sum / calls
    return (costs[name] = {
      rows: calls / (batches() - before),
      server: each(serverTime(folder) - server),
      own: each(user + system),
      wal: each((await position()) - wal),
    })
  }
  const add = (store: Store, n: number) =>
    store.pets.insert({ name: `Animal ${n}`, categoryId: BigInt(n % 500), status: 'available' }, undefined)
  const change = (store: Store, n: number) => store.pets.update(BigInt(n + 1), { name: `Changed ${n}` }, undefined)
  const order = (store: Store, n: number) => store.orders.place(BigInt(n + 1), new Date().toISOString(), undefined)
  try {
    await stores[0]
    const many = await run('new animals, 1 instance', count, 1, add)
    const animal = (await ask(`pg_total_relation_size('pets')`)) / count
    const event = (await ask(`(SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('events'))`)) / count
    await run('new animals, 4 instances', count, 4, add)
    const one = await run('new animals, 1 client', count / 25, 1, add, 1)
    await run('changes, 1 instance', count / 5, 1, change)
    await run('orders, 1 instance', count / 5, 1, order)
    const [first] = (await Promise.all(stores)) as [Store]
    let after = await first.events.oldest()
    const feed = await run(
      'pages of the feed',
      count / pageEvents,
      1,
      async (store) => {
        const page = await store.events.page({ after, limit: pageEvents })
        if (page !== 'events_expired') after = page.position
      },
      1,
    )
    /** What a batch takes, and what each of its rows, from batches of one and of many. */
    const split = (cost: 'server' | 'wal') => {
      const batch = (one[cost] - many[cost]) / (1 - 1 / many.rows)
      return { batch, row: one[cost] - batch }
    }
    return { costs, animal, event, cpu: split('server'), wal: split('wal'), feed }
  } finally {
    await Promise.all([sql.end(), ...stores.map(async (store) => (await store).close())])
    await stop()
  }
}

const measured = await measure()
say('')
const { costs, animal, event, cpu, wal } = measured
const fixed = (value: number) => (Number.isFinite(value) ? value.toFixed(value < 10 ? 1 : 0) : '')
const rows = Object.entries(costs).map(([name, cost]) => [name, ...Object.values(cost).map(fixed)])
process.stdout.write(`${markdown(['128 clients', 'rows a batch', 'server µs', 'instance µs', 'WAL bytes'], rows)}
An animal takes ${fixed(animal)} bytes, its event ${fixed(event)}.
A batch takes ${fixed(cpu.batch)} µs and ${fixed(wal.batch)} bytes of WAL, each of its rows ${fixed(cpu.row)} µs and ${fixed(wal.row)} bytes.\n\n`)
const rate = 100_000
const base: Plan = { rate, instances: 16, shards: 8, cores: 4, isOwnShard: true, followers: 8 }
const plans: Readonly<Record<string, Plan>> = {
  'one server of 32 cores': { ...base, shards: 1, cores: 32, followers: 1 },
  '8 shards of 4 cores, an instance writes to all': { ...base, isOwnShard: false },
  '… of 8 cores': { ...base, isOwnShard: false, cores: 8 },
  '8 shards of 4 cores, an instance writes to one': base,
  '… and one process follows all shards': { ...base, followers: 1 },
}
const cases = Object.entries(plans).map(([name, plan]) => [name, ...simulate(measured, plan)])
const terabytes = ((animal + event) * rate * 86_400) / 1e12
process.stdout.write(`${markdown([`${rate} new animals a second`, ...results], cases)}
They take ${fixed(terabytes)} TB a day.\n`)
