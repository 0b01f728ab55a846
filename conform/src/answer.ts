/** An answer that was as expected, and what a rule takes from it for its next request. */
import { bodyOf, compare, describe, Mismatch, type Received } from './expect.ts'
import type { Json } from './json.ts'
import { type Matcher, text } from './pattern.ts'

export class Answer {
  readonly #received: Received
  readonly #base: string
  constructor(received: Received, base: string) {
    this.#received = received
    this.#base = base
  }

  get text(): string {
    return this.#received.text
  }

  get body(): Json {
    return bodyOf(this.#received)
  }

  /** Returns a member of the body that must be an integer. */
  integer(name: string): bigint {
    const value = (this.body as { [member: string]: Json })?.[name]
    if (typeof value !== 'bigint') throw new Mismatch('body', `body.${name}: an int64`, describe(this.#received))
    return value
  }

  get id(): bigint {
    return this.integer('id')
  }

  /** Returns a header, which must exist and match. */
  header(name: string, pattern: RegExp | Matcher = text): string {
    compare(this.#received, { status: this.#received.status, headers: { [name]: pattern } })
    return this.#received.headers.get(name.toLowerCase()) as string
  }

  get etag(): string {
    return this.header('ETag')
  }

  /** The service's time of the answer in milliseconds, if the answer contains it. */
  get date(): number | undefined {
    const date = Date.parse(this.#received.headers.get('date') ?? '')
    return Number.isNaN(date) ? undefined : date
  }

  /**
   * The path and query of the next page. Only the part after the version is used, so no answer can lead to another
   * host.
   */
  get next(): string {
    const { pathname, search } = this.#nextUrl()
    const version = new URL(this.#base).pathname
    return pathname.slice(pathname.lastIndexOf(version) + version.length) + search
  }

  get hasNext(): boolean {
    return /rel="?next"?/.test(this.#received.headers.get('link') ?? '')
  }

  /** The cursor in the link to the next page. */
  get cursor(): string {
    const cursor = this.#nextUrl().searchParams.get('cursor')
    if (cursor === null) throw new Mismatch('Link', 'a cursor in the link to the next page', this.header('Link'))
    return cursor
  }

  #nextUrl(): URL {
    const [, target] = /<([^>]*)>; *rel="?next"?/.exec(this.header('Link')) ?? []
    if (target === undefined || !URL.canParse(target, this.#base))
      throw new Mismatch('Link', 'a link with rel="next"', this.header('Link'))
    return new URL(target, this.#base)
  }
}
