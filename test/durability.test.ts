/**
 * kill -9 under load, again and again: nothing acknowledged is lost, no idempotency key is stuck, and animals, orders
 * and events agree.
 */
import { after, test } from 'node:test'
import { databases } from '../harness/databases.ts'
import { releasePostgres } from '../harness/postgres.ts'
import { times } from '../harness/scope.ts'
import { killUnderLoad } from '../harness/trial.ts'

after(releasePostgres)

for (const database of databases) {
  const cycles = database.name === 'SQLite' ? times(15, 2) : times(6, 1)
  test(`A service killed ${cycles} times under load has on ${database.name} all that was acknowledged [decision 15, 22]`, async () => {
    await killUnderLoad(database, cycles)
  })
}
