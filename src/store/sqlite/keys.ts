/** API keys in SQLite. */
import type { DatabaseSync } from 'node:sqlite'
import { type Key, lifetimeOf, type NewKey, type Scope, storedLifetime } from '../../model/key.ts'
import { rateText, readRate } from '../../rate.ts'
import type { KeyTable } from '../store.ts'
import type { Writer } from './commit.ts'
import type { Snapshot } from './snapshot.ts'
import { prepare } from './statement.ts'

type Row = [
  ...[number, string, string, string, string, number],
  ...[number | null, number | null, number | null, number | null, string | null],
]

export function createKeys(db: DatabaseSync, writer: Writer, snapshot: Snapshot): KeyTable {
  const columns = 'id, name, prefix, hash, scopes, created_at, lifetime, expires_at, revoked_at, last_used_at, rate'
  const insert = prepare<Row>(
    db,
    `INSERT INTO api_keys (name, prefix, hash, scopes, created_at, lifetime, expires_at, rate)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${columns}`,
  )
  const find = prepare<Row>(db, `SELECT ${columns} FROM api_keys WHERE id = ?`)
  const findAll = prepare<Row>(db, `SELECT ${columns} FROM api_keys WHERE id IN (SELECT value FROM json_each(?))`)
  const findByHash = prepare<Row>(db, `SELECT ${columns} FROM api_keys WHERE hash = ?`)
  const list = prepare<Row>(db, `SELECT ${columns} FROM api_keys ORDER BY id`)
  const revoke = prepare(db, 'UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?')
  const expire = prepare(
    db,
    'UPDATE api_keys SET lifetime = coalesce(lifetime, expires_at - created_at, 0), expires_at = ? WHERE id = ?',
  )
  const touch = prepare(db, 'UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?')

  const noteCall = prepare(
    db,
    `INSERT INTO deprecated_calls VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET called_at = excluded.called_at WHERE called_at <= ?`,
  )
  const calls = prepare<[keyId: number, operation: string, at: number]>(
    db,
    'SELECT key_id, operation, called_at FROM deprecated_calls ORDER BY key_id, operation',
  )

  const read = async <T>(query: () => T): Promise<T> => snapshot.read(query)

  function add(key: NewKey): Key {
    const { name, prefix, hash, scopes, createdAt, expiresAt = null } = key
    const rate = key.rate ? rateText(key.rate) : null
    return keyOf(
      insert.get(name, prefix, hash, scopes.join(' '), createdAt, storedLifetime(key), expiresAt, rate) as Row,
    )
  }

  return {
    insert: (key) => writer.write(() => add(key)),
    find: (id) => read(() => optional(find.get(id))),
    findAll: (ids) => read(() => findAll.all(JSON.stringify(ids)).map(keyOf)),
    findByHash: (hash) => read(() => optional(findByHash.get(hash))),
    list: () => read(() => list.all().map(keyOf)),
    revoke: (id, at) => writer.write(() => void revoke.run(at, id)),
    rotate: (id, endsAt, key) =>
      writer.write(() => {
        expire.run(endsAt, id)
        return add(key)
      }),
    async touch(id, at) {
      if (!writer.isCrowded()) await writer.write(() => void touch.run(at, id))
    },
    async noteDeprecatedCall({ keyId, operation, at }, before) {
      if (!writer.isCrowded()) await writer.write(() => void noteCall.run(keyId, operation, at, before))
    },
    deprecatedCalls: () => read(() => calls.all().map(([keyId, operation, at]) => ({ keyId, operation, at }))),
  }
}

const optional = (row: Row | undefined): Key | undefined => row && keyOf(row)

function keyOf(row: Row): Key {
  const [id, name, prefix, hash, scopes, createdAt, lifetime, expiresAt, revokedAt, lastUsedAt, rate] = row
  const key: NewKey = {
    name,
    prefix,
    hash,
    scopes: scopes.split(' ').filter(Boolean) as Scope[],
    createdAt,
    expiresAt: expiresAt ?? undefined,
  }
  return {
    ...key,
    id,
    lifetime: lifetimeOf(lifetime ?? undefined, key),
    revokedAt: revokedAt ?? undefined,
    lastUsedAt: lastUsedAt ?? undefined,
    rate: readRate(rate ?? ''),
  }
}
