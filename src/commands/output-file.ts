/** A file that a command writes: it takes the place of an older one once it is whole, and never that of a database. */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CommandFailed, fileFault } from '../errors.ts'
import type { Output } from './command.ts'

export interface OutputFile {
  readonly path: string
  /** Whoever writes much awaits what it returns, as of standard output. */
  write(text: string): unknown
  end(): void
  /** Removes what was written, unless it has ended. */
  abort(): void
}

/**
 * Opens a file to write, `-` for standard output; a pipe or a device is written to as it is. Refuses the database that the
 * URL names, what SQLite keeps beside it, and every other file that is a SQLite database; with `replaces`, also every file
 * that has content and does not begin like this.
 */
export function openOutputFile(path: string, databaseUrl: string, stdout: Output, replaces?: RegExp): OutputFile {
  if (path === '-') return { path, write: (text) => stdout.write(text), end() {}, abort() {} }
  function attempt<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw error instanceof CommandFailed ? error : new CommandFailed(`Cannot write ${path}: ${fileFault(error)}.`)
    }
  }
  const existing = attempt(() => statSync(path, { throwIfNoEntry: false }))
  if (existing?.isDirectory()) throw new CommandFailed(`${path} is a folder. Name a file in it.`)
  // By its name, a file behind them would be replaced, and what the shell has open would go nowhere.
  const standard = existing?.isFile() ? descriptorOf(path) : undefined
  const isPlain = standard === undefined && (existing?.isFile() ?? true)
  const whole = isPlain ? attempt(() => realPathOf(path)) : path
  const part = isPlain ? `${whole}.part` : whole
  const refuseDatabase = () => {
    for (const file of new Set([whole, part]))
      if (isDatabase(file, databaseUrl))
        throw new CommandFailed(
          `${file === whole ? path : file} is a database, or belongs to one, and was left as it is. Name another file.`,
        )
  }
  const file = attempt(() => {
    refuseDatabase()
    if (isPlain && existing?.size && replaces?.test(startOf(whole)) === false)
      throw new CommandFailed(`${path} is there and is not a file of rejected rows. Remove it, or name another file.`)
    // That of a process that was killed.
    if (isPlain) rmSync(part, { force: true })
    return standard ?? openSync(part, isPlain ? 'wx' : 'w', existing?.mode)
  })
  const { ino } = fstatSync(file)
  const isOurs = () => isPlain && statSync(part, { throwIfNoEntry: false })?.ino === ino
  return {
    path,
    write: (text) =>
      attempt(() => {
        const bytes = Buffer.from(text)
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
      }),
    end: () =>
      attempt(() => {
        if (isPlain && !isOurs()) throw new Error('another process writes it')
        if (isPlain) {
          // It may have been made meanwhile.
          refuseDatabase()
          fsyncSync(file)
          renameSync(part, whole)
        }
        if (file !== standard) closeSync(file)
      }),
    abort() {
      if (isOurs()) rmSync(part)
    },
  }
}

/** Of a name for what the shell has opened already. */
function descriptorOf(path: string): number | undefined {
  const [, name, number] = /^\/(?:dev\/(stdout|stderr)|(?:dev|proc\/self)\/fd\/([0-9]+))$/.exec(path) ?? []
  if (name) return name === 'stdout' ? 1 : 2
  return number ? Number(number) : undefined
}

const suffixes = ['', '-wal', '-shm', '-journal']

/**
 * The one in use is known even while it has no content, and is not opened here: closing it would end the locks that SQLite
 * has on it in this process. Others are known by their content.
 */
function isDatabase(file: string, url: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  const inUse = url.startsWith('sqlite:') ? realPathOf(url.slice('sqlite:'.length)) : undefined
  if (inUse !== undefined && suffixes.some((suffix) => isSame(file, found, inUse + suffix))) return true
  return suffixes.some(
    (suffix) => file.endsWith(suffix) && beginsAsDatabase(file.slice(0, file.length - suffix.length)),
  )
}

/** A hard link is another name of the same file. */
function isSame(file: string, found: Stats | undefined, other: string): boolean {
  if (!found) return file === other
  const stats = statSync(other, { throwIfNoEntry: false })
  return stats !== undefined && stats.ino === found.ino && stats.dev === found.dev
}

function beginsAsDatabase(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true && startOf(path).startsWith('SQLite format 3')
}

function startOf(path: string): string {
  const start = Buffer.alloc(32)
  const file = openSync(path, 'r')
  readSync(file, start)
  closeSync(file)
  return start.toString()
}

/** Behind symbolic links; the file itself need not exist. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return join(realpathSync(dirname(path)), basename(path))
  }
}
