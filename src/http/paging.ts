/** Pages by keyset: an opaque cursor that is valid for its own path and filters, and the link that carries it. */
import { hash } from 'node:crypto'
import { refuse } from '../errors.ts'
import type { Page } from '../store/store.ts'
import { etagOf } from './etag.ts'
import { revalidate } from './headers.ts'
import type { Reply } from './message.ts'

export interface PageQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly [filter: string]: unknown
}

/** `path` is that of the list, relative to the base address. */
export interface Paging {
  /** The id after which the page begins. */
  start(path: string, query: PageQuery): number
  reply(path: string, query: PageQuery, page: Page): Reply
}

const sealLength = 8
const radix = 36

export function createPaging(publicUrl: string): Paging {
  /** A store that gives the same first page again gets the reply made for it before. */
  const replies = new WeakMap<Page, Reply>()
  let latest = { text: '', seal: '' }

  /** Ties a cursor to its path and filters. Not a secret: a made-up cursor shows nothing that a list would not. */
  function sealOf(path: string, filters: string): string {
    const text = `${path}?${filters}`
    // A page asks for the same one twice, and often so did the page before.
    if (text !== latest.text) latest = { text, seal: hash('sha256', text, 'base64url').slice(0, sealLength) }
    return latest.seal
  }

  return {
    start(path, query) {
      if (query.cursor === undefined) return 0
      const after = Number.parseInt(query.cursor.slice(sealLength), radix)
      // Only the very text that was given out before.
      const isOurs =
        after > 0 && Number.isSafeInteger(after) && query.cursor === cursorAfter(after, sealOf(path, filtersOf(query)))
      return isOurs ? after : refuse('invalid_cursor')
    },

    reply(path, query, page) {
      const known = replies.get(page)
      if (known) return known
      const reply: Reply = {
        status: 200,
        body: page.json,
        headers: page.next === undefined ? [] : ['Link', nextLink(path, query, page.next)],
        // Covers the link, too: where the last row of a page is no longer followed by others, its rows stay the same.
        cache: { etag: etagOf(`${page.next ?? ''}${page.json}`), control: revalidate },
      }
      if (query.cursor === undefined) replies.set(page, reply)
      return reply
    },
  }

  function nextLink(path: string, query: PageQuery, last: number): string {
    const filters = filtersOf(query)
    const cursor = cursorAfter(last, sealOf(path, filters))
    return `<${publicUrl}${path}?${filters}limit=${query.limit}&cursor=${cursor}>; rel="next"`
  }
}

function filtersOf(query: PageQuery): string {
  let text = ''
  for (const name in query)
    if (query[name] !== undefined && name !== 'limit' && name !== 'cursor') text += `${name}=${String(query[name])}&`
  return text
}

const cursorAfter = (after: number, seal: string): string => seal + after.toString(radix)
