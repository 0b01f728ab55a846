/** The program itself: its version, its files, and how it is started (from those files or as one executable). */
import { readFileSync } from 'node:fs'

/** Undefined where the runtime knows no executables of this kind. */
const executable = process.getBuiltinModule('node:sea') as typeof import('node:sea') | undefined
const isExecutable = executable?.isSea() === true

/** In the package the program is below dist/. */
const root = import.meta.url.endsWith('.ts') ? '../..' : '../../..'

/** A file by its path in the project, which the package has as well; build/binary.ts puts it into the executable. */
export const readProjectFile = (path: string): Buffer =>
  isExecutable && executable
    ? Buffer.from(executable.getAsset(path))
    : readFileSync(new URL(`${root}/${path}`, import.meta.url))

export const programVersion = (): string => JSON.parse(readProjectFile('package.json').toString()).version

/** What to type for this program; npx on its own would fetch the package `petstore`, which is somebody else's. */
export const programName = isExecutable ? process.execPath : 'npx --no-install petstore'
