/** What the package hands out as `petstore-server/sandbox`; its types are made from this file alone. */
import type { ErrorCode } from '../errors.ts'

/** How a request fails: in one of these ways. */
export interface Failing {
  readonly error?: ErrorCode
  readonly delayMs?: number
  /** The connection ends before anything was done, in the middle of the body, or when all was done. */
  readonly cut?: 'before' | 'middle' | 'after'
}

export interface JournalEntry {
  readonly at: string
  readonly operation?: string
  readonly method: string
  readonly path: string
  /** 0 if there is none, or not yet. */
  readonly status: number
  readonly failure?: Failing
  readonly idempotencyKey?: string
  readonly requestId: string
}

/** A shop of its own, with the key that leads to it. */
export interface TestShop {
  readonly key: string
  /** As new, with so many animals. */
  reset(options?: { readonly animals?: number }): Promise<void>
  /** The next requests of an operation, or of all with `*`, fail so: `failNext('createPet', { cut: 'after' })`. */
  failNext(operation: string, how: Failing & { readonly skip?: number; readonly times?: number }): void
  /** Moves the clock of the shop on by a duration such as `PT25H`; resolves when what was due has been done. */
  advance(duration: string): Promise<void>
  /** The last 1,000 requests to it. */
  requests(): readonly JournalEntry[]
}

export interface Sandbox {
  /** The base URL for clients, which ends in `/v1`. */
  readonly url: string
  /** The shop of a key; a new one unless given. */
  shop(key?: string): TestShop
  close(): Promise<void>
}

/** On a free port of 127.0.0.1 unless given. */
export declare function startSandbox(options?: { readonly port?: number; readonly host?: string }): Promise<Sandbox>
