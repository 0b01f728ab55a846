/** The databases the service is tested on. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openedDatabase } from './postgres.ts'

export interface Database {
  readonly name: string
  /** Makes a database without rows. The result says how to remove it. */
  open(): Promise<{ url: string; remove(): Promise<void> }>
}

export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'petstore-'))
  // A process that was killed may still be writing into it.
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 10 }) }
}

async function sqliteDatabase() {
  const folder = temporaryFolder()
  return { url: `sqlite:${join(folder.path, 'test.db')}`, remove: async () => folder.remove() }
}

export const databases: readonly [sqlite: Database, postgresql: Database] = [
  { name: 'SQLite', open: sqliteDatabase },
  { name: 'PostgreSQL', open: openedDatabase },
]
