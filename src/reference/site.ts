/** Serves the pages of a reference: each is made at its first request, and again after an operation was removed. */
import type { Operation } from '../http/operation.ts'
import type { SiteReply } from '../http/site-route.ts'
import { pathPrefixOf } from '../http/urls.ts'
import type { Time } from '../time.ts'
import type { Group } from './html/book.ts'
import type { OpenApi } from './html/document.ts'
import { inline } from './html/markdown.ts'
import { type Frame, pageHtml, searchIndex } from './html/page.ts'
import { referencePages } from './html/reference.ts'
import { type About, type DocumentOptions, openApiJson } from './openapi.ts'
import { type File, type Files, fileFrom, fileReply, pageHeaders, redirectTo, types } from './pages.ts'

export interface SiteOptions {
  readonly operations: readonly Operation[]
  readonly servers: DocumentOptions['servers']
  readonly publicUrl: string
  readonly time: Time
}

interface ReferenceOptions extends SiteOptions {
  /** Where the first page is. */
  readonly path: string
  /** The paths of the other pages, below the first. */
  readonly others: readonly string[]
  /** The pet store unless given. */
  readonly about?: About
  readonly groups: readonly Group[]
  /** In Markdown; called when the first page is made. */
  readonly guides: () => string
  readonly links: Frame['links']
  /** The style sheet, the script and the icon. */
  readonly files: Files
}

const searchPath = '/search.json'

/** The pages and the index of their search, by path. */
export function createReference(options: ReferenceOptions): [string, SiteReply][] {
  const { operations, publicUrl, time, path } = options
  const root = pathPrefixOf(publicUrl) + path
  let latest: { readonly live: number; readonly make: (path: string) => string; readonly made: Map<string, File> }

  function fileOf(path: string): File {
    const now = time.now()
    const live = operations.filter((operation) => now < operation.removedAt).length
    if (latest?.live !== live) latest = { live, make: makerAt(now, root, options), made: new Map() }
    const file = latest.made.get(path) ?? fileFrom(Buffer.from(latest.make(path)))
    latest.made.set(path, file)
    return file
  }

  const page = { type: types.html, headers: pageHeaders }
  return [
    [path + searchPath, (incoming) => fileReply(fileOf(searchPath), { type: types.json }, incoming)],
    ...['', ...options.others].flatMap((other): [string, SiteReply][] => [
      [path + other, (incoming) => fileReply(fileOf(other), page, incoming)],
      [`${path + other}/`, redirectTo(root + other)],
    ]),
  ]
}

/** What makes a page, or the index of the search, by its path. */
function makerAt(now: number, root: string, options: ReferenceOptions): (path: string) => string {
  const { operations, servers, about, groups } = options
  const document: OpenApi = JSON.parse(openApiJson(operations, { servers, now, ...(about && { about }) }))
  const pages = referencePages({ document, operations, groups, guides: options.guides(), root })
  const frame = frameOf(document, pages, root, options)
  return (path) => {
    if (path === searchPath) return searchIndex(pages)
    const page = pages.find(({ href }) => href === root + path)
    if (!page) throw new Error(`The reference has no page ${path}`)
    return pageHtml(frame, page)
  }
}

function frameOf(document: OpenApi, pages: Frame['pages'], root: string, { files, links }: ReferenceOptions): Frame {
  const { description = '', 'x-pattern': pattern = '' } = document.components.securitySchemes.apiKey ?? {}
  // An operation that every key may call says whether a key is accepted.
  const [check = ''] = Object.entries(document.paths).flatMap(([path, { get }]) => (get && !get['x-scope'] ? path : []))
  return {
    title: document.info.title,
    pages,
    assets: {
      css: files.href('docs.css'),
      js: files.href('docs.js'),
      icon: files.href('favicon.svg'),
      search: root + searchPath,
    },
    links,
    base: new URL(document.servers[0]?.url ?? '').pathname.replace(/\/$/, ''),
    check,
    key: { pattern, description: inline(description) },
  }
}
