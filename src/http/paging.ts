/** Pages by keyset: an opaque cursor that holds for its own path and filters, and the link that carries it. */
import { hash } from 'node:crypto'
import { refuse } from '../errors.ts'
import type { Page } from '../store/store.ts'
import { etagOf } from './etag.ts'
import type { Reply } from './operation.ts'

interface PageQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly [filter: string]: unknown
}

/** The id after which the page begins. */
export function pageStart(path: string, query: PageQuery): number {
  if (query.cursor === undefined) return 0
  const after = Number.parseInt(query.cursor.slice(sealLength), radix)
  // Only the very text that was given out before.
  const isOurs =
    after > 0 && Number.isSafeInteger(after) && query.cursor === cursorAfter(after, sealOf(path, filtersOf(query)))
  return isOurs ? after : refuse('invalid_cursor')
}

const replies = new WeakMap<Page, Reply>()

/** A page as an answer. A store that gives the same first page again gets the answer made for it before. */
export function pageReply(publicUrl: string, path: string, query: PageQuery, page: Page): Reply {
  const known = replies.get(page)
  if (known) return known
  const reply: Reply = {
    status: 200,
    body: page.json,
    headers: page.next === undefined ? [] : ['Link', nextLink(publicUrl, path, query, page.next)],
    kept: { etag: etagOf(page.json), cacheControl: 'private, no-cache' },
  }
  if (query.cursor === undefined) replies.set(page, reply)
  return reply
}

/** The Link header of a page that ends at `last`, where more follow. */
export function nextLink(publicUrl: string, path: string, query: PageQuery, last: number): string {
  const filters = filtersOf(query)
  const cursor = cursorAfter(last, sealOf(path, filters))
  return `<${publicUrl}${path}?${filters}limit=${query.limit}&cursor=${cursor}>; rel="next"`
}

function filtersOf(query: PageQuery): string {
  let text = ''
  for (const name in query)
    if (query[name] !== undefined && name !== 'limit' && name !== 'cursor') text += `${name}=${String(query[name])}&`
  return text
}

const sealLength = 8
const radix = 36
let latest = { text: '', seal: '' }

/** Ties a cursor to its path and filters. Not a secret: a made-up cursor shows nothing that a list would not. */
function sealOf(path: string, filters: string): string {
  const text = `${path}?${filters}`
  // A page asks for the same one twice, and often so did the page before.
  if (text !== latest.text) latest = { text, seal: hash('sha256', text, 'base64url').slice(0, sealLength) }
  return latest.seal
}

const cursorAfter = (after: number, seal: string): string => seal + after.toString(radix)
