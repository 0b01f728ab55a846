/** Sequences of 30 requests, whatever they are, are answered as the model of the life of an animal says, on both databases. */
import { after, test } from 'node:test'
import { databases } from '../support/databases.ts'
import { releasePostgres } from '../support/postgres.ts'
import { anyRun } from '../support/random.ts'
import { times } from '../support/scope.ts'
import { compareWithModel, inMemory, steps } from './sequences.ts'

after(releasePostgres)

for (const [database, count] of [
  [inMemory, times(1_000, 100)],
  [databases[1], times(200, 20)],
] as const)
  test(`${count} sequences of ${steps} steps on ${database.name} go as the model says`, () =>
    compareWithModel(database, count, anyRun()))
