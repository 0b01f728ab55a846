/** How long a connection may keep the service waiting, while it is open and while it closes. */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect as connectTo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { queryObjects } from 'node:v8'
import { expectError } from '../../harness/expect.ts'
import { answering, anyPort, large } from '../../harness/listen.ts'
import { inTime, turnsUntil } from '../../harness/patience.ts'
import { RawConnection, request } from '../../harness/raw.ts'
import { testInFull } from '../../harness/scope.ts'
import { listen } from '../../src/server/listen.ts'
import { defaultTimeouts, type Listener, type Timeouts } from '../../src/server/listener.ts'

const hour = 3_600_000
const get = request('GET / HTTP/1.1', ['Host: localhost'])
const [begun, rest] = [request('POST / HTTP/1.1', ['Host: localhost', 'Content-Length: 4'], '12'), '34']
const halfWay = request('POST / HTTP/1.1', ['Host: localhost', 'Content-Length: 4', 'Expect: 100-continue'], '12')

const opened = new Set<RawConnection>()
afterEach(() => {
  for (const connection of opened) connection.close()
  opened.clear()
})
async function connect(port: number, sent: string): Promise<RawConnection> {
  const connection = await RawConnection.open(port)
  opened.add(connection)
  connection.send(sent)
  return connection
}

async function listening(t: TestContext, timeouts?: Timeouts, handler = answering): Promise<Listener> {
  const listener = await listen({ ...anyPort, ...(timeouts && { timeouts }) })
  listener.serve(handler)
  t.after(() => {
    t.mock.timers.reset()
    return listener.close(0)
  })
  return listener
}

/** Opens a connection that has had one answer and is now idle. */
async function idle(port: number): Promise<RawConnection> {
  const connection = await connect(port, get)
  assert.equal((await connection.answer())?.status, 200)
  return connection
}

/** Opens a connection whose request has reached the service, up to the middle of its body. */
async function underWay(port: number): Promise<RawConnection> {
  const connection = await connect(port, halfWay)
  assert.equal((await connection.answer())?.status, 100)
  return connection
}

/** Expects the answer of a service that is closing, which is the last on its connection. */
async function expectLast(connection: RawConnection): Promise<void> {
  const answers = await connection.answers()
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.get('connection')]),
    [[200, 'close']],
  )
}

describe('a request that does not arrive in time', () => {
  const late = { headers: 20, request: hour, checkInterval: 10, write: hour, idle: hour, linger: 0 }
  for (const [what, part, timeouts] of [
    ['headers', get.slice(0, -2), late],
    ['body', begun, { ...late, request: 20 }],
  ] as const)
    test(`A request that stops in its ${what} gets 408 request_timeout, and its connection is closed [decision 2]`, async (t) => {
      const connection = await connect((await listening(t, timeouts)).port, part)
      const [answer, ...others] = await connection.answers()
      assert.ok(answer)
      expectError(answer, 408, 'request_timeout')
      assert.equal(answer.headers.get('connection'), 'close')
      assert.deepEqual(others, [])
    })
})

/** Makes a client that asked for a response and reads none of it, with the connection that the service has to it. */
async function withoutReader(port: number): Promise<{ client: RawConnection; socket: Socket }> {
  const began = Promise.withResolvers<Socket>()
  const begin = (message: unknown) => began.resolve((message as { socket: Socket }).socket)
  subscribe('http.server.request.start', begin)
  const client = await connect(port, request('GET /large HTTP/1.1', ['Host: localhost']))
  client.pause()
  const socket = await began.promise
  unsubscribe('http.server.request.start', begin)
  return { client, socket }
}

test('A response of which a client reads nothing is cut off after the time for reading, which is counted in halves [decision 21]', async (t) => {
  const { port } = await listening(t, { ...defaultTimeouts, write: 20 })
  const { client, socket } = await withoutReader(port)
  await inTime(once(socket, 'close'), 'the service to close the connection', () => socket.timeout)
  assert.equal(socket.timeout, 10)
  client.resume()
  assert.deepEqual(await client.answers(), [], 'it never came whole')
})

test('Closing the server gives a client that reads nothing the linger time instead [decision 21]', async (t) => {
  const listener = await listening(t, { ...defaultTimeouts, write: hour, linger: 20 })
  const { client, socket } = await withoutReader(listener.port)
  await turnsUntil(() => socket.writableLength > 0)
  // Without this, closing would wait until its own time is over.
  await inTime(listener.close(hour), 'the server to close', () => socket.timeout)
  client.resume()
  assert.deepEqual(await client.answers(), [], 'it never came whole')
})

testInFull('A connection that was cut in the middle of a request is released', async (t) => {
  const { port } = await listening(t)
  const sockets = () => queryObjects(Socket, { format: 'count' })
  const before = sockets()
  const cut = 20
  for (let i = 0; i < cut; i++) await (await underWay(port)).reset()
  opened.clear()
  // A separate request arrives after the rest of the others.
  await idle(port)
  for (let turns = 0; turns < 10; turns++) await nextTurn()
  assert.ok(sockets() < before + cut / 2)
})

