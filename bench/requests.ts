/** The requests that every server receives. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPaging } from '../src/http/paging.ts'
import type { OrderQuery, PetQuery } from '../src/store/store.ts'
import type { Contender, Event, Service } from './contest.ts'
import { type ClosedLoad, measure } from './load.ts'
import { node, type Server, say, start } from './server.ts'
import type { Stage } from './stage.ts'

/** The number is beyond what a JavaScript number holds exactly. */
export const newAnimal = (categoryId = '9007199254740993'): string =>
  `{"name":"Rex","categoryId":${categoryId},"status":"available"}`

/** The requests in the form that a server expects. */
export interface Dialect {
  readonly animals: string
  readonly firstPage: string
  /** The path of the page after the animal with this id. */
  readonly page: (after: number) => string
  /** The body of a new animal. */
  readonly newAnimal: string
}

const paging = createPaging('/v1', { reply: (_key, make) => make() })
export function pagePath(after: number, filters: Partial<PetQuery | OrderQuery> = {}, path = '/pets'): string {
  const { headers } = paging.reply(path, { limit: 20, ...filters }, { json: '[]', next: after })
  return headers?.[1]?.replace(/^<|>.*/g, '') ?? ''
}

export const petstore: Dialect = {
  animals: '/v1/pets',
  firstPage: '/v1/pets',
  page: (after) => pagePath(after),
  newAnimal: newAnimal(),
}

export type LoadOf = Contender['load']
export const operations = [
  'GET /pets, first page',
  'GET /pets, random page',
  'GET /pets/{petId}',
  'POST /pets',
] as const

/** Returns the load of each operation on `count` animals. */
export function loadsOf(stage: Stage, count: number, dialect = petstore): Record<(typeof operations)[number], LoadOf> {
  const ids = spreadOver(1, count)
  const paths = ids.map((id) => `${dialect.animals}/${id}`)
  return {
    'GET /pets, first page': () => ({ path: dialect.firstPage }),
    'GET /pets, random page': anyOf(stage, ids.map(dialect.page)),
    'GET /pets/{petId}': anyOf(stage, paths),
    'POST /pets': () => ({ path: '/', script: ['post', dialect.animals, dialect.newAnimal] }),
  }
}

let lists = 0
/** Requests these paths in an order that differs from round to round. */
export function anyOf(stage: Stage, paths: readonly string[]): (round: number) => ClosedLoad {
  const file = join(stage.folder, `paths-${lists++}.txt`)
  writeFileSync(file, `${paths.join('\n')}\n`)
  return (round) => ({ path: '/', script: ['paths', file, String(round + 1)] })
}

/**
 * Returns up to 100,000 ids from `first` to below `last` at even distances, which are more pages than any of our caches
 * holds.
 */
export function spreadOver(first: number, last: number): number[] {
  const length = Math.min(100_000, last - first)
  return Array.from({ length }, (_, i) => first + Math.floor((i * (last - first)) / length))
}

/**
 * Runs each operation on `count` animals, first on a bare server that returns the bytes of the first service, and then
 * on the services.
 */
export async function againstLimits(
  stage: Stage,
  count: number,
  services: readonly (Service & { readonly dialect?: Dialect })[],
): Promise<Event[]> {
  const asked = services.map((service) => ({ ...service, loads: loadsOf(stage, count, service.dialect) }))
  const [first] = asked
  if (!first) return []
  const events: Event[] = []
  for (const name of operations) {
    const path = name === 'GET /pets/{petId}' ? `${petstore.animals}/1` : petstore.animals
    const BODY = await first.servers[0]?.ask(path, name === 'POST /pets' ? newAnimal() : undefined)
    const servers = [await start(`LIMIT for ${name}`, [node, 'bench/limit.ts'], { env: { BODY } })]
    const contenders = [{ ...first, name: 'LIMIT', servers, database: undefined }, ...asked]
    events.push({ name, contenders: contenders.map((contender) => ({ ...contender, load: contender.loads[name] })) })
  }
  return events
}

/** Adds animals through a service of any version until there is one with this id. */
export async function addAnimals(server: Server, last: number): Promise<void> {
  const add: ClosedLoad = { path: '/', script: ['post', petstore.animals, newAnimal()] }
  while (JSON.parse(await server.ask(petstore.animals, newAnimal())).id < last) {
    say(`adding animals up to ${last}`)
    await measure(add, [server], { seconds: 1, connections: 64 })
  }
}

/** This is more than can be placed in a second. */
const ordersMax = 20_000
/** Adds animals, and orders those that nobody has ordered. All animals from `next` on must be available. */
export function ordersOf(server: Server, seconds: number, next: number): LoadOf {
  return async () => {
    const first = next
    next += ordersMax * seconds
    await addAnimals(server, next)
    return { path: '/', script: ['orders', '/v1/store/orders', String(first), String(next - 1)] }
  }
}
