/** Writes log lines so that they never block the service, never fail it, and never fill its memory. */
import { writeSync } from 'node:fs'

export interface Sink {
  write(line: string): void
}

export interface SinkOptions {
  /** Writes as much as possible without blocking and returns the number of bytes; throws if it can write none. */
  readonly writeSome?: (bytes: Uint8Array) => number
  /** Called with the number of dropped lines once writing works again. */
  readonly onResume: (dropped: number) => void
}

/** The most that is buffered while the disk is full or the reader has stopped; further lines are dropped. */
export const pendingBytesMax = 1024 * 1024
const retryMilliseconds = 250

/** `fd` must not block: a regular file never does; a pipe or socket must be in non-blocking mode. */
export function createSink(fd: number, { onResume, writeSome = (bytes) => writeSync(fd, bytes) }: SinkOptions): Sink {
  let pending: Buffer[] = []
  let pendingBytes = 0
  let dropped = 0

  /** Writes everything, or buffers the rest for a retry. */
  function writeOut(bytes: Buffer): void {
    let rest = bytes
    try {
      while (rest.length > 0) rest = rest.subarray(writeSome(rest))
    } catch {
      pending = [rest]
      pendingBytes = rest.length
      setTimeout(retry, retryMilliseconds).unref()
    }
  }

  function retry(): void {
    const bytes = Buffer.concat(pending)
    pending = []
    pendingBytes = 0
    writeOut(bytes)
    if (pendingBytes > 0 || dropped === 0) return
    const count = dropped
    dropped = 0
    onResume(count)
  }

  process.on('exit', () => pendingBytes > 0 && retry())

  return {
    write(line) {
      const bytes = Buffer.from(line)
      if (pendingBytes === 0) writeOut(bytes)
      else if (pendingBytes + bytes.length > pendingBytesMax) dropped++
      else {
        pending.push(bytes)
        pendingBytes += bytes.length
      }
    },
  }
}
