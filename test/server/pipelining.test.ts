/**
 * How much a client that sends without reading can make the service hold: one response per connection, and a bounded
 * sum of all.
 */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect as connectTo, type Socket } from 'node:net'
import { describe, type TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { queryObjects } from 'node:v8'
import { databases } from '../../harness/databases.ts'
import { anyPort } from '../../harness/listen.ts'
import { eventually, turnsUntil } from '../../harness/patience.ts'
import { chunk, RawConnection, request } from '../../harness/raw.ts'
import { describeInFull, test } from '../../harness/scope.ts'
import { asProcess } from '../../harness/service.ts'
import { timeAt } from '../../harness/time.ts'
import type { Handler } from '../../src/http/message.ts'
import { listen } from '../../src/server/listen.ts'
import { systemTime } from '../../src/time.ts'

const get = (path: string): string => request(`GET ${path} HTTP/1.1`, ['Host: localhost'])

const post = (path: string): string =>
  request(`POST ${path} HTTP/1.1`, ['Host: localhost', 'Content-Length: 200'], '{'.repeat(200))

const mebibyte = 1024 * 1024
/** This is more than the system buffers for a client that does not read. */
const large = new Uint8Array(10 * mebibyte)

/** Answers `/large` with a large body, and everything else with an empty one. Records the requests. */
async function listening(t: TestContext) {
  const asked: string[] = []
  const listener = await listen(anyPort)
  t.after(() => listener.close(0))
  listener.serve(async ({ target }) => {
    asked.push(target)
    const body = target.startsWith('/large') ? large : ''
    return { status: 200, headers: ['Content-Length', String(body.length)], body }
  })
  return { port: listener.port, asked }
}

function connect(t: TestContext, port: number, text: string): Socket {
  const socket = connectTo(port, '127.0.0.1').pause()
  t.after(() => socket.destroy())
  socket.on('error', () => {}).write(text)
  return socket
}

test('A pipelined request starts once the response before it was handed to the system [decision 21]', async (t) => {
  const { port, asked } = await listening(t)
  const socket = connect(t, port, get('/large') + get('/second') + get('/third'))
  const other = await RawConnection.open(port)
  // After these, the listener has done whatever it would do by itself.
  for (let i = 0; i < 20; i++) {
    other.send(get('/other'))
    await other.answer()
  }
  other.close()
  assert.deepEqual(
    asked.filter((target) => target !== '/other'),
    ['/large'],
  )
  socket.resume()
  await turnsUntil(() => asked.includes('/third'))
  socket.write(get('/fourth'))
  await turnsUntil(() => asked.includes('/fourth'))
  assert.deepEqual(
    asked.filter((target) => target !== '/other'),
    ['/large', '/second', '/third', '/fourth'],
  )
})

test('The service does not read from a client until its responses are handed to the system [decision 21]', async (t) => {
  const { port } = await listening(t)
  const socket = connect(t, port, get('/large') + get('/second'))
  const packet = get('/more').repeat(2_000)
  // The system has room for some megabytes of it. If the service read it, all of it would be accepted.
  for (let sent = 0; sent < 400; sent++) socket.write(packet)
  await eventually(
    async () => socket.writableLength,
    (left) => left > 0,
  )
  for (let turns = 0; turns < 200; turns++) await nextTurn()
  assert.ok(socket.writableLength > 100 * packet.length, String(socket.writableLength))
})

/**
 * Lets the clients read. Resolves with the number of bytes for each of them, once each has received everything or was
 * cut off.
 */
async function readAll(sockets: readonly Socket[]): Promise<number[]> {
  const received = sockets.map(() => 0)
  for (const [i, socket] of sockets.entries())
    socket.on('data', (chunk: Buffer) => (received[i] = (received[i] ?? 0) + chunk.length)).resume()
  await turnsUntil(() => sockets.every((socket, i) => socket.closed || (received[i] ?? 0) > large.length))
  return received
}

/** The most requests of a connection that are parsed while none of them is answered. */
const parsedMax = 64
/** The most that one packet contains, if Node parses the whole packet. */
const packetBytes = 64 * 1024
const shortest = 'GET / HTTP/1.1\r\n\r\n'
const inOnePacket = packetBytes / shortest.length

interface Parsed {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly socket: Socket
}

/** Calls back for each request that Node has parsed on a port, before it is answered. */
function onRequests(t: TestContext, port: number, seen: (parsed: Parsed) => void): void {
  const channel = 'http.server.request.start'
  const onMessage = (message: unknown) => {
    const parsed = message as Parsed
    if (parsed.socket.localPort === port) seen(parsed)
  }
  subscribe(channel, onMessage)
  t.after(() => unsubscribe(channel, onMessage))
}

/** Counts the requests that Node has parsed. `/`, and the requests behind it, are answered when the test says so. */
async function stuckListener(t: TestContext, time = systemTime) {
  const parsed = new Map<number | undefined, number>()
  const released = Promise.withResolvers<void>()
  const listener = await listen({ ...anyPort, time })
  onRequests(t, listener.port, ({ socket: { remotePort } }) =>
    parsed.set(remotePort, (parsed.get(remotePort) ?? 0) + 1),
  )
  t.after(() => {
    released.resolve()
    return listener.close(0)
  })
  listener.serve(async ({ target }) => {
    if (target === '/') await released.promise
    return { status: 200, headers: ['Content-Length', String(target.length)], body: target }
  })
  const other = await RawConnection.open(listener.port)
  t.after(() => other.close())
  return {
    port: listener.port,
    release: released.resolve,
    /** Sends requests of which the first is not answered, and resolves with the number that the service has parsed. */
    async flood(requests: string, others = 20): Promise<number> {
      const socket = connect(t, listener.port, requests)
      await turnsUntil(() => parsed.has(socket.localPort))
      // After these, the listener has done whatever it would do by itself.
      for (let i = 0; i < others; i++) {
        other.send(get('/other'))
        assert.equal((await other.answer())?.status, 200)
      }
      return parsed.get(socket.localPort) ?? 0
    },
  }
}

describe('clients that send thousands of requests in one packet', () => {
  test('After a packet with thousands of requests, at most 64 requests of each client are parsed ahead [decision 21]', async (t) => {
    const { flood } = await stuckListener(t)
    assert.ok((await flood(shortest.repeat(inOnePacket))) <= inOnePacket)
    for (let i = 0; i < 20; i++) {
      const parsed = await flood(shortest.repeat(inOnePacket))
      assert.ok(parsed > 1 && parsed <= parsedMax, String(parsed))
    }
  })

  test('While 10,000 pipelined requests wait in total, at most 4 requests of each client are parsed ahead [decision 21]', async (t) => {
    const { flood } = await stuckListener(t)
    let waiting = 0
    while (waiting < 10_000) waiting += (await flood(shortest.repeat(inOnePacket), 1)) - 1
    for (let i = 0; i < 3; i++) {
      const parsed = await flood(shortest.repeat(inOnePacket))
      assert.ok(parsed >= 1 && parsed <= 4, String(parsed))
    }
  })

  test('A packet with thousands of requests makes the service cautious for a minute; then Node reads whole packets again [decision 21]', async (t) => {
    let now = 0
    const { flood } = await stuckListener(
      t,
      timeAt(() => now),
    )
    await flood(shortest.repeat(inOnePacket))
    now = 59_999
    assert.ok((await flood(shortest.repeat(1_000))) <= parsedMax)
    now = 60_000
    assert.ok((await flood(shortest.repeat(1_000))) > parsedMax)
  })

  test('A body of thousands of chunks also makes the service cautious [decision 21]', async (t) => {
    const { flood } = await stuckListener(t)
    const chunked = (count: number) =>
      request('POST / HTTP/1.1', ['Host: localhost', 'Transfer-Encoding: chunked'], `${chunk('a').repeat(count)}`)
    await flood(chunked(100))
    assert.ok((await flood(shortest.repeat(100))) > parsedMax)
    await flood(chunked(2_000))
    assert.ok((await flood(shortest.repeat(1_000))) <= parsedMax)
  })

  test('The service becomes cautious after many chunks in one body, but not after as many in several bodies [decision 21]', async (t) => {
    const { port, flood, release } = await stuckListener(t)
    const connection = await RawConnection.open(port)
    t.after(() => connection.close())
    for (let i = 0; i < 200; i++) {
      connection.send(
        request('POST /small HTTP/1.1', ['Host: localhost', 'Transfer-Encoding: chunked'], `${chunk('a')}0\r\n\r\n`),
      )
      assert.equal((await connection.answer())?.text, '/small')
    }
    assert.ok((await flood(shortest.repeat(1_000))) > parsedMax)
    release()
  })

  test('Clients that send thousands of requests in one packet get every response in order if they read [decision 21]', async (t) => {
    const { port, flood, release } = await stuckListener(t)
    await flood(shortest.repeat(inOnePacket))
    release()
    const targets = Array.from({ length: 1_000 }, (_, i) => `/${i}`)
    const sent = targets.map((target) => (Number(target.slice(1)) % 3 === 0 ? post(target) : get(target)))
    for (let i = 0; i < 2; i++) {
      const connection = await RawConnection.open(port)
      connection.send(sent.join(''))
      const answers: string[] = []
      while (answers.length < targets.length) answers.push((await connection.answer())?.text ?? 'closed')
      connection.close()
      assert.deepEqual(answers, targets)
    }
  })
})

describe('a connection that is read in portions', () => {
  async function cautious(t: TestContext, handler: Handler): Promise<number> {
    const listener = await listen(anyPort)
    t.after(() => listener.close(0))
    listener.serve(async (incoming) => {
      if (incoming.target === '/chunked') return { status: 200, headers: ['Content-Length', '0'], body: '' }
      return handler(incoming)
    })
    const chunked = await RawConnection.open(listener.port)
    const lines = ['Host: localhost', 'Transfer-Encoding: chunked']
    chunked.send(request('POST /chunked HTTP/1.1', lines, `${chunk('a').repeat(2_000)}`))
    assert.equal((await chunked.answer())?.status, 200)
    chunked.close()
    return listener.port
  }

  test('A connection that is read in portions receives a large body completely', async (t) => {
    const body = Array.from({ length: 10_000 }, (_, i) => String(i)).join()
    const port = await cautious(t, async (incoming) => {
      const received = String(await incoming.body(packetBytes, () => {}))
      return { status: 200, headers: ['Content-Length', '4'], body: String(received === body) }
    })
    const connection = await RawConnection.open(port)
    connection.send(request('POST / HTTP/1.1', ['Host: localhost', `Content-Length: ${body.length}`], body))
    assert.equal((await connection.answer())?.text, 'true')
    connection.close()
  })

  test('A connection that is read in portions receives the rest of a body that was answered early, over many turns [decision 21]', async (t) => {
    const port = await cautious(t, async () => ({ status: 401, headers: ['Content-Length', '0'], body: '' }))
    const begun = Promise.withResolvers<Parsed>()
    onRequests(t, port, (parsed) => begun.resolve(parsed))
    const lines = ['Host: localhost', 'Transfer-Encoding: chunked']
    connect(t, port, request('POST / HTTP/1.1', lines, `${chunk('a').repeat(10_000)}0\r\n\r\n`))
    const { request: rejected, response } = await begun.promise
    await once(response, 'finish')
    let turns = 0
    while (!rejected.complete) {
      await nextTurn()
      turns++
    }
    assert.ok(turns > 20, `${turns} turns`)
  })

  test('A connection that is read in portions is paused while nobody reads its body', async (t) => {
    const taken = Promise.withResolvers<void>()
    let body = 0
    const port = await cautious(t, async (incoming) => {
      await taken.promise
      body = (await incoming.body(mebibyte, () => {}))?.length ?? 0
      return { status: 200, headers: ['Content-Length', '0'], body: '' }
    })
    const begun = Promise.withResolvers<IncomingMessage>()
    onRequests(t, port, ({ request }) => begun.resolve(request))
    const head = request('POST / HTTP/1.1', ['Host: localhost', `Content-Length: ${mebibyte}`])
    const socket = connect(t, port, head)
    socket.write(Buffer.alloc(mebibyte))
    const arriving = await begun.promise
    await turnsUntil(() => arriving.readableLength >= packetBytes)
    for (let turns = 0; turns < 200; turns++) await nextTurn()
    assert.ok(arriving.readableLength < 2 * packetBytes, String(arriving.readableLength))
    taken.resolve()
    await once(socket.resume(), 'data')
    assert.equal(body, mebibyte)
  })
})

test('A body that arrives in chunks of one byte is stored in a few pieces [decision 21]', async (t) => {
  const listener = await listen(anyPort)
  t.after(() => listener.close(0))
  const received = Promise.withResolvers<void>()
  const text = '0123456789'.repeat(1_000)
  listener.serve(async ({ body }) => {
    const bytes = await body(mebibyte, (length) => length === text.length && received.resolve())
    return { status: 200, headers: ['Content-Length', '4'], body: String(String(bytes) === text) }
  })
  const buffers = () => queryObjects(Buffer, { format: 'count' })
  const connection = await RawConnection.open(listener.port)
  t.after(() => connection.close())
  const before = buffers()
  const lines = ['Host: localhost', 'Transfer-Encoding: chunked']
  connection.send(request('POST / HTTP/1.1', lines, [...text].map(chunk).join('')))
  await received.promise
  const held = buffers() - before
  assert.ok(held < 200, `${held} buffers`)
  connection.send('0\r\n\r\n')
  assert.equal((await connection.answer())?.text, 'true')
})

test('When clients leave more than 64 MiB of responses unread, the oldest of those responses is dropped [decision 21]', async (t) => {
  const { port, asked } = await listening(t)
  const sockets: Socket[] = []
  for (let i = 0; i < 7; i++) {
    sockets.push(connect(t, port, get('/large')))
    await turnsUntil(() => asked.length === sockets.length)
  }
  const received = await readAll(sockets)
  assert.deepEqual(
    received.map((bytes) => bytes > large.length),
    [false, true, true, true, true, true, true],
  )
})

describeInFull('the memory of a service whose clients do not read', () => {
  asProcess(
    'six clients that send 400 requests for large pages each, and read none',
    (service) => {
      test('Responses that clients do not read take less than 400 MB, and the service continues [decision 21]', async () => {
        for (let i = 0; i < 100; i++)
          await service().call('POST', '/pets', { body: { name: '🐕'.repeat(1024), categoryId: 1 } })
        const sockets = Array.from({ length: 6 }, (_, client) => {
          const pages = Array.from({ length: 400 }, (_, i) =>
            request(`GET /v1/pets?limit=100&after=-${1 + client * 400 + i} HTTP/1.1`, [
              'Host: localhost',
              `Authorization: Bearer ${service().key}`,
            ]),
          )
          const socket = connectTo(service().port, '127.0.0.1').pause()
          socket.on('error', () => {}).write(pages.join(''))
          return socket
        })
        for (let i = 0; i < 50; i++) assert.equal((await service().call('GET', '//livez')).status, 200)
        assert.equal((await service().call('GET', '/pets?limit=1')).status, 200)
        const megabytes = Math.round((await service().memoryPeak()) / 1e6)
        for (const socket of sockets) socket.destroy()
        assert.ok(megabytes < 400, `${megabytes} MB`)
      })
    },
    { LOG_LEVEL: 'error' },
    [databases[0]],
  )

  asProcess(
    'a service that 100 clients send 2,400 requests each, in waves, and read nothing',
    (service) => {
      for (const [what, path] of [
        ['without a key', '/'],
        ['with a key', '/v1/pets'],
      ] as const)
        test(`While a client floods the service with requests ${what}, others are answered, in less than 300 MB [decision 21]`, async () => {
          const lines = path === '/' ? ['Host:x'] : ['Host:x', `Authorization:Bearer ${service().key}`]
          const packet = request(`GET ${path} HTTP/1.1`, lines).repeat(2_400)
          for (let wave = 0; wave < 3; wave++) {
            const sockets = Array.from({ length: 100 }, () => {
              const socket = connectTo(service().port, '127.0.0.1').pause()
              socket.on('error', () => {}).write(packet)
              return socket
            })
            for (let i = 0; i < 20; i++) {
              const probe = await RawConnection.open(service().port)
              probe.send(get('/livez'))
              assert.equal((await probe.answer())?.status, 200)
              probe.close()
              assert.equal((await service().call('GET', '/pets')).status, 200)
            }
            for (const socket of sockets) socket.destroy()
          }
          const megabytes = Math.round((await service().memoryPeak()) / 1e6)
          assert.ok(megabytes < 300, `${megabytes} MB`)
        })
    },
    { LOG_LEVEL: 'error' },
    [databases[0]],
  )
})
