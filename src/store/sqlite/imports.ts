/** Adds the animals of imports, each call in its own transaction. */
import { advanceImport, createSequence, importedItems, insertPets } from '../bulk.ts'
import type { ImportTable } from '../maintenance.ts'
import { query, type Sql } from '../shared-sql.ts'

/** Some 10,000 rows. With half of it, most pages of the index by category are written twice as often. */
export const bytesAtOnce = 256 * 1024

export function createImportAdd({ transaction, nextId, listed }: Sql): ImportTable['add'] {
  const insert = insertPets(nextId('pets'), listed('$1'))
  const inSequence = createSequence()

  return (hash, { rowsDone, finishedAt = null }, animals, rows) => {
    const items = JSON.stringify(importedItems(animals))
    // The imports run one after another, because two of them in one group commit would make other processes wait for
    // twice as long.
    return inSequence(async (before) => {
      if (!(await before)) return false
      return transaction(function* () {
        const advanced = yield* query(advanceImport, hash, rowsDone, rows, finishedAt)
        if (advanced.length === 0) return false
        yield* query(insert, items)
        return true
      })
    })
  }
}
