/** The shared store: one PostgreSQL database that any number of instances work on. */
import { type Store, StoreRefused } from '../store.ts'
import { createPool, type PoolOptions } from './connection.ts'
import { unavailable } from './faults.ts'
import { createKeys } from './keys.ts'
import { migrate } from './migrations.ts'
import { createPets } from './pets.ts'

export async function openPostgres(options: PoolOptions): Promise<Store> {
  const pool = createPool(options)
  try {
    await migrate(pool)
  } catch (error) {
    await pool.end()
    throw unavailable(error)
      ? new StoreRefused(`Cannot reach the database: ${(error as Error).message}. Check DATABASE_URL and that it runs.`)
      : error
  }
  return {
    pets: createPets(pool, options.connections),
    keys: createKeys(pool),
    async ready() {
      await pool.query('SELECT 1')
    },
    async forget(before) {
      await pool.query('DELETE FROM attempts WHERE created_at < $1', [before])
    },
    close: () => pool.end(),
  }
}
