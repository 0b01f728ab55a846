/**
 * A file to import. It is read twice: first for its encoding and its hash, which identifies an interrupted import, and
 * then for its rows.
 */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandFailed, fileFault } from '../errors.ts'

/** Some 5,000 rows. */
const blockBytes = 128 * 1024
/** Some 30 million rows. An endless pipe would fill the disk. */
const pipeBytesMax = 2 ** 30

export interface Source {
  readonly name: string
  readonly bytes: number
  readonly start: string
  /** The SHA-256 of the content: a file of another name with the same content is the same file. */
  readonly hash: string
  /** The content without a byte order mark, in blocks, each with the number of bytes read so far. */
  blocks(size?: number): AsyncGenerator<{ readonly text: string; readonly bytes: number }>
  [Symbol.asyncDispose](): Promise<void>
}

/** Opens a file. Standard input (`-`) or a pipe, which cannot be read twice, is first written to a temporary file. */
export async function openSource(
  path: string,
  stdin: AsyncIterable<Uint8Array>,
  bytesMax = pipeBytesMax,
): Promise<Source> {
  const name = path === '-' ? 'Standard input' : path
  let file: FileHandle | undefined
  try {
    if (path !== '-') file = await open(path)
    const stats = await file?.stat()
    if (stats?.isDirectory()) throw new CommandFailed(`${name} is a folder. Name a file in it.`)
    if (stats?.isCharacterDevice() || stats?.isBlockDevice())
      throw new CommandFailed(`${name} is a device. Name a file, a pipe, or - for standard input.`)
    if (!file || !stats?.isFile()) file = await spool(name, file ? file.createReadStream() : stdin, bytesMax)
    return await sourceOf(name, file)
  } catch (error) {
    await file?.close().catch(() => {})
    if (error instanceof CommandFailed) throw error
    throw new CommandFailed(`Cannot read ${name}: ${fileFault(error)}.`)
  }
}

async function spool(name: string, input: AsyncIterable<Uint8Array>, bytesMax: number): Promise<FileHandle> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-import-'))
  const file = await open(join(folder, 'input'), 'wx+', 0o600)
  const instead = 'Write it to a file, and import that.'
  try {
    // The open file remains readable, and is gone when the process ends, however it does.
    rmSync(folder, { recursive: true })
    let bytes = 0
    for await (const block of input) {
      bytes += block.length
      if (bytes > bytesMax)
        throw new CommandFailed(
          `${name} has more than ${bytesMax / 2 ** 20} MiB, which is too much for a pipe. ${instead}`,
        )
      await file.writeFile(block).catch((error) => {
        throw new CommandFailed(`Cannot keep ${name} in ${tmpdir()}: ${fileFault(error)}. ${instead}`)
      })
    }
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

async function sourceOf(name: string, file: FileHandle): Promise<Source> {
  const hash = createHash('sha256')
  const decoder = createDecoder()
  let bytes = 0
  let start = ''
  try {
    for await (const block of read(file, Number.POSITIVE_INFINITY)) {
      const text = decoder.decode(block, { stream: true })
      if (bytes === 0) start = text
      hash.update(block)
      bytes += block.length
    }
    decoder.decode()
    // Workbooks, databases and the like.
    if (start.slice(0, 16).includes('\0')) throw new TypeError('binary')
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new CommandFailed(
      `${name} is not text in UTF-8. Save a workbook as "CSV UTF-8"; unpack what is compressed; ` +
        'if Excel has saved it as CSV: iconv -f windows-1252 -t utf-8 FILE | petstore import -',
    )
  }
  if (start.length === 0) throw new CommandFailed(`${name} is empty.`)
  const digest = hash.digest('hex')
  const changed = () =>
    new CommandFailed(`${name} was changed while it was read. Some of its animals may have been added.`)
  return {
    name,
    bytes,
    start,
    hash: digest,
    async *blocks(size) {
      const again = createHash('sha256')
      const decoder = createDecoder()
      let done = 0
      for await (const block of read(file, bytes, size)) {
        done += block.length
        again.update(block)
        // Checked before the last rows are returned, so that the import does not count as finished.
        if (done === bytes && again.digest('hex') !== digest) throw changed()
        yield { text: decoder.decode(block, { stream: true }), bytes: done }
      }
      if (done < bytes) throw changed()
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}

/** Omits a byte order mark. */
const createDecoder = () => new TextDecoder('utf-8', { fatal: true })

async function* read(file: FileHandle, bytesMax: number, size = blockBytes): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(size)
  for (let position = 0; position < bytesMax; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(size, bytesMax - position), position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
