/** Tells whether a key is valid, without asking the store on every request. */
import type { Clock } from '../clock.ts'
import { hashOf, isLive, isToken, type Key } from '../model/key.ts'
import type { KeyTable } from '../store/store.ts'

/** How long a verified key is trusted without asking the store: the time for which a revoked one may go on working. */
export const trustMilliseconds = 2_000
export const trustedMax = 10_000
/** How exactly an operator learns when a key was last used. */
export const touchMilliseconds = 60_000

export type Verify = (token: string) => Key | undefined | Promise<Key | undefined>

/** Verifies keys against the store. Only valid ones are remembered, so that a new one works at once. */
export function createVerify(keys: KeyTable, clock: Clock): Verify {
  const trusted = new Map<string, { key: Key; since: number }>()
  /** Requests that come while a key is looked up wait for that one answer. */
  const lookUps = new Map<string, Promise<Key | undefined>>()

  async function lookUp(token: string, now: number): Promise<Key | undefined> {
    const key = await keys.findByHash(hashOf(token))
    if (!key || !isLive(key, now)) {
      trusted.delete(token)
      return undefined
    }
    if (trusted.size >= trustedMax) trusted.clear()
    trusted.set(token, { key, since: now })
    // When a key was last used is a help to operators, never a reason to fail a request.
    if (now - (key.lastUsedAt ?? 0) >= touchMilliseconds) keys.touch(key.id, now).catch(() => {})
    return key
  }

  return (token) => {
    const now = clock()
    const known = trusted.get(token)
    // A clock set back must not prolong the trust.
    if (known && now >= known.since && now < known.since + trustMilliseconds && isLive(known.key, now)) return known.key
    if (!isToken(token)) return undefined
    let underWay = lookUps.get(token)
    if (!underWay) {
      underWay = lookUp(token, now).finally(() => lookUps.delete(token))
      lookUps.set(token, underWay)
    }
    return underWay
  }
}
