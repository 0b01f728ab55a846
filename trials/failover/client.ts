/** Requests to the instances in turn, as those of a client that goes on to the next one when one fails. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestService } from '../../harness/service.ts'

export interface Reply {
  readonly status: number
  readonly json: unknown
  /** The path of the next page. */
  readonly next: string | undefined
}

/** Of one try, so that a connection that nobody answers does not hold up a client for good. */
const tryMilliseconds = 10_000

export class Client {
  /** Requests that are not answered yet never will be. */
  isOver = false
  readonly #instances: readonly TestService[]
  readonly #key: string
  #requests = 0

  constructor(instances: readonly TestService[], key: string) {
    this.#instances = instances
    this.#key = key
  }

  async all<T>(path: string): Promise<T[]> {
    const items: T[] = []
    for (let next: string | undefined = `${path}?limit=100`; next !== undefined; ) {
      const reply = await this.answered('GET', next)
      items.push(...(reply.json as T[]))
      next = reply.next
    }
    return items
  }

  /** Repeats a request until it is answered. */
  async answered(method: string, path: string, body?: unknown, idempotencyKey?: string): Promise<Reply> {
    for (;;) {
      if (this.isOver) await new Promise(() => {})
      const reply = await this.try(method, path, body, idempotencyKey)
      if (reply) return reply
      await sleep(20)
    }
  }

  /** Undefined if it is not answered: 5xx, "later" as by another try that is still under way, or nothing at all. */
  async try(method: string, path: string, body?: unknown, idempotencyKey?: string): Promise<Reply | undefined> {
    const { url } = this.#instances[this.#requests++ % this.#instances.length] as TestService
    try {
      const response = await fetch(`${url}/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.#key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(tryMilliseconds),
      })
      const text = await response.text()
      if (response.status >= 500 || response.headers.has('retry-after')) return undefined
      const next = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
      return { status: response.status, json: JSON.parse(text), next: next?.replace(/^.*\/v1(?=\/)/, '') }
    } catch {
      return undefined
    }
  }
}
