/** Backup of a SQLite file while the service runs, and restore while it does not. */
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { assertUsable, refuseNewer } from '../shared-sql.ts'
import { DatabaseUnusable } from '../store.ts'
import {
  applicationId,
  filesOf,
  headerOf,
  inMemory,
  isWritable,
  lostLog,
  makeFile,
  openToRead,
  refuseOthers,
} from './file.ts'
import { markNew, migrate, versionOf } from './migrate.ts'
import { migrations } from './schema.ts'
import { isBusy, prepare, reasonOf } from './statement.ts'

interface Copied {
  readonly path: string
  readonly animals: number
  readonly bytes: number
}

/** Copies the database to `file`, which is replaced by a whole, checked copy or not at all. */
export function backUp(database: string, file: string): Copied {
  refuseOthers(database)
  makeFile(database, true)
  return copy(database, targetOf(file, realpathSync(database)), () => {})
}

/**
 * Replaces the database by a copy of `file`, atomically; the old one is kept. Refuses while any process has it open.
 */
export function restoreFrom(
  file: string,
  database: string,
  nameOld: (path: string) => string,
): Copied & { old?: string } {
  if (!existsSync(file)) throw new DatabaseUnusable(`There is no backup at ${file}.`)
  if (!statSync(file).isFile()) throw new DatabaseUnusable(`${file} is not a file. Name a backup.`)
  const path = realPathOf(database)
  if (realpathSync(file) === path) throw new DatabaseUnusable(`${file} is the database itself. Name a backup.`)
  for (const either of [file, path]) refuseOthers(either)
  let lock: DatabaseSync | undefined
  const old = nameOld(path)
  try {
    const copied = copy(file, path, (partial) => {
      assertOurSchema(partial, file)
      // Not before: locking takes over the log, and a backup that is refused must change no file.
      if (existsSync(path)) lock = lockFile(path)
      refuseLog(path)
      const { uid, gid, mode } = statSync(lock ? path : dirname(path))
      // Restored by root, the database still belongs to the user of the service.
      if (process.getuid?.() === 0) chownSync(partial, uid, gid)
      if (!lock) return
      chmodSync(partial, mode & 0o777)
      linkSync(path, old)
    })
    return lock ? { ...copied, old } : copied
  } catch (error) {
    // A second name for a database in use would be a trap: SQLite would keep a second log for it.
    if (existsSync(old) && statSync(old).ino === statSync(path).ino) rmSync(old)
    throw error
  } finally {
    lock?.close()
  }
}

function copy(from: string, to: string, beforeReplace: (partial: string) => void): Copied {
  const partial = `${to}.partial-${process.pid}`
  let db: DatabaseSync | undefined
  try {
    removeRemains(to)
    db = openToRead(from)
    if (versionOf(db, from) === 0) throw new DatabaseUnusable(`${from} is empty: there is nothing to copy.`)
    makeFile(partial, false)
    // One read transaction, which keeps no writer waiting. SQLite's online backup begins again with every commit of
    // another process, and so may never end.
    db.prepare('VACUUM INTO ?').run(partial)
    const animals = checkCopy(partial, from)
    beforeReplace(partial)
    sync(partial, 'r+')
    renameSync(partial, to)
    // Windows cannot sync a folder.
    if (process.platform !== 'win32') sync(dirname(to), 'r')
    return { path: to, animals, bytes: statSync(to).size }
  } catch (error) {
    for (const file of besides(partial)) rmSync(file, { force: true })
    if (error instanceof DatabaseUnusable) throw error
    throw new DatabaseUnusable(`Cannot copy ${from} to ${to} (${reasonOf(error)}); ${to} is as it was before.`)
  } finally {
    db?.close()
  }
}

/**
 * Checks the whole copy; returns the number of animals. Rows that break a rule are copied too: see `petstore check`.
 */
function checkCopy(partial: string, from: string): number {
  const db = new DatabaseSync(partial, { readOnly: true })
  try {
    const [fault] = prepare<[string]>(db, 'PRAGMA integrity_check(1)').get() ?? []
    if (fault !== 'ok') throw new DatabaseUnusable(`The copy of ${from} is damaged (${fault}), and was removed.`)
    return prepare<[number]>(db, 'SELECT count(*) FROM pets').get()?.[0] ?? 0
  } finally {
    db.close()
  }
}

