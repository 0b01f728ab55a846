/** Serves the pages of a reference: each is made at its first request, and again after an operation was removed. */
import { refuse } from '../errors.ts'
import type { Incoming, Reply } from '../http/message.ts'
import type { Operation } from '../http/operation.ts'
import type { SiteReply } from '../http/site-route.ts'
import { pathPrefixOf } from '../http/urls.ts'
import type { Time } from '../time.ts'
import type { Group } from './html/book.ts'
import type { OpenApi } from './html/document.ts'
import { html } from './html/html.ts'
import { inline } from './html/markdown.ts'
import { type Frame, type Page, pageHtml, searchIndex } from './html/page.ts'
import { referencePages } from './html/reference.ts'
import { type About, type DocumentOptions, openApiJson, untilSunset } from './openapi.ts'
import { type File, type Files, fileFrom, fileReply, inlineStyle, redirectTo, type Style, types } from './pages.ts'

export interface SiteOptions {
  readonly operations: readonly Operation[]
  readonly servers: DocumentOptions['servers']
  readonly publicUrl: string
  readonly time: Time
}

interface ReferenceOptions extends SiteOptions {
  /** The path of the first page. */
  readonly path: string
  /** The paths of the other pages, below the first. */
  readonly others: readonly string[]
  /** The default is the pet store. */
  readonly about?: About
  readonly groups: readonly Group[]
  /** Returns the guides in Markdown. It is called when the first page is made. */
  readonly guides: () => string
  readonly links: Frame['links']
  /** The script and the icon. */
  readonly files: Files
}

const searchPath = '/search.json'
/** This matches every path below the first page that has no page. */
const missingPath = '/*'

const missingPage: Page = {
  href: '',
  title: 'Page not found',
  text: 'There is no page at this address.',
  entries: [],
  content: () => html`<h1>Page not found</h1>
<p class="lead">There is no page at this address. The contents list all pages, and the search looks through them.</p>`,
}

/** The pages and the index of their search, by path, and the reply for all other paths below. */
export function createReference(options: ReferenceOptions): [string, SiteReply][] {
  const { operations, publicUrl, time, path } = options
  const root = pathPrefixOf(publicUrl) + path
  let style: Style | undefined
  const styleOf = () => (style ??= inlineStyle('docs.css'))
  const latest = untilSunset(operations, time, (now) => ({
    make: makerAt(now, root, styleOf(), options),
    made: new Map<string, File>(),
  }))

  function fileOf(path: string): File {
    const { make, made } = latest()
    const file = made.get(path) ?? fileFrom(Buffer.from(make(path)))
    made.set(path, file)
    return file
  }

  function pageReply(path: string, incoming: Incoming): Reply {
    return fileReply(fileOf(path), { type: types.html, headers: styleOf().headers }, incoming)
  }

  /** A browser gets a page with the list of contents, everything else the error that unknown paths have everywhere. */
  function missingReply(incoming: Incoming): Reply {
    const isRead = incoming.method === 'GET' || incoming.method === 'HEAD'
    if (!isRead || !/\btext\/html\b/i.test(incoming.header('accept') ?? '')) refuse('route_not_found')
    return { ...pageReply(missingPath, incoming), status: 404, cache: 'no-store' }
  }

  return [
    [path + searchPath, (incoming) => fileReply(fileOf(searchPath), { type: types.json }, incoming)],
    ...['', ...options.others].flatMap((other): [string, SiteReply][] => [
      [path + other, (incoming) => pageReply(other, incoming)],
      [`${path + other}/`, redirectTo(root + other)],
    ]),
    [path + missingPath, missingReply],
  ]
}

/** The functions that make each page and the index of the search, by path. */
function makerAt(now: number, root: string, style: Style, options: ReferenceOptions): (path: string) => string {
  const { operations, servers, about, groups, files, links } = options
  const document: OpenApi = JSON.parse(openApiJson(operations, { servers, now, ...(about && { about }) }))
  const pages = referencePages({ document, operations, groups, guides: options.guides(), root })
  // An operation that every key may call says whether a key is accepted.
  const [check = ''] = Object.entries(document.paths).flatMap(([path, { get }]) => (get && !get['x-scope'] ? path : []))
  const frame: Frame = {
    title: document.info.title,
    pages,
    style: style.text,
    assets: { js: files.href('docs.js'), icon: files.href('favicon.svg'), search: root + searchPath },
    links,
    base: new URL(document.servers[0]?.url ?? '').pathname.replace(/\/$/, ''),
    check,
    keyHelp: inline(document.components.securitySchemes.apiKey?.description ?? ''),
  }
  return (path) => {
    if (path === searchPath) return searchIndex(pages)
    const page = path === missingPath ? missingPage : pages.find(({ href }) => href === root + path)
    if (!page) throw new Error(`The reference has no page ${path}`)
    return pageHtml(frame, page)
  }
}
