/** API keys in PostgreSQL. */
import { type Key, lifetimeOf, type NewKey, type Scope, storedLifetime } from '../../model/key.ts'
import { rateText, readRate } from '../../rate.ts'
import type { KeyTable } from '../store.ts'
import type { Pool, Value } from './pool.ts'
import { isOneOf } from './rows.ts'

interface Row {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly hash: string
  readonly scopes: string
  readonly created_at: string
  readonly lifetime: string | null
  readonly expires_at: string | null
  readonly revoked_at: string | null
  readonly last_used_at: string | null
  readonly rate: string | null
}

const insert = `INSERT INTO api_keys (name, prefix, hash, scopes, created_at, lifetime, expires_at, rate)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING *`

const valuesOf = (key: NewKey): Value[] => [
  key.name,
  key.prefix,
  key.hash,
  key.scopes.join(' '),
  key.createdAt,
  storedLifetime(key),
  key.expiresAt ?? null,
  key.rate ? rateText(key.rate) : null,
]

export function createKeys({ query, isCrowded }: Pool): KeyTable {
  const first = async (text: string, value: string | number): Promise<Key | undefined> => {
    const [row] = await query<Row>(text, [value])
    return row && keyOf(row)
  }
  return {
    async insert(key) {
      const [row] = await query<Row>(insert, valuesOf(key))
      return keyOf(row as Row)
    },
    find: (id) => first('SELECT * FROM api_keys WHERE id = $1', id),
    findAll: async (ids) =>
      (await query<Row>(`SELECT * FROM api_keys WHERE ${isOneOf('$1')}`, [ids.join()])).map(keyOf),
    findByHash: (hash) => first('SELECT * FROM api_keys WHERE hash = $1', hash),
    list: async () => (await query<Row>('SELECT * FROM api_keys ORDER BY id')).map(keyOf),
    async revoke(id, at) {
      await query('UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1', [id, at])
    },
    async rotate(id, endsAt, key) {
      const [row] = await query<Row>(
        `WITH ended AS (UPDATE api_keys SET lifetime = coalesce(lifetime, expires_at - created_at, 0), expires_at = $10 WHERE id = $9) ${insert}`,
        [...valuesOf(key), id, endsAt],
      )
      return keyOf(row as Row)
    },
    async touch(id, at) {
      if (isCrowded()) return
      await query('UPDATE api_keys SET last_used_at = greatest(last_used_at, $2) WHERE id = $1', [id, at])
    },
    async noteDeprecatedCall({ keyId, operation, at }, before) {
      if (isCrowded()) return
      await query(
        `INSERT INTO deprecated_calls AS kept VALUES ($1, $2, $3)
         ON CONFLICT (key_id, operation) DO UPDATE SET called_at = excluded.called_at WHERE kept.called_at <= $4`,
        [keyId, operation, at, before],
      )
    },
    async deprecatedCalls() {
      const rows = await query<{ key_id: string; operation: string; called_at: string }>(
        'SELECT key_id, operation, called_at FROM deprecated_calls ORDER BY key_id, operation',
      )
      return rows.map((row) => ({ keyId: Number(row.key_id), operation: row.operation, at: Number(row.called_at) }))
    },
  }
}

const timeOf = (text: string | null): number | undefined => (text === null ? undefined : Number(text))

function keyOf(row: Row): Key {
  const key: NewKey = {
    name: row.name,
    prefix: row.prefix,
    hash: row.hash,
    scopes: row.scopes.split(' ').filter(Boolean) as Scope[],
    createdAt: Number(row.created_at),
    expiresAt: timeOf(row.expires_at),
  }
  return {
    ...key,
    id: Number(row.id),
    lifetime: lifetimeOf(timeOf(row.lifetime), key),
    revokedAt: timeOf(row.revoked_at),
    lastUsedAt: timeOf(row.last_used_at),
    rate: readRate(row.rate ?? ''),
  }
}
