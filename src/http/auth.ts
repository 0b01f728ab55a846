/** Authenticates requests by their bearer key (401), limits failed attempts (429), and authorizes by scope (403). */
import { clientOf, type TrustedProxies } from '../config/network.ts'
import { refuse } from '../errors.ts'
import { limits } from '../limits.ts'
import { hashOf, isLive, isToken, type Key, lastUsedPrecision, type Scope } from '../model/key.ts'
import type { KeyTable } from '../store/key-table.ts'
import { StoreUnavailable } from '../store/store.ts'
import type { Time } from '../time.ts'
import type { Incoming } from './message.ts'
import { type Bucket, Buckets, decide, limitOf, nanoseconds } from './rate-limits.ts'

/** How long a verified key is trusted without a read from the store. A revoked key keeps working for that long. */
const trustMilliseconds = 2_000
const trustedMax = 10_000

type Verify = (token: string) => Key | undefined | Promise<Key | undefined>

/**
 * Verifies keys without a read from the store for every request. Only valid keys are cached, so a new key works
 * immediately.
 */
export function createVerify(keys: KeyTable, time: Time): Verify {
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
    if (now - (key.lastUsedAt ?? 0) >= lastUsedPrecision) keys.touch(key.id, now).catch(() => {})
    return key
  }

  return function verify(token) {
    const now = time.now()
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

const limitedMax = 10_000
export const challenge = 'Bearer realm="petstore"'

export type Authenticate = (incoming: Incoming) => Promise<Key>

function tokenOf(incoming: Incoming): string | undefined {
  const [, token] = /^bearer +(.+)$/i.exec(incoming.header('authorization') ?? '') ?? []
  return token
}

/**
 * A valid key is accepted even if many invalid keys came from its address, because only failures are counted by
 * address.
 */
export function createAuthenticate(verify: Verify, proxies: TrustedProxies, time: Time): Authenticate {
  const limit = limitOf(limits.failedAuthentications)
  const failures = new Buckets<string, Bucket>(limits.remembered)
  /**
   * Invalid keys that got 429, usually one key that is sent repeatedly. They are not looked up in the store again while
   * their address is limited.
   */
  const limited = new Set<string>()

  function countFailure(incoming: Incoming, token: string): void {
    const client = clientOf(incoming.address(), incoming.header('x-forwarded-for'), proxies)
    const now = nanoseconds(time.ticks())
    const { isAllowed, seconds } = decide(failures.get(client) ?? failures.add(client, { tat: 0 }, now), limit, now)
    if (isAllowed) return
    if (limited.size >= limitedMax) limited.clear()
    if (isToken(token)) limited.add(token)
    refuse(
      'rate_limited',
      'This address has sent too many requests with invalid API keys. Check the key, and try again after the ' +
        'seconds in the Retry-After header.',
      ['Retry-After', String(seconds)],
    )
  }

  return async function authenticate(incoming) {
    const token = tokenOf(incoming)
    // A request without a key does not guess a key, so it does not count as a failure.
    if (token === undefined) refuse('missing_api_key', undefined, ['WWW-Authenticate', challenge])
    const isLimited = limited.has(token)
    if (isLimited) {
      countFailure(incoming, token)
      limited.delete(token)
    }
    const key = await verify(token)
    if (key) return key
    if (!isLimited) countFailure(incoming, token)
    return refuse('invalid_api_key', undefined, ['WWW-Authenticate', `${challenge}, error="invalid_token"`])
  }
}

/**
 * Like `authenticate`, but for a route that must answer while the store is unavailable. Then it accepts only the key
 * that it accepted last, and only if that key had the scope.
 */
export function createAuthenticateLast(authenticate: Authenticate, scope: Scope, time: Time): Authenticate {
  let last: { readonly token: string; readonly key: Key } | undefined
  return async (incoming) => {
    const token = tokenOf(incoming)
    try {
      const key = await authenticate(incoming)
      if (token !== undefined && key.scopes.includes(scope)) last = { token, key }
      return key
    } catch (error) {
      if (last === undefined || token !== last.token) throw error
      if (error instanceof StoreUnavailable && isLive(last.key, time.now())) return last.key
      // The key has expired or was revoked.
      last = undefined
      throw error
    }
  }
}

export function authorize(key: Key, scope: Scope): void {
  if (key.scopes.includes(scope)) return
  refuse('insufficient_scope', `This operation requires an API key with the scope ${scope}.`, [
    'WWW-Authenticate',
    `${challenge}, error="insufficient_scope", scope="${scope}"`,
  ])
}
