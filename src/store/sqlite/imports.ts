/** Imports into SQLite: many animals in a transaction, which is short enough for a running service to write in between. */
import type { DatabaseSync } from 'node:sqlite'
import type { ImportTable } from '../store.ts'
import type { Writer } from './commit.ts'
import type { SqliteInventory } from './inventory.ts'
import { eventTime } from './migrations.ts'
import { areSetAside, restore, setAside } from './set-aside.ts'
import { prepare } from './statement.ts'

/** They take 0.1 s, which is how long a service that writes has to wait for them. */
const rowsBeside = 10_000
/** While nobody else has the file open. */
const rowsAlone = 40_000

export function createImports(
  db: DatabaseSync,
  writer: Writer,
  inventory: Pick<SqliteInventory, 'countAdded' | 'foldSome'>,
): ImportTable {
  const find = prepare<[rowsDone: number, keepsIds: number, finishedAt: number | null]>(
    db,
    'SELECT rows_done, keeps_ids, finished_at FROM imports WHERE hash = ?',
  )
  const begin = db.prepare('INSERT OR REPLACE INTO imports (hash, rows_done, keeps_ids) VALUES (?, 0, ?)')
  const advance = db.prepare(
    `UPDATE imports SET rows_done = rows_done + :rows, finished_at = :finishedAt
     WHERE hash = :hash AND rows_done = :rowsDone AND finished_at IS NULL`,
  )
  const lastId = prepare<[number]>(db, `SELECT seq FROM sqlite_sequence WHERE name = 'pets' AND seq > 0`)
  // It is newer than the oldest Node that will do, and spares 0.5 of 9 µs per row.
  const hasJsonb = prepare(db, `SELECT 1 FROM pragma_module_list WHERE name = 'jsonb_each'`).get() !== undefined
  const insertWith = (id: string, value: string) =>
    db.prepare(
      `INSERT INTO pets (${id}name, category_id, status)
       SELECT ${value}value ->> 0, CAST(value ->> 1 AS INTEGER), value ->> 2 FROM ${hasJsonb ? 'jsonb_each' : 'json_each'}(?)`,
    )
  const insert = insertWith('', '')
  const insertWithIds = insertWith('id, ', 'value ->> 3, ')
  const highestId = prepare<[number | null]>(db, 'SELECT max(id) FROM pets')
  const addEvents = prepare(
    db,
    `INSERT INTO events (type, pet_id, at, data) SELECT 'pet.created', id, ${eventTime}, doc FROM pets WHERE id > ? ORDER BY id`,
  )
  const isNew = () => lastId.get() === undefined

  return {
    get rowsPerBatch() {
      return areSetAside(db) ? rowsAlone : rowsBeside
    },
    atOnce: 1,
    isNew: async () => isNew(),
    begin(hash, again, lastId) {
      if (isNew()) setAside(db, isNew)
      return writer.write(() => {
        const [rowsDone, keptIds, finishedAt] = find.get(hash) ?? []
        if (rowsDone !== undefined && !(again && finishedAt))
          return { rowsDone, keepsIds: keptIds === 1, finishedAt: finishedAt ?? undefined }
        const keepsIds = lastId !== undefined && isNew()
        if (keepsIds) {
          db.exec(`DELETE FROM sqlite_sequence WHERE name = 'pets'`)
          db.prepare(`INSERT INTO sqlite_sequence (name, seq) VALUES ('pets', ?)`).run(lastId)
        }
        begin.run(hash, Number(keepsIds))
        return { rowsDone: 0, keepsIds, finishedAt: undefined }
      })
    },
    add: (hash, { rowsDone, keepsIds, finishedAt = null }, batch, rows) =>
      writer.write(() => {
        if (advance.run({ hash, rows, rowsDone, finishedAt }).changes === 0) return false
        // What others have added is counted first. No service may be running, and the animals are added today.
        while (inventory.foldSome(rowsAlone));
        // Then nobody else has added any, and those of the file have ascending ids.
        const isWithoutTrigger = areSetAside(db)
        const last = highestId.get()?.[0] ?? 0
        ;(keepsIds ? insertWithIds : insert).run(batch.pets())
        if (isWithoutTrigger) addEvents.run(last)
        inventory.countAdded(batch)
        if (finishedAt !== null) restore(db)
        return true
      }),
  }
}
