/** The places for event streams of a process: so many in all, and a part of them for each key. */
import { limits } from '../limits.ts'

const { eventStreams, eventStreamsOfKey } = limits

export class Places {
  /** How many each key has. */
  readonly #ofKeys = new Map<number, number>()
  #taken = 0

  /** Why there is none for a key. */
  refusalOf(keyId: number): 'unavailable' | 'rate_limited' | undefined {
    if (this.#taken >= eventStreams.max) return eventStreams.code
    return (this.#ofKeys.get(keyId) ?? 0) < eventStreamsOfKey.max ? undefined : eventStreamsOfKey.code
  }

  take(keyId: number): void {
    this.#taken++
    this.#ofKeys.set(keyId, (this.#ofKeys.get(keyId) ?? 0) + 1)
  }

  leave(keyId: number): void {
    this.#taken--
    const others = (this.#ofKeys.get(keyId) ?? 0) - 1
    if (others > 0) this.#ofKeys.set(keyId, others)
    else this.#ofKeys.delete(keyId)
  }

  /** The keys that have any. */
  get keyIds(): Set<number> {
    return new Set(this.#ofKeys.keys())
  }
}
