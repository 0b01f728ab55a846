/** Keyset pagination: an opaque cursor, valid for one path and set of filters, and the `Link` that carries it. */
import { hash } from 'node:crypto'
import { refuse } from '../errors.ts'
import { type EventPosition, positionText, readPosition } from '../model/event.ts'
import { isInt64, parseInt64 } from '../schema/schema.ts'
import type { Page } from '../store/store.ts'
import { type Reply, revalidate } from './message.ts'
import { etagOf } from './respond.ts'

export interface PageQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly [filter: string]: unknown
}

/** Where a page ends: an id, or a position as text. */
type Place = number | bigint | string

/** `path` is the path of the list, relative to the base URL. */
export interface Paging {
  /** The id after which the page begins; undefined on the first page. */
  start(path: string, query: PageQuery): number | undefined
  /** Like `start`, of a list whose ids clients choose; undefined on the first page. */
  startAtInt64(path: string, query: PageQuery): bigint | undefined
  /** Like `start`, of the feed of events. */
  startAtEvent(path: string, query: PageQuery): EventPosition | undefined
  /** If it is about `one` row, its ETag is that of the row. */
  reply(path: string, query: PageQuery, page: Page<Place>, one?: boolean): Reply
}

const sealLength = 8
const radix = 36

export function createPaging(publicUrl: string): Paging {
  /** A store that returns a cached first page gets the reply already built for it. */
  const replies = new WeakMap<Page<Place>, Reply>()
  let latest = { text: '', seal: '' }

  /** Binds a cursor to its path and filters. Not a secret: a forged cursor shows nothing that a list would not. */
  function sealOf(path: string, filters: string): string {
    const text = `${path}?${filters}`
    // Each page needs the same seal twice, and consecutive pages often share it.
    if (text !== latest.text) latest = { text, seal: hash('sha256', text, 'base64url').slice(0, sealLength) }
    return latest.seal
  }

  /** What a cursor says. Only the exact text that would be issued is accepted: `parse` gives the value, and the place to write. */
  function read<T>(
    path: string,
    query: PageQuery,
    parse: (text: string) => readonly [value: T, place: Place] | undefined,
  ): T | undefined {
    if (query.cursor === undefined) return undefined
    const [value, place] = parse(query.cursor.slice(sealLength)) ?? refuse('invalid_cursor')
    return query.cursor === cursorAfter(place, sealOf(path, filtersOf(query))) ? value : refuse('invalid_cursor')
  }

  return {
    start: (path, query) =>
      read(path, query, (text) => {
        const after = Number.parseInt(text, radix)
        return after > 0 && Number.isSafeInteger(after) ? [after, after] : undefined
      }),

    startAtInt64: (path, query) =>
      read(path, query, (text) => {
        const after = parseInt64(text)
        // Nothing follows the highest of all.
        return after !== undefined && isInt64(after + 1n) ? [after, after] : undefined
      }),

    startAtEvent: (path, query) =>
      read(path, query, (text) => {
        const { id, at } = readPosition(text) ?? {}
        return id === undefined || at === undefined ? undefined : [{ id, at }, positionText({ id, at })]
      }),

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

  function nextLink(path: string, query: PageQuery, last: Place): string {
    const filters = filtersOf(query)
    const cursor = cursorAfter(last, sealOf(path, filters))
    return `<${publicUrl}${path}?${filters}limit=${query.limit}&cursor=${cursor}>; rel="next"`
  }
}

/** A search may have any characters; other texts, and lists of numbers, have none that need to be encoded. */
const textOf = (value: unknown): string => (typeof value === 'string' ? encodeURIComponent(value) : String(value))

function filtersOf(query: PageQuery): string {
  let text = ''
  for (const name in query)
    if (query[name] !== undefined && name !== 'limit' && name !== 'cursor') text += `${name}=${textOf(query[name])}&`
  return text
}

/** An int64 is written in decimal digits, as JavaScript reads no bigint of another radix. */
const cursorAfter = (after: Place, seal: string): string =>
  seal + (typeof after === 'number' ? after.toString(radix) : String(after))
