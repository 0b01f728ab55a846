/** The output of commands: progress, and a file that replaces an older one of its kind once it is complete. */
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CommandFailed, fileFault } from '../errors.ts'

export interface Output {
  readonly isTTY?: boolean
  /** A command that writes much awaits the result, so that it is not faster than the reader. */
  write(text: string): unknown
}

export interface OutputFile {
  write: Output['write']
  end(): void
  /** Removes what was written, unless `end` was called. */
  abort(): void
}

/** Only an older file of the same kind, or an empty one, is replaced. */
interface FileKind {
  readonly name: string
  readonly start: RegExp
}

/** What the shell has opened for this process: were it replaced, what others write to it would be lost. */
const ownDescriptor = /^\/(?:dev\/(?:stdout|stderr|fd\/)|proc\/self\/fd\/)/

/** Opens a file to write, `-` for standard output. A pipe or a device is written to, not replaced. */
export function openOutputFile(path: string, databaseUrl: string, stdout: Output, kind: FileKind): OutputFile {
  if (path === '-') return { write: (text) => stdout.write(text), end() {}, abort() {} }
  function attempt<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw error instanceof CommandFailed ? error : new CommandFailed(`Cannot write ${path}: ${fileFault(error)}.`)
    }
  }
  const existing = attempt(() => statSync(path, { throwIfNoEntry: false }))
  if (existing?.isDirectory()) throw new CommandFailed(`${path} is a folder. Name a file in it.`)
  if (!existing && attempt(() => lstatSync(path, { throwIfNoEntry: false })))
    throw new CommandFailed(`${path} is a symbolic link to a file that does not exist. Name that file.`)
  if (existing?.isFile() && ownDescriptor.test(path))
    throw new CommandFailed(`${path} is a file here. Write - for standard output.`)
  const isReplaced = existing?.isFile() ?? true
  const whole = isReplaced ? attempt(() => realPathOf(path)) : path
  const part = isReplaced ? `${whole}.${randomUUID().slice(0, 8)}.part` : path
  const refuseOtherKinds = () => {
    const fault = isReplaced ? faultOf(whole, databaseUrl, kind) : undefined
    if (fault) throw new CommandFailed(`${path} ${fault}`)
  }
  const file = attempt(() => {
    refuseOtherKinds()
    // To replace a file takes no right to write to it, but whoever took that right away meant it to stay.
    if (isReplaced && existing) closeSync(openSync(whole, 'r+'))
    return openSync(part, isReplaced ? 'wx' : 'w', existing?.mode)
  })
  return {
    write: (text) =>
      attempt(() => {
        const bytes = Buffer.from(text)
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
      }),
    end: () =>
      attempt(() => {
        // Checked again: the file may have been created since.
        refuseOtherKinds()
        if (isReplaced) fsyncSync(file)
        closeSync(file)
        if (isReplaced) renameSync(part, whole)
      }),
    abort() {
      if (isReplaced) rmSync(part, { force: true })
    },
  }
}

/**
 * Why a file must not be replaced. The database in use is recognised without reading it: closing the file would release
 * the locks that SQLite holds on it in this process.
 */
function faultOf(file: string, databaseUrl: string, { name, start }: FileKind): string | undefined {
  const database = databaseUrl.startsWith('sqlite:') ? realPathOf(databaseUrl.slice('sqlite:'.length)) : ''
  const text = isSameFile(file, database) || /-(?:wal|shm|journal)$/.test(file) ? 'SQLite format 3' : startOf(file)
  if (text === '' || start.test(text)) return undefined
  return text.startsWith('SQLite format 3')
    ? 'is a database, or belongs to one, and was left as it is. Name another file.'
    : `is there and is not ${name}. Remove it, or name another file.`
}

/** Compares inodes, so that links count as the same file; if one of them does not exist, compares the paths. */
export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }))
  return a && b ? a.ino === b.ino && a.dev === b.dev : one === other
}

function startOf(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return ''
  const start = Buffer.alloc(256)
  const file = openSync(path, 'r')
  const length = readSync(file, start)
  closeSync(file)
  return start.toString('utf8', 0, length)
}

/** The path without symbolic links; the file itself need not exist. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return join(realpathSync(dirname(path)), basename(path))
  }
}

export const numberText = (value: number): string => Math.round(value).toLocaleString('en-US')

/** A number with its unit, such as "1 animal" or "2,000 animals". */
export const counted = (value: number, one: string, more = `${one}s`): string =>
  `${numberText(value)} ${value === 1 ? one : more}`

/** Shows at a terminal how far a long command is; each line overwrites the one before. */
export function createProgress(output: Output, total: number) {
  const show = (text: string) => output.isTTY && output.write(`\r${text.padEnd(40)}\r`)
  return {
    /** `done` is in the unit of the total, such as bytes. */
    show: (done: number, rows: number) => show(`${Math.floor((100 * done) / total)} %, ${numberText(rows)} rows`),
    end: () => show(''),
  }
}
