/** The API reference at /docs: one page and its files, all served by this service and no other host. */
import { readFile } from 'node:fs/promises'
import type { OpenPage } from '../http/handler.ts'
import type { Reply } from '../http/message.ts'
import { embeddedFile } from '../program.ts'
import { type File, fileFrom, fileReply } from './file.ts'

const types = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const

const own = (name: string): URL => embeddedFile(name) ?? new URL(`docs/${name}`, import.meta.url)
const swaggerUi = (name: string): URL => embeddedFile(name) ?? new URL(import.meta.resolve(`swagger-ui-dist/${name}`))

/** The files of the page, by name below /docs/. */
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

/** The page and its files, by path; `read` reads a file. */
export function createDocsPages(read: (file: URL) => Promise<Uint8Array> = readFile): ReadonlyMap<string, OpenPage> {
  const files = new Map<string, Promise<File>>()

  /** Read on the first request, since most instances never serve the page. */
  function fileOf(name: string): Promise<File> {
    const known = files.get(name)
    if (known) return known
    const file = name === 'index.html' ? makePage() : read(sources[name] as URL).then(fileFrom)
    files.set(name, file)
    // After a failed read, the next request tries again.
    file.catch(() => files.delete(name))
    return file
  }

  async function makePage(): Promise<File> {
    let html = Buffer.from(await read(own('index.html'))).toString()
    for (const name of Object.keys(sources))
      html = html.replaceAll(`"docs/${name}"`, `"docs/${name}?v=${(await fileOf(name)).version}"`)
    return fileFrom(Buffer.from(html))
  }

  const filePage =
    (name: string): OpenPage =>
    async (incoming) =>
      fileReply(
        await fileOf(name),
        {
          type: types[name.slice(name.lastIndexOf('.') + 1) as keyof typeof types],
          headers: name === 'index.html' ? pageHeaders : fileHeaders,
        },
        incoming,
      )

  const redirect = (): Reply => ({
    status: 302,
    body: 'See /docs\n',
    type: 'text/plain; charset=utf-8',
    headers: ['Location', '/docs'],
  })

  return new Map<string, OpenPage>([
    ['/', redirect],
    ['/docs/', redirect],
    ['/docs', filePage('index.html')],
    ...Object.keys(sources).map((name) => [`/docs/${name}`, filePage(name)] as const),
  ])
}
