/** Many shops in one process: how long each stays, and that none touches another. */
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { Shops } from '../../src/sandbox/shops.ts'
import { systemTime } from '../../src/time.ts'
import { randomFrom } from '../support/random.ts'
import { times } from '../support/scope.ts'
import { publicUrl, sendTo, shopsOn } from '../support/shops.ts'
import { TestTime } from '../support/time.ts'

type Headers = Readonly<Record<string, string>>

const hour = 60 * 60 * 1000

async function ask(shops: Shops, key: string, method: string, path: string, body?: object, more: Headers = {}) {
  const headers = { ...(body && { 'Content-Type': 'application/json' }), ...more }
  const { status, text } = await sendTo(shops.of(key), {
    ...{ method, url: publicUrl + path, headers: Object.entries(headers) },
    body: body && Buffer.from(JSON.stringify(body)),
  })
  return { status, text }
}

const add = (shops: Shops, key: string) => ask(shops, key, 'POST', '/pets', { name: key, categoryId: 1 })
const list = async (shops: Shops, key: string) => JSON.parse((await ask(shops, key, 'GET', '/pets')).text)

describe('Shops', () => {
  const opened: Shops[] = []
  afterEach(() => Promise.all(opened.splice(0).map((shops) => shops.close())))
  const open = async (...args: Parameters<typeof shopsOn>) => {
    const shops = await shopsOn(...args)
    opened.push(shops)
    return shops
  }

  test('of which only some are ready for use keep what they have, their clock and their journal [D399]', async () => {
    const shops = await open(systemTime)
    const keys = Array.from({ length: 100 }, (_, i) => `test_${i}`)
    for (const key of keys) {
      await add(shops, key)
      await shops.of(key).setClock(Date.UTC(2031, 0))
    }
    const awake = () => keys.filter((key) => shops.of(key).isAwake()).length
    assert.ok(awake() <= 33, String(awake()))
    for (const key of keys) {
      assert.deepEqual(await list(shops, key), [{ id: 1, name: key, categoryId: 1, status: 'available' }])
      assert.equal((await ask(shops, key, 'GET', '/pets/1')).status, 410)
      assert.equal(shops.of(key).journal.length, 3)
    }
  })

  test('in which something happens by itself stay awake [D399]', async () => {
    const shops = await open(systemTime)
    await add(shops, 'test_held')
    await ask(shops, 'test_held', 'POST', '/store/orders', { petId: 1, heldUntil: new Date(Date.now() + hour) })
    for (let i = 0; i < 70; i++) await add(shops, `test_${i}`)
    assert.ok(shops.of('test_held').isAwake() && !shops.of('test_0').isAwake())
  })

  test('go after an hour unused, and the one that was used least recently when there are too many [D399]', async () => {
    const time = new TestTime()
    const shops = await open(time, 3)
    for (const key of ['test_a', 'test_b', 'test_c', 'test_a', 'test_d']) await add(shops, key)
    assert.equal((await list(shops, 'test_a')).length, 2)
    assert.equal((await list(shops, 'test_b')).length, 0)
    time.advance(hour / 2)
    await list(shops, 'test_a')
    time.advance(hour * 0.6)
    assert.equal((await list(shops, 'test_a')).length, 2)
    assert.equal((await list(shops, 'test_d')).length, 0)
  })

  test('that go while a request waits in its delay end that, and leave nothing awake [D401]', async () => {
    const shops = await open(new TestTime(), 1)
    await add(shops, 'test_slow')
    const slow = shops.of('test_slow')
    slow.plan.replace([{ operation: 'listPets', skip: 0, times: 2, delayMs: 60_000 }])
    const waiting = list(shops, 'test_slow')
    await add(shops, 'test_other')
    assert.equal((await waiting).length, 1)
    assert.equal(slow.isAwake(), false)
  })

  test('that are made as new while a request waits in its delay do not meet it [D401]', async () => {
    const shops = await open(new TestTime())
    const shop = shops.of('test_a')
    shop.plan.replace([{ operation: 'createPet', skip: 0, times: 1, delayMs: 60_000 }])
    const waiting = add(shops, 'test_a')
    await shop.reset(0)
    assert.equal((await waiting).status, 201)
    assert.deepEqual(await list(shops, 'test_a'), [])
  })

  test('take 16 MiB each at most [D399]', async () => {
    const shops = await open(systemTime)
    const name = 'x'.repeat(1024)
    let last = 201
    for (let i = 0; i < 300 && last === 201; i++) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => ask(shops, 'test_full', 'POST', '/pets', { name, categoryId: 1 })),
      )
      last = Math.max(...answers.map(({ status }) => status))
    }
    assert.equal(last, 503)
    assert.equal((await ask(shops, 'test_full', 'GET', '/pets')).status, 200)
    assert.equal((await add(shops, 'test_other')).status, 201)
  })

  test('with failures of their own answer among others as they do alone [D395]', async () => {
    const count = times(100, 20)
    const each = 100
    const keys = Array.from({ length: count }, (_, i) => `test_${i}`)
    const failures = [{ error: 'unavailable' }, { cut: 'after' }, { cut: 'before' }, { error: 'rate_limited' }] as const
    /** What a shop is asked, the same each time. */
    function* script(index: number): Generator<(shops: Shops) => Promise<unknown>> {
      const random = randomFrom(index)
      const key = keys[index] as string
      const pick = (max: number) => Math.floor(random() * max)
      for (let i = 0; i < each; i++) {
        const kind = pick(10)
        const id = pick(20) + 1
        const headers = { 'idempotency-key': `key-${pick(30)}`, 'x-request-id': 'same' }
        if (kind === 0) {
          const entry = { operation: '*', skip: pick(3), times: pick(3) + 1, ...failures[pick(failures.length)] }
          yield async (shops) => shops.of(key).plan.replace([entry])
        } else if (kind < 6)
          yield (shops) => ask(shops, key, 'POST', '/pets', { name: `${key} ${id}`, categoryId: id }, headers)
        else if (kind === 6) yield (shops) => ask(shops, key, 'PATCH', `/pets/${id}`, { status: 'sold' })
        else if (kind === 7) yield (shops) => ask(shops, key, 'DELETE', `/pets/${id}`)
        else if (kind === 8 && pick(10) === 0) yield (shops) => shops.of(key).reset(pick(5))
        else yield (shops) => ask(shops, key, 'GET', '/pets?limit=100')
      }
    }
    const alone: unknown[][] = []
    for (let index = 0; index < count; index++) {
      const shops = await open(systemTime)
      const answers: unknown[] = []
      for (const step of script(index)) answers.push(await step(shops))
      alone.push(answers)
    }
    const shops = await open(systemTime)
    const together = await Promise.all(
      keys.map(async (_, index) => {
        const answers: unknown[] = []
        for (const step of script(index)) answers.push(await step(shops))
        return answers
      }),
    )
    assert.deepEqual(together, alone)
  })
})
