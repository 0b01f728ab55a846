/** `npm run bench:scale`: the service on Node on both databases, with few and with very many animals, each against the few; and what they take on disk. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import type { PetQuery } from '../src/store/store.ts'
import { postgresDatabase, startPostgres } from '../test/support/postgres.ts'
import { contest, type Event, say, table } from './contest.ts'
import type { Load } from './load.ts'
import { bars, withRates } from './picture.ts'
import { anyOf, loadsOf, pagePath, petstore, spreadOver } from './requests.ts'
import { type AnimalAt, node, serviceCommand, serviceOptions } from './server.ts'
import { onStage, type Stage } from './stage.ts'
import { Stock } from './stock.ts'

/** More than one instance places in a second. */
const ordersMax = 12_000

/** A shop that has been open for long: the oldest animals are sold, the newest tenth is for sale, and most are dogs or cats. */
const natural =
  (count: number): AnimalAt =>
  (n) => ({
    name: `Animal ${n}`,
    categoryId: n % 10 < 6 ? 1 : n % 10 < 9 ? 2 : n % 500,
    status: n >= count * 0.9 ? 'available' : n >= count * 0.88 ? 'pending' : 'sold',
  })

await onStage(async (stage) => {
  say('starting PostgreSQL')
  const server = await startPostgres()
  stage.atEnd(() => server.stop())
  const [few, many, most] = stage.quick ? [1_000, 10_000, 100_000] : [10_000, 1_000_000, 10_000_000]
  const databases: Record<string, { counts: number[]; make: (count: number) => Promise<Place> }> = {
    SQLite: {
      counts: [few, most],
      make: async (count) => {
        const file = join(stage.folder, `${count}.db`)
        return { url: `sqlite:${file}`, bytes: async () => statSync(file).size }
      },
    },
    PostgreSQL: {
      counts: [few, many],
      make: async () => {
        const { url } = await postgresDatabase(server.url)
        return { url, bytes: () => databaseBytes(url) }
      },
    },
  }
  const catalogues: Catalogue[] = []
  const sizes: Record<string, object> = {}
  for (const [database, { counts, make }] of Object.entries(databases))
    for (const count of counts) {
      const place = await make(count)
      const catalogue = await startCatalogue(stage, database, place.url, count)
      catalogues.push(catalogue)
      const [{ startMilliseconds, memory }] = catalogue.servers
      sizes[`${database}, ${catalogue.name}`] = {
        bytesPerAnimal: Math.round((await place.bytes()) / count),
        startMilliseconds: Math.round(startMilliseconds),
        memoryAtStart: Math.round(memory),
      }
    }

  /** The same load on each size, for each database. */
  const events = (loads: (catalogue: Catalogue) => Loads): Event[] =>
    Object.keys(loads(catalogues[0] as Catalogue)).flatMap((operation) =>
      Object.keys(databases).map((database) => ({
        name: `${operation}, ${database}`,
        contenders: catalogues
          .filter((catalogue) => catalogue.database === database)
          .map((catalogue) => ({ ...catalogue, load: loads(catalogue)[operation] as Loads[string] })),
      })),
    )

  // A load that adds animals comes after all that depend on how many there are.
  const reads = await contest(
    events(({ reads }) => reads),
    stage.pace,
  )
  for (const { stock } of catalogues) await stock.reserve((stage.pace.rounds * stage.pace.seconds + 1) * ordersMax)
  const rows = [
    ...reads,
    ...(await contest(
      events(({ writes }) => writes),
      stage.pace,
    )),
  ]
  process.stdout.write(`${table(rows)}\n${JSON.stringify(sizes, undefined, 2)}\n`)
  const title = 'Requests a second with very many animals, as a part of those with few'
  // Of each operation, a bar for each database.
  const points = rows
    .filter(({ contender }) => contender !== catalogues[0]?.name)
    .map((row) => {
      const [, operation = '', database = ''] = /^(.*), (.*)$/.exec(row.event) ?? []
      return { ...row, event: operation, contender: `${database}, ${row.contender}` }
    })
  const [operations, series] = [points.map(({ event }) => event), points.map(({ contender }) => contender)]
  const picture = bars(title, [...new Set(operations)], [...new Set(series)], withRates(points))
  stage.record('scale', { sizes, rows }, picture)
})

interface Place {
  readonly url: string
  /** What the database takes on disk. */
  readonly bytes: () => Promise<number>
}

async function databaseBytes(url: string): Promise<number> {
  const sql = postgres(url, { max: 1 })
  try {
    await sql`VACUUM ANALYZE`
    const [row] = await sql`SELECT pg_database_size(current_database()) AS bytes`
    return Number(row?.bytes)
  } finally {
    await sql.end()
  }
}

type Loads = Record<string, (round: number) => Load>
type Catalogue = Awaited<ReturnType<typeof startCatalogue>>

async function startCatalogue(stage: Stage, database: string, url: string, count: number) {
  const name = `${count.toLocaleString('en')} animals`
  const key = await stage.fill(url, count, natural(count))
  const server = await stage.start(`${name} on ${database}`, serviceCommand(node), serviceOptions(url))
  const { 'GET /pets/{petId}': get, 'POST /pets': post, ...pages } = loadsOf(petstore, stage.folder, count)
  const filtered = (filters: Partial<PetQuery>, after = spreadOver(1, count)) =>
    anyOf(
      stage.folder,
      after.map((id) => pagePath(id, filters)),
    )
  const stock = new Stock(server, key, count + 1)
  const reads: Loads = {
    ...pages,
    // In the last tenth, but not so near the end that a page would not be full.
    'GET /pets, deep page': filtered({}, spreadOver(Math.floor(count * 0.9), count - 25)),
    'GET /pets, available': filtered({ status: 'available' }),
    'GET /pets, in category': filtered({ categoryId: 1n }),
    'GET /pets, both filters': filtered({ status: 'available', categoryId: 1n }),
    'GET /pets/{petId}': get,
    'GET /store/inventory': () => ({ path: '/v1/store/inventory' }),
  }
  const writes: Loads = {
    'POST /pets': post,
    'POST /store/orders': () => stock.orders(ordersMax * stage.pace.seconds),
  }
  return { database, name, servers: [server] as const, key, stock, reads, writes }
}
