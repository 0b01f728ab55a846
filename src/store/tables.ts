/**
 * The tables and columns that both databases have. Those that are needed only while a row is written, such as
 * `changed_by`, are left out.
 */
import { categoryWordsOf, storedWordsOf } from '../model/words.ts'

type ColumnType = 'integer' | 'text'

const columns = (list: string): Readonly<Record<string, ColumnType>> =>
  Object.fromEntries(list.split(',').map((column) => column.trim().split(' ') as [string, ColumnType]))

/** Referenced tables come first, for `petstore copy`. */
export const tables = {
  api_keys: columns(`id integer, name text, prefix text, hash text, scopes text, created_at integer, lifetime integer,
    expires_at integer, revoked_at integer, last_used_at integer, rate text`),
  pets: columns('id integer, name text, category_id integer, status text'),
  orders: columns(`id integer, pet_id integer, status text, reference text, held_until text, created_at text,
    updated_at text, completed_at text`),
  idempotency_records: columns(`key_id integer, route text, idempotency_key text, fingerprint text, row_id integer,
    json text, created_at integer`),
  imports: columns('hash text, rows_done integer, finished_at integer'),
  categories: columns('id integer, name text'),
  sales: columns('day text, added integer, sold integer, returned integer'),
  events: columns('id integer, type text, pet_id integer, at integer, data text, by text'),
  events_purged: columns('id integer, at integer'),
  // The column delivered_at is left out, because deliveries of the original service say nothing about the copy.
  webhooks: columns(`id integer, url text, types text, enabled integer, reason text, created_at integer, secret text,
    old_secret text, old_secret_until integer, position integer, position_at integer`),
  // The locks are left out, because nobody delivers for the copy yet.
  deliveries:
    columns(`webhook_id integer, event_id integer, type text, subject text, at integer, body text, status text,
    tries integer, next_try_at integer, response_status integer, fault text`),
}

export type TableName = keyof typeof tables

/**
 * The tables with a column `words`, the column whose folded words it holds, and how they are made. They are computed
 * wherever a row is written, so they are not copied: a database without them can be copied, too.
 */
export const wordsFrom = {
  pets: ['name', storedWordsOf],
  orders: ['reference', storedWordsOf],
  categories: ['name', categoryWordsOf],
} as const satisfies Partial<Record<TableName, unknown>>

export type TableWithWords = keyof typeof wordsFrom

export const hasWords = (table: TableName): table is TableWithWords => table in wordsFrom

export const tableNames = Object.keys(tables) as TableName[]

/** The columns that are copied: named, as a newer program that serves beside this one may add others. */
export const columnsOf = (table: TableName): string[] => Object.keys(tables[table])

/** Each column that is copied, with its table. */
export const copiedColumns = tableNames.flatMap((table) => columnsOf(table).map((column) => [table, column]))

/** The same for all columns that the program reads and that both databases have. */
export const neededColumns = [...copiedColumns, ...Object.keys(wordsFrom).map((table) => [table, 'words'])]

/** The tables whose rows get their id from the database. */
export const countedTables = ['api_keys', 'pets', 'orders', 'events', 'webhooks'] as const satisfies TableName[]
