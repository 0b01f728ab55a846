/** Versions of the schema: release 1.0.0 made 100, and every migration since makes the next one. */
import { StoreRefused } from './store.ts'

const baseline = 100

/** The version that a list of migrations leads to, of which the first is the schema of 1.0.0. */
export const versionAfter = (migrations: number): number => (migrations === 0 ? 0 : baseline - 1 + migrations)

/** How many migrations a database has had, 0 if it is new. Refuses one of a development version, or of a newer program. */
export function migrationsOf(version: number, known: number, database: string): number {
  if (version === 0) return 0
  if (version < baseline)
    throw new StoreRefused(
      `${database} was written by a development version of petstore (schema ${version}). Save its animals with "petstore export" of that version, and names of categories with --categories, and import them into a new database.`,
    )
  if (version > versionAfter(known))
    throw new StoreRefused(
      `${database} was written by a newer petstore (schema ${version}, this program knows ${versionAfter(known)}). Run that version, or restore a backup.`,
    )
  return version - baseline + 1
}