test('A client that closes its side gets no more responses, and its connection is closed [decision 2]', async (t) => {
  const [asked, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { port } = await listening(t, undefined, async (incoming) => {
    if (incoming.target === '/slow') {
      asked.resolve()
      await gone.promise
    }
    return answering(incoming)
  })
  const client = connectTo({ port, host: '127.0.0.1', allowHalfOpen: true })
  t.after(() => client.destroy())
  client.write(request('GET /slow HTTP/1.1', ['Host: localhost']))
  await asked.promise
  client.end()
  assert.equal(await text(client), '')
  gone.resolve()
  await idle(port)
})

describe('closing', () => {
  const stopTime = (t: TestContext) => t.mock.timers.enable({ apis: ['setTimeout'] })

  test('A server that closes gives an idle connection 500 ms to send a request, and then closes it [decision 27]', async (t) => {
    const listener = await listening(t)
    const [used, unused] = [await idle(listener.port), await idle(listener.port)]
    stopTime(t)
    const closed = listener.close(hour)
    t.mock.timers.tick(499)
    used.send(get)
    await expectLast(used)
    t.mock.timers.tick(1)
    assert.deepEqual(await unused.answers(), [])
    await closed
  })

  test('A server that closes answers a request that arrived in time, even if the process noticed it later', async (t) => {
    const listener = await listening(t)
    const connection = await idle(listener.port)
    stopTime(t)
    const closed = listener.close(hour)
    // As in a process that was delayed, timers run first, and then the data that has arrived is read.
    await nextTurn()
    connection.send(get)
    t.mock.timers.tick(500)
    await expectLast(connection)
    await closed
  })

  test('A server that closes also gives 500 ms to a connection on which a request was answered before its body arrived', async (t) => {
    const listener = await listening(t)
    const early = request('POST /early HTTP/1.1', ['Host: localhost', 'Content-Length: 4'])
    const connection = await connect(listener.port, early)
    assert.equal((await connection.answer())?.status, 200)
    connection.send(`1234${halfWay}`)
    assert.equal((await connection.answer())?.status, 100)
    stopTime(t)
    const closed = listener.close(hour)
    t.mock.timers.tick(500)
    await nextTurn()
    connection.send(rest)
    await expectLast(connection)
    await closed
  })

  for (const [what, target] of [
    ['a response', '/large'],
    ['a text', '/large/text'],
  ] as const)
    test(`A server that closes sends ${what} completely if a client is still reading`, async (t) => {
      const listener = await listening(t, { ...defaultTimeouts, linger: hour })
      const socket = connectTo(listener.port, '127.0.0.1').pause()
      t.after(() => socket.destroy())
      socket.write(request(`GET ${target} HTTP/1.1`, ['Host: localhost']))
      // This request is answered after the one before it.
      await idle(listener.port)
      stopTime(t)
      const closed = listener.close(2 * hour)
      const closeIdle = async () => {
        t.mock.timers.tick(hour)
        await nextTurn()
      }
      await closeIdle()
      let received = 0
      socket.on('error', () => {})
      socket.on('data', (chunk) => (received += chunk.length)).resume()
      await turnsUntil(() => received >= large.length || socket.closed)
      assert.ok(received > large.length, String(received))
      await turnsUntil(() => socket.closed, closeIdle)
      await closed
    })

  for (const [what, text, status] of [
    ['whose request was no HTTP', request('nonsense', []), 400],
    [
      'that was answered before its body has come',
      request('POST /early HTTP/1.1', ['Host: a', 'Content-Length: 4']),
      200,
    ],
  ] as const)
    test(`A server that closes waits 500 ms for a client to close a connection ${what} [decision 27]`, async (t) => {
      // The connection of a request that was no HTTP is closed after its own time, not after that of idle connections.
      const linger = text.startsWith('POST') ? 500 : hour
      const listener = await listening(t, { ...defaultTimeouts, linger })
      stopTime(t)
      // The client keeps its side open after the service has closed the other.
      const socket = connectTo({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true })
      t.after(() => socket.destroy())
      socket.on('error', () => {}).write(text)
      const [answer] = await once(socket, 'data')
      assert.equal(String(answer).split(' ')[1], String(status))
      const closed = listener.close(hour)
      t.mock.timers.tick(500)
      await closed
    })
})

// Node does not look after the connection of a CONNECT any more, so the service has to.
describe('a CONNECT', () => {
  const tunnel = request('CONNECT localhost:80 HTTP/1.1', ['Host: localhost:80'])

  test('A CONNECT whose client resets the connection before the answer does not end the service', async (t) => {
    const [reached, reset] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { port } = await listening(t, undefined, async (incoming) => {
      if (incoming.method === 'CONNECT') {
        reached.resolve()
        await reset.promise
      }
      return answering(incoming)
    })
    const connection = await connect(port, tunnel)
    await reached.promise
    await connection.reset()
    reset.resolve()
    // The failure to write arrives in a later turn than the write.
    for (let turns = 0; turns < 10; turns++) await nextTurn()
    await idle(port)
  })

  test('A CONNECT whose client keeps the connection open does not keep the service from closing', async (t) => {
    const listener = await listening(t)
    const client = connectTo({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true })
    t.after(() => client.destroy())
    client.write(`${tunnel}bytes for the tunnel`)
    client.resume()
    await once(client, 'end')
    await listener.close(0)
  })
})
