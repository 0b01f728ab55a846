/** Files to import, and what a database holds afterwards. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '../src/store/store.ts'
import type { Database } from './databases.ts'
import { Folder } from './process.ts'
import { openAt } from './stores.ts'

export async function onStore<T>(url: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openAt(url)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Runs `work` with a new database, which its environment names, and with a folder for files. */
export async function withDatabase(
  database: Database,
  work: (env: { DATABASE_URL: string }, folder: Folder) => Promise<void>,
): Promise<void> {
  using folder = new Folder()
  const { url, remove } = await database.open()
  await work({ DATABASE_URL: url }, folder).finally(remove)
}

/** Returns every animal as `id categoryId status name`. */
export const animalsOf = (url: string): Promise<string[]> =>
  onStore(url, async ({ bulk }) => {
    const all: string[] = []
    await bulk.read('pets', ['id', 'category_id', 'status', 'name'], async (rows) => {
      for (const row of rows) all.push(row.join(' '))
    })
    return all
  })

/** Writes a file into the folder. */
export function fileIn(folder: Folder, name: string, content: string | Uint8Array): string {
  const path = join(folder.path, name)
  writeFileSync(path, content)
  return path
}

/** Makes CSV with this many animals. */
export const csvOf = (count: number): string =>
  `name,categoryId\n${Array.from({ length: count }, (_, i) => `Rex ${i},${i % 7}\n`).join('')}`
