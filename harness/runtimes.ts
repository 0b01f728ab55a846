/** The runtimes that the tests start programs on. */
import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root } from './project.ts'

export const node = process.execPath
/** Another runtime that the client and the kit run on. */
export const bun = join(root, 'node_modules/.bin/bun')

/** Every file with the name of a program that the path leads to. */
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

/** A Node 20, where the machine has one. */
export const node20 = (): string | undefined =>
  onPath('node').find((path) => /^v20\./.test(execFileSync(path, ['--version'], { encoding: 'utf8' })))

/** Why tests on a Node 20 do not run here. */
export const lackOfNode20 = (): string | undefined =>
  node20() === undefined ? 'needs a Node 20 on the PATH, after the one of node_modules' : undefined
