/** Writes log lines so that they never block the service, never fail it, and never fill its memory. */
import { writeSync } from 'node:fs'

export interface Sink {
  /** Lines dropped since the start. */
  readonly droppedTotal: number
  /** Writes a line at once. */
  write(line: string): void
  /** Writes it with the others of this turn of the event loop: each write costs about 5 µs, more than the line itself. */
  defer(line: string): void
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
  /** Whole lines, as many together as a pipe takes whole; only the first may be the rest of some. */
  const pending: Buffer[] = []
  /** The last lines, to which more are added. */
  let last = ''
  let lastBytes = 0
  let pendingBytes = 0
  let dropped = 0
  let droppedTotal = 0
  /** A write at the end of the turn is due. */
  let isScheduled = false
  /** A write has failed, and is tried again on a timer. */
  let isBlocked = false

  function seal(): void {
    if (last !== '') pending.push(Buffer.from(last))
    last = ''
    lastBytes = 0
  }

  /** Writes everything that is buffered, or keeps the rest for a retry. */
  function writeOut(): void {
    isBlocked = false
    seal()
    try {
      for (let first = pending[0]; first; first = pending[0]) {
        const written = writeSome(first)
        pendingBytes -= written
        if (written < first.length) pending[0] = first.subarray(written)
        else pending.shift()
      }
    } catch {
      isBlocked = true
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

  /** Buffers a line, or drops it. */
  function add(line: string): void {
    const bytes = Buffer.byteLength(line)
    if (!isBlocked && pendingBytes + bytes > pendingBytesMax) writeOut()
    if (isBlocked && pendingBytes + bytes > pendingBytesMax) {
      dropped++
      droppedTotal++
      return
    }
    if (lastBytes + bytes > wholeBytesMax) seal()
    last += line
    lastBytes += bytes
    pendingBytes += bytes
  }

  function endTurn(): void {
    isScheduled = false
    if (!isBlocked) writeOut()
  }

  return {
    get droppedTotal() {
      return droppedTotal
    },
    write(line) {
      add(line)
      if (!isBlocked) writeOut()
    },
    defer(line) {
      add(line)
      if (!isScheduled) setImmediate(endTurn)
      isScheduled = true
    },
  }
}
