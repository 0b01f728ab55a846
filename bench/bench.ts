/**
 * `npm run bench`, `bench:latency`, `bench:connections`, `bench:overload` and `bench:postgres`: the service against a
 * bare server and against itself.
 */
import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { contest, median, type Pace } from './contest.ts'
import { canPin } from './cores.ts'
import type { OpenLoad } from './load.ts'
import { againstLimits, newAnimal, ordersOf, pagePath } from './requests.ts'
import { type Server, startService } from './server.ts'
import { fill, onStage, type Stage } from './stage.ts'

const count = 100_000
const name = 'petstore'

/** Starts the service on a SQLite database, this many times. */
async function onSqlite(stage: Stage, starts = 1) {
  const template = join(stage.folder, 'template.db')
  const key = await fill(`sqlite:${template}`, count)
  const url = `sqlite:${stage.copyOf(template, name)}`
  const servers: Server[] = []
  while (servers.length < starts) {
    await servers.at(-1)?.stop()
    servers.push(await startService(name, url, { key }))
  }
  const start = Math.round(median(servers.map(({ startMilliseconds }) => startMilliseconds)))
  return { service: { name, servers: servers.slice(-1) }, start, template }
}

async function speed(stage: Stage, file: string, title: string, pace: Pace): Promise<void> {
  const { service, start, template } = await onSqlite(stage, stage.quick ? 2 : 7)
  const bare = stage.copyOf(template, 'bare')
  const events = await againstLimits(stage, count, [service])
  // The commit is measured before and after, because the speed of the disk varies.
  const before = commitMicroseconds(bare)
  const samples = await contest(events, pace)
  const commit = median([before, commitMicroseconds(bare)])
  stage.report(file, title, [name], samples, { animals: count, ...pace, start, commit })
}

/** The ids for open loads. */
const ids = Array.from({ length: 1_000 }, (_, n) => (n * count) / 1_000 + 1)
const requests: Record<string, Omit<OpenLoad, 'rate'>> = {
  'GET /pets, first page': { method: 'GET', paths: ['/v1/pets'], body: '' },
  'GET /pets, random page': { method: 'GET', paths: ids.map((id) => pagePath(id)), body: '' },
  'GET /pets/{petId}': { method: 'GET', paths: ids.map((id) => `/v1/pets/${id}`), body: '' },
  'POST /pets': { method: 'POST', paths: ['/v1/pets'], body: newAnimal() },
}

const benches: Record<string, (stage: Stage) => Promise<void>> = {
  results: (stage) => speed(stage, 'results', 'Requests a second, relative to bare Node', stage.pace),
  latency: (stage) =>
    speed(stage, 'latency', 'One client alone, relative to bare Node', { ...stage.pace, connections: 1 }),

  async connections(stage) {
    const events = await againstLimits(stage, count, [(await onSqlite(stage)).service])
    const sizes = [64, 1_000, 8_000].map((connections) => ({
      name: `${connections.toLocaleString('en')} connections`,
      connections,
      isProbed: true,
    }))
    const all = events.flatMap(({ name: operation, contenders }) => {
      const load = () => ({ ...(requests[operation] as OpenLoad), rate: null })
      return contenders.map(({ name, servers }) => ({
        name: `${operation}, ${name}`,
        contenders: sizes.map((size) => ({ ...size, servers, load })),
      }))
    })
    const series = sizes.map(({ name }) => name)
    const samples = await contest(all, { ...stage.pace, seconds: 2 * stage.pace.seconds })
    stage.report('connections', 'Requests a second, relative to 64 connections', series, samples, { animals: count })
  },

  async overload(stage) {
    /** The rate of requests as a multiple of the best rate, and the number of connections. */
    const loads = {
      half: [0.5, 1_000],
      'all it can do': [1, 1_000],
      twice: [2, 1_000],
      'four times': [4, 1_000],
      'twice, 8,000 connections': [2, 8_000],
    } as const
    const { service } = await onSqlite(stage)
    const events = Object.entries(requests)
      .slice(2)
      .map(([operation, request]) => ({
        name: operation,
        isInOrder: true,
        contenders: [
          { ...service, name: 'best', load: () => ({ ...request, rate: null }) },
          ...Object.entries(loads).map(([name, [multiple, connections]]) => ({
            ...service,
            name,
            connections,
            load: (_: number, best?: { rate: number }) => ({ ...request, rate: multiple * (best?.rate ?? NaN) }),
          })),
        ],
      }))
    const title = 'Requests a second done, as a part of the best, by what is asked for'
    stage.report('overload', title, Object.keys(loads), await contest(events, stage.pace), { animals: count, loads })
  },

  async postgres(stage) {
    const cores = availableParallelism()
    // PostgreSQL uses what this process may use: every core except that of the first instance.
    const mask = ['-c', '-p', `1-${cores - 1}`, String(process.pid)]
    if (canPin) execFileSync('taskset', mask, { stdio: ['ignore', 'ignore', 'inherit'] })
    const delay = stage.flags['commit-delay']
    const database = await stage.postgres(delay ? [`commit_delay=${delay}`, 'commit_siblings=0'] : [])
    const key = await fill(database.url, count)
    const instances: Server[] = []
    for (let i = 0; i < 8; i++) {
      // The load has the second core. On a machine with two cores, all instances share the first.
      const core = i % (cores - 1) && (i % (cores - 1)) + 1
      instances.push(await startService(`instance ${i + 1}`, database.url, { key, core: canPin ? core : 0 }))
    }
    const services = [1, 2, 4, 8].map((n) => ({
      name: `${n} instance${n > 1 ? 's' : ''}`,
      servers: instances.slice(0, n),
      database,
    }))
    const load = ordersOf(instances[0] as Server, stage.pace.seconds, count + 1)
    const orders = { name: 'POST /store/orders', contenders: services.map((service) => ({ ...service, load })) }
    const events = [...(await againstLimits(stage, count, services)), orders]
    const series = services.map(({ name }) => name)
    const title = 'Instances on PostgreSQL: requests a second, relative to bare Node'
    stage.report('postgres', title, series, await contest(events, stage.pace), { animals: count })
  },
}

/** Returns the median time of a commit alone, measured by adding animals to a database one by one. */
function commitMicroseconds(file: string): number {
  using db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  const insert = db.prepare("INSERT INTO pets (name, words, category_id, status) VALUES ('Rex', 'rex', 7, 'available')")
  const times = Array.from({ length: 2_000 }, () => {
    const started = performance.now()
    insert.run()
    return (performance.now() - started) * 1000
  })
  return Math.round(median(times))
}

await onStage(
  async (stage) => {
    const bench = benches[stage.args[0] ?? 'results']
    if (!bench) throw new Error(`Name one of ${Object.keys(benches).join(', ')}`)
    await bench(stage)
  },
  { 'commit-delay': { type: 'string' } },
)
