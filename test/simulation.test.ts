/** The whole service on virtual time, and in real time as processes that are killed. No promise may be broken. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { databases } from '../harness/databases.ts'
import { faultsIn, planted } from '../harness/planted.ts'
import { releasePostgres } from '../harness/postgres.ts'
import { projectFile, root } from '../harness/project.ts'
import { seedOf } from '../harness/random.ts'
import { node } from '../harness/runtimes.ts'
import { after, test, testInFull, times } from '../harness/scope.ts'
import { runReal } from '../harness/simulation/real.ts'
import { simulate } from '../harness/simulation/simulate.ts'
import { reportOf } from '../trials/simulation/run.ts'

after(releasePostgres)

/** The seeds are always the same, so that a failure is caused by a change. `test:long` tries others. */
const seeds = times(50, 4)
const first = 1

test(`The simulation finds no broken promise in ${seeds} seeds [decision 20, 24]`, async () => {
  for (let seed = first; seed < first + seeds; seed++) {
    const outcome = await simulate({ seed })
    assert.ok(!outcome.failure, reportOf(outcome))
  }
})

for (const database of databases) {
  const kills = 10
  testInFull(
    `The simulation in real time on ${database.name} finds no broken promise while processes are killed ${kills} times [decision 15, 22]`,
    async (t) => {
      await runReal(database, { seed: seedOf(t), kills, answers: 60 })
    },
  )
}

test('One seed of the simulation always gives the same trace, in this process and in another [decision 24]', async () => {
  const [one, two] = [await simulate({ seed: first }), await simulate({ seed: first })]
  assert.equal(one.hash, two.hash)
  const args = [join(root, 'trials/simulation/run.ts'), '--seed', String(first), '--hashes']
  const { stdout } = await promisify(execFile)(node, args)
  assert.equal(stdout, `${first} ${one.hash}\n`)
})

test('Every fault that the simulation and the failovers plant finds its text in the source', () => {
  for (const path of [
    'trials/simulation/faults.txt',
    'trials/simulation/faults-real.txt',
    'trials/failover/faults.txt',
  ])
    for (const fault of faultsIn(path)) planted(projectFile(join('src', fault.file)), fault)
})
