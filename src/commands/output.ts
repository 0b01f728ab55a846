/** The output of commands, which goes to a file or to standard output, and their progress. */
import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import { constants } from 'node:os'
import { CommandFailed } from '../errors.ts'
import { systemTime, turn } from '../time.ts'
import { attempt, newFile, refuseDatabase } from './new-file.ts'

export interface Output {
  readonly isTTY?: boolean
  /** A command that writes much awaits the result, so that it is not faster than the reader. */
  write(text: string): unknown
}

interface OutputFile extends Disposable {
  write: Output['write']
  /** Marks the output as complete. Without this call, an existing file is left unchanged. */
  end(): void
}

interface OutputOptions {
  readonly isForced: boolean
  /** The database of the settings, whose SQLite file must not be overwritten. */
  readonly databaseUrl: string
  readonly stdout: Output
}

/**
 * The file that the shell has opened for this process. If it were replaced, the output of other programs to it would be
 * lost.
 */
export const ownDescriptor = /^\/(?:dev\/(?:stdout|stderr|fd\/)|proc\/self\/fd\/)/

/** Opens a file to write, `-` for standard output. A pipe or a device is written to, not replaced. */
export function openOutputFile(path: string, { isForced, databaseUrl, stdout }: OutputOptions): OutputFile {
  if (path === '-') return { write: (text) => stdout.write(text), end() {}, [Symbol.dispose]() {} }
  const existing = attempt(path, () => statSync(path, { throwIfNoEntry: false }))
  const isReplaced = !existing || existing.isFile() || existing.isDirectory()
  if (existing?.isFile() && ownDescriptor.test(path))
    throw new CommandFailed(`${path} is a file here. Write - for standard output.`)
  const whole = isReplaced
    ? newFile(path, { isForced, mode: 0o666, refuse: refuseDatabase(databaseUrl) })
    : { partial: path, publish() {}, [Symbol.dispose]() {} }
  let file: number | undefined = attempt(path, () => openSync(whole.partial, 'w'))
  function close(): void {
    if (file !== undefined) closeSync(file)
    file = undefined
  }
  function discard(): void {
    close()
    whole[Symbol.dispose]()
  }
  const signals = onStopSignal(discard)
  return {
    write(text) {
      attempt(path, () => {
        const bytes = Buffer.from(text)
        for (let at = 0; at < bytes.length; ) at += writeSync(file as number, bytes, at)
      })
      // Otherwise a signal would be noticed only at the end.
      return turn(systemTime)
    },
    end() {
      attempt(path, close)
      whole.publish()
    },
    [Symbol.dispose]() {
      signals[Symbol.dispose]()
      discard()
    },
  }
}

/** SIGHUP is sent when the terminal is closed. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Until it is disposed, a signal that stops the process first calls this function. */
export function onStopSignal(first: () => void): Disposable {
  const stop = (signal: NodeJS.Signals) => {
    first()
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of stopSignals) process.on(signal, stop)
  return {
    [Symbol.dispose]() {
      for (const signal of stopSignals) process.off(signal, stop)
    },
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
