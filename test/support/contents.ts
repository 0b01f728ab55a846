/** What a SQLite file has, read past the store, whatever its schema. */
import { DatabaseSync } from 'node:sqlite'

/** Runs SQL on the file; without foreign keys, so that a test can break what the store keeps. */
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
