/** The log of the running program: a JSON line a request, as much as LOG_LEVEL asks for, and never a key. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newToken } from '../../src/model/key.ts'
import { Folder, makeKey, Program, runtimes, Served } from '../support/process.ts'
import { some } from '../support/scope.ts'
import { main } from '../support/service.ts'

const slowMilliseconds = 500

for (const [name, runtime] of some(runtimes))
  describe(`the log, on ${name}`, () => {
    test('has one JSON line per request, with method, route, status, duration, request id and key id', async () => {
      using folder = new Folder()
      const key = await makeKey(folder.env)
      await using served = await Served.start(folder.env, { runtime })
      let sent = 0
      const call = (method: string, path: string, options: Parameters<Served['call']>[2] = {}) =>
        served.call(method, path, {
          key,
          ...options,
          headers: { 'X-Request-Id': `request-${++sent}`, ...options.headers },
        })
      const started = performance.now()
      await call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } })
      await call('GET', '/pets?limit=5&status=available')
      await call('GET', '/pets/1')
      await call('HEAD', '/pets/2')
      await call('POST', '/pets', { body: { name: '' } })
      await call('GET', '/nowhere')
      await call('DELETE', '/pets')
      await call('GET', '/pets', { headers: { Authorization: 'Basic x' } })
      const elapsed = performance.now() - started
      await served.until(/request-8[^\n]*\n/)

      const lines = served.log.filter((line) => 'requestId' in line)
      assert.deepEqual(
        lines.map(({ method, route, status, requestId, keyId }) => [requestId, method, route, status, keyId]),
        [
          ['request-1', 'POST', '/v1/pets', 201, 1],
          ['request-2', 'GET', '/v1/pets', 200, 1],
          ['request-3', 'GET', '/v1/pets/{petId}', 200, 1],
          ['request-4', 'HEAD', '/v1/pets/{petId}', 404, 1],
          ['request-5', 'POST', '/v1/pets', 400, 1],
          ['request-6', 'GET', '(none)', 404, 1],
          ['request-7', 'DELETE', '/v1/pets', 405, 1],
          ['request-8', 'GET', '/v1/pets', 401, undefined],
        ],
      )
      for (const line of lines) {
        assert.equal(line.level, 30)
        assert.match(String(line.time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        assert.ok(typeof line.durationMs === 'number' && line.durationMs >= 0)
      }
      const durations = lines.reduce((sum, { durationMs }) => sum + (durationMs as number), 0)
      assert.ok(durations <= elapsed, 'one after another, they took no longer than the client saw')
    })

    test('has the id of the trace that a valid traceparent names, and of no other [D203]', async () => {
      using folder = new Folder()
      await using served = await Served.start(folder.env, { runtime })
      const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
      for (const traceparent of [`00-${traceId}-00f067aa0ba902b7-01`, `00-${traceId}-0000000000000000-01`])
        await served.call('GET', '/pets', { headers: { traceparent } })
      await served.call('GET', '/pets', { headers: { 'X-Request-Id': 'last' } })
      await served.until(/"last"[^\n]*\n/)
      const lines = served.log.filter((line) => 'requestId' in line)
      assert.deepEqual(
        lines.map((line) => line.traceId),
        [traceId, undefined, undefined],
      )
    })

    test('with LOG_SAMPLE has a part of the ordinary requests, and says which', async () => {
      using folder = new Folder()
      await using served = await Served.start({ ...folder.env, LOG_SAMPLE: '0.000000001' }, { runtime })
      for (let i = 0; i < 20; i++) await served.call('GET', '/pets')
      const { code } = await served.end('SIGTERM')
      assert.equal(code, 0)
      // One that took long on a busy machine is logged whatever the sample.
      assert.deepEqual(
        served.log.filter((line) => 'requestId' in line && Number(line.durationMs) < slowMilliseconds),
        [],
      )
    })

    test('never shows a key, however it is sent', async () => {
      using folder = new Folder()
      const key = await makeKey(folder.env)
      const wrong = newToken()
      await using served = await Served.start({ ...folder.env, LOG_LEVEL: 'trace' }, { runtime })
      await served.call('GET', '/pets', { key })
      await served.call('GET', '/pets', { key: wrong })
      await served.call('GET', `/pets?key=${key}`, { key })
      await served.call('GET', `/pets/${key}`, { key })
      await served.call('GET', `/${key}`)
      await served.call('GET', '/pets', { headers: { Authorization: key, 'X-Request-Id': 'last' } })
      await served.until(/"last"[^\n]*\n/)
      const { stdout, stderr } = await served.end('SIGTERM')
      assert.equal(stderr, '')
      for (const secret of [key, wrong, key.slice(8), 'uthorization']) assert.ok(!stdout.includes(secret), secret)
    })

    test('at level warn omits the lines of ordinary requests', async () => {
      using folder = new Folder()
      const env = { ...folder.env, PORT: '0', LOG_LEVEL: 'warn' }
      await using program = new Program([runtime, main, 'serve'], { env })
      await program.until(/no API key yet[^\n]*\n/)
      const { code, stdout } = await program.end('SIGTERM')
      assert.equal(code, 0)
      assert.match(stdout, /^\{"level":40,[^\n]+\}\n$/)
    })

    test('makes a request id where none was sent, the same as in the answer', async () => {
      using folder = new Folder()
      await using served = await Served.start(folder.env, { runtime })
      const { headers } = await served.call('GET', '/pets')
      const id = headers.get('x-request-id') as string
      assert.match(id, /^[\w-]{36}$/)
      await served.until(new RegExp(`"requestId":"${id}"`))
    })
  })
