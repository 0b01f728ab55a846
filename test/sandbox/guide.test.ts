/** docs/testing.md: its tests are run as they stand, except for the address. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startSandbox } from '../../src/sandbox/index.ts'
import { unpackClient } from '../client/support/package.ts'
import { call } from '../support/call.ts'
import { Folder, node, Program } from '../support/process.ts'
import { projectFile } from '../support/project.ts'
import { test } from '../support/scope.ts'
import { main } from '../support/service.ts'

const guide = projectFile('docs/testing.md')

test('the four tests of the guide pass against a sandbox [D396]', async () => {
  using folder = new Folder()
  await using sandbox = new Program([node, main, 'sandbox'], { env: { PORT: '0' } })
  const [, url = ''] = await sandbox.until(/The sandbox is at (\S+): /)
  unpackClient(`client-${JSON.parse(projectFile('package.json')).version}.tgz`, folder.path)
  const blocks = [...guide.matchAll(/^```js\n(.*?)^```$/gms)].map(([, block]) => block)
  assert.equal(blocks.length, 5)
  const file = join(folder.path, 'guide.test.mjs')
  writeFileSync(file, blocks.join('\n').replace('http://127.0.0.1:8080/v1', url))
  // Without the variable by which a test runner tells its own children.
  const program = ['env', '-u', 'NODE_TEST_CONTEXT', node, '--test', '--test-reporter=tap', file]
  const stdout = await new Program(program, { cwd: folder.path }).succeeded
  assert.match(stdout, /^# pass 4$/m)
})

test('a sandbox in a suite has the same four, and refuses what the operations do [D403]', async () => {
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
  await assert.rejects(shop.failNext('feedPet' as 'createPet', { cut: 'after' }), /operation: must be one of \*, listPets/)
  await assert.rejects(shop.advance('1 hour'), /must be a duration such as PT25H/)
  await shop.advance('P999999D')
  await shop.advance('P999999D')
  await assert.rejects(shop.advance('P999999D'), /from 1970 to 8999/)
  assert.throws(() => sandbox.shop('mine'), /of the form/)
  await sandbox.close()
})
