/** Writes log lines so that they never block the service, never fail it, and never fill its memory. */
import { writeSync } from 'node:fs'

export interface Sink {
  /** Lines dropped since the start. */
  readonly droppedTotal: number
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
/** A pipe takes this many bytes whole or not at all (PIPE_BUF), which keeps the lines of several processes apart. */
export const wholeBytesMax = 4096

/** `fd` must not block: a regular file never does; a pipe or socket must be in non-blocking mode. */
export function createSink(fd: number, { onResume, writeSome = (bytes) => writeSync(fd, bytes) }: SinkOptions): Sink {
  /** Whole lines; only the first may be the rest of one. */
  const pending: Buffer[] = []
  let pendingBytes = 0
  let dropped = 0
  let droppedTotal = 0

  function add(line: Buffer): void {
    const last = pending.at(-1)
    if (last && pending.length > 1 && last.length + line.length <= wholeBytesMax)
      pending[pending.length - 1] = Buffer.concat([last, line])
    else pending.push(line)
    pendingBytes += line.length
  }

  /** Writes everything that is buffered, or keeps the rest for a retry. */
  function writeOut(): void {
    try {
      for (let first = pending[0]; first; first = pending[0]) {
        const written = writeSome(first)
        pendingBytes -= written
        if (written < first.length) pending[0] = first.subarray(written)
        else pending.shift()
      }
    } catch {
      setTimeout(retry, retryMilliseconds).unref()
    }
  }

  function retry(): void {
    writeOut()
    if (pendingBytes > 0 || dropped === 0) return
    const count = dropped
    dropped = 0
    onResume(count)
  }

  process.on('exit', () => pendingBytes > 0 && retry())

  return {
    get droppedTotal() {
      return droppedTotal
    },
    write(line) {
      const bytes = Buffer.from(line)
      const isWaiting = pendingBytes > 0
      if (isWaiting && pendingBytes + bytes.length > pendingBytesMax) {
        dropped++
        droppedTotal++
        return
      }
      add(bytes)
      if (!isWaiting) writeOut()
    },
  }
}
