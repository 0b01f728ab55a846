/** A random test prints the seed that repeats it, and uses the seed that it is given. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { root } from '../../harness/project.ts'

test('The runner prints the seed of a random test, and TEST_SEED repeats the same test', async () => {
  const file = `
    import { test } from 'node:test'
    import { randomFrom, seedOf } from './harness/random.ts'
    test('random', (t) => console.log(randomFrom(seedOf(t))()))`
  const run = async (seed: string) => {
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined, TEST_SEED: seed }
    const args = ['--test-reporter=tap', '--input-type=module', '-e', file]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env })
    return { number: /^0\.\d+$/m.exec(stdout)?.[0], seed: /# TEST_SEED=(\d+) repeats/.exec(stdout)?.[1] ?? '' }
  }
  const [first, second] = [await run(''), await run('')]
  assert.notEqual(first.number, second.number)
  assert.deepEqual(await run(first.seed), first)
})
