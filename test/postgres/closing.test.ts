/** Letting go of PostgreSQL takes a bounded time and leaves no connection, whatever the server and the network do. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { test } from 'node:test'
import { createPool } from '../../src/store/postgres/pool.ts'
import { StoreUnavailable } from '../../src/store/store.ts'
import { eventually } from '../support/load.ts'

const timeout = { timeout: 60_000 }

/** What PostgreSQL says to a client it trusts: authentication is done, and it is ready for a statement. */
const greeting = Buffer.from('R\0\0\0\b\0\0\0\0Z\0\0\0\x05I')

/** What it says when a BEGIN is done. */
const begun = Buffer.from('C\0\0\0\nBEGIN\0Z\0\0\0\x05T')

const urlOf = (server: Server): string => `postgres://petstore@127.0.0.1:${(server.address() as AddressInfo).port}/pets`

const patience = { timeoutMilliseconds: 600_000, endMilliseconds: 1 }

/** A server that takes every client, and does `treat` once it gets a statement. */
class Pretender {
  readonly sockets: Socket[] = []
  received = ''
  /** Of each connection, its end. */
  readonly closed: Promise<unknown>[] = []
  readonly #server: Server

  constructor(treat: (socket: Socket) => void) {
    this.#server = createServer((socket) => {
      this.sockets.push(socket.on('error', () => {}).on('data', (data) => (this.received += data)))
      this.closed.push(new Promise((resolve) => socket.once('close', resolve)))
      socket.once('data', () => {
        socket.write(greeting)
        socket.once('data', () => treat(socket))
      })
    }).listen(0, '127.0.0.1')
  }

  async url(): Promise<string> {
    if (!this.#server.listening) await once(this.#server, 'listening')
    return urlOf(this.#server)
  }

  close(): void {
    this.#server.close()
    for (const socket of this.sockets) socket.destroy()
  }
}

test('a pool whose server never responds still ends, with all its connections', timeout, async (t) => {
  const server = new Pretender(() => {})
  t.after(() => server.close())
  const pool = createPool({ url: await server.url(), connections: 2, ...patience })
  const underWay = [pool.query('SELECT 1'), pool.query('SELECT 2')].map((query) =>
    assert.rejects(query, StoreUnavailable),
  )
  await eventually(
    async () => server.sockets.length,
    (count) => count === 2,
  )
  await pool.end()
  await Promise.all([...underWay, ...server.closed])
  await assert.rejects(pool.query('SELECT 1'), StoreUnavailable)
})

test('unprepared, the second of two statements waits for the answer to the first', timeout, async (t) => {
  const server = new Pretender(() => {})
  t.after(() => server.close())
  const pool = createPool({ url: await server.url(), connections: 1, ...patience, prepare: false })
  const one = { text: 'SELECT 1', values: [] }
  const both = assert.rejects(pool.queryBoth(one, { text: 'SELECT 2', values: [] }, 600_000), StoreUnavailable)
  await eventually(
    async () => server.received,
    (text) => text.includes('SELECT'),
  )
  await pool.end()
  await Promise.all([both, ...server.closed])
  assert.match(server.received, /SELECT 1/)
  assert.doesNotMatch(server.received, /SELECT 2/)
})

test('a transaction whose beginning came too late is not gone on with', timeout, async (t) => {
  const told = Promise.withResolvers<void>()
  // Says so to the first statement at once, and to the next when its client has been told that it has not begun.
  const server = new Pretender((socket) => {
    socket.write(begun)
    socket.once('data', () => told.promise.then(() => socket.write(begun)))
  })
  t.after(() => server.close())
  const pool = createPool({
    url: await server.url(),
    connections: 1,
    timeoutMilliseconds: 2_000,
    endMilliseconds: 1,
    prepare: false,
  })
  // With a connection that is open, the next statement is sent at once, however slow the machine is.
  await pool.runAll('BEGIN')
  let isDone = false
  const work = async () => {
    isDone = true
  }
  await assert.rejects(pool.transaction(work), /did not answer within 2000 ms/)
  const next = once(server.sockets[0] as Socket, 'data')
  told.resolve()
  assert.match(String(await next), /ROLLBACK/)
  assert.equal(isDone, false)
  await pool.end()
})
