/**
 * `npm run bench:scale` compares the service with very many animals and orders with the service with few, on both
 * databases, and measures their size on disk.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { postgresDatabase } from '../harness/postgres.ts'
import type { OrderQuery, PetQuery } from '../src/store/store.ts'
import type { AnimalAt } from './animals.ts'
import { contest, type Event, type Service } from './contest.ts'
import { anyOf, type LoadOf, loadsOf, ordersOf, pagePath, spreadOver } from './requests.ts'
import { startService } from './server.ts'
import { fill, onStage, type Stage } from './stage.ts'

/**
 * A shop that has been open for a long time: the oldest animals are sold, the newest tenth is for sale, and most are
 * dogs or cats. Half of them are red, and the others are blue.
 */
const natural =
  (count: number): AnimalAt =>
  (n) => ({
    name: `${n % 2 ? 'Red' : 'Blue'} animal ${n}`,
    categoryId: n % 10 < 6 ? 1 : n % 10 < 9 ? 2 : n % 500,
    status: n >= count * 0.9 ? 'available' : n >= count * 0.88 ? 'pending' : 'sold',
  })

/**
 * The newest 2 % of the orders are open, on pending animals. Each other animal has two orders, one cancelled and one
 * completed.
 */
const naturalOrder = (count: number, orders: number) => (n: number) => {
  const open = n - orders * 0.98
  const status = open >= 0 ? 'placed' : n % 2 ? 'completed' : 'cancelled'
  const petId = open >= 0 ? count * 0.88 + open + 1 : Math.floor(n / 2) + 1
  const row = { pet_id: String(petId), status, reference: `Customer ${n % 10}`, created_at: at, updated_at: at }
  return status === 'completed' ? { ...row, completed_at: at } : row
}
const at = '2026-01-01T00:00:00.000Z'

await onStage(async (stage) => {
  const [few, many, most] = stage.quick ? [1_000, 10_000, 100_000] : [10_000, 1_000_000, 10_000_000]
  const { url: server, ticks } = await stage.postgres()
  const all = [
    ['SQLite', few, few / 10],
    ['SQLite', most, many],
    ['PostgreSQL', few, few / 10],
    ['PostgreSQL', many, many],
  ] as const
  const catalogues: (Awaited<ReturnType<typeof startCatalogue>> & Service)[] = []
  const sizes: Record<string, object> = {}
  for (const [database, count, orders] of all) {
    const file = join(stage.folder, `${count}.db`)
    const made = database === 'PostgreSQL' ? await postgresDatabase(server) : undefined
    const catalogue = await startCatalogue(stage, database, made?.url ?? `sqlite:${file}`, count, orders)
    catalogues.push({ ...catalogue, database: made && { ticks } })
    const bytes = made ? await bytesOf(made.connect()) : statSync(file).size
    const [{ startMilliseconds }] = catalogue.servers
    sizes[`${database}, ${catalogue.name}`] = { bytesPerRow: Math.round(bytes / (count + orders)), startMilliseconds }
  }

  // While 64 clients search in vain among the most animals, nobody gets a response within a round.
  const connectionsOf = (operation: string) => (operation.endsWith('in vain') ? { connections: 1 } : {})
  /** Makes the same load for each size, for each database. */
  const events = (kind: 'reads' | 'writes'): Event[] =>
    Object.keys(catalogues[0]?.[kind] ?? {}).flatMap((operation) =>
      [...Map.groupBy(catalogues, ({ on }) => on)].map(([database, own]) => ({
        name: `${operation}, ${database}`,
        contenders: own.map((catalogue) => ({
          ...catalogue,
          ...connectionsOf(operation),
          load: catalogue[kind][operation] as LoadOf,
        })),
      })),
    )
  // The load that adds animals comes last, because the others depend on their number.
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

async function startCatalogue(stage: Stage, database: string, url: string, count: number, orders: number) {
  const name = `${count.toLocaleString('en')} animals`
  const key = await fill(url, count, { at: natural(count), orders, orderAt: naturalOrder(count, orders) })
  const server = await startService(`${name} on ${database}`, url, { key })
  const { 'GET /pets/{petId}': get, 'POST /pets': post, ...pages } = loadsOf(stage, count)
  const ask = (pathOf: (id: number) => string, ids = spreadOver(1, count)) => anyOf(stage, ids.map(pathOf))
  const filtered = (filters: Partial<PetQuery>, after?: number[]) => ask((id) => pagePath(id, filters), after)
  const ordered = (filters: Partial<OrderQuery>) =>
    ask((id) => pagePath(id, filters, '/store/orders'), spreadOver(1, orders))
  const reads: Record<string, LoadOf> = {
    ...pages,
    // The page is in the last tenth, but not so near the end that it would not be full.
    'GET /pets, deep page': filtered({}, spreadOver(Math.floor(count * 0.9), count - 25)),
    'GET /pets, available': filtered({ status: 'available' }),
    'GET /pets, in category': filtered({ categoryId: 1n }),
    'GET /pets, both filters': filtered({ status: 'available', categoryId: 1n }),
    // The searches are for a word that all animals have, for one that few have, and for two words that half of the
    // animals have but never together.
    'GET /pets, search': ask((n) => `/v1/pets?search=animal+${n}`),
    'GET /pets, search in vain': ask((id) => `/v1/pets?search=red+blue&after=${id}`),
    'GET /pets/{petId}': get,
    'GET /store/orders': ordered({}),
    'GET /store/orders, placed': ordered({ status: 'placed' }),
    'GET /store/orders, with reference': ordered({ reference: 'Customer 7' }),
    'GET /store/orders, on animal': ordered({ petId: 7n }),
    'GET /store/inventory': () => ({ path: '/v1/store/inventory' }),
  }
  const place = ordersOf(server, stage.pace.seconds, count + 1)
  const writes: Record<string, LoadOf> = { 'POST /pets': post, 'POST /store/orders': place }
  return { on: database, name, servers: [server] as const, reads, writes }
}
