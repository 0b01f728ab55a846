/** The requests every server is asked: first page, random page, one animal, a new animal. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nextLink } from '../src/http/paging.ts'
import type { Load } from './load.ts'

const pageSize = 20

/** Writes the paths of random pages and random animals among `count` into `folder`. */
export function writePaths(folder: string, count: number, prefix = '/v1'): { pages: string; animals: string } {
  const files = { pages: join(folder, `pages-${count}.txt`), animals: join(folder, `animals-${count}.txt`) }
  const ids = Array.from({ length: 5_000 }, (_, i) => 1 + Math.floor((i * (count - 1)) / 5_000))
  const pages = ids.map((id) => {
    const link = nextLink('', `/pets`, { limit: pageSize }, id)
    return prefix + link.slice(1, link.indexOf('>'))
  })
  writeFileSync(files.pages, `${pages.join('\n')}\n`)
  writeFileSync(files.animals, `${ids.map((id) => `${prefix}/pets/${id}`).join('\n')}\n`)
  return files
}

export const operations = [
  'GET /pets, first page',
  'GET /pets, random page',
  'GET /pets/{petId}',
  'POST /pets',
] as const
export type OperationName = (typeof operations)[number]

export function loadOf(
  operation: OperationName,
  server: { port: number; key: string; prefix?: string },
  files: { pages: string; animals: string },
  round: number,
): Omit<Load, 'seconds'> & { seconds: 0 } {
  const { port, key, prefix = '/v1' } = server
  const common = { port, headers: { Authorization: `Bearer ${key}` }, seconds: 0 as const }
  const seed = String(round + 1)
  switch (operation) {
    case 'GET /pets, first page':
      return { ...common, path: `${prefix}/pets` }
    case 'GET /pets, random page':
      return { ...common, path: '/', script: ['paths', files.pages, seed] }
    case 'GET /pets/{petId}':
      return { ...common, path: '/', script: ['paths', files.animals, seed] }
    case 'POST /pets':
      return { ...common, path: '/', script: ['post', `${prefix}/pets`] }
  }
}
