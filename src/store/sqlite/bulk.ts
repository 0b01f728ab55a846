/** Copies whole tables out of and into a SQLite file. */
import type { DatabaseSync } from 'node:sqlite'
import { sleep, type Time } from '../../time.ts'
import { countAll, refuseNewerSource, requireEmpty, rowsPerChunk, selectAll, selectSome, writtenRows } from '../bulk.ts'
import type { Bulk, Chunk, Counts, LastIds, WriteChunk } from '../maintenance.ts'
import { fillWords } from '../search.ts'
import { countedTables, tableNames } from '../tables.ts'
import { retryMilliseconds } from './group-commit.ts'
import { versionOf } from './migrate.ts'
import { eachWord, migrations, recount } from './schema.ts'
import { busyMilliseconds, isBusy, prepare, unavailable } from './statement.ts'

type Row = Chunk['rows'][number]

export function createBulk(db: DatabaseSync, time: Time): Bulk {
  const counts = () => ({ ...db.prepare(countAll).get() }) as Counts

  return {
    counts: () => withFaults(async () => counts()),
    export: (write: WriteChunk) =>
      inTransaction(db, time, 'BEGIN', async () => {
        refuseNewerSource(versionOf(db, 'The database'), migrations)
        for (const table of tableNames) {
          const select = prepare<Row>(db, selectAll(table))
          await inChunks(select.iterate(), (rows) => write({ table, rows }))
        }
        const lastIds = new Map(prepare<[name: string, seq: number]>(db, 'SELECT name, seq FROM sqlite_sequence').all())
        const lastOf = (table: string) => lastIds.get(table) ?? 0
        return Object.fromEntries(countedTables.map((table) => [table, lastOf(table)])) as LastIds
      }),
    import: (fill, kept = []) =>
      inTransaction(db, time, 'BEGIN IMMEDIATE', async () => {
        requireEmpty(counts(), kept)
        // The triggers would count each row and write events.
        const triggers = prepare<[name: string, definition: string]>(
          db,
          `SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND name LIKE tbl_name || '_insert%'`,
        ).all()
        for (const [name] of triggers) db.exec(`DROP TRIGGER ${name}`)
        const lastIds = await fill(async (chunk) => {
          const { table } = chunk
          const { columns, types, json } = writtenRows(chunk)
          if (table === 'events_purged') db.exec('DELETE FROM events_purged')
          const values = types.map((type, index) => `CAST(value ->> ${index} AS ${type})`)
          db.prepare(`INSERT INTO ${table} (${columns.join()}) SELECT ${values.join()} FROM json_each(?)`).run(json)
        })
        for (const [, definition] of triggers) db.exec(definition)
        db.exec(recount)
        // Words are sorted, so that the pages of their table are written in order; they may not fit in memory.
        db.exec(`PRAGMA temp_store = FILE; ${fillWords(eachWord).join(';')}`)
        const forget = db.prepare('DELETE FROM sqlite_sequence WHERE name = ?')
        const setLast = db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)')
        for (const table of countedTables) {
          if (kept.includes(table)) continue
          forget.run(table)
          setLast.run(table, lastIds[table])
        }
      }),
    // One statement sees the rows of one moment.
    read: (table, columns, write) =>
      withFaults(() => inChunks(prepare<Row>(db, selectSome(table, columns)).iterate(), write)),
  }
}

async function inTransaction<T>(
  db: DatabaseSync,
  time: Time,
  begin: 'BEGIN' | 'BEGIN IMMEDIATE',
  work: () => Promise<T>,
): Promise<T> {
  const deadline = time.ticks() + busyMilliseconds
  for (let isBegun = false; !isBegun; )
    try {
      db.exec(begin)
      isBegun = true
    } catch (error) {
      if (!isBusy(error) || time.ticks() >= deadline) throw unavailable(error) ?? error
      await sleep(time, retryMilliseconds)
    }
  return withFaults(async () => {
    try {
      const result = await work()
      db.exec('COMMIT')
      return result
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  })
}

/** Turns errors of SQLite into errors of a store. */
async function withFaults<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw unavailable(error) ?? error
  }
}

async function inChunks(rows: Iterable<Row>, write: (rows: Row[]) => Promise<void>): Promise<void> {
  let chunk: Row[] = []
  for (const row of rows) {
    chunk.push(row)
    if (chunk.length < rowsPerChunk) continue
    await write(chunk)
    chunk = []
  }
  if (chunk.length > 0) await write(chunk)
}
