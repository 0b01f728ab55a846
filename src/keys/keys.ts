/** API keys: operators issue, find and rotate them, and a client can read its own. */
import { operation } from '../http/operation.ts'
import { limits } from '../limits.ts'
import { hashOf, isToken, type Key, Me, type NewKey, newToken, prefixOf } from '../model/key.ts'
import type { KeyTable } from '../store/key-table.ts'

export interface Issued {
  readonly token: string
  readonly key: Key
}

type KeyRequest = Omit<NewKey, 'prefix' | 'hash' | 'createdAt'> & { readonly now: number }

export async function issueKey(keys: KeyTable, request: KeyRequest): Promise<Issued> {
  const token = newToken()
  return { token, key: await keys.insert(keyFor(token, request)) }
}

const keyFor = (token: string, { now, ...request }: KeyRequest): NewKey => ({
  ...request,
  prefix: prefixOf(token),
  hash: hashOf(token),
  createdAt: now,
})

/** Finds a key by its id or by the key itself; an operator may have either. */
export async function findKey(keys: KeyTable, idOrToken: string): Promise<Key | undefined> {
  if (/^[1-9][0-9]{0,14}$/.test(idOrToken)) return keys.find(Number(idOrToken))
  return isToken(idOrToken) ? keys.findByHash(hashOf(idOrToken)) : undefined
}

/**
 * Issues a key like the old one, with the same lifetime; the old one keeps working for a day so that clients can
 * switch. Undefined if the old one has been revoked.
 */
export async function rotateKey(keys: KeyTable, old: Key, now: number): Promise<Issued | undefined> {
  const token = newToken()
  const expiresAt = old.lifetime === undefined ? undefined : now + old.lifetime
  const oldEnd = Math.min(now + limits.rotatedKeyTime.milliseconds, old.expiresAt ?? Number.POSITIVE_INFINITY)
  const { name, scopes, rate } = old
  const key = await keys.rotate(old.id, oldEnd, keyFor(token, { name, scopes, now, expiresAt, rate }))
  return key && { token, key }
}

export const getMe = operation({
  id: 'getMe',
  method: 'GET',
  path: '/me',
  tag: 'keys',
  stability: 'beta',
  summary: 'Get the API key',
  description:
    'Returns the API key that the request is made with: its name, its scopes, when it expires, and its rate limit.',
  answer: {
    status: 200,
    description: 'The API key.',
    schema: Me,
    example: {
      name: 'Front desk',
      scopes: ['pets:read', 'pets:write', 'orders:read', 'orders:write'],
      expiresAt: '2027-02-13T09:30:00.000Z',
      rate: { requests: 600, seconds: 60 },
    },
  },
  run({ key }, { rateOf }) {
    const { name, scopes, expiresAt } = key
    const until = expiresAt === undefined ? undefined : new Date(expiresAt).toISOString()
    return { status: 200, body: JSON.stringify({ name, scopes, expiresAt: until, rate: rateOf(key) }) }
  },
})
