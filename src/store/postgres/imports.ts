/**
 * Adds the animals of imports. The server needs nearly all of the time, so calls may overlap: then two of its processes
 * work concurrently. They take their ids, and commit, in the order of the calls.
 */
import { advanceImport, createSequence, importedItems, insertPets } from '../bulk.ts'
import type { ImportTable } from '../maintenance.ts'
import { itemAt, type Sql } from '../shared-sql.ts'
import type { Pool } from './pool.ts'

/** Some 5,000 rows. They delay the events of others until they are committed. */
export const bytesAtOnce = 128 * 1024

const takeIds = `SELECT string_agg(nextval('pet_ids')::text, ',') AS ids FROM generate_series(1, $1::bigint)`

/** An open transaction delays the events of others, so it ends if this process is stopped. */
const endIfIdle = 'SET LOCAL idle_in_transaction_session_timeout = 60000'

class NotAdvanced extends Error {}

export function createImportAdd(pool: Pool, { listed }: Sql): ImportTable['add'] {
  const { time, stats } = pool
  const insert = insertPets(itemAt(4, 'bigint'), listed('$1'))
  let numbered: Promise<unknown> = Promise.resolve()
  const inSequence = createSequence()

  return async (hash, { rowsDone, finishedAt = null }, animals, rows) => {
    const started = time.ticks()
    const numberedBefore = numbered
    const ids = Promise.withResolvers<string[]>()
    numbered = ids.promise

    async function add(before: Promise<boolean>): Promise<boolean> {
      await pool.longTransaction(async ({ query }) => {
        await query(endIfIdle)
        await numberedBefore
        const [taken] = await query<{ ids: string | null }>(takeIds, [animals.length])
        ids.resolve(taken?.ids?.split(',') ?? [])
        await query(insert, [JSON.stringify(importedItems(animals, await ids.promise))])
        const advanced = (await before) ? await query(advanceImport, [hash, rowsDone, rows, finishedAt]) : []
        if (advanced.length === 0) throw new NotAdvanced()
      })
      return true
    }

    try {
      await inSequence((before) => add(before).finally(() => ids.resolve([])))
    } catch (error) {
      if (error instanceof NotAdvanced) return false
      throw error
    }
    stats.commits.done(animals.length, time.ticks() - started)
    return true
  }
}
