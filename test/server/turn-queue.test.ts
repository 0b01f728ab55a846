/** Requests are handled turn by turn: all that came, in their order, and none that comes later with them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { listenOnNode } from '../../src/server/listen-node.ts'
import { createTurnQueue } from '../../src/server/turn-queue.ts'
import { systemTime } from '../../src/time.ts'
import { anyPort } from '../support/listen.ts'
import { turnsUntil } from '../support/patience.ts'
import { RawConnection, request } from '../support/raw.ts'
import { timeAt } from '../support/time.ts'

const batchMax = 128

test('a turn ends when its time is over; the others wait for the next, in order of arrival [D377]', async () => {
  let now = 0
  const handled: number[] = []
  const { push } = createTurnQueue(
    (item: number) => {
      handled.push(item)
      // In a microtask, as a request is.
      Promise.resolve().then(() => (now += 9))
    },
    timeAt(() => now),
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
    timeAt(() => now),
  )
  for (let i = 0; i < batchMax; i++) push('request')
  await new Promise((resolve) => setTimeout(resolve))
  assert.ok(handled >= batchMax && handled < 2 * batchMax, String(handled))
  isAgain = false
  await turnsUntil(() => handled >= 2 * batchMax)
})

describe('work of low priority', () => {
  /** Queues both kinds; what is handled is told turn by turn. */
  function queue() {
    const handled: string[] = []
    const { push, pushLow } = createTurnQueue((item: string) => void handled.push(item), systemTime)
    return {
      push,
      pushLow: (item: string) => pushLow(() => void handled.push(item)),
      async turn(): Promise<string[]> {
        await nextTurn()
        return handled.splice(0)
      },
    }
  }

  test('is done after the requests of a turn, one item for every four of them [D377]', async () => {
    const { push, pushLow, turn } = queue()
    for (let i = 0; i < 4; i++) pushLow(`low ${i}`)
    for (let i = 0; i < 5; i++) push(`request ${i}`)
    assert.deepEqual(await turn(), [0, 1, 2, 3, 4].map((i) => `request ${i}`).concat('low 0', 'low 1'))
    push('request 5')
    assert.deepEqual(await turn(), ['request 5', 'low 2'])
  })

  test('is done in turns without a request, too, at first one item and at last eight per turn [D377]', async () => {
    const { push, pushLow, turn } = queue()
    for (let i = 0; i < 1_000; i++) pushLow('low')
    const counts: number[] = []
    for (let i = 0; i < 70; i++) counts.push((await turn()).length)
    assert.deepEqual(counts.slice(0, 17), [1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3])
    assert.deepEqual(counts.slice(-4), [8, 8, 8, 8])
    push('request')
    assert.deepEqual(await turn(), ['request', 'low'])
    assert.deepEqual(await turn(), ['low'])
    while ((await turn()).length > 0);
  })
})

describe('while connections come', () => {
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

test('a health check is answered before all that waits, with a query too, on Node [D377]', async (t) => {
  const listener = await listenOnNode(anyPort)
  const asked: string[] = []
  listener.serve(
    async ({ target }) => {
      asked.push(target)
      return { status: 200, headers: ['Content-Length', '0'], body: '' }
    },
    new Set(['/livez']),
  )
  t.after(() => listener.close(0))
  const targets = ['/busy?path=/livez', '/livez', '/livez?from=proxy']
  const connections = await Promise.all(targets.map(() => RawConnection.open(listener.port)))
  for (const connection of connections) {
    connection.send(request('GET /first HTTP/1.1', ['Host: localhost']))
    assert.equal((await connection.answer())?.status, 200)
  }
  asked.length = 0
  // All are there before the listener looks.
  for (const [i, target] of targets.entries())
    connections[i]?.send(request(`GET ${target} HTTP/1.1`, ['Host: localhost']))
  for (const connection of connections) assert.equal((await connection.answer())?.status, 200)
  assert.deepEqual(asked, ['/livez', '/livez?from=proxy', '/busy?path=/livez'])
})
