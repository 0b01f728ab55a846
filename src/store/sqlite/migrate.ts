/** The version of the schema of a SQLite file, and bringing a file up to date. */
import type { DatabaseSync } from 'node:sqlite'
import { assertUsable, namesIn, nextMigrations, refuseMissing } from '../migrations.ts'
import type { SchemaChange } from '../store.ts'
import { neededColumns } from '../tables.ts'
import { applicationId, ofAnother } from './file.ts'
import { migrations } from './schema.ts'

/**
 * The version of the file's schema, 0 if it is new. Throws for the file of another program, or of a version that cannot
 * be used.
 */
export function versionOf(db: DatabaseSync, path: string, all = migrations): number {
  // One statement, so that all values are consistent while another process may be migrating.
  const { version, owner, isUsed } = db
    .prepare(
      `SELECT user_version AS version, application_id AS owner, EXISTS (SELECT 1 FROM sqlite_schema) AS isUsed
       FROM pragma_user_version, pragma_application_id`,
    )
    .get() as { version: number; owner: number; isUsed: 0 | 1 }
  const isNew = version === 0 && !isUsed
  const isOurs = isNew ? owner === 0 || owner === applicationId : owner === applicationId && version > 0
  if (!isOurs) throw ofAnother(path)
  assertUsable(version, all, path)
  return version
}

/**
 * Says in a new file that it is ours. Done before it has a log, which would keep this to itself until a checkpoint: so
 * the header of the file itself always says it.
 */
export function markNew(db: DatabaseSync, path: string): void {
  if (versionOf(db, path) === 0) db.exec(`PRAGMA application_id = ${applicationId}`)
}

export function migrate(db: DatabaseSync, path: string, all = migrations, change: SchemaChange = 'migrate'): void {
  const next = () => nextMigrations(versionOf(db, path, all), all, path, change)
  while (next().length > 0) {
    db.exec('BEGIN IMMEDIATE')
    try {
      // Asked again under the lock: another process may have run this migration in the meantime.
      for (const step of next()) db.exec(`${step.sql}; PRAGMA user_version = ${step.version}`)
      db.exec('COMMIT')
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
}

/** Refuses a file that lacks a part, such as a trigger: writes would succeed, but without their events and counts. */
export function assertWhole(db: DatabaseSync, path: string): void {
  const present = db.prepare(
    `SELECT name FROM sqlite_schema
     UNION ALL SELECT tables.name || '.' || columns.name
     FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'`,
  )
  const names = new Set(present.all().map(({ name }) => name))
  const needed = namesIn(migrations, /CREATE (?:TABLE|UNIQUE INDEX|TRIGGER) (\w+)/g).flat()
  const columns = neededColumns.filter(([table]) => names.has(table as string)).map((column) => column.join('.'))
  refuseMissing(
    [...needed, ...columns].filter((name) => !names.has(name)),
    path,
  )
}
