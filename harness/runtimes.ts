/** The runtimes that the tests start programs on. */
import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root } from './project.ts'

export const node = process.execPath
/** Bun, on which the client and the kit also run. */
export const bun = join(root, 'node_modules/.bin/bun')

/** Returns every file on the PATH with the name of a program. */
export function onPath(program: string): string[] {
  const places = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, program))
  return places.filter((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Returns the path of a Node 20, if the machine has one. */
export const node20 = (): string | undefined =>
  onPath('node').find((path) => /^v20\./.test(execFileSync(path, ['--version'], { encoding: 'utf8' })))

/** Returns the reason why tests on Node 20 do not run here. */
export const lackOfNode20 = (): string | undefined =>
  node20() === undefined ? 'needs a Node 20 on the PATH, after the one of node_modules' : undefined
