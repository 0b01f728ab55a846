/** The schema of the SQLite file, step by step. A step that has been released is never changed, only followed by another. */
import type { DatabaseSync } from 'node:sqlite'
import { StoreRefused } from '../store.ts'

export const migrations: readonly string[] = [
  // `doc` is the Pet as clients see it, kept by the database itself so that it cannot drift from the columns;
  // the index on status carries it, so that a page is read from the index alone.
  `CREATE TABLE pets (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     name TEXT NOT NULL,
     category_id INTEGER NOT NULL,
     status TEXT NOT NULL CHECK (status IN ('available', 'pending', 'sold')),
     doc TEXT NOT NULL GENERATED ALWAYS AS (
       '{"id":' || id || ',"name":' || json_quote(name) || ',"categoryId":' || category_id || ',"status":"' || status || '"}'
     ) STORED
   ) STRICT;
   CREATE INDEX pets_by_status ON pets (status, id, doc);
   CREATE INDEX pets_by_category ON pets (category_id, id);
   CREATE INDEX pets_by_category_and_status ON pets (category_id, status, id);

   CREATE TABLE api_keys (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     name TEXT NOT NULL,
     prefix TEXT NOT NULL,
     hash TEXT NOT NULL UNIQUE,
     scopes TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     expires_at INTEGER,
     revoked_at INTEGER,
     last_used_at INTEGER
   ) STRICT;

   CREATE TABLE attempts (
     key_id INTEGER NOT NULL,
     route TEXT NOT NULL,
     idempotency_key TEXT NOT NULL,
     fingerprint TEXT NOT NULL,
     row_id INTEGER NOT NULL,
     json TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     PRIMARY KEY (key_id, route, idempotency_key)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX attempts_by_age ON attempts (created_at);`,

  // `sale` tells from the animal's own row whether an order holds it (open) or has bought it (done). The unique index
  // makes a second sale impossible, whatever the program does.
  `ALTER TABLE pets ADD COLUMN sale TEXT CHECK (sale IN ('open', 'done'));
   CREATE TABLE orders (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     pet_id INTEGER NOT NULL REFERENCES pets (id),
     status TEXT NOT NULL CHECK (status IN ('placed', 'completed', 'cancelled')),
     created_at TEXT NOT NULL,
     updated_at TEXT NOT NULL,
     doc TEXT NOT NULL GENERATED ALWAYS AS (
       '{"id":' || id || ',"petId":' || pet_id || ',"status":"' || status || '","createdAt":"' || created_at || '","updatedAt":"' || updated_at || '"}'
     ) STORED
   ) STRICT;
   CREATE UNIQUE INDEX orders_one_sale ON orders (pet_id) WHERE status IN ('placed', 'completed');
   CREATE INDEX orders_by_status ON orders (status, id);
   CREATE INDEX orders_by_pet ON orders (pet_id, status, id);`,

  // What a key was made for: rotating one sets its end sooner, and the next rotation must not inherit that.
  'ALTER TABLE api_keys ADD COLUMN lifetime INTEGER',

  // The orders of one animal in the order of their ids, however many it has had.
  'CREATE INDEX orders_by_pet_and_id ON orders (pet_id, id)',
]

/** The file's schema version; refuses a file from a newer program, or from one that is not ours at all. */
export function knownVersion(db: DatabaseSync, path: string): number {
  // One statement, so that both are of one moment while another process may be taking a step.
  const { version, isUsed } = db
    .prepare('SELECT user_version AS version, EXISTS (SELECT 1 FROM sqlite_schema) AS isUsed FROM pragma_user_version')
    .get() as { version: number; isUsed: 0 | 1 }
  if (version > migrations.length)
    throw new StoreRefused(
      `${path} was written by a newer petstore (schema ${version}, this program knows ${migrations.length}). Run that version, or restore a backup.`,
    )
  if (version === 0 && isUsed)
    throw new StoreRefused(`${path} is the database of another program. Name another file in DATABASE_URL.`)
  return version
}

/** Brings the file up to this program's version, a transaction a step. */
export function migrate(db: DatabaseSync, path: string): void {
  while (knownVersion(db, path) < migrations.length) {
    db.exec('BEGIN IMMEDIATE')
    try {
      // Read again under the lock: another process may have taken the step in the meantime.
      const version = knownVersion(db, path)
      const step = migrations[version]
      if (step !== undefined) db.exec(`${step}; PRAGMA user_version = ${version + 1}`)
      db.exec('COMMIT')
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
}
