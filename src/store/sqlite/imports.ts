/** Adds the animals of imports, each call in a transaction of its own. */
import { advanceImport, createSequence, importedItems, insertPets } from '../bulk.ts'
import type { ImportTable } from '../maintenance.ts'
import type { Sql } from '../shared-sql.ts'

/** Some 10,000 rows. With half of it, most pages of the index by category are written twice as often. */
export const bytesAtOnce = 256 * 1024

export function createImportAdd({ write, ifFirst, listed }: Sql): ImportTable['add'] {
  const insert = insertPets('NULL', listed('$5'), ifFirst)
  const inSequence = createSequence()

  return async (hash, { rowsDone, finishedAt = null }, animals, rows) => {
    const values = [hash, rowsDone, rows, finishedAt, JSON.stringify(importedItems(animals))]
    // One after another: the two of one group commit would keep other processes waiting for twice as long.
    return inSequence(async (before) => (await before) && (await write(values, advanceImport, insert)).length > 0)
  }
}
