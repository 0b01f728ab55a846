/** The file of a database: made for its owner alone, and watched, since a deleted or replaced file goes on taking writes. */
import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs'
import { StoreRefused, StoreUnavailable } from '../store.ts'

export const inMemory = ':memory:'

/** What SQLite keeps beside the file. */
const logOf = (path: string): string => `${path}-wal`
export const filesOf = (path: string): string[] => [path, logOf(path), `${path}-shm`]

/** Makes the file where it is not there, or refuses where it must be; its log gets the same rights from SQLite. True where it was made. */
export function makeFile(path: string, mustExist: boolean): boolean {
  if (path === inMemory || existsSync(path)) return false
  if (mustExist)
    throw new StoreRefused(
      `There is no database at ${path}. Check the name; "petstore serve" or "migrate" makes a new one.`,
    )
  try {
    // Whatever the umask allows: it holds what only the service may read and write.
    closeSync(openSync(path, 'ax', 0o600))
    return true
  } catch (error) {
    // Another process made it in the same moment.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

export function removeFiles(path: string): void {
  for (const file of filesOf(path)) rmSync(file, { force: true })
}

/** Throws StoreUnavailable where the path no longer leads to the file, or the log, that was there when the watch began. */
export type Watch = () => void

export function createWatch(path: string): Watch {
  if (path === inMemory) return () => {}
  const file = createFileWatch(path)
  let log: Watch | undefined
  return () => {
    file()
    // Not made before the first write.
    log ??= createFileWatch(logOf(path))
    log()
  }
}

function createFileWatch(path: string): Watch {
  const opened = statSync(path)
  return () => {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.ino === opened.ino && found.dev === opened.dev) return
    throw new StoreUnavailable(
      `SQLite: ${path} was ${found ? 'replaced' : 'removed'} while the service runs; put it back, or restart on another (docs/operating.md)`,
    )
  }
}
