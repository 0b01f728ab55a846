/** The requests every server is asked: first page, random page, one animal, a new animal. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPaging } from '../src/http/paging.ts'
import type { PetQuery } from '../src/store/store.ts'
import type { Load } from './load.ts'

export const operations = [
  'GET /pets, first page',
  'GET /pets, random page',
  'GET /pets/{petId}',
  'POST /pets',
] as const
export type OperationName = (typeof operations)[number]

const pageSize = 20
/** Beyond what a JavaScript number holds exactly. */
export const largeInteger = '9007199254740993'
export const newAnimal = (categoryId: string): string =>
  `{"name":"Rex","categoryId":${categoryId},"status":"available"}`

/** How a server wants to be asked. */
export interface Dialect {
  readonly animals: string
  readonly firstPage: string
  /** The page after the animal with this id. */
  readonly page: (after: number) => string
  /** The body of a new animal. */
  readonly newAnimal: string
}

export const petstore: Dialect = {
  animals: '/v1/pets',
  firstPage: '/v1/pets',
  page: (after) => pagePath(after),
  newAnimal: newAnimal(largeInteger),
}

const paging = createPaging('/v1')

export function pagePath(after: number, filters: Partial<PetQuery> = {}): string {
  const { headers } = paging.reply('/pets', { limit: pageSize, ...filters }, { json: '[]', next: after })
  return headers?.[1]?.replace(/^<|>.*/g, '') ?? ''
}

type Loads = Record<OperationName, (round: number) => Load>

/** The load of each operation on `count` animals; the paths to choose from are written into `folder`. */
export function loadsOf(dialect: Dialect, folder: string, count: number): Loads {
  const ids = spreadOver(1, count)
  return {
    'GET /pets, first page': () => ({ path: dialect.firstPage }),
    'GET /pets, random page': anyOf(folder, ids.map(dialect.page)),
    'GET /pets/{petId}': anyOf(
      folder,
      ids.map((id) => `${dialect.animals}/${id}`),
    ),
    'POST /pets': () => ({ path: '/', script: ['post', dialect.animals, dialect.newAnimal] }),
  }
}

let lists = 0

/** One of these paths, in an order that differs from round to round. */
export function anyOf(folder: string, paths: readonly string[]): (round: number) => Load {
  const file = join(folder, `paths-${lists++}.txt`)
  writeFileSync(file, `${paths.join('\n')}\n`)
  return (round) => ({ path: '/', script: ['paths', file, String(round + 1)] })
}

/** Up to 100,000 ids from `first` to below `last`, evenly: more pages than any cache of ours holds. */
export function spreadOver(first: number, last: number): number[] {
  const length = Math.min(100_000, last - first)
  return Array.from({ length }, (_, i) => first + Math.floor((i * (last - first)) / length))
}
