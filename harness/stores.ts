/** Stores for a single test, opened like the program opens them. */
import { openStore } from '../src/store/open.ts'
import { openSqlite } from '../src/store/sqlite/sqlite.ts'
import type { Store } from '../src/store/store.ts'
import { systemTime } from '../src/time.ts'
import { viaPgbouncer } from './pgbouncer.ts'

/** The options for PostgreSQL on a busy machine. */
export const patient = { time: systemTime, timeoutMilliseconds: 30_000, prepare: !viaPgbouncer }

export const openAt = (url: string, connections = 5, time = systemTime): Promise<Store> =>
  openStore({ ...patient, time, url, connections, schema: 'migrate' })

/** Opens a store on a SQLite file, which is closed when its block is left. */
export function openFile(path: string, time = systemTime): Store & AsyncDisposable {
  const store = openSqlite(path, { time })
  return { ...store, [Symbol.asyncDispose]: () => store.close() }
}
