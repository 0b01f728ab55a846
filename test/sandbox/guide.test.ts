/** docs/testing.md: its tests run unchanged except for the address. */
import assert from 'node:assert/strict'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../harness/call.ts'
import { chromium, lackOfChromium } from '../../harness/chromium.ts'
import { Folder, node, Program } from '../../harness/process.ts'
import { projectFile, root } from '../../harness/project.ts'
import { after, before, describeInFull, test, testWith, unless } from '../../harness/scope.ts'
import { main } from '../../harness/service.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import { unpackClient } from '../client/support/package.ts'

const guide = projectFile('docs/testing.md')
const example = (language: string): string =>
  [...guide.matchAll(/^```([^\n]+)\n(.*?)^```$/gms)]
    .filter(([, info]) => info === language)
    .map(([, , block]) => block)
    .join('\n')

describeInFull('The guide', () => {
  const folder = new Folder()
  let sandbox: Program
  let address = ''
  before(async () => {
    sandbox = new Program([node, main, 'sandbox'], { env: { PORT: '0' } })
    const [, url = ''] = await sandbox.until(/^(http:\S+)\/v1\n/)
    address = url
    unpackClient(`client-${JSON.parse(projectFile('package.json')).version}.tgz`, folder.path)
  })
  after(async () => {
    await sandbox[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })

  /** Runs an example unchanged except for the address, and returns its output. */
  async function run(language: string, file: string, program: readonly string[], env: Record<string, string> = {}) {
    writeFileSync(join(folder.path, file), example(language).replaceAll('http://127.0.0.1:8080', address))
    // The variable by which a test runner recognizes its child processes is removed.
    const line = ['env', '-u', 'NODE_TEST_CONTEXT', ...program]
    const { code, stdout, stderr } = await new Program(line, { cwd: folder.path, env }).ended
    assert.equal(code, 0, stdout + stderr)
    return stdout + stderr
  }
  const nodeTest = [node, '--test', '--test-reporter=tap']

  test('The page on testing contains four tests for node:test, which pass [decision 18]', async () => {
    assert.match(await run('js', 'guide.test.mjs', [...nodeTest, 'guide.test.mjs']), /^# pass 4$/m)
  })

  unless(lackOfChromium, () =>
    test('The page on testing contains a test of a web page, which passes in Chromium [decision 18]', async () => {
      symlinkSync(join(root, 'node_modules/playwright-core'), join(folder.path, 'node_modules/playwright-core'))
      const said = await run('js playwright', 'page.test.mjs', [...nodeTest, 'page.test.mjs'], { CHROMIUM: chromium })
      assert.match(said, /^# pass 1$/m)
    }),
  )

  describeInFull('in other languages', () => {
    testWith(['python3'], 'The page on testing contains tests in Python, which pass [decision 18]', async () => {
      assert.match(await run('python', 'sandbox_test.py', ['python3', 'sandbox_test.py']), /^Ran 2 tests/m)
    })

    testWith(['go'], 'The page on testing contains a test in Go, which passes [decision 18]', async () => {
      writeFileSync(join(folder.path, 'go.mod'), 'module shop\n')
      const env = { GOCACHE: join(folder.path, 'cache'), GOFLAGS: '-mod=mod', HOME: folder.path }
      assert.match(await run('go', 'shop_test.go', ['go', 'test', '-count=1', './...'], env), /^ok\s/m)
    })
  })
})

test('A sandbox that a suite starts itself has the same four functions, and refuses what the operations refuse [decision 18]', async () => {
  const sandbox = await startSandbox()
  const shop = sandbox.shop()
  const ask = (method: string, path: string) =>
    call(sandbox.url, method, path, {
      key: shop.apiKey,
      ...(method === 'POST' && { body: { name: 'Rex', categoryId: 1 } }),
    })
  await shop.reset({ animals: 3 })
  await shop.failNext('createPet', { error: 'unavailable' })
  await shop.failNext('*', { cut: 'after', skip: 1 })
  assert.equal((await ask('POST', '/pets')).status, 503)
  assert.equal((await ask('GET', '/pets')).json.length, 3)
  await assert.rejects(ask('POST', '/pets'))
  assert.deepEqual(
    (await shop.requests()).map(({ status }) => status),
    [503, 200, 201],
  )
  await assert.rejects(
    shop.failNext('feedPet' as 'createPet', { cut: 'after' }),
    /operation: must be one of \*, listPets/,
  )
  await assert.rejects(shop.advance('1 hour'), /must be a duration such as PT25H/)
  await shop.advance('P999999D')
  await shop.advance('P999999D')
  await assert.rejects(shop.advance('P999999D'), /from 1970 to 8999/)
  assert.throws(() => sandbox.shop('mine'), /not one of a shop/)
  await sandbox.close()
})
