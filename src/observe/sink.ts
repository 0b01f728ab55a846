/** Standard output as a log needs it: it never blocks the service, never fails it, and never fills its memory. */
import { writeSync } from 'node:fs'

export interface Sink {
  write(line: string): void
}

export interface SinkOptions {
  /** Writes what the file takes at once and returns the number of bytes; throws where it takes none. */
  readonly writeSome?: (bytes: Uint8Array) => number
  /** Called with the number of lines dropped, once the file takes lines again. */
  readonly onResume: (dropped: number) => void
}

/** What waits for a full disk or a reader that has stopped reading; lines beyond it are dropped. */
export const pendingBytesMax = 1024 * 1024
const retryMilliseconds = 250

/** `fd` must not block: a regular file never does, a pipe or socket must be in non-blocking mode. */
export function createSink(fd: number, { onResume, writeSome = (bytes) => writeSync(fd, bytes) }: SinkOptions): Sink {
  let pending: Buffer[] = []
  let pendingBytes = 0
  let dropped = 0

  /** Writes all or, where the file takes no more, keeps the rest for later. */
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
