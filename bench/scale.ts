/**
 * `npm run bench:scale`: the service on Node on both databases, with few and with very many animals, each against the
 * few; and what they take on disk.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import type { PetQuery } from '../src/store/store.ts'
import { postgresDatabase } from '../test/support/postgres.ts'
import type { AnimalAt } from './animals.ts'
import { contest, type Event } from './contest.ts'
import { anyOf, type LoadOf, loadsOf, ordersOf, pagePath, spreadOver } from './requests.ts'
import { node, startService } from './server.ts'
import { fill, onStage, type Stage } from './stage.ts'

/**
 * A shop that has been open for long: the oldest animals are sold, the newest tenth is for sale, and most are dogs or
 * cats.
 */
const natural =
  (count: number): AnimalAt =>
  (n) => ({
    name: `Animal ${n}`,
    categoryId: n % 10 < 6 ? 1 : n % 10 < 9 ? 2 : n % 500,
    status: n >= count * 0.9 ? 'available' : n >= count * 0.88 ? 'pending' : 'sold',
  })

await onStage(async (stage) => {
  const [few, many, most] = stage.quick ? [1_000, 10_000, 100_000] : [10_000, 1_000_000, 10_000_000]
  const { url: server } = await stage.postgres()
  const all = [
    ['SQLite', few],
    ['SQLite', most],
    ['PostgreSQL', few],
    ['PostgreSQL', many],
  ] as const
  const catalogues: Awaited<ReturnType<typeof startCatalogue>>[] = []
  const sizes: Record<string, object> = {}
  for (const [database, count] of all) {
    const file = join(stage.folder, `${count}.db`)
    const made = database === 'PostgreSQL' ? await postgresDatabase(server) : undefined
    const catalogue = await startCatalogue(stage, database, made?.url ?? `sqlite:${file}`, count)
    catalogues.push(catalogue)
    const bytes = made ? await bytesOf(made.connect()) : statSync(file).size
    const [{ startMilliseconds }] = catalogue.servers
    sizes[`${database}, ${catalogue.name}`] = { bytesPerAnimal: Math.round(bytes / count), startMilliseconds }
  }

  /** The same load on each size, for each database. */
  const events = (kind: 'reads' | 'writes'): Event[] =>
    Object.keys(catalogues[0]?.[kind] ?? {}).flatMap((operation) =>
      [...Map.groupBy(catalogues, ({ on }) => on)].map(([database, own]) => ({
        name: `${operation}, ${database}`,
        contenders: own.map((catalogue) => ({ ...catalogue, load: catalogue[kind][operation] as LoadOf })),
      })),
    )
  // A load that adds animals comes after all that depend on how many there are.
  const samples = [...(await contest(events('reads'), stage.pace)), ...(await contest(events('writes'), stage.pace))]
  const series = [...new Set(catalogues.map(({ name }) => name))].slice(1)
  const title = 'Requests a second with very many animals, as a part of those with few'
  stage.report('scale', title, series, samples, { sizes })
})

async function bytesOf(sql: Sql): Promise<number> {
  await sql`VACUUM ANALYZE`
  const [row] = await sql`SELECT pg_database_size(current_database()) AS bytes`
  await sql.end()
  return Number(row?.bytes)
}

async function startCatalogue(stage: Stage, database: string, url: string, count: number) {
  const name = `${count.toLocaleString('en')} animals`
  const key = await fill(url, count, natural(count))
  const server = await startService(`${name} on ${database}`, node, url, { key })
  const { 'GET /pets/{petId}': get, 'POST /pets': post, ...pages } = loadsOf(stage, count)
  const filtered = (filters: Partial<PetQuery>, after = spreadOver(1, count)) =>
    anyOf(
      stage,
      after.map((id) => pagePath(id, filters)),
    )
  const reads: Record<string, LoadOf> = {
    ...pages,
    // In the last tenth, but not so near the end that a page would not be full.
    'GET /pets, deep page': filtered({}, spreadOver(Math.floor(count * 0.9), count - 25)),
    'GET /pets, available': filtered({ status: 'available' }),
    'GET /pets, in category': filtered({ categoryId: 1n }),
    'GET /pets, both filters': filtered({ status: 'available', categoryId: 1n }),
    // A word that all have, and one that few have.
    'GET /pets, search': anyOf(
      stage,
      spreadOver(1, count).map((n) => `/v1/pets?search=animal+${n}`),
    ),
    'GET /pets/{petId}': get,
    'GET /store/inventory': () => ({ path: '/v1/store/inventory' }),
  }
  const orders = ordersOf(server, stage.pace.seconds, count + 1)
  const writes: Record<string, LoadOf> = { 'POST /pets': post, 'POST /store/orders': orders }
  return { on: database, name, servers: [server] as const, reads, writes }
}
