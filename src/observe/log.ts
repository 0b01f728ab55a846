/** The log, whose lines are written without blocking the service. */
import { writeSync } from 'node:fs'
import type { LogLevel } from '../config/setting-values.ts'
import { type Time, timeText } from '../time.ts'
import { jsonLine, levels, readable } from './log-format.ts'
import type { Collect } from './metrics.ts'

type Write = (...line: [message: string] | [members: object, message: string]) => void
export interface Log extends Readonly<Record<'debug' | 'info' | 'warn' | 'error', Write>> {
  isLevelEnabled(level: LogLevel): boolean
  /** Writes a complete line, with the others of this turn of the event loop. */
  defer(line: string): void
}

export function createLog(level: LogLevel, time: Time, { write, defer }: Pick<Sink, 'write' | 'defer'>): Log {
  const threshold = levels[level]
  const writeAt =
    (number: number): Write =>
    (members, message = members as string) => {
      if (number >= threshold) write(jsonLine(number, time.now(), typeof members === 'string' ? {} : members, message))
    }
  return {
    debug: writeAt(levels.debug),
    info: writeAt(levels.info),
    warn: writeAt(levels.warn),
    error: writeAt(levels.error),
    defer,
    isLevelEnabled: (asked) => levels[asked] >= threshold,
  }
}

interface RequestRecord {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly durationMs: number
  readonly requestId: string
  readonly keyId: number | undefined
  readonly traceId: string | undefined
}

/** A request that takes this long is logged whatever the sample. */
const slowMilliseconds = 500

/**
 * Logs every failure, every slow request, and the share `sample` (from 0 to 1) of the other requests. A line that was
 * drawn for this share contains the member `sample`, and represents 1 / sample requests.
 */
export function createRequestLog(
  log: Log,
  sample: number,
  time: Time,
  random: () => number = Math.random,
): (record: RequestRecord, isFailure: boolean) => void {
  return (record, isFailure) => {
    const { durationMs } = record
    const isSampled = sample < 1 && !isFailure && durationMs < slowMilliseconds
    if (isSampled && random() >= sample) return
    const line = {
      level: levels.info,
      time: timeText(time.now()),
      ...record,
      durationMs: Math.round(durationMs * 1000) / 1000,
      sample: isSampled ? sample : undefined,
    }
    // This does not use `jsonLine`, which takes 2 µs longer.
    log.defer(`${JSON.stringify(line)}\n`)
  }
}

interface Sink {
  readonly droppedTotal: number
  write(line: string): void
  /**
   * Writes a line with the others of this turn of the event loop: a write costs about 5 µs, more than making the line.
   */
  defer(line: string): void
}

interface SinkOptions {
  readonly time: Time
  /** Writes as much as possible without blocking and returns the number of bytes; throws if it can write none. */
  readonly writeSome?: (fd: number, bytes: Uint8Array) => number
  /** Called with the number of dropped lines once writing works again. */
  readonly onResume: (dropped: number) => void
}

/**
 * The maximum number of bytes that are buffered while the disk is full or the reader has stopped. Further lines are
 * dropped.
 */
const pendingBytesMax = 1024 * 1024
const retryMilliseconds = 250

/**
 * Writes lines to a file descriptor. It never blocks the service, never fails it, and never fills its memory. `fd` must
 * not block: a regular file never does; a pipe or socket is in non-blocking mode once `process.stdout` was used.
 */
export function createSink(fd: number, options: SinkOptions): Sink {
  const { time, onResume, writeSome = writeSync } = options
  /** Only the first line may lack its beginning, after a partial write. */
  let pending: Buffer[] = []
  let pendingBytes = 0
  let dropped = 0
  let droppedTotal = 0
  /** Whether the deferred lines are written at the end of this turn of the event loop. */
  let isScheduled = false
  /** Whether a write has failed. It is retried on a timer. */
  let isBlocked = false

  /** Writes everything that is buffered, or keeps the rest for a retry. */
  function writeOut(): void {
    isBlocked = false
    try {
      while (pendingBytes > 0) {
        const bytes = Buffer.concat(pending)
        const written = writeSome(fd, bytes)
        pendingBytes -= written
        pending = [bytes.subarray(written)]
      }
      pending = []
    } catch {
      isBlocked = true
      time.after(retryMilliseconds, retry)
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

  function defer(line: string): void {
    if (!isScheduled) time.nextTurn(endTurn)
    isScheduled = true
    const bytes = Buffer.from(line)
    const room = pendingBytesMax - bytes.length
    if (!isBlocked && pendingBytes > room) writeOut()
    if (isBlocked && pendingBytes > room) {
      dropped++
      droppedTotal++
      return
    }
    pending.push(bytes)
    pendingBytes += bytes.length
  }

  function endTurn(): void {
    isScheduled = false
    if (!isBlocked) writeOut()
  }

  return {
    get droppedTotal() {
      return droppedTotal
    },
    defer,
    write(line) {
      defer(line)
      if (!isBlocked) writeOut()
    },
  }
}

/** The log of the program, on standard output: JSON, or text for people if it is a terminal. */
export function openLog(level: LogLevel, time: Time): { log: Log; samples: Collect } {
  const sink = createSink(process.stdout.fd, {
    time,
    onResume: (dropped) => log.warn({ dropped }, 'log lines were dropped: standard output was blocked'),
  })
  const writeReadable = (line: string) => sink.write(readable(line))
  const log = createLog(level, time, process.stdout.isTTY ? { write: writeReadable, defer: writeReadable } : sink)
  return { log, samples: () => [['petstore_log_lines_dropped_total', sink.droppedTotal]] }
}
