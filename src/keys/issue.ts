/** Issuing, finding and rotating API keys, for operators. */
import { limits } from '../limits.ts'
import { hashOf, isToken, type Key, type NewKey, newToken, prefixOf, type Rate, type Scope } from '../model/key.ts'
import type { KeyTable } from '../store/store.ts'

export interface Issued {
  readonly token: string
  readonly key: Key
}

export interface KeyRequest {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly now: number
  readonly expiresAt: number | undefined
  readonly rate?: Rate | undefined
}

export async function issueKey(keys: KeyTable, request: KeyRequest): Promise<Issued> {
  const token = newToken()
  return { token, key: await keys.insert(keyFor(token, request)) }
}

const keyFor = (token: string, { name, scopes, now, expiresAt, rate }: KeyRequest): NewKey => ({
  name,
  prefix: prefixOf(token),
  hash: hashOf(token),
  scopes,
  createdAt: now,
  expiresAt,
  rate,
})

/** Finds a key by its id or by the key itself; an operator may have either. */
export async function findKey(keys: KeyTable, idOrToken: string): Promise<Key | undefined> {
  if (/^[1-9][0-9]{0,14}$/.test(idOrToken)) return keys.find(Number(idOrToken))
  return isToken(idOrToken) ? keys.findByHash(hashOf(idOrToken)) : undefined
}

/** Issues a key like the old one, with the same lifetime; the old one keeps working for a day so that clients can switch. */
export async function rotateKey(keys: KeyTable, old: Key, now: number): Promise<Issued> {
  const token = newToken()
  const expiresAt = old.lifetime === undefined ? undefined : now + old.lifetime
  const oldEnd = Math.min(now + limits.rotatedKeyTime.milliseconds, old.expiresAt ?? Number.POSITIVE_INFINITY)
  const { name, scopes, rate } = old
  const key = await keys.rotate(old.id, oldEnd, keyFor(token, { name, scopes, now, expiresAt, rate }))
  return { token, key }
}
