/** A process that ends a pool of connections while one of them is about to be opened again, and should then end by itself. */
import { createPool } from '../../src/store/postgres/pool.ts'

const [url = ''] = process.argv.slice(2)
// Shorter than the pause before it connects again, so that the pause outlasts the pool.
const pool = createPool({ url, connections: 1, timeoutMilliseconds: 10_000, endMilliseconds: 1 })
const lost = await pool.query('SELECT 1').catch((error: Error) => error.message)
const underWay = pool.query('SELECT 1').catch((error: Error) => error.message)
await pool.end()
process.stdout.write(`${JSON.stringify([lost, await underWay])}\n`)
