/** A paginated list: `for await` over all items, or one page at a time. */
import { int64Text } from './json.ts'
import type { CallOptions, Transport } from './transport.ts'

export interface PageOptions {
  /** Items per page, 1 to 100; by default 100 with `for await`, and 20 with `page()`. */
  readonly limit?: number | undefined
  /** Where to begin: `next` from a page with the same filters. */
  readonly cursor?: string | undefined
}
export interface Page<T> {
  readonly items: T[]
  /** The cursor of the next page; undefined on the last one, of events never. */
  readonly next: string | undefined
}
type Filters = { readonly [name: string]: string | number | bigint | readonly (string | bigint)[] | undefined }

export class List<T> implements AsyncIterable<T> {
  readonly #filters: Filters & PageOptions
  readonly #page: (filters: Filters) => Promise<Page<T>>

  constructor(transport: Transport, path: string, filters: Filters & PageOptions = {}, options?: CallOptions) {
    this.#filters = filters
    this.#page = async (some) => {
      const request = { method: 'GET', path: pathWith(path, some), isList: true } as const
      const { body, ...response } = await transport.send(request, options)
      const items = body as (T & object)[]
      // The list of one animal, by its id, has the ETag of the animal.
      if (Array.isArray(some.id) && some.id.length === 1 && items[0]) transport.remember(items[0], response)
      const page = { items, next: nextCursor(response.headers.get('link')) }
      transport.remember(page, response)
      return page
    }
  }

  async page(): Promise<Page<T>> {
    return this.#page(this.#filters)
  }

  /** The first `limit` items, or all of them. */
  async toArray({ limit = Infinity }: { readonly limit?: number | undefined } = {}): Promise<T[]> {
    const items: T[] = []
    if (limit > 0) for await (const item of this.#walk(Math.min(limit, 100))) if (items.push(item) >= limit) break
    return items
  }

  [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    return this.#walk(100)
  }

  async *#walk(pageSize: number): AsyncGenerator<T, void, undefined> {
    const { cursor, after, from, limit = pageSize, ...filters } = this.#filters
    let start: Filters = { cursor, after, from }
    for (;;) {
      const { items, next } = await this.#page({ ...filters, limit, ...start })
      yield* items
      // The last page of events has itself as the next one.
      if (next === undefined || next === start.cursor) return
      start = { cursor: next }
    }
  }
}

export function pathWith(path: string, filters: Filters): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, textOf(value))
  return query.size === 0 ? path : `${path}?${query}`
}

function textOf(value: NonNullable<Filters[string]>): string {
  if (typeof value === 'object') return value.map(textOf).join()
  return typeof value === 'string' ? value : int64Text(value)
}

/** Only the cursor is taken from the link: the key is never sent anywhere but to the base URL. */
function nextCursor(link: string | null): string | undefined {
  const [, target = ''] = /<([^>]*)>[^<]*;\s*rel="?next"?/i.exec(link ?? '') ?? []
  return new URLSearchParams(target.split('?')[1]).get('cursor') ?? undefined
}
