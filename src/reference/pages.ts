/** Serves web pages and their files: read once, compressed as the client accepts, revalidated by ETag. */
import { hash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { readProjectFile } from '../config/program.ts'
import { etagOf } from '../http/etag.ts'
import type { Incoming, Reply } from '../http/message.ts'
import type { SiteReply } from '../http/site-route.ts'

export const types = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  md: 'text/markdown; charset=utf-8',
  json: 'application/json; charset=utf-8',
} as const

const fileHeaders = ['Cross-Origin-Resource-Policy', 'same-origin']

/** No inline code, no eval, no other host, no framing. `styles` is where styles may come from: a file, or a hash. */
const pageHeaders = (styles = "'self'"): string[] => [
  ...fileHeaders,
  'Content-Security-Policy',
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; '),
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Opener-Policy',
  'same-origin',
]

/** A style sheet that is part of its page, with the headers of that page. The policy in them allows it by its hash. */
export interface Style {
  readonly text: string
  readonly headers: readonly string[]
}

/** A style sheet of pages/: a browser needs no second request before it can draw. */
export function inlineStyle(name: string): Style {
  const text = readProjectFile(`pages/${name}`).toString()
  return { text, headers: pageHeaders(`'sha256-${hash('sha256', text, 'base64')}'`) }
}

/** Files that `npm run build:pages` has made in pages/, as a page links to them. */
export interface Files {
  readonly routes: readonly [string, SiteReply][]
  /** The URL with the version of the file, which browsers cache permanently. */
  readonly href: (name: string) => string
}

/** `folder` is the path at which they are served, and `pathPrefix` is the prefix of PUBLIC_URL. */
export function createFiles(folder: string, pathPrefix: string, names: readonly string[]): Files {
  const files = new Map<string, File>()

  /**
   * It is read on the first request, because most instances never serve the page. It is read in this thread, because
   * all threads of the pool may be waiting for a name server that does not answer.
   */
  function fileOf(name: string): File {
    const file = files.get(name) ?? fileFrom(readProjectFile(`pages/${name}`))
    files.set(name, file)
    return file
  }

  return {
    routes: names.map((name) => {
      const type = types[name.slice(name.lastIndexOf('.') + 1) as keyof typeof types]
      return [`${folder}/${name}`, (incoming) => fileReply(fileOf(name), { type, headers: fileHeaders }, incoming)]
    }),
    href: (name) => `${pathPrefix}${folder}/${name}?v=${fileOf(name).version}`,
  }
}

/**
 * A page of pages/ with its script, style sheet and icon, which it links to below its own name. The result is by path.
 */
export function createPage(name: string, pathPrefix: string): [string, SiteReply][] {
  const path = `/${name}`
  const files = createFiles(path, pathPrefix, [`${name}.css`, `${name}.js`, 'favicon.svg'])
  const linked = () =>
    readProjectFile(`pages/${name}.html`)
      .toString()
      .replaceAll(
        new RegExp(`"${name}/([\\w.]+)"`, 'g'),
        (_, file) => `"${files.href(file).slice(pathPrefix.length + 1)}"`,
      )
  return [
    [path, createFile(() => Buffer.from(linked()), types.html, pageHeaders())],
    [`${path}/`, redirectTo(pathPrefix + path)],
    ...files.routes,
  ]
}

export const redirectTo = (path: string): SiteReply => {
  const body = `See ${path}\n`
  return () => ({ status: 302, body, type: 'text/plain; charset=utf-8', headers: ['Location', path] })
}

/**
 * The encodings, the smallest result first: 16, 17 and 22 KB for the OpenAPI document. Each takes 5 to 17 ms once, in
 * this thread as well. A higher level of brotli takes at least five times as long.
 */
const codings = {
  br: (plain: Uint8Array) => brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
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
  /** Compressed forms, each made when it is first requested. */
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

/** Serves a file that is made on the first request, because most instances never serve it. */
export function createFile(make: () => Uint8Array, type: string, headers: readonly string[] = []): SiteReply {
  let file: File | undefined
  return (incoming) => {
    file ??= fileFrom(make())
    return fileReply(file, { type, headers }, incoming)
  }
}

export function fileReply(
  file: File,
  { type, headers = [] }: { type: string; headers?: readonly string[] },
  incoming: Incoming,
): Reply {
  const wanted = incoming.header('accept-encoding') ?? ''
  const coding = type === 'application/gzip' ? undefined : accepted.find(({ pattern }) => pattern.test(wanted))?.coding
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
