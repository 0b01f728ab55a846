/**
 * Stopping the service. Requests in progress are answered, and then it exits with 0. A second signal ends it
 * immediately. Two services on one file lose nothing.
 */
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expectError } from '../../harness/expect.ts'
import { type Address, Load, walk } from '../../harness/load.ts'
import { becomes, eventually } from '../../harness/patience.ts'
import { Folder, makeKey, Program, Served } from '../../harness/process.ts'
import { root } from '../../harness/project.ts'
import { RawConnection, request } from '../../harness/raw.ts'
import { test, testInFull } from '../../harness/scope.ts'
import { openFile } from '../../harness/stores.ts'
import { TestTime, timeAt } from '../../harness/time.ts'
import { parentEnd, stopSignal } from '../../src/server/stop-signal.ts'

const [firstPart, secondPart] = ['{"name":"Rex",', '"categoryId":7}']
const closing = /"msg":"shutting down[^\n]*\n/

/** Sends a POST up to the middle of its body, and resolves when the service waits for the rest. */
async function halfWay(served: Served, key: string): Promise<RawConnection> {
  const connection = await RawConnection.open(served.port)
  const lines = [
    `Host: 127.0.0.1:${served.port}`,
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${firstPart.length + secondPart.length}`,
    // The answer to this header shows that the request has reached the service.
    'Expect: 100-continue',
  ]
  connection.send(request('POST /v1/pets HTTP/1.1', lines, firstPart))
  assert.equal((await connection.answer())?.status, 100)
  return connection
}

/** Resolves once nothing can connect any more. */
const refusing = (port: number): Promise<void> =>
  becomes(
    () =>
      RawConnection.open(port).then(
        (connection) => {
          connection.close()
          return 'taken'
        },
        // A connection that the system had accepted, but not the service, is reset when the port is closed.
        ({ code }: NodeJS.ErrnoException) => String(code),
      ),
    'ECONNREFUSED',
  )

describe('stopping', () => {
  const start = async (env: Record<string, string> = {}) => {
    const folder = new Folder()
    const key = await makeKey(folder.env)
    const served = await Served.start({ ...folder.env, ...env })
    return {
      folder,
      key,
      served,
      async [Symbol.asyncDispose]() {
        await served[Symbol.asyncDispose]()
        folder[Symbol.dispose]()
      },
    }
  }

  test('SIGTERM stops accepting, answers requests in progress, and exits with 0 [decision 27]', async () => {
    await using started = await start()
    const { folder, key, served } = started
    const connection = await halfWay(served, key)
    served.signal('SIGTERM')
    await served.until(closing)
    await refusing(served.port)
    connection.send(secondPart)
    const answer = await connection.answer()
    assert.deepEqual([answer?.status, answer?.headers.get('connection')], [201, 'close'])
    assert.deepEqual(await connection.answers(), [], 'the connection is closed')
    const { code, stderr } = await served.ended
    assert.deepEqual([code, stderr], [0, ''])
    await using store = openFile(folder.database)
    assert.equal(await store.pets.find(BigInt(answer?.json.id)), answer?.text)
  })

  test('A shutdown loses no request of busy clients, and the last response says Connection: close', async () => {
    await using started = await start()
    const { key, served } = started
    const get = request('GET /v1/pets HTTP/1.1', [`Host: 127.0.0.1:${served.port}`, `Authorization: Bearer ${key}`])
    let answers = 0
    async function client(): Promise<void> {
      const connection = await RawConnection.open(served.port)
      for (let last = false; !last; ) {
        connection.send(get)
        const answer = await connection.answer()
        assert.equal(answer?.status, 200)
        last = answer?.headers.get('connection') === 'close'
        if (++answers === 100) served.signal('SIGINT')
      }
      assert.deepEqual(await connection.answers(), [])
    }
    await Promise.all(Array.from({ length: 8 }, client))
    assert.equal((await served.ended).code, 0)
    assert.ok(served.log.some(({ signal }) => signal === 'SIGINT'))
  })

  testInFull(
    'With DRAIN_SECONDS, /readyz says 503 while requests are answered, and then the service exits with 0',
    async () => {
      await using started = await start({ DRAIN_SECONDS: '10' })
      const { key, served } = started
      const readiness = () => served.call('GET', '/../readyz')
      assert.equal((await readiness()).status, 200)
      served.signal('SIGTERM')
      const notReady = await eventually(readiness, ({ status }) => status !== 200)
      expectError(notReady, 503, 'unavailable')
      assert.equal(notReady.headers.get('retry-after'), '1')
      const added = await served.call('POST', '/pets', { key, body: { name: 'Rex', categoryId: 1 } })
      assert.equal((await served.call('GET', '/pets', { key })).text, `[${added.text}]`)
      assert.equal((await served.call('GET', '/../livez')).status, 200)
      expectError(await readiness(), 503, 'unavailable')
      const { code, stderr } = await served.ended
      assert.deepEqual([code, stderr], [0, ''])
    },
  )

  testInFull(
    'Two processes on one SQLite file lose nothing while one of them is killed and started again [decision 22]',
    async () => {
      await using started = await start()
      const { folder, key, served: first } = started
      const addressOf = ({ url }: Served): Address => ({ url: new URL(url).origin, key })
      const victim = await Served.start(folder.env)
      let addresses = [first, victim].map(addressOf)
      let picks = 0
      const load = new Load(() => addresses[picks++ % 2] as Address, 6)
      await load.more(60)
      await victim.end('SIGKILL')
      await load.more(60)
      await using second = await Served.start(folder.env)
      addresses = [first, second].map(addressOf)
      await load.more(60)
      await load.stop()
      for (const service of [first, second]) {
        load.check(await walk(() => addressOf(service)))
        assert.equal((await service.end('SIGTERM')).code, 0)
      }
    },
  )
})

test('A signal to “npm start” alone stops the service, and npm exits with 0', async () => {
  using folder = new Folder()
  await using npm = new Program(['npm', 'start'], { env: { PORT: '0', ...folder.env }, cwd: root })
  await npm.until(/"msg":"the service is ready"/)
  const { code, stdout } = await npm.end('SIGTERM')
  assert.match(stdout, closing)
  assert.equal(code, 0)
})

const numbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const

test('The first signal stops the service gracefully, a second one immediately, and two within 100 ms count as one [decision 27]', async () => {
  for (const [signals, code] of [
    ['SIGHUP@0', undefined],
    ['SIGINT@0', undefined],
    ['SIGTERM@0', undefined],
    ['SIGINT@0 SIGINT@100', undefined],
    ['SIGINT@0 SIGINT@50 SIGINT@101', 130],
    ['SIGTERM@0 SIGTERM@100', undefined],
    ['SIGTERM@0 SIGTERM@100 SIGTERM@101', 143],
    ['SIGINT@0 SIGTERM@0', 143],
  ] as const) {
    let now = 0
    const ends: number[] = []
    const program = Object.assign(new EventEmitter(), { exit: (code: number) => ends.push(code) })
    const stopped = stopSignal(
      timeAt(() => now),
      program as never,
    )
    for (const each of signals.split(' ')) {
      const [signal, at] = each.split('@') as [keyof typeof numbers, string]
      now = 5_000 + Number(at)
      program.emit(signal, signal, numbers[signal])
    }
    assert.equal(await stopped, signals.split('@')[0])
    assert.equal(ends[0], code, signals)
  }
})

test('A process notices that the npm that started it is gone, and does not look if it was started otherwise', async () => {
  const time = new TestTime()
  let parent = 7
  const ended: string[] = []
  for (const [by, env] of Object.entries({ npm: { npm_execpath: 'npm-cli.js' }, shell: {} }))
    parentEnd(time, env, () => parent).then(() => ended.push(by))
  for (const expected of [[], ['npm']]) {
    time.advance(500)
    await nextTurn()
    assert.deepEqual(ended, expected)
    parent = 1
  }
})
