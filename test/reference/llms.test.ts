/** `/llms.txt`: one page that is enough to begin with. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { errors } from '../../src/errors.ts'
import { scopes } from '../../src/model/key.ts'
import { onOneTarget } from '../support/service.ts'

onOneTarget('/llms.txt', (service) => {
  const read = () => service().call('GET', '//llms.txt', { key: null })

  test('needs no key, and is text that names the base URL, the scopes, every error and where to read on', async () => {
    const { status, headers, text } = await read()
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/plain; charset=utf-8'])
    assert.match(text, /^# .+\n\n> .+\n/)
    const paths = ['/v1', '/mcp', '/openapi.json', '/docs'].map((path) => service().url + path)
    for (const part of [...paths, ...scopes, ...Object.keys(errors)]) assert.ok(text.includes(part), part)
  })

  test('has ten lines of curl that a shell can run as they stand [D150]', async () => {
    const lines = [...(await read()).text.matchAll(/`(curl [^`\n]+)`$/gm)].map(([, line]) => line as string)
    assert.equal(lines.length, 10)
    const env = { ...process.env, PETSTORE_KEY: service().key }
    for (const line of lines) {
      const { stdout } = spawnSync('bash', ['-c', `${line} -s -o /dev/null -w '%{http_code}'`], {
        env,
        encoding: 'utf8',
      })
      // The examples name animals and orders that this store need not have.
      assert.match(stdout, /^(?:20[014]|40[49]|422)$/, line)
    }
  })
})
