/** Adds the animals of imports, each call in a transaction of its own. */
import type { DatabaseSync } from 'node:sqlite'
import { advanceImport, importedItems, insertPets } from '../bulk.ts'
import type { ImportTable } from '../maintenance.ts'
import type { Sql } from '../shared-sql.ts'
import { addWords } from './schema.ts'

/** Some 10,000 rows. With half of it, most pages of the index by category are written twice as often. */
export const bytesAtOnce = 256 * 1024

const wordsOfImported = addWords(`pets.id > (SELECT seq FROM sqlite_sequence WHERE name = 'pets') - $6`)

export function createImportAdd(db: DatabaseSync, { write, ifFirst, listed }: Sql): ImportTable['add'] {
  const insert = insertPets('NULL', listed('$5'), ifFirst)
  let earlier: Promise<unknown> = Promise.resolve()

  return async (hash, { rowsDone, finishedAt = null }, animals, rows) => {
    const values = [hash, rowsDone, rows, finishedAt, JSON.stringify(importedItems(animals)), animals.length]
    // One after another: the two of one group commit would keep other processes waiting for twice as long.
    const adding = earlier.then(() => {
      // Else the journal of a statement with so many rows goes to a file.
      db.exec('PRAGMA temp_store = MEMORY')
      return write(values, advanceImport, insert, wordsOfImported)
    })
    earlier = adding.catch(() => {})
    return (await adding).length > 0
  }
}
