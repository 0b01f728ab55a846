/** The API reference in the browser: one page and its files, all served from here, so that it asks no other host. */
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { etagOf } from '../http/etag.ts'
import type { OpenPage } from '../http/handler.ts'
import type { Incoming, Reply } from '../http/message.ts'

const types = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const

const own = (name: string): URL => new URL(`docs/${name}`, import.meta.url)
const swaggerUi = (name: string): URL => new URL(import.meta.resolve(`swagger-ui-dist/${name}`))

/** What the page is made of, each under the name it has below /docs/. */
const sources: Readonly<Record<string, URL>> = {
  'docs.css': own('docs.css'),
  'reference.css': own('reference.css'),
  'operations.css': own('operations.css'),
  'responses.css': own('responses.css'),
  'docs.js': own('docs.js'),
  'plugin.js': own('plugin.js'),
  'favicon.svg': own('favicon.svg'),
  'swagger-ui.css': swaggerUi('swagger-ui.css'),
  'swagger-ui-bundle.js': swaggerUi('swagger-ui-bundle.js'),
}

/** Nothing inline, nothing evaluated, nothing from elsewhere, and in nobody's frame. */
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
const fileHeaders = ['X-Content-Type-Options', 'nosniff', 'Cross-Origin-Resource-Policy', 'same-origin']
const pageHeaders = [
  ...fileHeaders,
  'Content-Security-Policy',
  contentSecurityPolicy,
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Opener-Policy',
  'same-origin',
]

interface File {
  readonly plain: Uint8Array
  readonly gzipped: Uint8Array
  /** Names the content; part of its ETag and of the address by which the page asks for it. */
  readonly version: string
}

/** The addresses of the page and its files. */
export function createDocsPages(): ReadonlyMap<string, OpenPage> {
  const files = new Map<string, Promise<File>>()

  /** Read at the first request, since most instances never show the page. */
  function fileOf(name: string): Promise<File> {
    const known = files.get(name)
    if (known) return known
    const file = name === 'index.html' ? makePage() : readFile(sources[name] as URL).then(fileFrom)
    files.set(name, file)
    // What could not be read once may be readable the next time.
    file.catch(() => files.delete(name))
    return file
  }

  async function makePage(): Promise<File> {
    let html = await readFile(own('index.html'), 'utf8')
    for (const name of Object.keys(sources))
      html = html.replaceAll(`"docs/${name}"`, `"docs/${name}?v=${(await fileOf(name)).version}"`)
    return fileFrom(Buffer.from(html))
  }

  const filePage =
    (name: string): OpenPage =>
    async (incoming) =>
      fileReply(name, await fileOf(name), incoming)

  return new Map<string, OpenPage>([
    [
      '/',
      () => ({ status: 302, body: 'See /docs\n', type: 'text/plain; charset=utf-8', headers: ['Location', '/docs'] }),
    ],
    ['/docs', filePage('index.html')],
    ...Object.keys(sources).map((name) => [`/docs/${name}`, filePage(name)] as const),
  ])
}

async function fileFrom(plain: Uint8Array): Promise<File> {
  return { plain, gzipped: await promisify(gzip)(plain), version: etagOf(plain).slice(1, -1) }
}

function fileReply(name: string, { plain, gzipped, version }: File, incoming: Incoming): Reply {
  const isGzipped = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(incoming.header('accept-encoding') ?? '')
  // Cached without end only where the address carries the version: another instance may already have a newer file.
  const hasVersion = incoming.target.endsWith(`?v=${version}`)
  return {
    status: 200,
    body: isGzipped ? gzipped : plain,
    type: types[name.slice(name.lastIndexOf('.') + 1) as keyof typeof types],
    headers: [
      ...(name === 'index.html' ? pageHeaders : fileHeaders),
      'Vary',
      'Accept-Encoding',
      ...(isGzipped ? ['Content-Encoding', 'gzip'] : []),
    ],
    cache: {
      etag: `"${version}${isGzipped ? '-gzip' : ''}"`,
      control: hasVersion ? 'public, max-age=31536000, immutable' : 'no-cache',
    },
  }
}
