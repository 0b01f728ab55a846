/** Checks of a SQLite file. */
import type { DatabaseSync } from 'node:sqlite'
import { type Check, checks, type Inspection } from '../checks.ts'
import { unavailable } from './errors.ts'
import { prepare } from './statement.ts'

const fileIsIntact: Check = {
  name: 'the file is intact',
  faults: () => `SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
}

export const createInspection = (db: DatabaseSync): Inspection => ({
  checks: [fileIsIntact, ...checks],
  async texts(sql) {
    try {
      return prepare<[string]>(db, sql)
        .all()
        .map(([text]) => text)
    } catch (error) {
      throw unavailable(error) ?? error
    }
  },
})
