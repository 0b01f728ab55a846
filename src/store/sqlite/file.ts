/** The file of a database: made for its owner alone, and watched, since a deleted or replaced file goes on taking writes. */
import { closeSync, existsSync, openSync, realpathSync, rmSync, statSync } from 'node:fs'
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
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    // Another process made it in the same moment, or it is a link to a file that is not there yet.
    closeSync(openSync(path, 'a', 0o600))
    return false
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
  // Of a link, SQLite keeps the log beside the file it leads to.
  const logPath = logOf(realpathSync(path))
  let log: Watch | undefined
  return () => {
    file()
    // Not made before the first write.
    log ??= createFileWatch(logPath)
    log()
  }
}

function createFileWatch(path: string): Watch {
  const opened = identityOf(path)
  return () => {
    const found = identityOf(path)
    if (found !== undefined && found === opened) return
    throw new StoreUnavailable(
      `SQLite: ${path} was ${found ? 'replaced' : 'removed'} while the service runs; put it back, or restart on another (docs/operating.md)`,
    )
  }
}

/** Which file a path leads to; undefined where it leads to none, or to one that cannot be reached. */
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path)
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}
