/**
 * The indexes of animals, and the trigger that writes the event of a new one, are set aside for the first import of a
 * store, and restored at its end: the import takes half the time. While they are, the database keeps their
 * definitions in a table, and whoever opens the file restores them first.
 */
import type { DatabaseSync } from 'node:sqlite'
import { isBusy } from './errors.ts'
import { prepare } from './statement.ts'

const ofPets = `tbl_name = 'pets' AND (type = 'index' AND sql IS NOT NULL OR name = 'events_pets_insert')`

export function areSetAside(db: DatabaseSync): boolean {
  return prepare(db, `SELECT 1 FROM sqlite_schema WHERE name = 'set_aside'`).get() !== undefined
}

/** If `isEmpty`, and no other process has the file open: one that has would read all animals for each of its pages. */
export function setAside(db: DatabaseSync, isEmpty: () => boolean): void {
  // In this mode a transaction needs a lock that whoever has the file open prevents.
  db.exec('PRAGMA locking_mode = EXCLUSIVE')
  try {
    db.exec('BEGIN IMMEDIATE')
    if (isEmpty() && !areSetAside(db)) {
      db.exec(`CREATE TABLE set_aside AS SELECT sql FROM sqlite_schema WHERE ${ofPets}`)
      const found = prepare<[type: string, name: string]>(db, `SELECT type, name FROM sqlite_schema WHERE ${ofPets}`)
      for (const [type, name] of found.all()) db.exec(`DROP ${type} "${name.replaceAll('"', '""')}"`)
    }
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    if (!isBusy(error)) throw error
  } finally {
    // The lock is released with the next transaction, which a read is.
    db.exec('PRAGMA locking_mode = NORMAL; SELECT 1 FROM sqlite_schema')
  }
}

/** Within a transaction. */
export function restore(db: DatabaseSync): void {
  if (!areSetAside(db)) return
  // Sorting takes most of the time of making an index, and a fifth less with a second thread. Each thread takes as much memory
  // as the page cache may have: with the 16 MiB of a service it is 40 MB more, and no faster.
  const cacheSize = prepare<[number]>(db, 'PRAGMA cache_size').get()?.[0]
  db.exec('PRAGMA threads = 2; PRAGMA cache_size = -4096')
  for (const [definition] of prepare<[string]>(db, 'SELECT sql FROM set_aside').all()) db.exec(definition)
  db.exec(`DROP TABLE set_aside; PRAGMA cache_size = ${cacheSize}`)
}
