/**
 * The files of the database, and what a power cut leaves of them. SQLite writes them itself. What it has synced stays,
 * and a commit in progress is there completely, partly or not at all.
 */
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { VirtualWorld } from './virtual-world.ts'

const memory = '/dev/shm'
// The format is described in https://www.sqlite.org/fileformat2.html#walformat
const headerBytes = 32
const frameHeaderBytes = 24
const pageBytes = 4096

/** The length of the log, and its generation: after a checkpoint, the log begins again. */
interface Extent {
  readonly end: number
  readonly salt: string
  /** When the database file itself was last written to. */
  readonly checkpoint: bigint
}

export class Disk {
  readonly #world: VirtualWorld
  readonly #folder: string
  /** Whether the disk is full. Commits of the service then fail. */
  isFull = false
  /** When a commit last failed for this reason, in ticks. */
  failedAt = -1
  #number = 0
  readonly #connections: DatabaseSync[] = []

  constructor(world: VirtualWorld) {
    this.#world = world
    this.#folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'petstore-simulation-'))
  }

  get path(): string {
    return join(this.#folder, `${this.#number}.db`)
  }

  readonly connect = (path = this.path): DatabaseSync => {
    const db = new DatabaseSync(path)
    this.#connections.push(db)
    return db
  }

  /**
   * Opens a connection of the service. While the disk is full, its writes fail where SQLite writes to the log, at
   * COMMIT.
   */
  readonly connectService = (path: string): DatabaseSync => {
    const db = this.connect(path)
    const prepare = db.prepare.bind(db)
    let isWriting = false
    db.prepare = (text) => {
      const statement = prepare(text)
      if (!/^(BEGIN|COMMIT)/.test(text)) return statement
      const run = statement.run.bind(statement)
      statement.run = () => {
        if (text !== 'COMMIT') isWriting = text === 'BEGIN IMMEDIATE'
        else if (isWriting && this.isFull) this.#fail(db)
        return run()
      }
      return statement
    }
    return db
  }

  /** Takes the write lock like another process, until the returned function is called. */
  lock(): () => void {
    const db = this.connect()
    db.exec('BEGIN IMMEDIATE')
    return () => {
      if (db.isOpen) db.close()
    }
  }

  /** Fails like SQLite, which may have rolled the transaction back by then. */
  #fail(db: DatabaseSync): never {
    this.failedAt = this.#world.ticks
    this.#world.note('the disk is full')
    if (this.#world.chance(0.5)) db.exec('ROLLBACK')
    throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })
  }

  /** Returns the extent of the log. If an earlier extent is given, reading continues from there. */
  extent(before?: Extent): Extent {
    const log = `${this.path}-wal`
    const checkpoint = statSync(this.path, { bigint: true }).mtimeNs
    if (!existsSync(log)) return { end: 0, salt: '', checkpoint }
    const file = openSync(log, 'r')
    const header = Buffer.alloc(headerBytes)
    let end = 0
    try {
      if (readSync(file, header, 0, headerBytes, 0) === headerBytes) end = headerBytes
      if (before?.salt === header.toString('hex', 16, 24)) end = before.end
      const frame = Buffer.alloc(frameHeaderBytes)
      // A frame of an earlier generation has another salt.
      while (end > 0 && readSync(file, frame, 0, frameHeaderBytes, end) === frameHeaderBytes) {
        if (!frame.subarray(8, 16).equals(header.subarray(16, 24))) break
        end += frameHeaderBytes + pageBytes
      }
    } finally {
      closeSync(file)
    }
    return { end, salt: header.toString('hex', 16, 24), checkpoint }
  }

  /**
   * Cuts the power, and leaves the files as they are found afterwards. Everything since `before` was being written.
   * Without `before`, nothing was.
   */
  cutPower(before: Extent | undefined): void {
    const { end, salt, checkpoint } = this.extent()
    const [bytes, log] = [
      readFileSync(this.path),
      end > 0 ? readFileSync(`${this.path}-wal`).subarray(0, end) : undefined,
    ]
    const begin = before && before.checkpoint === checkpoint ? (before.salt === salt ? before.end : headerBytes) : end
    // A level below FULL leaves commits in the log unsynced until the next checkpoint.
    const synced = this.#isSynced() ? begin : Math.min(headerBytes, end)
    this.#number++
    writeFileSync(this.path, bytes)
    if (log) writeFileSync(`${this.path}-wal`, this.#left(log, synced))
  }

  /** Returns the log after a power cut, if only its beginning was synced. */
  #left(log: Buffer, synced: number): Buffer {
    const way = synced < log.length ? this.#world.pick(['kept', 'dropped', 'torn', 'blank']) : 'kept'
    const place = Math.floor(this.#world.between(synced, log.length))
    this.#world.note(`power cut, what was not synced is ${way}`)
    if (way === 'kept') return log
    if (way === 'dropped') return log.subarray(0, synced)
    const torn = log.subarray(0, place)
    return way === 'torn' ? torn : Buffer.concat([torn], log.length)
  }

  #isSynced(): boolean {
    return this.#connections.every(
      (db) => !db.isOpen || (db.prepare('PRAGMA synchronous').get() as { synchronous: number }).synchronous >= 2,
    )
  }

  /** Gives up what a dead process had open. It is closed when nothing of that process runs any more. */
  abandon(): () => void {
    const connections = this.#connections.splice(0)
    return () => {
      for (const db of connections) if (db.isOpen) db.close()
    }
  }

  [Symbol.dispose](): void {
    this.abandon()()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
