/** Requests are taken up turn by turn: all that came, in their order, and none that comes later with them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { listenOnNode } from '../../src/server/listen-node.ts'
import { earlyMax, gather, gatheredMax, waitingMax } from '../../src/server/listener.ts'
import { anyPort } from '../support/listen.ts'
import { RawConnection, request } from '../support/raw.ts'

test('what arrives in one turn is handled at its end, in order of arrival', async () => {
  const handedOn: number[] = []
  const { take } = gather((item: number) => handedOn.push(item))
  take(1)
  await Promise.resolve()
  take(2)
  assert.deepEqual(handedOn, [])
  await nextTurn()
  assert.deepEqual(handedOn, [1, 2])
})

test('what arrives while others are handled waits for the next turn', async () => {
  const handedOn: number[] = []
  const { take } = gather((item: number) => {
    handedOn.push(item)
    if (item < 3) take(item + 1)
  })
  take(1)
  for (const expected of [[1], [1, 2], [1, 2, 3], [1, 2, 3]]) {
    await nextTurn()
    assert.deepEqual(handedOn, expected)
  }
})

test('of more than are handled at a time, the first are not kept until the end of the turn', async () => {
  const handedOn: number[] = []
  const { take } = gather((item: number) => handedOn.push(item))
  const items = Array.from({ length: gatheredMax + 1 }, (_, i) => i)
  for (const item of items) take(item)
  assert.deepEqual(handedOn, items.slice(0, gatheredMax))
  await nextTurn()
  assert.deepEqual(handedOn, items)
})

test('a turn ends, though those that are handled early bring the next at once', async () => {
  let handedOn = 0
  let isAgain = true
  const { take } = gather((item: string) => {
    handedOn++
    if (isAgain) take(item)
  })
  for (let i = 0; i < gatheredMax; i++) take('request')
  assert.equal(handedOn, earlyMax)
  isAgain = false
  await nextTurn()
  assert.equal(handedOn, earlyMax + gatheredMax)
})

describe('while connections come', () => {
  test('requests wait for one of them for every four that wait, all together', async () => {
    const handedOn: number[] = []
    const { take, connected } = gather((item: number) => handedOn.push(item))
    for (let i = 0; i < 8; i++) take(i)
    for (let turns = 0; turns < 2; turns++) {
      connected()
      await nextTurn()
      assert.deepEqual(handedOn, [])
    }
    connected()
    await nextTurn()
    assert.deepEqual(handedOn, [0, 1, 2, 3, 4, 5, 6, 7])
  })

  test('requests are handled once no more of them come, however many wait', async () => {
    let handedOn = 0
    const { take, connected } = gather(() => handedOn++)
    take(0)
    connected()
    await nextTurn()
    for (let i = 0; i < 2 * gatheredMax; i++) take(i)
    assert.equal(handedOn, 0)
    await nextTurn()
    assert.equal(handedOn, 2 * gatheredMax + 1)
  })

  test('too many requests do not wait', async () => {
    let handedOn = 0
    const { take, connected } = gather(() => handedOn++)
    take(1)
    connected()
    await nextTurn()
    for (let i = 2; i < waitingMax; i++) take(i)
    assert.equal(handedOn, 0)
    take(waitingMax)
    assert.equal(handedOn, waitingMax)
    take(0)
    connected()
    await nextTurn()
    await nextTurn()
    assert.equal(handedOn, waitingMax + 1)
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
