/**
 * Requests are handled in turns. A turn handles the requests that have arrived, in order, and none that arrives later.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { anyPort } from '../../harness/listen.ts'
import { turnsUntil } from '../../harness/patience.ts'
import { RawConnection, request } from '../../harness/raw.ts'
import { timeAt } from '../../harness/time.ts'
import { listen } from '../../src/server/listen.ts'
import { createTurnQueue } from '../../src/server/turn-queue.ts'

const batchMax = 128

test('A turn ends when its time is over, and the other requests wait for the next one in order of arrival [decision 21]', async () => {
  let now = 0
  const handled: number[] = []
  const { push } = createTurnQueue(
    (item: number) => {
      handled.push(item)
      // The time passes in a microtask, in which a request is handled.
      Promise.resolve().then(() => (now += 9))
    },
    timeAt(() => now),
  )
  for (let i = 0; i < 7; i++) push(i)
  await nextTurn()
  await nextTurn()
  // The first batch shows how long a request takes. From then on they are handled one by one, up to 20 ms per turn.
  assert.deepEqual(handled, [0, 1, 2, 3, 4, 5, 6])
  for (let i = 7; i < 14; i++) push(i)
  await nextTurn()
  assert.deepEqual(handled.slice(7), [7, 8, 9])
  await nextTurn()
  assert.deepEqual(handled.slice(7), [7, 8, 9, 10, 11, 12])
  await nextTurn()
  assert.deepEqual(handled.slice(7), [7, 8, 9, 10, 11, 12, 13])
})

test('A turn ends even if requests that are handled early cause further requests', async () => {
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
  /** Makes a queue in which both kinds of work take a millisecond each. */
  function queue() {
    let now = 0
    let handled: string[] = []
    const work = (item: string) => {
      handled.push(item)
      now += 1
    }
    const { push, pushLow } = createTurnQueue(
      work,
      timeAt(() => now),
    )
    return {
      push: (count: number) => Array.from({ length: count }, (_, i) => push(`request ${i}`)),
      pushLow: (count: number) => Array.from({ length: count }, (_, i) => pushLow(() => work(`low ${i}`))),
      /** Returns what the next turn handles. */
      async turn(): Promise<string[]> {
        handled = []
        await nextTurn()
        return handled
      },
    }
  }

  test('Work of low priority runs after the requests of a turn, and takes a quarter of their time [decision 21]', async () => {
    const { push, pushLow, turn } = queue()
    pushLow(100)
    push(3)
    const first = ['request 0', 'request 1', 'request 2', 'low 0', 'low 1', 'low 2', 'low 3']
    assert.deepEqual(await turn(), first)
    const counts: number[] = []
    for (let i = 0; i < 6; i++) {
      push(8)
      counts.push((await turn()).length - 8)
    }
    assert.deepEqual(counts, [0, 4, 0, 4, 0, 4])
  })

  test('Work of low priority also runs in turns without a request, at first rarely and then in each of them [decision 21]', async () => {
    const { push, pushLow, turn } = queue()
    pushLow(2_000)
    const countsAfterRequest = async () => {
      push(1)
      assert.ok((await turn()).includes('request 0'))
      const counts: number[] = []
      for (let i = 0; i < 300; i++) counts.push((await turn()).length)
      return counts
    }
    const counts = await countsAfterRequest()
    assert.equal(counts.indexOf(4), 19, 'after 20 turns, which allow it 0.02 + 0.04 + … + 0.40 ms')
    assert.deepEqual(counts.slice(-4), [4, 4, 4, 4])
    assert.equal((await countsAfterRequest()).indexOf(4), 18, 'the request has made up for 0.25 ms')
    for (let i = 0; i < 1_000; i++) await turn()
  })
})

test('A health check is answered before all waiting requests, even with a query [decision 21]', async (t) => {
  const listener = await listen(anyPort)
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
  // All of them have arrived before the listener reads them.
  for (const [i, target] of targets.entries())
    connections[i]?.send(request(`GET ${target} HTTP/1.1`, ['Host: localhost']))
  for (const connection of connections) assert.equal((await connection.answer())?.status, 200)
  assert.deepEqual(asked, ['/livez', '/livez?from=proxy', '/busy?path=/livez'])
})
