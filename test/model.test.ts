/** Random sequences of 30 requests are answered as the model of the life of an animal says, on both databases. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { databases } from '../harness/databases.ts'
import { compareWithModel, inMemory, outcomes, steps } from '../harness/model/sequences.ts'
import { releasePostgres } from '../harness/postgres.ts'
import { runOf } from '../harness/random.ts'
import { testInFull, times } from '../harness/scope.ts'

after(releasePostgres)

for (const [database, count] of [
  [inMemory, times(150, 8)],
  [databases[1], times(60, 2)],
] as const)
  test(`${count} random sequences of ${steps} steps on ${database.name} behave like the model [decision 14]`, async (t) => {
    await compareWithModel(database, count, runOf(t))
  })

// The seed is fixed, because a few random sequences may miss rare outcomes, such as cancelling twice with one
// Idempotency-Key.
testInFull('The random sequences reach every outcome of the model', async () => {
  const seen = await compareWithModel(inMemory, 40, { seed: 1, progress() {} })
  assert.deepEqual(
    outcomes.filter((outcome) => !seen.has(outcome)),
    [],
  )
})
