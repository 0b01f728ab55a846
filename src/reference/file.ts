/** A static file: compressed as the client accepts it, revalidated by its ETag. */
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import type { Incoming, Reply } from '../http/message.ts'
import { etagOf } from '../http/respond.ts'

/**
 * The smallest first: 17, 17 and 22 KB for the document, in about 4 ms each, once. Not in another thread: a name server
 * that does not answer may hold all of those. The highest level of brotli saves a tenth, and takes 20 times as long.
 */
const codings = {
  br: (plain: Uint8Array) => brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  zstd: (plain: Uint8Array) => zstdCompressSync(plain, { params: { [constants.ZSTD_c_compressionLevel]: 9 } }),
  gzip: (plain: Uint8Array) => gzipSync(plain, { level: 9 }),
} as const
type Coding = keyof typeof codings

const accepted = (Object.keys(codings) as Coding[]).map((coding) => ({
  coding,
  pattern: new RegExp(`(?:^|[\\s,])${coding}(?![\\w-])(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`, 'i'),
}))

export interface File {
  readonly plain: Uint8Array
  /** A hash of the content; part of its ETag and of the URL in the page. */
  readonly version: string
  /** Compressed when it is first asked for. */
  readonly compressed: Map<Coding, Uint8Array>
}

export const fileFrom = (plain: Uint8Array): File => ({
  plain,
  version: etagOf(plain).slice(1, -1),
  compressed: new Map(),
})

function compressed({ plain, compressed }: File, coding: Coding): Uint8Array {
  const known = compressed.get(coding) ?? codings[coding](plain)
  compressed.set(coding, known)
  return known
}

export function fileReply(
  file: File,
  { type, headers = [] }: { type: string; headers?: readonly string[] },
  incoming: Incoming,
): Reply {
  const wanted = incoming.header('accept-encoding') ?? ''
  const coding = accepted.find(({ pattern }) => pattern.test(wanted))?.coding
  // Immutable only if the URL has this version: during an upgrade another instance may serve a newer file.
  const hasVersion = incoming.target.endsWith(`?v=${file.version}`)
  return {
    status: 200,
    body: coding ? compressed(file, coding) : file.plain,
    type,
    headers: [...headers, 'Vary', 'Accept-Encoding', ...(coding ? ['Content-Encoding', coding] : [])],
    cache: {
      etag: `"${file.version}${coding ? `-${coding}` : ''}"`,
      control: hasVersion ? 'public, max-age=31536000, immutable' : 'public, no-cache',
    },
  }
}
