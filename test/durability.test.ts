/**
 * The actors, the ledger and the model of the simulation in real time: processes are killed under load, and whatever
 * the machine makes of it, nothing that is promised fails.
 */
import { after, test } from 'node:test'
import { runReal } from './simulation/real.ts'
import { databases } from './support/databases.ts'
import { releasePostgres } from './support/postgres.ts'
import { seedOf } from './support/random.ts'
import { times } from './support/scope.ts'

after(releasePostgres)

for (const database of databases) {
  const [runs, kills] = [times(5, 1), times(4, 2)]
  const title = `A service on ${database.name} that is killed ${runs * kills} times keeps what it promises`
  test(`${title} [D106 D179]`, async (t) => {
    const seed = seedOf(t)
    for (let run = 0; run < runs; run++) await runReal(database, { seed: seed + run, kills })
  })
}
