/**
 * Keyset pagination: an opaque cursor, valid for one path, set of filters and order, and the `Link` that carries it.
 */
import { hash } from 'node:crypto'
import { refuse } from '../errors.ts'
import { type EventPosition, positionText, readPosition } from '../model/event.ts'
import { isInt64, parseInt64 } from '../schema/schema.ts'
import type { Page, PageRange } from '../store/store.ts'
import { etagOf } from './etag.ts'
import { type Reply, revalidate } from './message.ts'
import type { PageCache } from './page-cache.ts'

interface CursorQuery {
  readonly cursor?: string | undefined
  readonly order?: 'asc' | 'desc' | undefined
  readonly [filter: string]: unknown
}

interface PageQuery extends CursorQuery {
  readonly limit: number
}

/** Where a page ends: an id, or the position of an event as text. */
type Position = number | bigint | string

/** `path` is the path of the list, relative to the base URL. */
export interface Paging {
  /** The id after which the page begins; undefined on the first page. */
  start(path: string, query: CursorQuery): number | undefined
  /** Like `start`, for a list that also accepts `after` and `order`. */
  range(path: string, query: PageQuery & { readonly after: bigint | undefined }): PageRange
  /** Like `start`, for a list whose ids clients choose. */
  startAtInt64(path: string, query: CursorQuery): bigint | undefined
  /** Like `start`, for the list of events. */
  startAtEvent(path: string, query: CursorQuery): EventPosition | undefined
  /** The reply for a page. If the list asks for `one` row by its id, the ETag is that of the row itself. */
  reply(path: string, query: PageQuery, page: Page<Position>, one?: boolean): Reply
  /** The reply that `make` returns. The reply of a first page is cached until the store changes. */
  cached(path: string, query: PageQuery, make: () => Promise<Reply>): Reply | Promise<Reply>
}

const filtersHashLength = 8
const radix = 36

export function createPaging(publicUrl: string, cache: Pick<PageCache, 'reply'>): Paging {
  let latest = { text: '', hash: '' }

  /**
   * Binds a cursor to its path and filters. It need not be secret, because a forged cursor shows nothing that the list
   * would not show.
   */
  function filtersHash(path: string, filters: string): string {
    const text = `${path}?${filters}`
    // A page needs the same hash twice, and the next request often needs it again.
    if (text !== latest.text) latest = { text, hash: hash('sha256', text, 'base64url').slice(0, filtersHashLength) }
    return latest.hash
  }

  /**
   * The position that a cursor stands for. `parse` returns it as the caller needs it and as a `Position`. The cursor
   * for that position must equal the one sent: only the exact text that the service would issue is accepted.
   */
  function read<T>(
    path: string,
    query: CursorQuery,
    parse: (text: string) => readonly [value: T, position: Position] | undefined,
  ): T | undefined {
    if (query.cursor === undefined) return undefined
    const [value, position] = parse(query.cursor.slice(filtersHashLength)) ?? refuse('invalid_cursor')
    return query.cursor === cursorAfter(position, filtersHash(path, filtersOf(query)))
      ? value
      : refuse('invalid_cursor')
  }

  const start: Paging['start'] = (path, query) =>
    read(path, query, (text) => {
      const after = Number.parseInt(text, radix)
      return after > 0 && Number.isSafeInteger(after) ? [after, after] : undefined
    })

  return {
    start,

    range(path, query) {
      const { after, cursor, limit, order } = query
      if (after !== undefined && cursor !== undefined)
        refuse('invalid_parameter', 'after, cursor: send only one of them')
      const range = { limit, isDescending: order === 'desc' }
      if (cursor !== undefined) return { ...range, after: start(path, query) }
      return { ...range, after: after === undefined ? undefined : nearestId(after) }
    },

    startAtInt64: (path, query) =>
      read(path, query, (text) => {
        const after = parseInt64(text)
        // Nothing follows the highest int64, so no such cursor is issued.
        return after !== undefined && isInt64(after + 1n) ? [after, after] : undefined
      }),

    startAtEvent: (path, query) =>
      read(path, query, (text) => {
        const { id, at } = readPosition(text) ?? {}
        return id === undefined || at === undefined ? undefined : [{ id, at }, positionText({ id, at })]
      }),

    reply: (path, query, page, one) => ({
      status: 200,
      body: page.json,
      headers: page.next === undefined ? [] : ['Link', nextLink(path, query, page.next)],
      // The ETag covers the link, too. If the rows after the page are deleted, the link disappears but the body stays
      // the same.
      cache: { etag: etagOf(one ? page.json.slice(1, -1) : `${page.next ?? ''}${page.json}`), control: revalidate },
    }),

    cached: (path, query, make) =>
      query.cursor === undefined && query.after === undefined
        ? cache.reply(`${path}?${filtersOf(query)}limit=${query.limit}`, make)
        : make(),
  }

  function nextLink(path: string, query: PageQuery, last: Position): string {
    const filters = filtersOf(query)
    const cursor = cursorAfter(last, filtersHash(path, filters))
    return `<${publicUrl}${path}?${filters}limit=${query.limit}&cursor=${cursor}>; rel="next"`
  }
}

/** Only the text of a search may need to be encoded. */
const encodedValue = (value: unknown): string => (typeof value === 'string' ? encodeURIComponent(value) : String(value))

/** The filters and the order (unless it is the default) that a cursor is bound to. */
function filtersOf(query: CursorQuery): string {
  let text = ''
  for (const name in query) {
    const value = query[name]
    if (value === undefined || name === 'limit' || name === 'cursor' || name === 'after') continue
    if (name !== 'order' || value !== 'asc') text += `${name}=${encodedValue(value)}&`
  }
  return text
}

/** The nearest of the ids that the service assigns (0 to 2⁵³ - 1): a page after it has the same rows. */
const nearestId = (id: bigint): number => Math.max(0, Math.min(Number(id), Number.MAX_SAFE_INTEGER))

/** An int64 is written in decimal digits, because JavaScript cannot parse a bigint of another radix. */
const cursorAfter = (after: Position, filtersHash: string): string =>
  filtersHash + (typeof after === 'number' ? after.toString(radix) : String(after))
