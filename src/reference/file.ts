/** A static file: compressed for clients that accept gzip, revalidated by its ETag. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { etagOf } from '../http/etag.ts'
import type { Incoming, Reply } from '../http/message.ts'

export interface File {
  readonly plain: Uint8Array
  readonly gzipped: Uint8Array
  /** A hash of the content; part of its ETag and of the URL in the page. */
  readonly version: string
}

export async function fileFrom(plain: Uint8Array): Promise<File> {
  return { plain, gzipped: await promisify(gzip)(plain), version: etagOf(plain).slice(1, -1) }
}

export function fileReply(
  { plain, gzipped, version }: File,
  { type, headers = [] }: { type: string; headers?: readonly string[] },
  incoming: Incoming,
): Reply {
  const isGzipped = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(incoming.header('accept-encoding') ?? '')
  // Immutable only if the URL has this version: during an upgrade another instance may serve a newer file.
  const hasVersion = incoming.target.endsWith(`?v=${version}`)
  return {
    status: 200,
    body: isGzipped ? gzipped : plain,
    type,
    headers: [...headers, 'Vary', 'Accept-Encoding', ...(isGzipped ? ['Content-Encoding', 'gzip'] : [])],
    cache: {
      etag: `"${version}${isGzipped ? '-gzip' : ''}"`,
      control: hasVersion ? 'public, max-age=31536000, immutable' : 'public, no-cache',
    },
  }
}
