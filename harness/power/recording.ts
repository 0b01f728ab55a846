/** Records, with strace, everything that a writer does to its files, and what it acknowledges in between. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { IdempotencyClaim } from '../../src/store/store.ts'
import { type Folder, node, Program } from '../process.ts'

/** A row as it was when a write to it was acknowledged, or null if it was removed. */
export interface Acknowledgement {
  readonly row: string
  readonly json: string | null
  readonly claim?: IdempotencyClaim
}

/** The number of the folder itself. Files are numbered in the order of their creation. */
export const directory = 0

/** One system call. Several files may have the same name one after another, so files have numbers. */
export type Event =
  | { readonly kind: 'create'; readonly file: typeof directory; readonly name: string; readonly created: number }
  | { readonly kind: 'unlink'; readonly file: typeof directory; readonly name: string }
  | { readonly kind: 'write'; readonly file: number; readonly offset: number; readonly data: Buffer }
  | { readonly kind: 'truncate'; readonly file: number; readonly size: number }
  | { readonly kind: 'sync'; readonly file: number }
  | { readonly kind: 'acknowledge'; readonly file: -1; readonly acknowledgement: Acknowledgement }

const writer = fileURLToPath(new URL('writer.ts', import.meta.url))
/** Every system call that could change a file. A call that `eventOf` does not know fails the recording. */
const calls = [
  'openat',
  'open',
  'creat',
  'unlink',
  'unlinkat',
  'fsync',
  'fdatasync',
  'ftruncate',
  'truncate',
  'fallocate',
  'write',
  'writev',
  'pwrite64',
  'pwritev',
  'pwritev2',
  'rename',
  'renameat',
  'renameat2',
  'link',
  'linkat',
  'sync_file_range',
  'copy_file_range',
  'sendfile',
  'sync',
  'syncfs',
].join()

/** Runs the writer in the folder, and returns what it did. */
export async function record(folder: Folder, rounds: number): Promise<Event[]> {
  const trace = join(folder.path, 'trace')
  // SQLite and the acknowledgements run on the main thread, so strace does not follow other threads. If that changed,
  // the files built from the recording would differ from those that the writer left.
  const options = ['-y', '-xx', '-s', '1000000', '-e', `trace=${calls}`, '-o', trace]
  const command = ['strace', ...options, node, writer, folder.url, String(rounds)]
  const { signal, stderr } = await new Program(command).ended
  assert.equal(signal, 'SIGKILL', `the writer failed: ${stderr}`)
  return new Reader(folder.database).read(readFileSync(trace, 'latin1').split('\n'))
}

const line = /^(\w+)\((?:AT_FDCWD<[^>]*>|(\d+)<([^>]*)>)?(?:, )?(?:"([^"]*)")?(.*)\) += (-?\d+)/

const bytesOf = (escaped = ''): Buffer => Buffer.from(escaped.replaceAll('\\x', ''), 'hex')

class Reader {
  readonly #folder: string
  readonly #prefix: string
  /** The file that each name currently stands for. */
  readonly #files = new Map<string, number>()
  #created = directory

  constructor(database: string) {
    this.#folder = dirname(database)
    this.#prefix = basename(database)
  }

  read(lines: readonly string[]): Event[] {
    return lines.flatMap((text) => {
      const match = line.exec(text)
      return (match && Number(match[6]) >= 0 && this.#eventOf(match)) || []
    })
  }

  #eventOf([, call, descriptor, opened, quoted, rest = '', result]: RegExpExecArray): Event | undefined {
    if (call === 'write' && descriptor === '1')
      return { kind: 'acknowledge', file: -1, acknowledgement: JSON.parse(bytesOf(quoted).toString()) }
    const path = opened === undefined ? bytesOf(quoted).toString() : bytesOf(opened).toString()
    if (path === this.#folder) return call === 'fsync' ? { kind: 'sync', file: directory } : undefined
    // The index of the log is shared memory. The first process that opens the file after a power cut makes it again.
    if (dirname(path) !== this.#folder || !path.includes(this.#prefix) || path.endsWith('-shm')) return undefined
    const name = basename(path)
    const file = this.#files.get(name)
    const numbers = [...rest.matchAll(/\d+/g)].map(Number)

    if (call === 'openat') return this.#open(name, rest)
    if (call === 'unlink' || call === 'unlinkat') {
      this.#files.delete(name)
      return { kind: 'unlink', file: directory, name }
    }
    assert.ok(file !== undefined, `${call} to ${name}, which is not there`)
    if (call === 'fsync' || call === 'fdatasync') return { kind: 'sync', file }
    if (call === 'ftruncate') return { kind: 'truncate', file, size: Number(numbers[0]) }
    assert.equal(call, 'pwrite64', 'a call that nobody thought of')
    const data = bytesOf(quoted)
    assert.equal(data.length, Number(result), 'the recording has every byte')
    return { kind: 'write', file, offset: Number(numbers[1]), data }
  }

  #open(name: string, flags: string): Event | undefined {
    assert.ok(!flags.includes('O_TRUNC'))
    if (this.#files.has(name) || !flags.includes('O_CREAT')) return undefined
    this.#files.set(name, ++this.#created)
    return { kind: 'create', file: directory, name, created: this.#created }
  }
}
