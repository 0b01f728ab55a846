/**
 * Versions of the schema: finds the steps that a database lacks, and refuses databases that this program cannot use.
 */
import { DatabaseUnusable, type SchemaChange } from './store.ts'

/**
 * A step of the schema, and the version that it leads to. Within a hundred, which is a major version of the program, it
 * only adds tables, indexes, and columns that may be null or have a default: all programs of that major version run on
 * the database side by side. Any other step (it drops or renames something, or asks more of a row) begins the next
 * hundred.
 */
export interface Migration {
  readonly version: number
  readonly sql: string
}

export const baselineVersion = 100

/** Refuses the schema of a development version, or of a later major version. */
export function assertUsable(version: number, all: readonly Migration[], database: string): void {
  if (version !== 0 && version < baselineVersion)
    throw new DatabaseUnusable(
      `${database} was written by a development version of petstore (schema ${version}). ` +
        'Save its animals with "petstore export" of that version, and names of categories with --categories, ' +
        'and import them into a new database.',
    )
  if (Math.floor(version / 100) > Math.floor(lastOf(all) / 100))
    throw newer(version, all, database, 'Run that version, or restore a backup')
}

/**
 * The migrations to run next, in one transaction, on a database of a version; 0 if it is new. A new one gets all of
 * them, so that nobody finds it half made; another only the first that it lacks, so that no lock is held during the
 * second.
 */
export function nextMigrations(
  version: number,
  all: readonly Migration[],
  database: string,
  change: SchemaChange,
): readonly Migration[] {
  assertUsable(version, all, database)
  const missing = all.filter((migration) => migration.version > version)
  if (missing.length === 0 || change === 'migrate') return version === 0 ? missing : missing.slice(0, 1)
  if (version > 0)
    throw new DatabaseUnusable(
      `${database} has the schema of an older petstore (schema ${version}, ` +
        `this program has ${lastOf(all)}). Run "petstore migrate" on it.`,
    )
  if (change === 'create') return missing
  throw new DatabaseUnusable(
    `${database} is empty. Check the name; "petstore serve" or "migrate" creates the tables of a new one.`,
  )
}

/**
 * Refuses a newer database for commands that need to know everything in it. This program could serve it, but does not
 * know what the newer program has added.
 */
export function refuseNewer(version: number, all: readonly Migration[], database: string, instead: string): void {
  if (version > lastOf(all)) throw newer(version, all, database, instead)
}

/** The names in statements of migrations that match a pattern: an item for each match, with its groups. */
export const namesIn = (all: readonly Migration[], pattern: RegExp): string[][] =>
  all.flatMap(({ sql }) => Array.from(sql.matchAll(pattern), ([, ...names]) => names as string[]))

const partsNamed = 5

/** Refuses a database that lacks a part of its version, because it was restored in part or changed by somebody else. */
export function refuseMissing(parts: readonly string[], database: string): void {
  if (parts.length === 0) return
  const more = parts.length > partsNamed ? ` and ${parts.length - partsNamed} more` : ''
  throw new DatabaseUnusable(
    `${database} lacks parts of its schema: ${parts.slice(0, partsNamed).join(', ')}${more}. ` +
      'Restore it as a whole from a backup. If a development version of petstore made it, ' +
      'copy it into a new database with "petstore copy".',
  )
}

const lastOf = (all: readonly Migration[]): number => all.at(-1)?.version ?? 0

const newer = (version: number, all: readonly Migration[], database: string, instead: string): DatabaseUnusable =>
  new DatabaseUnusable(
    `${database} was written by a newer petstore (schema ${version}, this program knows ${lastOf(all)}). ${instead}.`,
  )
