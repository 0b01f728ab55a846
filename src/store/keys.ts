/** API keys, in SQL that both databases understand. */
import { type Key, type NewKey, rateText, readRate, type Scope } from '../model/key.ts'
import type { KeyTable } from './key-table.ts'
import { createMembersOf, query, type Sql, type SqlValue } from './shared-sql.ts'
import { columnsOf } from './tables.ts'

const columns = columnsOf('api_keys').join()
const insert = `INSERT INTO api_keys (name, prefix, hash, scopes, created_at, lifetime, expires_at, rate)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${columns}`

const valuesOf = (key: NewKey): SqlValue[] => [
  key.name,
  key.prefix,
  key.hash,
  key.scopes.join(' '),
  key.createdAt,
  key.expiresAt === undefined ? null : key.expiresAt - key.createdAt,
  key.expiresAt ?? null,
  key.rate ? rateText(key.rate) : null,
]

export function createKeys({ read, write, transaction, upkeep, isCrowded, listed }: Sql): KeyTable {
  const select = async (text: string, ...values: readonly SqlValue[]): Promise<Key[]> =>
    (await read(text, ...values)).map(keyOf)

  return {
    insert: async (key) => keyOf((await write(insert, ...valuesOf(key)))[0] as object),
    find: async (id) => (await select(`SELECT ${columns} FROM api_keys WHERE id = $1`, id))[0],
    findAll: (ids) =>
      select(
        `SELECT ${columns} FROM api_keys WHERE id IN (SELECT CAST(listed.value AS bigint) FROM ${listed('$1')})`,
        JSON.stringify(ids),
      ),
    findByHash: async (hash) => (await select(`SELECT ${columns} FROM api_keys WHERE hash = $1`, hash))[0],
    list: () => select(`SELECT ${columns} FROM api_keys ORDER BY id`),
    async revoke(id, at) {
      await write('UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1', id, at)
    },
    rotate: (id, endsAt, key) =>
      transaction(function* () {
        const replace = 'UPDATE api_keys SET expires_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id'
        const [replaced] = yield* query(replace, id, endsAt)
        if (!replaced) return undefined
        const [added] = yield* query(insert, ...valuesOf(key))
        return keyOf(added as object)
      }),
    async touch(id, at) {
      if (isCrowded()) return
      await upkeep.write(
        'UPDATE api_keys SET last_used_at = $2 WHERE id = $1 AND coalesce(last_used_at, 0) < CAST($2 AS bigint)',
        id,
        at,
      )
    },
  }
}

const keyMembers = createMembersOf('api_keys')

interface Members extends Omit<Key, 'scopes' | 'rate'> {
  readonly scopes: string
  readonly rate: string | undefined
}

function keyOf(row: object): Key {
  const members = keyMembers(row) as unknown as Members
  return {
    ...members,
    scopes: members.scopes.split(' ').filter(Boolean) as Scope[],
    rate: readRate(members.rate ?? ''),
  }
}
