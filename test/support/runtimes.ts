/** The runtimes the service is tested on. */
import { join } from 'node:path'
import { root } from './project.ts'

export const node = process.execPath
export const bun = join(root, 'node_modules/.bin/bun')
export const runtimes: readonly (readonly [name: string, path: string])[] = [
  ['Node', node],
  ['Bun', bun],
]
