/** The part of a store for API keys, and for sharing their rate limits between instances. */
import type { Key, NewKey } from '../model/key.ts'

export interface KeyTable {
  insert(key: NewKey): Promise<Key>
  find(id: number): Promise<Key | undefined>
  findAll(ids: readonly number[]): Promise<Key[]>
  findByHash(hash: string): Promise<Key | undefined>
  list(): Promise<Key[]>
  revoke(id: number, at: number): Promise<void>
  /**
   * Atomically adds a key and sets when the replaced key expires. Undefined, with nothing done, if the replaced key was
   * revoked.
   */
  rotate(id: number, endsAt: number, key: NewKey): Promise<Key | undefined>
  /** Records the last use of a key, unless many writes are waiting. */
  touch(id: number, at: number): Promise<void>
}

/** The use of a key's rate limit. Requests are counted as the time that they take up, in nanoseconds. */
interface RateUse {
  readonly keyId: number
  /** The use that this instance has allowed since it last reported. */
  readonly used: number
  /** How far the `tat` of this instance is ahead of now (http/rate-limits.ts); negative if the limit is unused. */
  readonly ahead: number
  /**
   * How far ahead of now a stored `tat` can be. A `tat` that is further ahead was stored before the clock was set back.
   */
  readonly aheadMax: number
}

/**
 * Adds one instance's use to the use of all instances. Resolves with how far the `tat` of all is ahead of now, for each
 * key.
 */
export type ShareRates = (uses: readonly RateUse[]) => Promise<readonly number[]>
