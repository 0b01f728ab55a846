/** A file to import. It is read once to check its encoding and for its hash, by which an import is continued, and then for its rows. */
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandFailed, fileFault } from '../errors.ts'

const blockBytes = 64 * 1024
/** Some 30 million rows. An endless pipe would fill the disk. */
const pipeBytesMax = 2 ** 30

export interface Source {
  readonly name: string
  readonly bytes: number
  /** The beginning of its text. */
  readonly start: Buffer
  /** The SHA-256 of the content: a file of another name with the same content is the same file. */
  readonly hash: string
  /**
   * The content, UTF-8 without a byte order mark, each block with the number of bytes read so far. A block is overwritten by the
   * next one.
   */
  blocks(): AsyncGenerator<{ readonly block: Buffer; readonly bytes: number }>
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

const asCsv = 'Save it as "CSV UTF-8", and import that.'
/** Files that people import by mistake, by their first bytes. */
const otherKinds: readonly (readonly [starts: readonly string[], text: string])[] = [
  [['PK\x03\x04'], `is a workbook, as Excel and LibreOffice save it, or another zip file. ${asCsv}`],
  [['\xd0\xcf\x11\xe0'], `is a workbook of an old Excel. ${asCsv}`],
  [['SQLite format 3'], 'is a database. To copy one, use "petstore copy" or "petstore restore".'],
  [['\x1f\x8b'], 'is compressed. Unpack it: gunzip -c FILE | petstore import -'],
  [['\xff\xfe', '\xfe\xff'], 'is UTF-16. Save it as UTF-8.'],
  [['\0'], 'is not text in UTF-8.'],
]

function refuseOtherKinds(name: string, block: Buffer): void {
  const start = block.toString('latin1', 0, 16)
  const [, kind] = otherKinds.find(([starts]) => starts.some((each) => start.startsWith(each))) ?? []
  if (kind) throw new CommandFailed(`${name} ${kind}`)
}

async function sourceOf(name: string, file: FileHandle): Promise<Source> {
  const hash = createHash('sha256')
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let bytes = 0
  let line = 1
  let start = Buffer.alloc(0)
  /** Without a block, checks that the last character is complete. */
  const checkEncoding = (block?: Buffer) => {
    try {
      decoder.decode(block, { stream: block !== undefined })
    } catch {
      throw new CommandFailed(
        `${name} is not UTF-8 (line ${line + (block ? firstInvalidLine(block) : 0)}). Save it as "CSV UTF-8"; or, if Excel has saved it: iconv -f windows-1252 -t utf-8 FILE | petstore import -`,
      )
    }
  }
  for await (const block of read(file, Number.POSITIVE_INFINITY)) {
    if (bytes === 0) {
      refuseOtherKinds(name, block)
      start = Buffer.from(withoutByteOrderMark(block))
    }
    checkEncoding(block)
    for (let at = block.indexOf('\n'); at >= 0; at = block.indexOf('\n', at + 1)) line++
    hash.update(block)
    bytes += block.length
  }
  checkEncoding()
  if (start.length === 0) throw new CommandFailed(`${name} is empty.`)
  const digest = hash.digest('hex')
  const changed = () =>
    new CommandFailed(`${name} was changed while it was read. Some of its animals may have been added.`)
  return {
    name,
    bytes,
    start,
    hash: digest,
    async *blocks() {
      const again = createHash('sha256')
      let done = 0
      for await (const block of read(file, bytes)) {
        const text = done === 0 ? withoutByteOrderMark(block) : block
        done += block.length
        again.update(block)
        // Checked before the last rows are returned, so that the import does not count as finished.
        if (done === bytes && again.digest('hex') !== digest) throw changed()
        yield { block: text, bytes: done }
      }
      if (done < bytes) throw changed()
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}

async function* read(file: FileHandle, bytesMax: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(blockBytes)
  for (let position = 0; position < bytesMax; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(blockBytes, bytesMax - position), position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

const withoutByteOrderMark = (block: Buffer): Buffer =>
  block.toString('latin1', 0, 3) === '\xef\xbb\xbf' ? block.subarray(3) : block

/** The first line of a block, counted from 0, that is not UTF-8. The block may begin inside a character. */
function firstInvalidLine(block: Buffer): number {
  const lines = block
    .toString('latin1')
    .replace(/^[\x80-\xbf]{1,3}/, '')
    .split('\n')
  return Math.max(
    0,
    lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1'))),
  )
}
