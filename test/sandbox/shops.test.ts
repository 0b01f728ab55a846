/** Many shops in one process: how long each of them stays, and that none affects another. */
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { logInto } from '../../harness/log.ts'
import { randomFrom } from '../../harness/random.ts'
import { testInFull, times } from '../../harness/scope.ts'
import { publicUrl, sendTo, shopsOn } from '../../harness/shops.ts'
import { TestTime } from '../../harness/time.ts'
import type { Shops } from '../../src/sandbox/shops.ts'
import { systemTime } from '../../src/time.ts'

type Headers = Readonly<Record<string, string>>

const hour = 60 * 60 * 1000

async function ask(shops: Shops, key: string, method: string, path: string, body?: object, more: Headers = {}) {
  const headers = { ...(body && { 'Content-Type': 'application/json' }), ...more }
  const { status, text } = await sendTo(shops.of(key), {
    method,
    url: publicUrl + path,
    headers: Object.entries(headers),
    body: body && Buffer.from(JSON.stringify(body)),
  })
  return { status, text }
}

const add = (shops: Shops, key: string) => ask(shops, key, 'POST', '/pets', { name: key, categoryId: 1 })
const list = async (shops: Shops, key: string) => JSON.parse((await ask(shops, key, 'GET', '/pets')).text)

