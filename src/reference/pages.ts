/** A page and its files, all served by this service and no other host: read once, compressed as the client accepts, revalidated by ETag. */
import { readFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { embeddedFile } from '../config/program.ts'
import type { SiteReply } from '../http/handler.ts'
import type { Incoming, Reply } from '../http/message.ts'
import { etagOf } from '../http/respond.ts'
import { bundle, compactStyle, type Read, withoutComments } from './modules.ts'

const types = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  md: 'text/markdown; charset=utf-8',
} as const

/** No inline code, no eval, no other host, no framing. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')
const fileHeaders = ['Cross-Origin-Resource-Policy', 'same-origin']
const pageHeaders = [
  ...fileHeaders,
  'Content-Security-Policy',
  contentSecurityPolicy,
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Opener-Policy',
  'same-origin',
]

/** Read in this thread, for the same reason as with compressing. */
export const readNow: Read = async (file) => readFileSync(file)

/** A file of a page by its name; a script is TypeScript where the program runs from its source. */
export const pageFile = (folder: URL, name: string): URL =>
  embeddedFile(name) ?? new URL(import.meta.url.endsWith('.ts') ? name.replace(/\.js$/, '.ts') : name, folder)

/** What it has when it is served: TypeScript is compiled, with all that it imports. */
export const compiled = async (file: URL, read: Read = readNow): Promise<Uint8Array> =>
  file.href.endsWith('.ts') ? Buffer.from(await bundle(file, read)) : read(file)

export interface Site {
  /** The path of the page; its files are below it. */
  readonly path: `/${string}`
  readonly page: URL
  readonly files: Readonly<Record<string, URL>>
}

/** The name under which a page gets each module of another package, by the specifier that imports it. */
const specifiers: Readonly<Record<string, string>> = {
  preact: 'preact.js',
  'preact/hooks': 'hooks.js',
  '@preact/signals': 'signals.js',
  '@preact/signals-core': 'signals-core.js',
  htm: 'htm.js',
}

/** The files of those modules, for every page that is made with them. */
export const libraries: Readonly<Record<string, URL>> = Object.fromEntries(
  Object.entries(specifiers).map(([specifier, name]) => [
    name,
    embeddedFile(name) ?? new URL(import.meta.resolve(specifier)),
  ]),
)

/** The page and its files, by path; `pathPrefix` is that of PUBLIC_URL, `read` reads a file. */
export function createSite(
  { path, page, files }: Site,
  pathPrefix: string,
  read: Read = readNow,
): [string, SiteReply][] {
  const made = new Map<string, Promise<File>>()

  /** Read on the first request, since most instances never serve the page. */
  function fileOf(name: string): Promise<File> {
    const known = made.get(name)
    if (known) return known
    const file = make(name)
    made.set(name, file)
    // After a failed read, the next request tries again.
    file.catch(() => made.delete(name))
    return file
  }

  async function make(name: string): Promise<File> {
    if (name === 'index.html') return fileFrom(Buffer.from(await linkPage(Buffer.from(await read(page)).toString())))
    const bytes = await compiled(files[name] as URL, read)
    if (name.endsWith('.css')) return fileFrom(Buffer.from(compactStyle(Buffer.from(bytes).toString())))
    return fileFrom(name.endsWith('.js') ? Buffer.from(await linkModule(bytes)) : bytes)
  }

  const versioned = async (name: string): Promise<string> => `${name}?v=${(await fileOf(name)).version}`

  async function linkPage(html: string): Promise<string> {
    const folder = path.slice(1)
    const preloads = Object.keys(files)
      .filter((name) => name.endsWith('.js'))
      .map((name) => `<link rel="modulepreload" href="${folder}/${name}">`)
    // Without preloading, a browser asks for an imported module only after the module that imports it has arrived.
    html = html.replace('</head>', `${preloads.join('')}</head>`)
    for (const name of Object.keys(files))
      if (html.includes(`"${folder}/${name}"`))
        html = html.replaceAll(`"${folder}/${name}"`, `"${folder}/${await versioned(name)}"`)
    return html
  }

  /** Replaces bare specifiers by paths: browsers need an import map for them, which is inline code and forbidden here. */
  async function linkModule(bytes: Uint8Array): Promise<string> {
    let text = withoutComments(
      Buffer.from(bytes)
        .toString()
        .replace(/\n\/\/# sourceMappingURL=.*/, ''),
    )
    for (const [whole, keyword, specifier = ''] of text.matchAll(/\b(from|import) ?["']([^"']+)["']/g)) {
      const name = specifiers[specifier] as string
      text = text.replaceAll(whole, `${keyword} './${await versioned(name)}'`)
    }
    return text
  }

  const pageOf =
    (name: string): SiteReply =>
    async (incoming) =>
      fileReply(
        await fileOf(name),
        {
          type: types[name.slice(name.lastIndexOf('.') + 1) as keyof typeof types],
          headers: name === 'index.html' ? pageHeaders : fileHeaders,
        },
        incoming,
      )

  return [
    [path, pageOf('index.html')],
    [`${path}/`, redirectTo(pathPrefix + path)],
    ...Object.keys(files).map((name): [string, SiteReply] => [`${path}/${name}`, pageOf(name)]),
  ]
}

export const redirectTo = (path: string): SiteReply => {
  const body = `See ${path}\n`
  return () => ({ status: 302, body, type: 'text/plain; charset=utf-8', headers: ['Location', path] })
}

/**
 * The smallest first: 16, 17 and 22 KB for the OpenAPI document, in 5 to 17 ms each, once. Compressed in this thread, as all
 * threads of the pool may wait for a name server that does not answer. A higher level of brotli takes
 * five times as long and more.
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
  /** Compressed forms, each made when it is first asked for. */
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
