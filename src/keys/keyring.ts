/** The rules of keys: issuing, revoking and rotating them, and telling whether one opens the door. */
import type { Clock } from '../clock.ts'
import type { KeyTable } from '../store/store.ts'
import { hashOf, isToken, type Key, newToken, prefixOf, type Scope } from '../model/key.ts'

/** How long a verified key is trusted without asking the store: the time a revoked one may go on working. */
export const trustMilliseconds = 2_000
const trustedMax = 10_000
const touchMilliseconds = 60_000
export const rotationMilliseconds = 24 * 60 * 60 * 1000

export interface Issued {
  readonly token: string
  readonly key: Key
}

export async function issueKey(
  keys: KeyTable,
  request: { name: string; scopes: readonly Scope[]; now: number; expiresAt: number | undefined },
): Promise<Issued> {
  const token = newToken()
  const key = await keys.insert({
    name: request.name,
    prefix: prefixOf(token),
    hash: hashOf(token),
    scopes: request.scopes,
    createdAt: request.now,
    expiresAt: request.expiresAt,
  })
  return { token, key }
}

/** Finds a key by its id or by the key itself, as an operator may hold either. */
export async function findKey(keys: KeyTable, idOrToken: string): Promise<Key | undefined> {
  if (/^[1-9][0-9]{0,14}$/.test(idOrToken)) return keys.find(Number(idOrToken))
  return isToken(idOrToken) ? keys.findByHash(hashOf(idOrToken)) : undefined
}

/** A new key with the old one's name and scopes; the old one goes on for a day so that clients can change over. */
export async function rotateKey(keys: KeyTable, old: Key, now: number): Promise<Issued> {
  const lifetime = old.expiresAt === undefined ? undefined : old.expiresAt - old.createdAt
  const issued = await issueKey(keys, {
    name: old.name,
    scopes: old.scopes,
    now,
    expiresAt: lifetime === undefined ? undefined : now + lifetime,
  })
  await keys.expire(old.id, Math.min(now + rotationMilliseconds, old.expiresAt ?? Number.POSITIVE_INFINITY))
  return issued
}

export function isLive(key: Key, now: number): boolean {
  return key.revokedAt === undefined && (key.expiresAt === undefined || now < key.expiresAt)
}

export type Verify = (token: string) => Key | undefined | Promise<Key | undefined>

/** Verifies keys against the store, trusting each answer for a moment; only valid keys are remembered, so a new one works at once. */
export function createVerify(keys: KeyTable, clock: Clock): Verify {
  const trusted = new Map<string, { key: Key; until: number }>()
  const touched = new Map<number, number>()

  async function lookUp(token: string, now: number): Promise<Key | undefined> {
    trusted.delete(token)
    if (!isToken(token)) return undefined
    const key = await keys.findByHash(hashOf(token))
    if (!key || !isLive(key, now)) return undefined
    if (trusted.size >= trustedMax) trusted.clear()
    trusted.set(token, { key, until: now + trustMilliseconds })
    if (now - (touched.get(key.id) ?? 0) >= touchMilliseconds) {
      touched.set(key.id, now)
      // When a key was last used is a help to operators, never a reason to fail a request.
      keys.touch(key.id, now).catch(() => touched.delete(key.id))
    }
    return key
  }

  return (token) => {
    const now = clock()
    const known = trusted.get(token)
    // A clock set back must not stretch the trust.
    const fresh = known && now < known.until && now >= known.until - trustMilliseconds
    return fresh && isLive(known.key, now) ? known.key : lookUp(token, now)
  }
}