describe('Shops', () => {
  const opened: Shops[] = []
  afterEach(() => Promise.all(opened.splice(0).map((shops) => shops.close())))
  const open = (...args: Parameters<typeof shopsOn>) => {
    const shops = shopsOn(...args)
    opened.push(shops)
    return shops
  }

  const empty = { shops: 1_000, bytes: 2 ** 30, empty: 0 }

  const gone = (name: string) => ({
    code: 'endpoint_removed',
    message: new RegExp(`^The shop ${name} was removed .* Create it again with POST /sandbox/reset\\.$`),
  })

  test('Shops of a sandbox are removed after an hour without requests, and the least recently used first if there are too many [decision 18]', async () => {
    const time = new TestTime()
    const lines: { msg?: string; shop?: string }[] = []
    const shops = open(time, { ...empty, shops: 3 }, logInto(lines))
    for (const key of ['test_a', 'test_b', 'test_c', 'test_a', 'test_d', 'test_e']) await add(shops, key)
    assert.equal((await list(shops, 'test_a')).length, 2)
    assert.deepEqual(
      lines.filter(({ msg }) => msg?.startsWith('the shops that were unused')).map(({ shop }) => shop),
      ['test_b'],
    )
    time.advance(hour / 2)
    await list(shops, 'test_a')
    time.advance(hour * 0.6)
    assert.equal((await list(shops, 'test_a')).length, 2)
    assert.equal((await list(shops, 'test_e')).length, 0)
  })

  test('A shop of a sandbox that was removed to make room says so until a reset [decision 18]', async () => {
    const shops = open(systemTime, { ...empty, shops: 1 })
    await add(shops, 'test_a')
    await add(shops, 'test_b')
    for (let i = 0; i < 2; i++) assert.throws(() => shops.of('test_a'), gone('test_a'))
    await shops.of('test_a', true).reset(0)
    assert.deepEqual(await list(shops, 'test_a'), [])
    assert.throws(() => shops.of('test_b'), gone('test_b'))
    shops.delete('test_b')
    assert.deepEqual(await list(shops, 'test_b'), [])
  })

  test('A shop of a sandbox with an open stream is never removed, and if all shops have one there is no room for another [decision 18]', async () => {
    const time = new TestTime()
    const shops = open(time, { ...empty, shops: 2 })
    const closings: (() => void)[] = []
    const follow = async (key: string) => {
      await add(shops, key)
      const { body } = await shops.of(key).handle({
        method: 'GET',
        target: '/v1/events/stream',
        header: () => undefined,
        address: () => undefined,
        body: () => undefined,
      })
      assert.ok(typeof body === 'function')
      closings.push(body({ write: () => true, end() {}, drop() {} }).closed)
    }
    await follow('test_a')
    await add(shops, 'test_b')
    await add(shops, 'test_c')
    assert.equal((await list(shops, 'test_a')).length, 1)
    time.advance(hour * 1.1)
    assert.equal((await list(shops, 'test_a')).length, 1)
    await follow('test_c')
    assert.throws(() => shops.of('test_d'), {
      code: 'unavailable',
      message: 'All 2 shops have an open connection, so no further shop can be created. Close a connection first.',
    })
    closings[1]?.()
    await add(shops, 'test_d')
    assert.throws(() => shops.of('test_c'), gone('test_c'))
    assert.equal((await list(shops, 'test_a')).length, 1)
  })

  test('Empty shops of a sandbox count with their memory, so that open streams in each can leave no room for another [decision 18]', async () => {
    const shops = open(systemTime, { shops: 1_000, bytes: 1_000_000, empty: 400_000 })
    for (const key of ['test_a', 'test_b', 'test_c']) await add(shops, key)
    assert.deepEqual(
      shops.list().map(({ name }) => name),
      ['test_c', 'test_b'],
    )
    const waiting = ['test_b', 'test_c'].map((key) => shops.of(key).requests('getMe', 1, 60_000))
    assert.throws(() => shops.of('test_d'), {
      code: 'unavailable',
      message: 'All 2 shops have an open connection, so no further shop can be created. Close a connection first.',
    })
    shops.delete('test_b')
    assert.equal((await add(shops, 'test_d')).status, 201)
    shops.delete('test_c')
    await Promise.all(waiting)
  })

  test('The failures of other shops also count when shops of a sandbox are removed to make room [decision 18]', async () => {
    const time = new TestTime()
    const shops = open(time, { ...empty, bytes: 850_000 })
    await shops.of('test_a').reset(500)
    await add(shops, 'test_b')
    const entry = { operation: '*', contains: 'x'.repeat(1_000), skip: 0, times: 1, delayMs: 1 }
    shops.of('test_b').plan.replace(Array.from({ length: 300 }, () => ({ ...entry })))
    assert.notEqual(shops.find('test_a'), undefined)
    time.advance(5_000)
    assert.equal(shops.find('test_a'), undefined)
    assert.notEqual(shops.find('test_b'), undefined)
  })

  test('When rows and requests use too much memory, the least recently used shop of a sandbox is removed first [decision 18]', async () => {
    const shops = open(systemTime, { ...empty, bytes: 600_000 })
    await add(shops, 'test_a')
    await shops.of('test_b').reset(1_000)
    for (const key of ['test_a', 'test_b', 'test_a']) await list(shops, key)
    assert.equal((await list(shops, 'test_b')).length, 20)
    for (let i = 0; i < 400; i++) await ask(shops, 'test_b', 'GET', `/pets?x=${'a'.repeat(900)}`)
    assert.equal((await list(shops, 'test_b')).length, 20)
    assert.throws(() => shops.of('test_a'), gone('test_a'))
  })

  testInFull('A shop of a sandbox keeps no more of a long request than its journal shows [decision 18]', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc')
    const heap = () => {
      collect()
      return process.memoryUsage().heapUsed
    }
    const shops = open(systemTime)
    const fill = async (key: string) => {
      for (let i = 0; i < 1_000; i++) await ask(shops, key, 'GET', `/nope?${i}${'a'.repeat(7_000)}`)
    }
    await fill('test_warm')
    const { bytes } = shops.of('test_warm')
    const counted = bytes()
    await fill('test_warm')
    assert.equal(bytes(), counted)
    const before = heap()
    for (const key of ['test_a', 'test_b', 'test_c', 'test_d']) await fill(key)
    const grown = (heap() - before) / 4_000
    assert.ok(grown < 4_000, `${grown} bytes a request`)
  })

  test('The removal of a shop of a sandbox ends a request that waits in its delay [decision 18]', async () => {
    const shops = open(new TestTime())
    await add(shops, 'test_slow')
    const slow = shops.of('test_slow')
    slow.plan.replace([{ operation: 'listPets', skip: 0, times: 2, delayMs: 60_000 }])
    const waiting = list(shops, 'test_slow')
    shops.delete('test_slow')
    assert.equal((await waiting).length, 1)
  })

  test('A request that waits in its delay has no effect on a shop that was reset meanwhile [decision 18]', async () => {
    const shops = open(new TestTime())
    const shop = shops.of('test_a')
    shop.plan.replace([{ operation: 'createPet', skip: 0, times: 1, delayMs: 60_000 }])
    const waiting = add(shops, 'test_a')
    await shop.reset(0)
    assert.equal((await waiting).status, 201)
    assert.deepEqual(await list(shops, 'test_a'), [])
  })

  test('A shop of a sandbox takes at most 16 MiB and says so; a deletion makes room [decision 18]', async () => {
    const shops = open(systemTime)
    const name = 'x'.repeat(1024)
    const addLong = () => ask(shops, 'test_full', 'POST', '/pets', { name, categoryId: 1 })
    let last = await addLong()
    for (let i = 0; i < 300 && last.status === 201; i++)
      last = (await Promise.all(Array.from({ length: 100 }, addLong))).at(-1) ?? last
    const message = 'The shop is full: its data exceeds 16 MiB. Reset it with POST /sandbox/reset, or use another key.'
    assert.deepEqual(JSON.parse(last.text), { code: 'content_too_large', message, status: 413 })
    assert.equal((await ask(shops, 'test_full', 'PATCH', '/pets/1', { name: 'Rex' })).status, 413)
    assert.equal((await ask(shops, 'test_full', 'GET', '/pets')).status, 200)
    assert.equal((await add(shops, 'test_other')).status, 201)
    for (let id = 1; id <= 1_000; id++)
      assert.equal((await ask(shops, 'test_full', 'DELETE', `/pets/${id}`)).status, 204)
    assert.equal((await addLong()).status, 201)
    await shops.of('test_full').reset(0)
    assert.equal((await addLong()).status, 201)
  })

  test('A shop of a sandbox with its own failures answers the same among others as alone [decision 18]', async () => {
    const count = times(100, 5)
    const each = 100
    const keys = Array.from({ length: count }, (_, i) => `test_${i}`)
    const failures = [{ error: 'unavailable' }, { cut: 'after' }, { cut: 'before' }, { error: 'rate_limited' }] as const
    /** The requests to a shop, the same each time. */
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
      const shops = open(systemTime)
      const answers: unknown[] = []
      for (const step of script(index)) answers.push(await step(shops))
      alone.push(answers)
    }
    const shops = open(systemTime)
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
