/** Verifies API keys without asking the store on every request. */
import type { Clock } from '../clock.ts'
import { hashOf, isLive, isToken, type Key } from '../model/key.ts'
import type { KeyTable } from '../store/store.ts'

/** How long a verified key is trusted without asking the store, and so how long a revoked one may keep working. */
export const trustMilliseconds = 2_000
export const trustedMax = 10_000
/** The precision of a key's last-used time. */
export const touchMilliseconds = 60_000

export type Verify = (token: string) => Key | undefined | Promise<Key | undefined>

/** Only valid keys are cached, so a new key works at once. */
export function createVerify(keys: KeyTable, clock: Clock): Verify {
  const trusted = new Map<string, { key: Key; since: number }>()
  /** Lookups in progress; requests with the same key share one. */
  const lookUps = new Map<string, Promise<Key | undefined>>()

  async function lookUp(token: string, now: number): Promise<Key | undefined> {
    const key = await keys.findByHash(hashOf(token))
    if (!key || !isLive(key, now)) {
      trusted.delete(token)
      return undefined
    }
    if (trusted.size >= trustedMax) trusted.clear()
    trusted.set(token, { key, since: now })
    // The last-used time is for operators only; failing to store it must not fail a request.
    if (now - (key.lastUsedAt ?? 0) >= touchMilliseconds) keys.touch(key.id, now).catch(() => {})
    return key
  }

  return (token) => {
    const now = clock()
    const known = trusted.get(token)
    // `>=`: a clock set back must not extend the trust.
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
