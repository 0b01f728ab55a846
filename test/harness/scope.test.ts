/** The suite says what it leaves out. Every test is defined everywhere, and a test that does not run is reported. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { Folder } from '../../harness/process.ts'
import { root } from '../../harness/project.ts'
import { testInFull } from '../../harness/scope.ts'

async function run(args: readonly string[], env: Record<string, string | undefined>): Promise<string> {
  const options = { cwd: root, env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...env }, maxBuffer: 1e7 }
  const { stdout } = await promisify(execFile)(process.execPath, args, options).catch((error) => error)
  return stdout
}

testInFull('The quick scope defines every test of the full scope, on a machine without any program', async () => {
  using folder = new Folder()
  const stdout = await run(['test/harness/definitions.ts'], { TMPDIR: folder.path })
  // A title may contain a number of repetitions, which depends on the scope.
  const { quick, full } = JSON.parse(stdout.replaceAll(/\d+/g, '#'))
  const leftOut = full.filter((title: string) => !quick.includes(title))
  assert.deepEqual(leftOut, [])
  assert.equal(quick.length, full.length)
  assert.ok(full.length > 1_000)
})

test('A test that does not run is counted as skipped, and in CI a test without its program fails', async () => {
  const file = `
    import { before, describeInFull, some, test, testWith } from './harness/scope.ts'
    let isReady = false
    describeInFull('in the full scope', () => {
      before(() => {
        console.log('a hook was run')
        isReady = true
      })
      for (const title of ['one', 'two']) test(title, (t) => t.assert.ok(isReady))
      testWith(['none'], 'three', () => {})
    })
    for (const each of some(['first', 'second'])) test(each, () => {})
    testWith(['none', 'promtool'], 'with programs', () => {})
    testWith([], 'at the end', () => {})`
  const counts = async (env: Record<string, string>) => {
    const stdout = await run(['--test-reporter=tap', '--input-type=module', '-e', file], { PATH: '', ...env })
    assert.match(
      stdout,
      /needs none and promtool, not found on the PATH \(on Debian: apt-get install none prometheus\)/,
    )
    assert.equal(stdout.includes('a hook was run'), env.TEST_SCOPE === 'full')
    return ['pass', 'skipped', 'fail'].map((name) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(stdout)?.[1]))
  }
  assert.deepEqual(await counts({ TEST_SCOPE: '', CI: '' }), [2, 5, 0])
  assert.deepEqual(await counts({ TEST_SCOPE: '', CI: 'true' }), [2, 4, 1])
  assert.deepEqual(await counts({ TEST_SCOPE: 'full', CI: '' }), [5, 2, 0])
  assert.deepEqual(await counts({ TEST_SCOPE: 'full', CI: 'true' }), [5, 0, 2])
})
