/** `npm run test:long` itself: its options, and its report of a failure. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { node, Program } from '../harness/process.ts'
import { testInFull } from '../harness/scope.ts'
import { Progress } from '../trials/long/item.ts'

const run = (...args: string[]) =>
  new Program([node, fileURLToPath(new URL('../trials/long/run.ts', import.meta.url)), ...args]).ended

testInFull('The long trials run one item at a small scale with a seed, and show what it saw', async () => {
  const { code, stdout, stderr } = await run('--only', 'double-sale', '--scale', '0.002', '--seed', '7')
  assert.equal(code, 0, stderr)
  assert.match(stderr, /^seed 7, scale 0\.002$/m)
  assert.match(stdout, /^\| double-sale \| 200 tries for 2 animals [^|]* 2 orders on each \| 0\.002 \| 7 \|/m)
})

testInFull('The long trials exit with 1 if an item fails, and say why', async () => {
  const { code, stdout } = await run('--only', 'double-sale', '--scale', '0.002', '--minutes', '0.000001')
  assert.equal(code, 1)
  assert.match(stdout, /^\| double-sale \| \*\*failed\*\*: the time was over at /m)
})

for (const args of [
  ['--only', 'nothing'],
  ['--scale', '0'],
])
  test(`The long trials refuse ${args.join(' ')} with 2`, async () => {
    const { code, stderr } = await run(...args)
    assert.equal(code, 2)
    assert.match(stderr, /^Usage: npm run test:long/)
  })

test('An item of the long trials whose time is over is stopped where it reports its progress', () => {
  assert.throws(() => new Progress('test', 0).tell(3, 7), /the time was over at 3 of 7/)
})
