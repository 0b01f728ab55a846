/** `npm run bench`, `bench:latency`, `bench:connections`, `bench:overload` and `bench:postgres`: the service against a bare server and against itself. */
import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import postgres from 'postgres'
import { contest, median, rowsOf, type Service } from './contest.ts'
import { canPin } from './load.ts'
import { againstLimits, newAnimal, ordersOf } from './requests.ts'
import { bun, node, runtimes, type Server } from './server.ts'
import { onStage, type Stage } from './stage.ts'

const count = 100_000
const ofLimit = 'as a part of what bare Node reaches'
const names = Object.keys(runtimes)

/** The service on both runtimes, each on an SQLite database of its own. */
async function onSqlite(stage: Stage) {
  const template = join(stage.folder, 'template.db')
  const key = await stage.fill(`sqlite:${template}`, count)
  const start = (name: string, runtime: string): Promise<Server> =>
    stage.service(name, runtime, `sqlite:${join(stage.folder, `${name}.db`)}`, { key })
  const services: Service[] = []
  for (const [name, runtime] of Object.entries(runtimes)) {
    stage.copyOf(template, name)
    services.push({ name, servers: [await start(name, runtime)] })
  }
  return { services, start, template }
}

const benches: Record<string, (stage: Stage) => Promise<void>> = {
  async results(stage) {
    const { services, start } = await onSqlite(stage)
    const samples = await contest(await againstLimits(stage, count, services), stage.pace)
    const first: Record<string, number> = {}
    for (const [name, runtime] of Object.entries(runtimes)) {
      const times: number[] = []
      while (times.length < (stage.quick ? 1 : 7)) {
        const server = await start(name, runtime)
        times.push(server.startMilliseconds)
        await server.stop()
      }
      first[name] = Math.round(median(times))
    }
    const also = { animals: count, start: first }
    stage.report('results', `Requests a second, ${ofLimit}`, names, samples, also)
  },

  async latency(stage) {
    const { services, template } = await onSqlite(stage)
    const events = await againstLimits(stage, count, services)
    const bare = stage.copyOf(template, 'bare')
    // Before and after, as the disk has its moods.
    const commits = [commitMicroseconds(bare)]
    const samples = await contest(events, { ...stage.pace, connections: 1 })
    commits.push(commitMicroseconds(bare))
    const commit = median(commits)
    const rows = rowsOf(samples)
    const p50 = (event: string, name: string) =>
      rows.find((row) => row.event === event && row.contender === name)?.p50 ?? NaN
    // By how many bare commits a new animal takes longer than reading one.
    const beyond = names.map((name) => ((p50('POST /pets', name) - p50('GET /pets/{petId}', name)) * 1000) / commit)
    stage.report('latency', `One client alone: requests a second, ${ofLimit}`, names, samples, { commit, beyond })
  },

  async connections(stage) {
    const events = await againstLimits(stage, count, (await onSqlite(stage)).services)
    const sizes = [64, 1_000, 8_000].map((connections) => ({
      name: `${connections.toLocaleString('en')} connections`,
      connections,
      isProbed: true,
    }))
    const all = events.flatMap((event) =>
      event.contenders.map((contender) => ({
        name: `${event.name}, ${contender.name}`,
        contenders: sizes.map((size) => ({
          ...contender,
          ...size,
          load: async (round: number) => ({ ...(await contender.load(round, undefined)), mayRefuse: true }),
        })),
      })),
    )
    const series = sizes.map(({ name }) => name)
    const samples = await contest(all, stage.pace)
    stage.report('connections', 'Requests a second, as a part of those with 64 connections', series, samples)
  },

  async overload(stage) {
    const requests = {
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
    const { services } = await onSqlite(stage)
    const events = Object.entries(requests).flatMap(([operation, request]) =>
      services.map((service) => ({
        name: `${operation}, ${service.name}`,
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
      })),
    )
    const title = 'Requests a second done, as a part of the best, by what is asked for'
    stage.report('overload', title, Object.keys(loads), await contest(events, stage.pace), { loads })
  },

  async postgres(stage) {
    const cores = availableParallelism()
    // PostgreSQL takes over what this process may use: every core but that of the first instance.
    const mask = ['-c', '-p', `1-${cores - 1}`, String(process.pid)]
    if (canPin) execFileSync('taskset', mask, { stdio: ['ignore', 'ignore', 'inherit'] })
    const delay = stage.flags['commit-delay']
    const database = await stage.postgres(delay ? [`commit_delay=${delay}`, 'commit_siblings=0'] : [])
    const key = await stage.fill(database.url, count)
    const instances: Server[] = []
    for (let i = 0; i < 8; i++) {
      // The load has the second core; with two cores all instances share the first.
      const core = i % (cores - 1) && (i % (cores - 1)) + 1
      instances.push(await stage.service(`instance ${i + 1}`, node, database.url, { key, core: canPin ? core : 0 }))
    }
    const onBun = await stage.service('an instance on Bun', bun, database.url, { key })
    const services = [1, 2, 4, 8].map((n) => ({ name: `${n} on Node`, servers: instances.slice(0, n), database }))
    const all = [...services, { name: '1 on Bun', servers: [onBun], database }]
    const load = ordersOf(onBun, stage.pace.seconds, count + 1)
    const orders = { name: 'POST /store/orders', contenders: all.map((service) => ({ ...service, load })) }
    const events = [...(await againstLimits(stage, count, all)), orders]
    if (stage.flags.snapshot) {
      // As `pg_dump` holds one: while it lasts, no dead row version can be removed.
      const sql = postgres(database.url, { max: 1, fetch_types: false })
      stage.atEnd(() => sql.end())
      await sql.unsafe('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1').simple()
    }
    const series = all.map(({ name }) => name)
    const title = `Instances on PostgreSQL: requests a second, ${ofLimit}`
    stage.report('postgres', title, series, await contest(events, stage.pace))
  },
}

/** What a commit takes by itself: adds animals to a database one by one; the median. */
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
    const [name = 'results'] = stage.args
    await benches[name]?.(stage)
  },
  { 'commit-delay': { type: 'string' }, snapshot: { type: 'boolean' } },
)
