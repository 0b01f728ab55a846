/** `petstore sandbox` as scripts start and stop it. */
import assert from 'node:assert/strict'
import { call } from '../../harness/call.ts'
import { eventually } from '../../harness/patience.ts'
import { command, node, Program } from '../../harness/process.ts'
import { root } from '../../harness/project.ts'
import { test, testInFull } from '../../harness/scope.ts'
import { main } from '../../harness/service.ts'

const start = (args: readonly string[], env: Record<string, string>) =>
  new Program([node, main, 'sandbox', ...args], { env })

test('petstore sandbox --port 0 uses a free port, and its first line is the address [decision 18]', async () => {
  await using program = start(['--port', '0'], { PORT: '1' })
  const [, url = ''] = await program.until(/^(http:\S+)\n/m)
  assert.equal((await call(url, 'GET', '/pets', { key: 'test_a' })).text, '[]')
  for (const port of ['65536', 'a']) {
    const { code, stderr } = await command(['sandbox', '--port', port], {})
    assert.deepEqual([code, /PORT must be/.test(stderr)], [2, true], stderr)
  }
})

test('A sandbox that others can reach warns about that, and sends no webhooks to this machine [decision 18]', async () => {
  const add = (url: string) => call(url, 'POST', '/webhooks', { key: 'test_a', body: { url: 'http://127.0.0.1:9/' } })
  for (const [env, status] of [
    [{ HOST: '0.0.0.0' }, 400],
    [{ HOST: '0.0.0.0', WEBHOOKS_ALLOW: '127.0.0.1' }, 201],
    [{ HOST: '127.0.0.1' }, 201],
  ] as const) {
    await using program = start(['--port', '0'], env)
    const [, url = ''] = await program.until(/^(http:\S+)\n/m)
    assert.equal((await add(url.replace('localhost', '127.0.0.1'))).status, status, JSON.stringify(env))
    const { stdout, stderr } = await program.end('SIGTERM')
    assert.equal((stdout + stderr).includes('other machines can use this sandbox'), env.HOST === '0.0.0.0')
  }
})

testInFull('A sandbox that npx started ends when npx is killed with "kill $!" [decision 18]', async () => {
  const program = new Program(['npx', '--no-install', 'petstore', 'sandbox', '--port', '0'], { cwd: root })
  const [, url = ''] = await program.until(/^(http:\S+)\n/m)
  await program.end('SIGTERM')
  const isReached = () =>
    fetch(`${url.slice(0, -3)}/livez`).then(
      ({ ok }) => ok,
      () => false,
    )
  await eventually(isReached, (isUp) => !isUp)
})
