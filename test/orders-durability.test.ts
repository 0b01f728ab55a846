/** kill -9 in the middle of orders, again and again: every animal stands where its orders say, and nothing acknowledged is lost. */
import { after, test } from 'node:test'
import { killAmongOrders } from './support/buyers.ts'
import { databases } from './support/databases.ts'
import { releasePostgres } from './support/postgres.ts'
import { some, times } from './support/scope.ts'

after(releasePostgres)

for (const database of some(databases)) {
  const cycles = database.name === 'SQLite' ? times(20, 2) : times(3, 1)
  test(`killed ${cycles} times in the middle of orders on ${database.name}, animals and orders agree [D106]`, async () => {
    await killAmongOrders(database, cycles)
  })
}
