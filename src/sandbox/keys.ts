/**
 * The keys of a shop. `test_NAME` has every scope. The parts that follow it after dots name other scopes or a rate
 * limit.
 */
import { defaultScopes, hashOf, type Key, type Rate, readRate, type Scope, scopes, scopesFor } from '../model/key.ts'
import type { KeyTable } from '../store/key-table.ts'

export const nameForm = /^test_[\w-]{1,64}$/
export const keyForm = /^(test_[\w-]{1,64})((?:\.[\w-]+)*)$/
/** Each key has its own rate limit and idempotency records, which must not fill the memory. */
const keysMax = 100

export const keyForms =
  'test_NAME, with letters, digits, - and _ in its NAME, is a key of the sandbox; .reader, .staff, .client, a scope ' +
  'such as .pets-read, or a rate such as .rate-5-60 behind it make it another key of the same shop.'

/** The meaning of one part of a key, between dots. Undefined if it has none. */
function meaningOf(part: string): { readonly scopes?: readonly Scope[]; readonly rate?: Rate } | undefined {
  const [, requests, seconds] = /^rate-(\d+)-(\d+)$/.exec(part) ?? []
  if (requests) {
    const rate = readRate(`${requests}/${seconds}`)
    return rate && { rate }
  }
  if (part === 'client') return { scopes: defaultScopes }
  if (part === 'staff' || part === 'reader') return { scopes: scopesFor[part] }
  const scope = scopes.find((each) => each.replace(':', '-') === part)
  return scope && { scopes: [scope] }
}

export type ShopKeys = ReturnType<typeof createShopKeys>

/** Operations find the shop of a key through the prefix of the key. */
export function createShopKeys(name: string, createdAt: number) {
  const known = new Map<string, Key>()

  /**
   * The key with these parts, such as `.reader.rate-5-60`. Undefined if the parts have no meaning, or if there are too
   * many keys.
   */
  function of(parts: string): Key | undefined {
    const before = known.get(parts)
    if (before || known.size >= keysMax) return before
    const meanings = parts.split('.').slice(1).map(meaningOf)
    if (meanings.includes(undefined)) return undefined
    const granted = meanings.flatMap((meaning) => meaning?.scopes ?? [])
    const key: Key = {
      id: known.size + 1,
      name: parts === '' ? 'sandbox' : parts.slice(1),
      prefix: name,
      hash: hashOf(name + parts),
      scopes: granted.length > 0 ? scopes.filter((scope) => granted.includes(scope)) : scopes,
      createdAt,
      lifetime: undefined,
      expiresAt: undefined,
      revokedAt: undefined,
      lastUsedAt: undefined,
      rate: meanings.findLast((meaning) => meaning?.rate)?.rate,
    }
    known.set(parts, key)
    return key
  }

  return {
    of,
    main: of('') as Key,
    /** The keys of a service that does not keep keys in its store. */
    table: (table: KeyTable): KeyTable => ({
      ...table,
      findAll: async (ids) => [...known.values()].filter(({ id }) => ids.includes(id)),
    }),
  }
}
