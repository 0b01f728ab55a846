/** The program itself: its version, and how it is started (from its files or as one executable). */
import { readFileSync } from 'node:fs'

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
