/** Responses that are streams: what the listener reports about the client, and how a stream ends. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, type TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { EventStream } from '../../harness/event-stream.ts'
import { answeringTo, anyPort, type Told } from '../../harness/listen.ts'
import { becomes, turnsUntil } from '../../harness/patience.ts'
import { Folder, makeKey, Served } from '../../harness/process.ts'
import { RawConnection, request } from '../../harness/raw.ts'
import { test } from '../../harness/scope.ts'
import type { StreamBody } from '../../src/http/message.ts'
import { listen } from '../../src/server/listen.ts'
import { defaultTimeouts } from '../../src/server/listener.ts'

const hour = 3_600_000

/** A listener whose streams record what happens to them. */
interface Subject {
  readonly port: number
  /** Resolves once a stream has received this callback. */
  until(what: Told): Promise<unknown>
  close(): Promise<unknown>
}

async function start(t: TestContext): Promise<Subject> {
  const told = new EventTarget()
  const happened = new Set<string>()
  const listener = await listen({ ...anyPort, timeouts: { ...defaultTimeouts, linger: 20 } })
  listener.serve(
    answeringTo((what) => {
      happened.add(what)
      told.dispatchEvent(new Event(what))
    }),
  )
  t.after(() => listener.close(0))
  return {
    port: listener.port,
    until: async (what) => happened.has(what) || once(told, what),
    close: () => listener.close(hour),
  }
}

/** A client that reads nothing until `resume` is called. */
function ask(t: TestContext, port: number, path: string): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  t.after(() => socket.destroy())
  socket.pause()
  socket.write(request(`GET ${path} HTTP/1.1`, ['Host: localhost']))
  return socket
}

/** Reads until the connection is closed, and returns what was read. */
async function rest(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).resume()
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
  return Buffer.concat(chunks).toString('latin1')
}

describe('a stream', () => {
  test('The sender of a stream learns when its client falls behind and when it has caught up, and loses nothing [decision 15]', async (t) => {
    const subject = await start(t)
    const socket = ask(t, subject.port, '/stream')
    await subject.until('behind')
    const text = await rest(socket)
    await Promise.all([subject.until('drained'), subject.until('gone')])
    assert.match(text, /\r\n3\r\nend\r\n0\r\n\r\n$/)
  })

  test('A stream is cut off immediately when it is dropped', async (t) => {
    const subject = await start(t)
    const socket = ask(t, subject.port, '/stream/drop')
    await subject.until('gone')
    assert.doesNotMatch(await rest(socket), /0\r\n\r\n$/)
  })

  test('The sender of a stream learns when its client disconnects', async (t) => {
    const subject = await start(t)
    const socket = ask(t, subject.port, '/stream/quiet').resume()
    let text = ''
    while (!text.endsWith('quiet\n\r\n')) text += String((await once(socket, 'data'))[0])
    assert.match(text, /Transfer-Encoding: chunked\r\n.*\r\n6\r\nquiet\n\r\n$/is)
    socket.destroy()
    await subject.until('gone')
  })

  test('An ended stream that nobody reads does not keep the service from stopping [decision 15]', async (t) => {
    const subject = await start(t)
    ask(t, subject.port, '/stream/end')
    await subject.until('behind')
    await subject.close()
  })
})

test('A stream ends when its client closes its side', async (t) => {
  const gone = Promise.withResolvers<void>()
  const listener = await listen(anyPort)
  t.after(() => listener.close(0))
  listener.serve(async () => ({ status: 200, headers: [], body: () => ({ drained() {}, closed: gone.resolve }) }))
  const socket = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true })
  t.after(() => socket.destroy())
  socket.end(request('GET / HTTP/1.1', ['Host: localhost']))
  await gone.promise
})

test('A stream whose client disconnects before it begins is released', async (t) => {
  let [open, asked] = [0, 0]
  const left = Promise.withResolvers<void>()
  const listener = await listen(anyPort)
  t.after(() => listener.close(0))
  listener.serve(async () => {
    asked++
    await left.promise
    const body: StreamBody = () => {
      open++
      return { drained() {}, closed: () => open-- }
    }
    return { status: 200, headers: [], body }
  })
  const client = await RawConnection.open(listener.port)
  client.send(request('GET / HTTP/1.1', ['Host: localhost']))
  await turnsUntil(() => asked > 0)
  await client.reset()
  // The listener has noticed everything that arrived before this.
  await RawConnection.open(listener.port).then((other) => other.reset())
  for (let turn = 0; turn < 100; turn++) await nextTurn()
  left.resolve()
  for (let turn = 0; turn < 100; turn++) await nextTurn()
  await becomes(async () => open, 0)
})

test('At SIGTERM, clients of event streams are told to reconnect [decision 15]', async () => {
  using folder = new Folder()
  const key = await makeKey(folder.env, '--scope', 'events:read')
  await using served = await Served.start(folder.env)
  const streams = await Promise.all([1, 2, 3].map(() => EventStream.open(served.url, { key })))
  const { code, stderr } = await served.end('SIGTERM')
  assert.deepEqual([code, stderr], [0, ''])
  for (const stream of streams) assert.deepEqual([await stream.ended, stream.isClosing], [true, true])
  assert.ok(!served.log.some(({ level }) => Number(level) > 30), served.stdout)
})
