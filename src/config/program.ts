/**
 * The program itself: its version, how it is started (from its files or as one executable), where it caches compiled
 * code.
 */
import { lstatSync, mkdirSync, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'

/** Where Bun keeps the files inside an executable; the second name is the one on Windows. */
const isExecutable = /\/(?:\$bunfs|~BUN)\/root\//.test(import.meta.url)

/** In the package the program is below dist/. */
const root = import.meta.url.endsWith('.ts') ? '../..' : '../../..'

/** A file by its path in the project, which the package has as well; build/binary.ts puts it into the executable. */
export const projectFile = (path: string): URL =>
  new URL(isExecutable ? `files/${path}.file` : `${root}/${path}`, import.meta.url)

export const programVersion = (): string => JSON.parse(readFileSync(projectFile('package.json'), 'utf8')).version

/** What to type for this program; npx on its own would fetch the package `petstore`, which is somebody else's. */
export const programName = isExecutable ? process.execPath : 'npx --no-install petstore'

/**
 * This user's folder for compiled code, inside a folder that all users share; created if missing. Undefined if another
 * user can write to that folder: this program would run whatever code they put there.
 */
export function privateFolder(shared: string): string | undefined {
  try {
    const { uid } = userInfo()
    const path = join(shared, `petstore-compiled-${uid}`)
    mkdirSync(path, { recursive: true, mode: 0o700 })
    const found = lstatSync(path)
    return found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0 ? path : undefined
  } catch {
    return undefined
  }
}
