/** A look at a SQLite file past the store. */
import { DatabaseSync } from 'node:sqlite'

/** What SQLite says of the whole file: `ok`, or what is damaged. */
export function integrityOf(file: string): unknown {
  const db = new DatabaseSync(file)
  try {
    return db.prepare('PRAGMA integrity_check').get()?.integrity_check
  } finally {
    db.close()
  }
}
