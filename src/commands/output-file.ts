/** A file that a command writes: it takes the place of an older one once it is whole. */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { CommandFailed } from '../failure.ts'

export type OutputFile = ReturnType<typeof openOutputFile>

/** A pipe or a device is written to as it is. `abort` removes what was written, unless it has ended. */
export function openOutputFile(path: string) {
  function attempt<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw new CommandFailed(`Cannot write ${path}: ${(error as Error).message}`)
    }
  }
  const existing = attempt(() => statSync(path, { throwIfNoEntry: false }))
  // By its name, a file behind them would be replaced, and what the shell has open would go nowhere.
  const standard = existing?.isFile() ? { '/dev/stdout': 1, '/dev/stderr': 2 }[path] : undefined
  const isPlain = standard === undefined && (existing?.isFile() ?? true)
  const whole = existing && isPlain ? realpathSync(path) : path
  const part = isPlain ? `${whole}.part` : whole
  const file = attempt(() => {
    // That of a process that was killed.
    if (isPlain) rmSync(part, { force: true })
    return standard ?? openSync(part, isPlain ? 'wx' : 'w', existing?.mode)
  })
  const { ino } = fstatSync(file)
  const isOurs = () => isPlain && statSync(part, { throwIfNoEntry: false })?.ino === ino
  return {
    write: (bytes: Uint8Array) =>
      attempt(() => {
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
      }),
    end: () =>
      attempt(() => {
        if (isPlain && !isOurs()) throw new Error('another process writes it')
        if (isPlain) {
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
