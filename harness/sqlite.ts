/** Works on a SQLite file without going through the store, whatever its schema. */
import { DatabaseSync } from 'node:sqlite'

/** Returns what SQLite says about the whole file: `ok`, or what is damaged. */
export function integrityOf(file: string): unknown {
  const db = new DatabaseSync(file)
  try {
    return db.prepare('PRAGMA integrity_check').get()?.integrity_check
  } finally {
    db.close()
  }
}

/** Runs SQL on the file without foreign keys, so that a test can break what the store guarantees. */
export function change(file: string, sql: string): void {
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  try {
    db.exec(sql)
  } finally {
    db.close()
  }
}

export function namesIn(file: string): string[] {
  const db = new DatabaseSync(file)
  try {
    return db
      .prepare('SELECT name FROM pets ORDER BY id')
      .all()
      .map(({ name }) => String(name))
  } finally {
    db.close()
  }
}
