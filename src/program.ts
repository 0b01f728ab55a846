/** The program itself: its version, and how it is started, from its files or as one executable that contains them. */
import { readFileSync } from 'node:fs'

/** Where Bun keeps the files inside an executable; the second name is the one on Windows. */
const isExecutable = /\/(?:\$bunfs|~BUN)\/root\//.test(import.meta.url)

/** A file that build/binary.ts has put into the executable; undefined when the program runs from its files. */
export const embeddedFile = (name: string): URL | undefined =>
  isExecutable ? new URL(`files/${name}.file`, import.meta.url) : undefined

export const programVersion = (): string =>
  JSON.parse(readFileSync(embeddedFile('package.json') ?? new URL('../package.json', import.meta.url), 'utf8')).version

/** What to type for this program; npx on its own would fetch the package `petstore`, which is somebody else's. */
export const programName = isExecutable ? process.execPath : 'npx --no-install petstore'
