/** The path of the project. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Returns the text of a file of the project. */
export const projectFile = (path: string): string => readFileSync(join(root, path), 'utf8')
