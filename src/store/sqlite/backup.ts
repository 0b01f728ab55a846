/** Backs up a SQLite file while the service runs, and restores it while the service is stopped. */
import { chownSync, existsSync, linkSync, realpathSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { refuseNewer } from '../migrations.ts'
import { DatabaseUnusable } from '../store.ts'
import { filesOf, inMemory, lostLog, makeFile, openToRead, refuseOthers } from './file.ts'
import { markNew, migrate, versionOf } from './migrate.ts'
import { migrations } from './schema.ts'
import { isBusy, prepare, reasonOf } from './statement.ts'

interface Copied {
  readonly animals: number
  readonly bytes: number
}

/** A file to write. `publish` moves it to its final path. */
interface Target {
  readonly path: string
  /** The temporary path, at first of an empty file. */
  readonly partial: string
  publish(): void
}

/** Copies the database to a file, which appears once the copy is whole and checked. */
export function backUp(database: string, target: Target): Copied {
  refuseOthers(database)
  makeFile(database, true)
  const animals = copy(database, target)
  target.publish()
  return { animals, bytes: statSync(target.path).size }
}

/** Refuses what is no backup, or the database itself. */
export function assertRestorable(file: string, database: string): void {
  if (!existsSync(file)) throw new DatabaseUnusable(`There is no backup at ${file}.`)
  if (!statSync(file).isFile()) throw new DatabaseUnusable(`${file} is not a file. Name a backup.`)
  if (existsSync(database) && realpathSync(file) === realpathSync(database))
    throw new DatabaseUnusable(`${file} is the database itself. Name a backup.`)
  for (const either of [file, database]) refuseOthers(either)
}

/**
 * Puts a copy of `file` in the place of a database, which is kept as `old` if there is one. Refuses while any process
 * has it open.
 */
export function restoreFrom(file: string, target: Target, old: string): { animals: number; isReplaced: boolean } {
  const { path, partial } = target
  let lock: DatabaseSync | undefined
  try {
    const animals = copy(file, target)
    assertOurSchema(partial, file)
    // The lock must not be taken earlier: it also applies the log, and a refused backup must change no file.
    if (existsSync(path)) lock = lockFile(path)
    refuseLog(path)
    if (lock) linkSync(path, old)
    else giveToOwnerOf(dirname(path), partial)
    target.publish()
    return { animals, isReplaced: lock !== undefined }
  } catch (error) {
    // A second name for a database in use would be a trap: SQLite would keep a second log for it.
    if (existsSync(old) && statSync(old).ino === statSync(path).ino) rmSync(old)
    throw error
  } finally {
    lock?.close()
  }
}

/** A new database that root restores belongs to the user of the service, who has the folder. */
function giveToOwnerOf(folder: string, file: string): void {
  const { uid, gid } = statSync(folder)
  if (process.getuid?.() === 0) chownSync(file, uid, gid)
}

/** Copies a database into the file to be written; returns the number of animals. */
function copy(from: string, { path, partial }: Target): number {
  let db: DatabaseSync | undefined
  try {
    db = openToRead(from)
    if (versionOf(db, from) === 0) throw new DatabaseUnusable(`${from} is empty: there is nothing to copy.`)
    // One read transaction, which keeps no writer waiting. SQLite's online backup begins again with every commit of
    // another process, and so may never end.
    db.prepare('VACUUM INTO ?').run(partial)
    return checkCopy(partial, from)
  } catch (error) {
    if (error instanceof DatabaseUnusable) throw error
    throw new DatabaseUnusable(`Cannot copy ${from} to ${path} (${reasonOf(error)}); ${path} is as it was before.`)
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

/** The database and whatever SQLite keeps beside it. */
const besides = (path: string): string[] => [...filesOf(path), `${path}-journal`]

/** A log that is left over would be applied to the file that is put beside it. */
function refuseLog(path: string): void {
  const log = besides(path).find((other) => other !== path && existsSync(other))
  if (log) throw lostLog(log)
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
