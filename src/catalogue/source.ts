/** A file to import: its content is read twice, first for its hash and then for its rows. */
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandFailed } from '../failure.ts'
import type { Format } from './records.ts'

const blockBytes = 64 * 1024

export interface Source {
  readonly name: string
  readonly bytes: number
  /**
   * The SHA-256 of the content: a file of another name with the same content is the same file. Read in a format that it does
   * not seem to have, it has other rows, and how many of them are done says nothing; then it has the format as well.
   */
  readonly hash: string
  /** The content as text, each piece with the number of bytes read so far. */
  texts(): AsyncGenerator<{ readonly text: string; readonly bytes: number }>
  [Symbol.asyncDispose](): Promise<void>
}

/** Opens a file; standard input (`-`), or a pipe, is first written to a temporary file, which has no name any more. */
export async function openSource(path: string, stdin: AsyncIterable<Uint8Array>, format: Format): Promise<Source> {
  const name = path === '-' ? 'Standard input' : path
  let file: FileHandle | undefined
  try {
    if (path !== '-') file = await open(path)
    if (!file || !(await file.stat()).isFile()) file = await spool(file ? file.createReadStream() : stdin)
    return await sourceOf(name, file, format)
  } catch (error) {
    await file?.close().catch(() => {})
    if (error instanceof CommandFailed) throw error
    // Of "ENOENT: no such file or directory, open 'PATH'", what PATH does not say yet.
    throw new CommandFailed(`Cannot read ${name}: ${(error as Error).message.replace(/^E[A-Z]+: ([^,]+).*$/s, '$1')}.`)
  }
}

async function spool(input: AsyncIterable<Uint8Array>): Promise<FileHandle> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-import-'))
  const file = await open(join(folder, 'input'), 'wx+', 0o600)
  try {
    rmSync(folder, { recursive: true })
    for await (const block of input) await file.writeFile(block)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** By how the first block begins, after a byte order mark and white space. */
function likelyFormat(block: Buffer): Format {
  const [first] = block.toString('utf8').trimStart()
  return first === '[' ? 'json' : first === '{' ? 'ndjson' : 'csv'
}

async function sourceOf(name: string, file: FileHandle, format: Format): Promise<Source> {
  const hash = createHash('sha256')
  let bytes = 0
  let likely: Format = 'csv'
  for await (const block of blocks(file, Number.POSITIVE_INFINITY)) {
    if (bytes === 0) likely = likelyFormat(block)
    if (bytes === 0 && /^(\xff\xfe|\xfe\xff)/.test(block.toString('latin1', 0, 2)))
      throw new CommandFailed(`${name} is UTF-16. Save it as UTF-8.`)
    hash.update(block)
    bytes += block.length
  }
  if (bytes === 0) throw new CommandFailed(`${name} is empty.`)
  const content = hash.digest('hex')
  const changed = () =>
    new CommandFailed(`${name} was changed while it was read. Some of its animals may have been added.`)
  return {
    name,
    bytes,
    hash: format === likely ? content : `${content} ${format}`,
    async *texts() {
      const again = createHash('sha256')
      let rest: Buffer = Buffer.alloc(0)
      let read = 0
      for await (const block of blocks(file, bytes)) {
        const isFirst = read === 0
        read += block.length
        again.update(block)
        // Before its last rows are passed on, so that the import does not count as finished.
        if (read === bytes && again.digest('hex') !== content) throw changed()
        const all = rest.length > 0 ? Buffer.concat([rest, block]) : block
        // Between two characters: behind the last byte that is one by itself.
        let end = all.length
        while (read < bytes && end > 0 && (all[end - 1] as number) >= 0x80) end--
        if (end === 0) end = all.length
        const text = textOf(all.subarray(0, end))
        rest = Buffer.from(all.subarray(end))
        yield { text: isFirst ? text.replace(/^\ufeff/, '') : text, bytes: read }
      }
      if (read < bytes) throw changed()
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}
async function* blocks(file: FileHandle, bytesMax: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(blockBytes)
  for (let position = 0; position < bytesMax; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(blockBytes, bytesMax - position), position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** A line that is not UTF-8 has, in place of each byte that is not ASCII, half a surrogate pair, which no text has. */
function textOf(block: Buffer): string {
  if (isUtf8(block)) return block.toString()
  const lines = block.toString('latin1').split('\n')
  return lines
    .map((line) => {
      const bytes = Buffer.from(line, 'latin1')
      if (isUtf8(bytes)) return bytes.toString()
      return line.replace(/[\x80-\xff]/g, (byte) => String.fromCharCode(0xdc00 + byte.charCodeAt(0)))
    })
    .join('\n')
}

const foreign = /[\udc80-\udcff]/u
export const isForeign = (text: string): boolean => foreign.test(text)

/** The bytes from which `texts` made the text. */
export function bytesOf(text: string): Buffer {
  if (!isForeign(text)) return Buffer.from(text)
  return Buffer.concat(Array.from(text, (c) => (isForeign(c) ? Buffer.of(c.charCodeAt(0) - 0xdc00) : Buffer.from(c))))
}
