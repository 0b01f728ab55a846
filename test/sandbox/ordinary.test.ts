/** An ordinary service knows nothing of a sandbox. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { databases } from '../../harness/databases.ts'
import { InProcess, withStores } from '../../harness/in-process.ts'
import { projectFile, root } from '../../harness/project.ts'

test('An ordinary service has no /sandbox, and accepts no key of a sandbox [decision 18]', () =>
  withStores(databases[0], 1, async ([store]) => {
    const service = await InProcess.on(store)
    const headers = [['authorization', `Bearer ${service.key}`]] as const
    for (const path of ['', '/reset', '/clock', '/openapi.json', '/docs'])
      for (const method of ['GET', 'POST', 'PUT']) {
        const { status } = await service.send({
          method,
          url: `http://shop.example/sandbox${path}`,
          headers,
          body: undefined,
        })
        assert.equal(status, 404, path)
      }
    const { status, json } = await service.call('GET', '/pets', undefined, { authorization: 'Bearer test_a' })
    assert.deepEqual([status, json.code], [401, 'invalid_api_key'])
  }))

test('No source outside of its folder and its command mentions the sandbox [decision 18]', () => {
  const files = globSync('**/*.{ts,css,html}', { cwd: join(root, 'src') })
  const mentioned = files.filter((file) => /sandbox/i.test(projectFile(join('src', file))))
  assert.deepEqual(
    mentioned.filter((file) => !/^sandbox\/|^commands\/(?:sandbox|petstore)\.ts$/.test(file)),
    [],
  )
})
