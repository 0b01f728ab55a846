/** The connection of a CONNECT: Node lets go of it, so that nobody but the service looks after it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Handler } from '../../src/http/message.ts'
import { listenOnNode } from '../../src/server/listen-node.ts'
import type { Listener } from '../../src/server/listener.ts'
import { answering, anyPort } from '../support/listen.ts'
import { exchange, RawConnection, request } from '../support/raw.ts'

const tunnel = request('CONNECT localhost:80 HTTP/1.1', ['Host: localhost:80'])
const get = request('GET / HTTP/1.1', ['Host: localhost', 'Connection: close'])

async function listening(t: TestContext, handler: Handler): Promise<Listener> {
  const listener = await listenOnNode(anyPort)
  listener.serve(handler)
  t.after(() => listener.close(0))
  return listener
}

describe('a CONNECT', { timeout: 10_000 }, () => {
  test('whose client resets the connection before the answer does not end the service', async (t) => {
    let reached: (() => void) | undefined
    let answer: (() => void) | undefined
    const isReached = new Promise<void>((resolve) => (reached = resolve))
    const isReset = new Promise<void>((resolve) => (answer = resolve))
    const { port } = await listening(t, async (incoming) => {
      if (incoming.method === 'CONNECT') {
        reached?.()
        await isReset
      }
      return answering(incoming)
    })
    const connection = await RawConnection.open(port)
    connection.send(tunnel)
    await isReached
    await connection.reset()
    answer?.()
    // The failure to write comes in a later turn than the write.
    for (let turns = 0; turns < 10; turns++) await nextTurn()
    assert.deepEqual(
      (await exchange(port, get)).map(({ status }) => status),
      [200],
    )
  })

  test('whose client keeps the connection open does not keep the service from closing', async (t) => {
    const listener = await listening(t, answering)
    const client = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true })
    t.after(() => client.destroy())
    client.write(`${tunnel}bytes for the tunnel`)
    client.resume()
    await once(client, 'end')
    await listener.close(0)
  })
})
