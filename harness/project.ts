/** The path of the project. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** A file of the project, as text. */
export const projectFile = (path: string): string => readFileSync(join(root, path), 'utf8')
