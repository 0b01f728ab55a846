/** The tables and columns that every database has alike, for moving them from one to another; parents stand before children. */
export const tables = {
  api_keys: {
    id: 'integer',
    name: 'text',
    prefix: 'text',
    hash: 'text',
    scopes: 'text',
    created_at: 'integer',
    lifetime: 'integer',
    expires_at: 'integer',
    revoked_at: 'integer',
    last_used_at: 'integer',
  },
  pets: { id: 'integer', name: 'text', category_id: 'integer', status: 'text', sale: 'text' },
  orders: { id: 'integer', pet_id: 'integer', status: 'text', created_at: 'text', updated_at: 'text' },
  attempts: {
    key_id: 'integer',
    route: 'text',
    idempotency_key: 'text',
    fingerprint: 'text',
    row_id: 'integer',
    json: 'text',
    created_at: 'integer',
  },
} as const satisfies Record<string, Readonly<Record<string, 'integer' | 'text'>>>

export type TableName = keyof typeof tables
export const tableNames = Object.keys(tables) as TableName[]

/** Rows of one table, each the values of its columns in order; integers as text, so that none is rounded. */
export interface Chunk {
  readonly table: TableName
  readonly rows: readonly (readonly (string | null)[])[]
}
export type WriteChunk = (chunk: Chunk) => Promise<void>
export type Counts = Readonly<Record<TableName, number>>

/** The last id given in each table that gives ids; one whose row is gone must never be given again. */
export type LastIds = Readonly<Record<(typeof countedTables)[number], number>>
export const countedTables = ['api_keys', 'pets', 'orders'] as const satisfies TableName[]

export const rowsPerChunk = 1_000

/** The moving of whole tables. */
export interface Bulk {
  counts(): Promise<Counts>
  /** Hands every row to `write`; until it is done, nobody else can write to this database. */
  export(write: WriteChunk): Promise<LastIds>
  /** Takes all that `fill` writes, or nothing; refuses a database that already has rows. */
  import(fill: (write: WriteChunk) => Promise<LastIds>): Promise<void>
}

export const columnsOf = (table: TableName): string[] => Object.keys(tables[table])
