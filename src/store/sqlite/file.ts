/** The database file in the file system: which file SQLite may open, how it is made, and whether it is still there. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Sample } from '../../observe/metrics.ts'
import { DatabaseUnusable, StoreUnavailable } from '../store.ts'
import { busyMilliseconds, reasonOf } from './statement.ts'

export const inMemory = ':memory:'

const logOf = (path: string): string => `${path}-wal`
export const filesOf = (path: string): string[] => [path, logOf(path), `${path}-shm`]

/** SQLite's `application_id`: the letters "pets". */
export const applicationId = 0x70657473

interface Header {
  readonly isInWalMode: boolean
  readonly version: number
  readonly applicationId: number
}

/**
 * The header of a SQLite file (https://www.sqlite.org/fileformat2.html); undefined if the file is not one. Opened with
 * SQLite, it might change, or get a log beside it. Not for a file that this process has open: closing it releases the
 * locks of SQLite.
 */
function headerOf(path: string): Header | undefined {
  // Opening a pipe would wait for a writer.
  if (!statSync(path).isFile()) return undefined
  const header = firstBytes(path, 100)
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') return undefined
  return { isInWalMode: header[18] === 2, version: header.readInt32BE(60), applicationId: header.readInt32BE(68) }
}

/** The bytes are filled up with zeros if the file is shorter. */
function firstBytes(path: string, count: number): Buffer {
  const bytes = Buffer.alloc(count)
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    readSync(file, bytes, 0, count, 0)
  } catch (error) {
    throw new DatabaseUnusable(`Cannot read ${path} (${reasonOf(error)}).`)
  } finally {
    if (file !== undefined) closeSync(file)
  }
  return bytes
}

/** SQLite's default. */
const pageBytes = 4096

/**
 * Whether a process ended while it marked a new file as ours. That transaction writes one page, and its journal says
 * that the file was empty before. SQLite would empty the file again, whatever is in it.
 */
function isHalfCreated(path: string): boolean {
  const journal = `${path}-journal`
  if (!existsSync(journal) || statSync(path).size > pageBytes) return false
  const header = firstBytes(journal, 20)
  return header.toString('hex', 0, 8) === 'd9d505f920a163d7' && header.readUInt32BE(16) === 0
}

/** Refuses a file of another program before SQLite opens it. An empty file counts as missing. */
export function refuseOthers(path: string): void {
  if (path === inMemory) return
  const real = existsSync(path) ? realpathSync(path) : path
  const log = logOf(real)
  // Asked first: a process that creates the database at this moment creates the log last.
  const hasLog = existsSync(log)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory()) throw new DatabaseUnusable(`${path} is a folder. Name a file in it.`)
  if (!stats || (stats.isFile() && stats.size === 0)) {
    // SQLite would remove it.
    if (hasLog) throw lostLog(log)
    return
  }
  const header = headerOf(path)
  if (header?.applicationId !== applicationId && isHalfCreated(real)) return
  if (!header) throw new DatabaseUnusable(`${path} is not a SQLite database. Move it away, or name another file.`)
  if (header.applicationId !== applicationId) throw ofAnother(path)
  // SQLite would leave a log of this user, which the service could not write to.
  if (header.isInWalMode && !isWritable(path))
    throw new DatabaseUnusable(`This user may only read ${path}. Run this as the user of the service.`)
}

function isWritable(path: string): boolean {
  try {
    closeSync(openSync(path, 'r+'))
    return true
  } catch {
    return false
  }
}

export const ofAnother = (path: string): DatabaseUnusable =>
  new DatabaseUnusable(`${path} is the database of another program, not of petstore. Name another file.`)

export const lostLog = (log: string): DatabaseUnusable =>
  new DatabaseUnusable(
    `${log} is left over from a database that is gone, and may have ` +
      'writes that are nowhere else: move it away, and run this again.',
  )

/** Refuses a folder that is missing, or to which this user cannot write: SQLite keeps its log beside the file. */
export function requireFolder(path: string): void {
  if (path === inMemory) return
  const folder = dirname(existsSync(path) ? realpathSync(path) : resolve(path))
  try {
    if (!statSync(folder).isDirectory()) throw new Error('not a folder')
    accessSync(folder, constants.W_OK)
  } catch {
    throw new DatabaseUnusable(`Cannot open ${path}: ${folder} is not a folder that this user can write to.`)
  }
}

/** Creates the file if it is missing, or throws if it must exist. SQLite gives its log the same mode. */
export function makeFile(path: string, mustExist: boolean): void {
  if (path === inMemory || existsSync(path)) return
  if (mustExist)
    throw new DatabaseUnusable(
      `There is no database at ${path}. Check the name; "petstore serve" or "migrate" creates a new one.`,
    )
  // The file contains the hashes of keys.
  closeSync(openSync(path, 'a', 0o600))
}

/**
 * Opens a file so that reading leaves it, and what is beside it, as it is. SQLite creates a log for a file in WAL mode
 * that has none: only a connection that may write removes it again. But what is in a log, such a connection would write
 * into the file when it is closed.
 */
export function openToRead(path: string): DatabaseSync {
  const readOnly = path !== inMemory && (!headerOf(path)?.isInWalMode || sizeOf(logOf(realpathSync(path))) > 0)
  return new DatabaseSync(path, { readOnly, timeout: busyMilliseconds })
}

/** The files of a database that is open. Writes to one that was deleted or replaced would still succeed. */
export class OpenFiles {
  readonly #files: { readonly path: string; readonly opened: Stats }[] = []

  /** From now on, the path must lead to the file to which it leads now. */
  add(path: string): void {
    if (path !== inMemory) this.#files.push({ path, opened: statSync(path) })
  }

  /** Adds the log of a database. With a symbolic link, SQLite keeps it beside the target. */
  addLogOf(path: string): void {
    if (path !== inMemory) this.add(logOf(realpathSync(path)))
  }

  /** Throws StoreUnavailable if a path no longer leads to its file. */
  check(): void {
    for (const { path, opened } of this.#files) {
      let found: Stats | undefined
      try {
        found = statSync(path)
      } catch {
        // It does not exist, or cannot be reached.
      }
      if (found?.dev === opened.dev && found.ino === opened.ino) continue
      throw new StoreUnavailable(
        `SQLite: ${path} was ${found ? 'replaced' : 'removed'} while the ` +
          'service was running; docs/runbook.md says how to recover it',
      )
    }
  }
}

/** It is 0 while the file does not exist. */
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** The sizes of the files. */
export function fileSamples(path: string): Sample[] {
  if (path === inMemory) return []
  const real = existsSync(path) ? realpathSync(path) : path
  return [
    ['petstore_sqlite_file_bytes', sizeOf(real), 'database'],
    ['petstore_sqlite_file_bytes', sizeOf(logOf(real)), 'log'],
  ]
}
