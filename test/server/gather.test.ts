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
  test('requests wait for the last of them', async () => {
    const handedOn: number[] = []
    const { take, connected } = gather((item: number) => handedOn.push(item))
    for (let i = 0; i < 3; i++) {
      connected()
      for (let j = 1; j < gatheredMax; j++) take(i)
      await nextTurn()
      assert.deepEqual(handedOn, [])
    }
    await nextTurn()
    assert.equal(handedOn.length, 3 * (gatheredMax - 1))
  })

  test('requests are handled after 128 of them', async () => {
    let handedOn = 0
    const { take, connected } = gather(() => handedOn++)
    take(1)
    for (let turns = 0; turns < gatheredMax; turns++) {
      connected()
      await nextTurn()
      assert.equal(handedOn, 0)
    }
    connected()
    await nextTurn()
    assert.equal(handedOn, 1)
  })

  test('too many requests do not wait', async () => {
    let handedOn = 0
    const { take, connected } = gather(() => handedOn++)
    connected()
    await nextTurn()
    for (let i = 1; i < waitingMax; i++) take(i)
    assert.equal(handedOn, 0)
    take(waitingMax)
    assert.equal(handedOn, waitingMax)
    take(0)
    connected()
    await nextTurn()
    await nextTurn()
    assert.equal(handedOn, waitingMax + 1)
  })

  test('all of them are taken, on Node, before a busy client has had ten answers', async (t) => {
    const listener = await listenOnNode(anyPort)
    t.after(() => listener.close(0))
    const asked: string[] = []
    listener.serve(async ({ target }) => {
      asked.push(target)
      return { status: 200, headers: ['Content-Length', '0'], body: '' }
    })
    const get = (path: string) => request(`GET ${path} HTTP/1.1`, ['Host: localhost'])
    const busy = await RawConnection.open(listener.port)
    let isOver = false
    async function ask(): Promise<void> {
      while (!isOver) {
        busy.send(get('/busy'))
        await busy.answer()
      }
    }
    const asking = ask()
    asked.length = 0
    const others = await Promise.all(Array.from({ length: 100 }, () => RawConnection.open(listener.port)))
    for (const other of others) other.send(get('/new'))
    for (const other of others) assert.equal((await other.answer())?.status, 200)
    isOver = true
    await asking
    const busyOnes = asked.slice(0, asked.lastIndexOf('/new')).filter((target) => target === '/busy').length
    assert.ok(busyOnes < 10, `${busyOnes}`)
  })
})
