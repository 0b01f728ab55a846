/** Requests are handled turn by turn: all that came, in their order, and none that comes later with them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { listenOnNode } from '../../src/server/listen-node.ts'
import { createTurnQueue } from '../../src/server/listener.ts'
import { anyPort } from '../support/listen.ts'
import { RawConnection, request } from '../support/raw.ts'

const batchMax = 128
const waitingMax = 2_048

test('what arrives in one turn is handled at its end, in order of arrival', async () => {
  const handled: number[] = []
  const { push } = createTurnQueue((item: number) => handled.push(item))
  push(1)
  await Promise.resolve()
  push(2)
  assert.deepEqual(handled, [])
  await nextTurn()
  assert.deepEqual(handled, [1, 2])
})

test('what arrives while others are handled waits for the next turn', async () => {
  const handled: number[] = []
  const { push } = createTurnQueue((item: number) => {
    handled.push(item)
    if (item < 3) push(item + 1)
  })
  push(1)
  for (const expected of [[1], [1, 2], [1, 2, 3], [1, 2, 3]]) {
    await nextTurn()
    assert.deepEqual(handled, expected)
  }
})

test('of more than are handled at a time, the first are not kept until the end of the turn', async () => {
  const handled: number[] = []
  const { push } = createTurnQueue((item: number) => handled.push(item))
  const items = Array.from({ length: batchMax + 1 }, (_, i) => i)
  for (const item of items) push(item)
  assert.deepEqual(handled, items.slice(0, batchMax))
  await nextTurn()
  assert.deepEqual(handled, items)
})

test('a turn ends when its time is over; the others wait for the next, in order of arrival [D377]', async () => {
  let now = 0
  const handled: number[] = []
  const { push } = createTurnQueue(
    (item: number) => {
      handled.push(item)
      // In a microtask, as a request is.
      Promise.resolve().then(() => (now += 9))
    },
    () => now,
  )
  for (let i = 0; i < 7; i++) push(i)
  await nextTurn()
  await nextTurn()
  // The first batch shows how long a request takes: from then on they are taken one by one, up to 20 ms in a turn.
  assert.deepEqual(handled, [0, 1, 2, 3, 4, 5, 6])
  for (let i = 7; i < 14; i++) push(i)
  await nextTurn()
  assert.deepEqual(handled.slice(7), [7, 8, 9])
  await nextTurn()
  assert.deepEqual(handled.slice(7), [7, 8, 9, 10, 11, 12])
  await nextTurn()
  assert.deepEqual(handled.slice(7), [7, 8, 9, 10, 11, 12, 13])
})

test('a turn ends, though those that are handled early bring the next at once', async () => {
  let now = 0
  let handled = 0
  let isAgain = true
  const { push } = createTurnQueue(
    (item: string) => {
      handled++
      now += 1
      if (isAgain) Promise.resolve(item).then(push)
    },
    () => now,
  )
  for (let i = 0; i < batchMax; i++) push('request')
  await new Promise((resolve) => setTimeout(resolve))
  assert.ok(handled >= batchMax && handled < 2 * batchMax, String(handled))
  isAgain = false
  while (handled < 2 * batchMax) await nextTurn()
})

describe('while connections come', () => {
  test('requests wait for one of them for every four that wait, all together', async () => {
    const handled: number[] = []
    const { push, connected } = createTurnQueue((item: number) => handled.push(item))
    for (let i = 0; i < 8; i++) push(i)
    for (let turns = 0; turns < 2; turns++) {
      connected()
      await nextTurn()
      assert.deepEqual(handled, [])
    }
    connected()
    await nextTurn()
    assert.deepEqual(handled, [0, 1, 2, 3, 4, 5, 6, 7])
  })

  test('requests are handled once no more of them come, however many wait', async () => {
    let handled = 0
    const { push, connected } = createTurnQueue(() => handled++)
    push(0)
    connected()
    await nextTurn()
    for (let i = 0; i < 2 * batchMax; i++) push(i)
    assert.equal(handled, 0)
    await nextTurn()
    assert.equal(handled, 2 * batchMax + 1)
  })

  test('too many requests do not wait', async () => {
    let handled = 0
    const { push, connected } = createTurnQueue(() => handled++)
    push(1)
    connected()
    await nextTurn()
    for (let i = 2; i < waitingMax; i++) push(i)
    assert.equal(handled, 0)
    push(waitingMax)
    assert.equal(handled, batchMax)
  })

  test('all of them are taken, on Node, before busy clients have had ten answers each', async (t) => {
    const listener = await listenOnNode(anyPort)
    const asked: string[] = []
    listener.serve(async ({ target }) => {
      asked.push(target)
      return { status: 200, headers: ['Content-Length', '0'], body: '' }
    })
    const get = (path: string) => request(`GET ${path} HTTP/1.1`, ['Host: localhost'])
    const connect = () => Promise.all(Array.from({ length: 100 }, () => RawConnection.open(listener.port)))
    let isOver = false
    t.after(() => {
      isOver = true
      return listener.close(0)
    })
    const busy = (await connect()).map(async (connection) => {
      while (!isOver) {
        connection.send(get('/busy'))
        await connection.answer()
      }
    })
    asked.length = 0
    const others = await connect()
    for (const other of others) other.send(get('/new'))
    for (const other of others) assert.equal((await other.answer())?.status, 200)
    isOver = true
    await Promise.all(busy)
    const each = asked.slice(0, asked.lastIndexOf('/new')).filter((target) => target === '/busy').length / busy.length
    assert.ok(each < 10, String(each))
  })
})

test('a health check is answered before all that waits, on Node [D377]', async (t) => {
  const listener = await listenOnNode(anyPort)
  const asked: string[] = []
  listener.serve(
    async ({ target }) => {
      asked.push(target)
      return { status: 200, headers: ['Content-Length', '0'], body: '' }
    },
    (target) => target === '/livez',
  )
  t.after(() => listener.close(0))
  const [busy, probe] = [await RawConnection.open(listener.port), await RawConnection.open(listener.port)]
  // Both are there before the listener looks.
  busy.send(request('GET /busy HTTP/1.1', ['Host: localhost']))
  probe.send(request('GET /livez HTTP/1.1', ['Host: localhost']))
  for (const connection of [busy, probe]) assert.equal((await connection.answer())?.status, 200)
  assert.deepEqual(asked, ['/livez', '/busy'])
})
