/** The database file: created with mode 0600, and guarded, since writes to a deleted or replaced file still succeed. */
import { closeSync, existsSync, fstatSync, openSync, readSync, realpathSync, rmSync, statSync } from 'node:fs'
import type { Sample } from '../../observe/metrics.ts'
import { DatabaseUnusable, StoreUnavailable } from '../store.ts'

export const inMemory = ':memory:'

/** SQLite's write-ahead log. */
const logOf = (path: string): string => `${path}-wal`
export const filesOf = (path: string): string[] => [path, logOf(path), `${path}-shm`]

/** Creates the file if it is missing, or throws if it must exist; true if it was created. SQLite gives its log the same mode. */
export function makeFile(path: string, mustExist: boolean): boolean {
  if (path === inMemory || existsSync(path)) return false
  if (mustExist)
    throw new DatabaseUnusable(
      `There is no database at ${path}. Check the name; "petstore serve" or "migrate" creates a new one.`,
    )
  try {
    // The file has the hashes of keys.
    closeSync(openSync(path, 'ax', 0o600))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    // Another process has created it, or it is a symbolic link to a file that does not exist yet.
    closeSync(openSync(path, 'a', 0o600))
    return false
  }
}

export function removeFiles(path: string): void {
  for (const file of filesOf(path)) rmSync(file, { force: true })
}

/** Throws StoreUnavailable if a path no longer leads to the file that was opened. */
export type Guard = () => void

/** `file` guards the file itself, since before it was opened. */
export function guardFileAndLog(path: string, file: Guard): Guard {
  if (path === inMemory) return () => {}
  // With a symbolic link, SQLite keeps the log beside the target.
  const logPath = logOf(realpathSync(path))
  let log: Guard | undefined
  return () => {
    file()
    // SQLite creates the log at the first write.
    log ??= guardFile(logPath)
    log()
  }
}

export function guardFile(path: string): Guard {
  if (path === inMemory) return () => {}
  const opened = identityOf(path)
  return () => {
    const found = identityOf(path)
    if (found !== undefined && found === opened) return
    throw new StoreUnavailable(
      `SQLite: ${path} was ${found ? 'replaced' : 'removed'} while the service was running; docs/operating.md says how to recover it`,
    )
  }
}

/** Device and inode of the file; undefined if it does not exist or cannot be reached. */
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path)
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}

/** The position of the count of checkpoints in the header of the log (https://www.sqlite.org/fileformat2.html#walformat). */
const checkpointOffset = 12

/** The sizes of the files, and the checkpoints: SQLite counts its automatic ones nowhere else. */
export function fileSamples(path: string): Sample[] {
  if (path === inMemory) return []
  const header = Buffer.alloc(4)
  let logBytes = 0
  try {
    const log = openSync(logOf(realpathSync(path)), 'r')
    logBytes = fstatSync(log).size
    readSync(log, header, 0, header.length, checkpointOffset)
    closeSync(log)
  } catch {
    // No write yet, or the files were removed.
  }
  return [
    ['petstore_sqlite_file_bytes', statSync(path, { throwIfNoEntry: false })?.size ?? 0, 'database'],
    ['petstore_sqlite_file_bytes', logBytes, 'log'],
    ['petstore_sqlite_checkpoints_total', header.readUInt32BE()],
  ]
}
