/** Issuing, finding and rotating API keys: what an operator does with them. */
import { limits } from '../limits.ts'
import { hashOf, isToken, type Key, newToken, prefixOf, type Scope } from '../model/key.ts'
import type { KeyTable } from '../store/store.ts'

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

/** A new key with the old one's name and scopes; the old one keeps working for a day, so that clients can change over. */
export async function rotateKey(keys: KeyTable, old: Key, now: number): Promise<Issued> {
  const lifetime = old.expiresAt === undefined ? undefined : old.expiresAt - old.createdAt
  const issued = await issueKey(keys, {
    name: old.name,
    scopes: old.scopes,
    now,
    expiresAt: lifetime === undefined ? undefined : now + lifetime,
  })
  await keys.expire(
    old.id,
    Math.min(now + limits.rotatedKeyTime.milliseconds, old.expiresAt ?? Number.POSITIVE_INFINITY),
  )
  return issued
}
