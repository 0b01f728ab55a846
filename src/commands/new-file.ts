/**
 * A file that a command writes. It appears under its name when it is complete; one that exists is replaced only with
 * --force, and stays if anything fails.
 */
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CommandFailed, fileFault } from '../errors.ts'

interface NewFile extends Disposable {
  /** The path without symbolic links. */
  readonly path: string
  /**
   * An empty file beside the final path, to which the content is written. It is removed at the end unless it was
   * published.
   */
  readonly partial: string
  /** Moves the written file to its final path. */
  publish(): void
}

interface NewFileOptions {
  /** Whether a file that exists is replaced. */
  readonly isForced: boolean
  /** The mode of a file that does not exist yet; a file that is replaced passes on its own. */
  readonly mode: number
  /** Throws if the path must not be written, even by force. This is checked again before the file is moved there. */
  readonly refuse?: (path: string) => void
}

export function newFile(given: string, { isForced, mode, refuse = () => {} }: NewFileOptions): NewFile {
  const path = attempt(given, () => realPathOf(given))
  function check(): void {
    refuse(path)
    const existing = statSync(path, { throwIfNoEntry: false })
    if (existing && !existing.isFile()) throw new CommandFailed(`${given} is not a file. Name another.`)
    if (existing && !isForced)
      throw new CommandFailed(`${given} exists. Name another file, or replace it with --force.`)
  }
  const partial = `${path}.partial-${process.pid}`
  attempt(given, () => {
    check()
    removeRemains(path)
    const existing = statSync(path, { throwIfNoEntry: false })
    // Replacing a file needs no permission to write to it. But whoever removed that permission wanted the file to stay.
    if (existing) closeSync(openSync(path, 'r+'))
    closeSync(openSync(partial, 'wx', mode))
    if (existing) keepRights(existing, partial)
  })
  return {
    path,
    partial,
    publish: () =>
      attempt(given, () => {
        sync(partial, 'r+')
        // The check is repeated here, because the sync takes a while.
        check()
        renameSync(partial, path)
        // Windows cannot sync a folder.
        if (process.platform !== 'win32') sync(dirname(path), 'r')
      }),
    [Symbol.dispose]: () => removePartial(partial),
  }
}

/** Gives the new file the mode of the one that it replaces and, for root, the owner. */
function keepRights({ mode, uid, gid }: Stats, file: string): void {
  chmodSync(file, mode & 0o777)
  if (process.getuid?.() === 0) chownSync(file, uid, gid)
}

/** Does work on a file. An error of the file system becomes a message that names the file. */
export function attempt<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof CommandFailed ? error : new CommandFailed(`Cannot write ${path}: ${fileFault(error)}.`)
  }
}

/** The path without symbolic links; the file itself need not exist. */
function realPathOf(path: string): string {
  if (existsSync(path)) {
    if (statSync(path).isDirectory()) throw new CommandFailed(`${path} is a folder. Name a file in it.`)
    return realpathSync(path)
  }
  if (lstatSync(path, { throwIfNoEntry: false }))
    throw new CommandFailed(`${path} is a symbolic link to a file that does not exist. Name that file.`)
  if (!statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory())
    throw new CommandFailed(`There is no folder ${dirname(path)}. Create it first.`)
  return join(realpathSync(dirname(path)), basename(path))
}

/** Removes the files that killed processes have left, as far as this user may. Such files do no harm. */
function removeRemains(path: string): void {
  for (const name of readdirSync(dirname(path))) {
    const [, start, pid] = /^(.+)\.partial-(\d+)$/.exec(name) ?? []
    if (start !== basename(path) || isRunning(Number(pid))) continue
    try {
      removePartial(join(dirname(path), name))
    } catch {
      // In a folder such as /tmp, only the owner of a file may remove it.
    }
  }
}

/** The journal that SQLite may keep beside it goes first: nobody would find it without the file. */
function removePartial(partial: string): void {
  for (const file of [`${partial}-journal`, partial]) rmSync(file, { force: true })
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function sync(path: string, flags: 'r' | 'r+'): void {
  const file = openSync(path, flags)
  fsyncSync(file)
  closeSync(file)
}

/** The files that SQLite keeps beside a database have its name and one of these endings. */
const endings = ['-wal', '-shm', '-journal']

/**
 * Refuses the SQLite database at `url`, and any other that is in use: it has a log or a journal beside it. What belongs
 * to a database is refused like the database. No file is opened: closing the database that this process uses would
 * release the locks that SQLite holds on it.
 */
export const refuseDatabase =
  (url: string) =>
  (path: string): void => {
    const name = path.replace(new RegExp(`(?:${endings.join('|')})$`), '')
    if (url.startsWith('sqlite:') && isSameFile(name, url.slice('sqlite:'.length)))
      throw new CommandFailed(`${path} belongs to the database itself. Name another file.`)
    const isInUse = path === name ? endings.some((end) => existsSync(path + end)) : existsSync(name)
    if (isInUse) throw new CommandFailed(`${path} belongs to a database in use. Name another file.`)
  }

/** Compares inodes, so that links count as the same file; if one of them does not exist, compares the paths. */
export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }))
  return a && b ? a.ino === b.ino && a.dev === b.dev : resolved(one) === resolved(other)
}

function resolved(path: string): string {
  const folder = dirname(path)
  return join(existsSync(folder) ? realpathSync(folder) : folder, basename(path))
}
