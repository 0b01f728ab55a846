/** Keyset pagination: an opaque cursor, valid for one path and set of filters, and the `Link` that carries it. */
import { hash } from 'node:crypto'
import { refuse } from '../errors.ts'
import { isInt64, parseInt64 } from '../schema/int64.ts'
import type { Page } from '../store/store.ts'
import { etagOf } from './etag.ts'
import { revalidate } from './headers.ts'
import type { Reply } from './message.ts'

export interface PageQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly [filter: string]: unknown
}

/** `path` is the path of the list, relative to the base URL. */
export interface Paging {
  /** The id after which the page begins; a cursor may have `lowest` or more. */
  start(path: string, query: PageQuery, lowest?: number): number
  /** Like `start`, of a list whose ids clients choose; undefined on the first page. */
  startAtInt64(path: string, query: PageQuery): bigint | undefined
  /** If it is about `one` row, its ETag is that of the row. */
  reply(path: string, query: PageQuery, page: Page<number | bigint>, one?: boolean): Reply
}

const sealLength = 8
const radix = 36

export function createPaging(publicUrl: string): Paging {
  /** A store that returns a cached first page gets the reply already built for it. */
  const replies = new WeakMap<Page<number | bigint>, Reply>()
  let latest = { text: '', seal: '' }

  /** Binds a cursor to its path and filters. Not a secret: a forged cursor shows nothing that a list would not. */
  function sealOf(path: string, filters: string): string {
    const text = `${path}?${filters}`
    // Each page needs the same seal twice, and consecutive pages often share it.
    if (text !== latest.text) latest = { text, seal: hash('sha256', text, 'base64url').slice(0, sealLength) }
    return latest.seal
  }

  return {
    start(path, query, lowest = 1) {
      if (query.cursor === undefined) return 0
      const after = Number.parseInt(query.cursor.slice(sealLength), radix)
      // Only the exact text that would be issued is accepted.
      const isOurs =
        after >= lowest &&
        Number.isSafeInteger(after) &&
        query.cursor === cursorAfter(after, sealOf(path, filtersOf(query)))
      return isOurs ? after : refuse('invalid_cursor')
    },

    startAtInt64(path, query) {
      if (query.cursor === undefined) return undefined
      const after = parseInt64(query.cursor.slice(sealLength))
      // Nothing follows the highest of all.
      const isOurs =
        after !== undefined &&
        isInt64(after + 1n) &&
        query.cursor === cursorAfter(after, sealOf(path, filtersOf(query)))
      return isOurs ? after : refuse('invalid_cursor')
    },

    reply(path, query, page, one) {
      const known = replies.get(page)
      if (known) return known
      const reply: Reply = {
        status: 200,
        body: page.json,
        headers: page.next === undefined ? [] : ['Link', nextLink(path, query, page.next)],
        // Covers the link too: when the rows after a page are deleted, its link changes but its body does not.
        cache: { etag: etagOf(one ? page.json.slice(1, -1) : `${page.next ?? ''}${page.json}`), control: revalidate },
      }
      if (query.cursor === undefined) replies.set(page, reply)
      return reply
    },
  }

  function nextLink(path: string, query: PageQuery, last: number | bigint): string {
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

/** An int64 is written in decimal digits, as JavaScript reads no bigint of another radix. */
const cursorAfter = (after: number | bigint, seal: string): string =>
  seal + after.toString(typeof after === 'number' ? radix : 10)
