/** The tables and columns that both databases have, for `petstore copy`; referenced tables come first. */
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
    rate: 'text',
  },
  pets: { id: 'integer', name: 'text', words: 'text', category_id: 'integer', status: 'text', held: 'integer' },
  orders: { id: 'integer', pet_id: 'integer', status: 'text', created_at: 'text', updated_at: 'text' },
  idempotency_records: {
    key_id: 'integer',
    route: 'text',
    idempotency_key: 'text',
    fingerprint: 'text',
    row_id: 'integer',
    json: 'text',
    created_at: 'integer',
  },
  deprecated_calls: { key_id: 'integer', operation: 'text', called_at: 'integer' },
  imports: { hash: 'text', rows_done: 'integer', keeps_ids: 'integer', finished_at: 'integer' },
  categories: { id: 'integer', name: 'text' },
  sales: { day: 'text', added: 'integer', sold: 'integer' },
  events: { id: 'integer', type: 'text', pet_id: 'integer', at: 'integer', data: 'text' },
  events_purged: { id: 'integer', at: 'integer' },
  webhooks: {
    id: 'integer',
    url: 'text',
    types: 'text',
    enabled: 'integer',
    reason: 'text',
    created_at: 'integer',
    secret: 'text',
    old_secret: 'text',
    old_secret_until: 'integer',
    position: 'integer',
    position_at: 'integer',
  },
  // Without the locks: nobody sends for the copy yet.
  deliveries: {
    webhook_id: 'integer',
    event_id: 'integer',
    type: 'text',
    subject: 'text',
    at: 'integer',
    body: 'text',
    status: 'text',
    tries: 'integer',
    next_try_at: 'integer',
    response_status: 'integer',
    fault: 'text',
  },
} as const satisfies Record<string, Readonly<Record<string, 'integer' | 'text'>>>

export type TableName = keyof typeof tables
export const tableNames = Object.keys(tables) as TableName[]

/** Rows of one table, as column values in order; integers are text, so that none is rounded. */
export interface Chunk {
  readonly table: TableName
  readonly rows: readonly (readonly (string | null)[])[]
}
export type WriteChunk = (chunk: Chunk) => Promise<void>
export type Counts = Readonly<Record<TableName, number>>

/** The last id assigned in each table; an id must never be assigned again, even after its row was deleted. */
export type LastIds = Readonly<Record<(typeof countedTables)[number], number>>
export const countedTables = ['api_keys', 'pets', 'orders', 'events', 'webhooks'] as const satisfies TableName[]

/** Where a copy brought none: the one row of the table. */
export const addPurged = 'INSERT INTO events_purged SELECT 0, 0 WHERE NOT EXISTS (SELECT 1 FROM events_purged)'

/** Whether a database can be copied to; the last event that was removed is known from the start. */
export const isEmpty = ({ events_purged, ...counts }: Counts): boolean =>
  Object.values(counts).every((count) => count === 0)

export const rowsPerChunk = 1_000

export interface RowFilters {
  readonly status?: string | undefined
  readonly categoryId?: bigint | undefined
}

/** Copying whole tables. */
export interface Bulk {
  counts(): Promise<Counts>
  /** Passes every row to `write`; until it is done, nobody else can write to this database. */
  export(write: WriteChunk): Promise<LastIds>
  /** Stores all that `fill` writes, in one transaction; refuses a database that already has rows. */
  import(fill: (write: WriteChunk) => Promise<LastIds>): Promise<void>
  /** Passes columns of rows to `write`, in ascending order of id, all as they are at one moment; others may write meanwhile. */
  read(
    table: 'pets' | 'orders' | 'categories',
    columns: readonly string[],
    filters: RowFilters,
    write: (rows: Chunk['rows']) => Promise<void>,
  ): Promise<void>
}

export const columnsOf = (table: TableName): string[] => Object.keys(tables[table])

const textsOf = (columns: readonly string[]): string => columns.map((column) => `CAST(${column} AS text)`).join()

/** Reads all rows of a table to be copied. */
export const selectAll = (table: TableName, from: string = table): string =>
  `SELECT ${textsOf(columnsOf(table))} FROM ${from}`

/** Reads columns of some rows in ascending order of id. Without values, as PostgreSQL's cursors take none. */
export function selectSome(table: string, columns: readonly string[], { status, categoryId }: RowFilters): string {
  const conditions = ['true']
  if (status !== undefined) conditions.push(`status = '${status.replaceAll("'", "''")}'`)
  if (categoryId !== undefined) conditions.push(`category_id = ${categoryId}`)
  return `SELECT ${textsOf(columns)} FROM ${table} WHERE ${conditions.join(' AND ')} ORDER BY ${table}.id`
}

/** Counts the rows of every table, by its name. */
export const countAll = `SELECT ${tableNames.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`).join()}`
