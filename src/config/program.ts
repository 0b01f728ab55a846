/** The program itself: its version, its files, and how it is started (from those files or as one executable). */
import { readFileSync } from 'node:fs'

/** Undefined if the runtime does not support such executables. */
const executable = process.getBuiltinModule('node:sea') as typeof import('node:sea') | undefined
const isExecutable = executable?.isSea() === true

/** In the package the program is below dist/. */
const root = import.meta.url.endsWith('.ts') ? '../..' : '../../..'

/**
 * A file by its path in the project. The package contains it as well, and build/binary.ts adds it to the executable.
 */
export const readProjectFile = (path: string): Buffer =>
  isExecutable && executable
    ? Buffer.from(executable.getAsset(path))
    : readFileSync(new URL(`${root}/${path}`, import.meta.url))

export const programVersion = (): string => JSON.parse(readProjectFile('package.json').toString()).version

/**
 * The command that starts this program. A plain `npx petstore` would fetch the package `petstore`, which belongs to
 * somebody else.
 */
export const programName = isExecutable ? process.execPath : 'npx --no-install petstore'
