/** A paginated list, read with `for await` or page by page. */
import { Call, type Responded } from './call.ts'
import type { CallOptions, Query } from './options.ts'
import type { Transport } from './transport.ts'

export interface PageOptions {
  /** Items per page, from 1 to 100. The default is 100 with `for await`, and 20 with `page()`. */
  readonly limit?: number | undefined
  /** Where to begin: `next` from a page with the same filters. */
  readonly cursor?: string | undefined
}
export interface Page<T> {
  readonly items: T[]
  /** The cursor of the next page. Undefined on the last page, but never undefined on a page of events. */
  readonly next: string | undefined
}

export class List<T> implements AsyncIterable<T> {
  readonly #filters: Query & PageOptions
  readonly #page: (query: Query) => Promise<Responded<Page<T>>>

  constructor(transport: Transport, path: string, filters: Query & PageOptions = {}, options?: CallOptions) {
    this.#filters = filters
    this.#page = async (query) => {
      const response = await transport.send('GET', path, { ...options, query, isExpected: Array.isArray })
      const { body, headers } = response
      const items = body as T[]
      // The ETag of a list that names one animal by its id is the ETag of that animal.
      if (Array.isArray(query.id) && query.id.length === 1) transport.remember(items[0], headers)
      return { result: { items, next: nextCursor(headers.get('link')) }, response }
    }
  }

  page(): Call<Page<T>> {
    return new Call(this.#page(this.#filters))
  }

  /** All pages, of 100 items each by default. */
  pages(): AsyncGenerator<Page<T>, void, undefined> {
    return this.#pages(100)
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
    for await (const { items } of this.#pages(pageSize)) yield* items
  }

  async *#pages(pageSize: number): AsyncGenerator<Page<T>, void, undefined> {
    const { cursor, after, from, since, limit = pageSize, ...filters } = this.#filters
    let start: Query = { cursor, after, from, since }
    for (;;) {
      const { result } = await this.#page({ ...filters, limit, ...start })
      const { next } = result
      yield result
      // The last page of events names itself as the next page.
      if (next === undefined || next === start.cursor) return
      start = { cursor: next }
    }
  }
}

/** Only the cursor is taken from the link: the key is never sent anywhere but to the base URL. */
function nextCursor(link: string | null): string | undefined {
  const [, target = ''] = /<([^>]*)>[^<]*;\s*rel="?next"?/i.exec(link ?? '') ?? []
  return new URLSearchParams(target.split('?')[1]).get('cursor') ?? undefined
}
