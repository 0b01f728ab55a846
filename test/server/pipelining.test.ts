/**
 * What a client that sends without reading may make the service hold: one answer a connection, and a bounded sum of
 * all.
 */
import assert from 'node:assert/strict'
import { connect as connectTo, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { listenOnNode } from '../../src/server/listen-node.ts'
import { anyPort } from '../support/listen.ts'
import { eventually } from '../support/load.ts'
import { RawConnection, request } from '../support/raw.ts'
import { test } from '../support/scope.ts'
import { onEveryTarget, targets } from '../support/service.ts'

const get = (path: string): string => request(`GET ${path} HTTP/1.1`, ['Host: localhost'])

const mebibyte = 1024 * 1024
/** More than the system takes from a client that does not read. */
const large = new Uint8Array(10 * mebibyte)

/** Answers `/large` with as much, all else with nothing; tells what was asked. */
async function listening(t: TestContext) {
  const asked: string[] = []
  const listener = await listenOnNode(anyPort)
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

test('a request is taken up when the answer before it was handed to the system, on Node [D378]', async (t) => {
  const { port, asked } = await listening(t)
  const socket = connect(t, port, get('/large') + get('/second') + get('/third'))
  const other = await RawConnection.open(port)
  // Whatever the listener would do by itself, it has done after these.
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
  while (!asked.includes('/third')) await nextTurn()
  socket.write(get('/fourth'))
  while (!asked.includes('/fourth')) await nextTurn()
  assert.deepEqual(
    asked.filter((target) => target !== '/other'),
    ['/large', '/second', '/third', '/fourth'],
  )
})

test('a client that goes on sending is not read meanwhile, on Node [D378]', async (t) => {
  const { port } = await listening(t)
  const socket = connect(t, port, get('/large') + get('/second'))
  const packet = get('/more').repeat(2_000)
  // The system has room for some megabytes of it; were it read, all would go.
  for (let sent = 0; sent < 400; sent++) socket.write(packet)
  await eventually(
    async () => socket.writableLength,
    (left) => left > 0,
  )
  for (let turns = 0; turns < 200; turns++) await nextTurn()
  assert.ok(socket.writableLength > 100 * packet.length, String(socket.writableLength))
})

/** Lets the clients read; resolves with how many bytes each has got, once each has got all or was cut off. */
async function readAll(sockets: readonly Socket[]): Promise<number[]> {
  const received = sockets.map(() => 0)
  for (const [i, socket] of sockets.entries())
    socket.on('data', (chunk: Buffer) => (received[i] = (received[i] ?? 0) + chunk.length)).resume()
  while (!sockets.every((socket, i) => socket.closed || (received[i] ?? 0) > large.length)) await nextTurn()
  return received
}

test('of more than 10,000 requests that wait, those that waited longest are given up, on Node [D378]', async (t) => {
  const { port, asked } = await listening(t)
  // In one packet; four hold 9,600 of the 10,000 that may wait.
  const many = `${get('/large')}${'GET / HTTP/1.1\r\nHost:a\r\n\r\n'.repeat(2_400)}`
  const sockets: Socket[] = []
  for (let i = 0; i < 5; i++) {
    sockets.push(connect(t, port, many))
    while (asked.length < sockets.length) await nextTurn()
  }
  const received = await readAll(sockets)
  assert.deepEqual(
    received.map((bytes) => bytes > large.length),
    [false, true, true, true, true],
  )
  // None of them waits any more.
  sockets.push(...[0, 1, 2, 3].map(() => connect(t, port, many)))
  const again = await readAll(sockets.slice(5))
  assert.deepEqual(
    again.map((bytes) => bytes > large.length),
    [true, true, true, true],
  )
})

test('of more than 64 MiB that clients do not read, the longest waiting is given up, on Node [D378]', async (t) => {
  const { port, asked } = await listening(t)
  const sockets: Socket[] = []
  for (let i = 0; i < 7; i++) {
    sockets.push(connect(t, port, get('/large')))
    while (asked.length < sockets.length) await nextTurn()
  }
  const received = await readAll(sockets)
  assert.deepEqual(
    received.map((bytes) => bytes > large.length),
    [false, true, true, true, true, true, true],
  )
})

onEveryTarget(
  'six clients that send 400 requests for large pages each, and read none',
  (service) => {
    test('are held in less than 400 MB, and the service goes on [D378]', async () => {
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
  targets.filter(({ name }) => name.endsWith('SQLite')),
  1,
)