/** A foreign trigger would act on what the service writes, a foreign view show something else. */
function assertOurSchema(partial: string, from: string): void {
  const schemaOf = (db: DatabaseSync) =>
    prepare<[name: string, definition: string | null]>(
      db,
      `SELECT type || ' ' || name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\'`,
    ).all()
  const db = new DatabaseSync(partial, { readOnly: true })
  const ours = new DatabaseSync(inMemory)
  try {
    const version = versionOf(db, from)
    refuseNewer(
      version,
      migrations,
      from,
      'Restore it with that version: only that one can tell what it has added from a foreign trigger',
    )
    markNew(ours, inMemory)
    migrate(
      ours,
      inMemory,
      migrations.filter((migration) => migration.version <= version),
    )
    const [found, expected] = [new Map(schemaOf(db)), new Map(schemaOf(ours))]
    for (const name of new Set([...found.keys(), ...expected.keys()]))
      if (found.get(name) !== expected.get(name))
        throw new DatabaseUnusable(
          `${from} is not a backup of petstore: its ${name} ${found.has(name) ? 'is not ours' : 'is missing'}.`,
        )
  } finally {
    db.close()
    ours.close()
  }
}

function removeRemains(to: string): void {
  for (const name of readdirSync(dirname(to))) {
    const [, start, pid] = /^(.+)\.partial-(\d+)(?:-journal)?$/.exec(name) ?? []
    if (start === basename(to) && !isRunning(Number(pid))) rmSync(join(dirname(to), name), { force: true })
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The file to write; only a backup, an empty file or nothing is replaced. */
function targetOf(file: string, database: string): string {
  const path = realPathOf(file)
  if (besides(database).includes(path))
    throw new DatabaseUnusable(`${file} belongs to the database itself. Name another file.`)
  if (existsSync(path) && !isEmptyFile(path) && !isBackup(path))
    throw new DatabaseUnusable(`${file} is there and is not a backup. Remove it, or name another file.`)
  refuseLog(path)
  return path
}

/** Behind symbolic links, as SQLite follows them; the file itself need not exist. */
function realPathOf(file: string): string {
  if (existsSync(file)) return realpathSync(file)
  if (!statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory())
    throw new DatabaseUnusable(`There is no folder ${dirname(file)}. Create it first.`)
  if (lstatSync(file, { throwIfNoEntry: false }))
    throw new DatabaseUnusable(`${file} is a symbolic link to a file that does not exist. Name that file.`)
  return join(realpathSync(dirname(file)), basename(file))
}

/** The database and whatever SQLite keeps beside it. */
const besides = (path: string): string[] => [...filesOf(path), `${path}-journal`]

/** A log that is left over would be applied to the file that is put beside it. */
function refuseLog(path: string): void {
  const log = besides(path).find((other) => other !== path && existsSync(other))
  if (log) throw lostLog(log)
}

function isEmptyFile(path: string): boolean {
  const stats = statSync(path)
  return stats.isFile() && stats.size === 0
}

/**
 * Whether a file may be replaced or removed as a backup: ours, of a version that we know, writable, and not in WAL mode
 * as a database in use is.
 */
export function isBackup(path: string): boolean {
  try {
    const header = headerOf(path)
    if (header?.applicationId !== applicationId || header.isInWalMode || header.version === 0) return false
    assertUsable(header.version, migrations, path)
    return isWritable(path)
  } catch {
    return false
  }
}

/**
 * Keeps others from opening the file. Fails while a service has it open: in WAL mode, whoever has read holds a shared
 * lock.
 */
function lockFile(path: string): DatabaseSync {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path, { timeout: 0 })
    // Leaving WAL mode applies the log and removes it; otherwise it would be applied to the restored file.
    db.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
    // Somebody who opened it in between has set WAL mode again, where this lock keeps only writers away.
    if (prepare<[string]>(db, 'PRAGMA journal_mode').get()?.[0] !== 'wal') return db
  } catch (error) {
    if (!isBusy(error)) {
      db?.close()
      throw new DatabaseUnusable(
        `Cannot lock ${path} (${reasonOf(error)}). If no service uses it, move it away, and run this again.`,
      )
    }
  }
  db?.close()
  throw new DatabaseUnusable(`${path} is in use. Stop the service and all else that has it open, and run this again.`)
}

function sync(path: string, flags: 'r' | 'r+'): void {
  const file = openSync(path, flags)
  fsyncSync(file)
  closeSync(file)
}
