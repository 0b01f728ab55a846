/** API keys in SQLite. */
import type { DatabaseSync } from 'node:sqlite'
import type { Key, Scope } from '../../model/key.ts'
import type { KeyTable } from '../store.ts'
import type { Writer } from './commit.ts'
import type { Snapshot } from './snapshot.ts'
import { prepare } from './statement.ts'

type Row = [number, string, string, string, string, number, number | null, number | null, number | null]

export function createKeys(db: DatabaseSync, writer: Writer, snapshot: Snapshot): KeyTable {
  const columns = 'id, name, prefix, hash, scopes, created_at, expires_at, revoked_at, last_used_at'
  const insert = prepare<Row>(
    db,
    `INSERT INTO api_keys (name, prefix, hash, scopes, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING ${columns}`,
  )
  const find = prepare<Row>(db, `SELECT ${columns} FROM api_keys WHERE id = ?`)
  const findByHash = prepare<Row>(db, `SELECT ${columns} FROM api_keys WHERE hash = ?`)
  const list = prepare<Row>(db, `SELECT ${columns} FROM api_keys ORDER BY id`)
  const revoke = prepare(db, 'UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?')
  const expire = prepare(db, 'UPDATE api_keys SET expires_at = ? WHERE id = ?')
  const touch = prepare(db, 'UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?')

  const read = async <T>(query: () => T): Promise<T> => snapshot.read(query)

  return {
    insert: (key) =>
      writer.write(() =>
        keyOf(
          insert.get(key.name, key.prefix, key.hash, key.scopes.join(' '), key.createdAt, key.expiresAt ?? null) as Row,
        ),
      ),
    find: (id) => read(() => optional(find.get(id))),
    findByHash: (hash) => read(() => optional(findByHash.get(hash))),
    list: () => read(() => list.all().map(keyOf)),
    revoke: (id, at) => writer.write(() => void revoke.run(at, id)),
    expire: (id, at) => writer.write(() => void expire.run(at, id)),
    touch: (id, at) => writer.write(() => void touch.run(at, id)),
  }
}

const optional = (row: Row | undefined): Key | undefined => row && keyOf(row)

function keyOf([id, name, prefix, hash, scopes, createdAt, expiresAt, revokedAt, lastUsedAt]: Row): Key {
  return {
    id,
    name,
    prefix,
    hash,
    scopes: scopes.split(' ').filter(Boolean) as Scope[],
    createdAt,
    expiresAt: expiresAt ?? undefined,
    revokedAt: revokedAt ?? undefined,
    lastUsedAt: lastUsedAt ?? undefined,
  }
}
