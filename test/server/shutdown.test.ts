/** Stopping the service: what is under way is answered, then it ends with 0; a second signal ends it at once. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { Folder, makeKey, Program, runtimes, Served } from '../support/process.ts'
import { root } from '../support/project.ts'
import { RawConnection, request } from '../support/raw.ts'
import { some } from '../support/scope.ts'

const [firstPart, secondPart] = ['{"name":"Rex",', '"categoryId":7}']
const closing = /"msg":"shutting down[^\n]*\n/

/** Sends a POST up to the middle of its body, and resolves when the service waits for the rest. */
async function halfWay(served: Served, key: string): Promise<RawConnection> {
  const connection = await RawConnection.open(served.port)
  connection.send(
    request(
      'POST /v1/pets HTTP/1.1',
      [
        `Host: 127.0.0.1:${served.port}`,
        `Authorization: Bearer ${key}`,
        'Content-Type: application/json',
        `Content-Length: ${firstPart.length + secondPart.length}`,
        // The answer to this tells that the request has reached the service.
        'Expect: 100-continue',
      ],
      firstPart,
    ),
  )
  assert.equal((await connection.answer())?.status, 100)
  return connection
}

/** Resolves once nothing can connect any more. */
async function refusing(port: number): Promise<void> {
  for (;;)
    try {
      const connection = await RawConnection.open(port)
      connection.close()
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // One that the system had taken, but not the service, is reset when the port is closed.
      if (code === 'ECONNRESET') continue
      assert.equal(code, 'ECONNREFUSED')
      return
    }
}

for (const [name, runtime] of some(runtimes))
  describe(`stopping, on ${name}`, () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      test(`${signal} stops accepting, answers requests in progress with Connection: close, and exits with 0 [D177]`, async () => {
        using folder = new Folder()
        const key = await makeKey(folder.env)
        await using served = await Served.start(folder.env, { runtime })
        const connection = await halfWay(served, key)
        served.signal(signal)
        await served.until(closing)
        await refusing(served.port)
        connection.send(secondPart)
        const answer = await connection.answer()
        assert.equal(answer?.status, 201)
        assert.equal(answer?.headers.get('connection'), 'close')
        assert.deepEqual(await connection.answers(), [], 'the connection is closed')
        const { code, stderr } = await served.ended
        assert.deepEqual([code, stderr], [0, ''])

        const store = openSqlite(folder.database)
        assert.equal(await store.pets.find(BigInt(answer?.json.id)), answer?.text)
        await store.close()
      })

      test(`${signal} with no request in progress, right after the start, exits with 0`, async () => {
        using folder = new Folder()
        await using served = await Served.start(folder.env, { runtime })
        const { code, stderr } = await served.end(signal)
        assert.deepEqual([code, stderr], [0, ''])
        assert.equal(served.log.at(-1)?.signal, signal)
      })
    }

    test('animals are counted on the day on which they were added, also those of the last second [D98]', async () => {
      using folder = new Folder()
      const key = await makeKey(folder.env)
      await using served = await Served.start(folder.env, { runtime })
      await served.call('POST', '/pets', { key, body: { name: 'Rex', categoryId: 7 } })
      assert.equal((await served.end('SIGTERM')).code, 0)
      const db = new DatabaseSync(folder.database)
      assert.equal(db.prepare('SELECT added FROM sales').get()?.added, 1)
      db.close()
    })

    test('a second signal ends it at once, with the code of a process that was stopped', async () => {
      using folder = new Folder()
      const key = await makeKey(folder.env)
      await using served = await Served.start(folder.env, { runtime })
      const connection = await halfWay(served, key)
      served.signal('SIGINT')
      await served.until(closing)
      const { code } = await served.end('SIGTERM')
      assert.equal(code, 128 + 15)
      assert.equal(await connection.answer(), undefined, 'the request under way was cut')
    })

    test('Ctrl-C pressed again and again ends it', async () => {
      using folder = new Folder()
      const key = await makeKey(folder.env)
      await using served = await Served.start(folder.env, { runtime })
      const connection = await halfWay(served, key)
      // Signals that come together may reach a process as one, and two that come quickly are one key press.
      const pressing = new AbortController()
      const ended = served.ended.finally(() => pressing.abort())
      while (!pressing.signal.aborted) {
        served.signal('SIGINT')
        await sleep(60)
      }
      assert.equal((await ended).code, 128 + 2)
      connection.close()
    })

    test('no request of busy clients is lost: each is answered, the last on a connection with Connection: close', async () => {
      using folder = new Folder()
      const key = await makeKey(folder.env)
      await using served = await Served.start(folder.env, { runtime })
      const get = request('GET /v1/pets HTTP/1.1', [`Host: 127.0.0.1:${served.port}`, `Authorization: Bearer ${key}`])
      let answers = 0
      async function client(): Promise<void> {
        const connection = await RawConnection.open(served.port)
        for (let last = false; !last; ) {
          connection.send(get)
          const answer = await connection.answer()
          assert.equal(answer?.status, 200)
          last = answer?.headers.get('connection') === 'close'
          if (++answers === 100) served.signal('SIGTERM')
        }
        assert.deepEqual(await connection.answers(), [])
      }
      await Promise.all(Array.from({ length: 8 }, client))
      assert.equal((await served.ended).code, 0)
    })
  })

for (const script of ['start', 'start:bun'])
  test(`a signal to “npm run ${script}” alone stops the service, and npm exits with 0`, async () => {
    using folder = new Folder()
    await using npm = new Program(['npm', 'run', script], { env: { PORT: '0', ...folder.env }, cwd: root })
    await npm.until(/"msg":"the service is ready"/)
    const { code, stdout } = await npm.end('SIGTERM')
    assert.match(stdout, closing)
    assert.equal(code, 0)
  })
