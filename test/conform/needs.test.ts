/**
 * Every rule declares what it needs, and holds on stores of any size. The tests use services that lack one thing, and
 * large stores.
 */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import type { Received } from '../../conform/src/expect.ts'
import type { Need } from '../../conform/src/needs.ts'
import type { Sent } from '../../conform/src/request.ts'
import type { Rule } from '../../conform/src/rule.ts'
import { rules } from '../../conform/src/rules/rules.ts'
import { type Check, run } from '../../conform/src/run.ts'
import type { Send } from '../../conform/src/send.ts'
import type { Left } from '../../conform/src/session.ts'
import { DatabaseClock } from '../../harness/database-clock.ts'
import { databases } from '../../harness/databases.ts'
import { InProcess } from '../../harness/in-process.ts'
import { silentLog } from '../../harness/log.ts'
import { after, before, some, test } from '../../harness/scope.ts'
import { openAt } from '../../harness/stores.ts'
import { scopes } from '../../src/model/key.ts'
import type { Store } from '../../src/store/store.ts'

const base = 'http://shop.example/v1'

describe('The kit', () => {
  let store: Store
  let clock: DatabaseClock
  let remove: () => Promise<void>
  let service: InProcess
  before(async () => {
    const database = await databases[0].open()
    remove = database.remove
    clock = new DatabaseClock(database.url)
    store = await openAt(database.url, 5, clock.time)
    service = await InProcess.on(store, silentLog, scopes)
    await setTime(Date.now())
  })
  after(async () => {
    await store.close()
    await remove()
  })
  const setTime = (time: number) => {
    service.now = time
    return clock.set(time)
  }

  /** Returns the checks of a service whose requests and answers pass `through`. */
  async function checksOf(
    only: readonly Rule[],
    through: (sent: Sent, send: Send) => Promise<Received>,
    isStoreDemanded = false,
  ): Promise<{ checks: Check[]; left: readonly Left[] }> {
    const checks: Check[] = []
    const left = await run({
      url: base,
      key: service.key,
      rules: only,
      demanded: isStoreDemanded ? 'store' : 'full',
      clock: Date.now,
      until: Number.POSITIVE_INFINITY,
      async wait(milliseconds) {
        await setTime(service.now + milliseconds)
        await store.orders.expire()
      },
      send: (sent) => through(sent, (passed) => service.send(passed)),
      report: (check) => checks.push(check),
    })
    return { checks, left }
  }
  const failuresOf = ({ checks }: { checks: Check[] }) =>
    checks.filter(({ status }) => status === 'fail').map(({ id, cause }) => `${id}: ${cause}`)
  const now = rules.filter(({ since }) => since === undefined)
  const without = (need: Need) => now.filter(({ needs = [] }) => !needs.includes(need))
  const lineOf = ({ method, url }: Sent) => `${method} ${url.slice(base.length)}`
  const isOurs = ({ headers }: Sent) => headers.some(([, value]) => value === `Bearer ${service.key}`)

  const operations: readonly (readonly [Need, RegExp])[] = [
    ['createPet', /^POST \/pets(?:\?|$)/],
    ['updatePet', /^PATCH \/pets\//],
    ['deletePet', /^DELETE \/pets\//],
    ['listOrders', /^(?:GET|HEAD) \/store\/orders\b/],
    ['getOrderCounts', /^(?:GET|HEAD) \/store\/order-counts/],
    ['updateOrder', /^PATCH \/store\/orders\//],
    ['placeOrder', /^POST \/store\/orders\b/],
    ['putCategory', /^(?:PUT|DELETE) \/categories\//],
    ['createCategory', /^POST \/categories$/],
    ['listCategories', /^(?:GET|HEAD) \/categories\b/],
    ['getInventory', /^(?:GET|HEAD) \/store\/inventory/],
    ['getSales', /^(?:GET|HEAD) \/store\/sales/],
    ['getMe', /^(?:GET|HEAD) \/me$/],
    ['listEvents', /^(?:GET|HEAD) \/events/],
    ['listWebhooks', /^\w+ \/webhooks/],
  ]
  const answers: readonly (readonly [string, number, string])[] = [
    ['the key may not ask', 403, 'insufficient_scope'],
    ['it does not have', 404, 'route_not_found'],
  ]
  for (const [need, line] of some(operations))
    for (const [why, status, code] of some(answers))
      if (status === 403 || need !== 'createPet')
        test(`The kit fails no rule for an operation that ${why}: ${need} [decision 19]`, async () => {
          const refusal = { status, headers: new Map(), text: `{"code":"${code}","message":"No.","status":${status}}` }
          const result = await checksOf(without(need), (sent, send) =>
            line.test(lineOf(sent)) && isOurs(sent) ? Promise.resolve(refusal) : send(sent),
          )
          assert.deepEqual(failuresOf(result), [])
          const [named] = now.filter(({ needs = [] }) => needs.includes(need))
          const { checks } = await checksOf([named as Rule], (sent, send) =>
            line.test(lineOf(sent)) ? Promise.resolve(refusal) : send(sent),
          )
          assert.equal(checks[0]?.status, status === 403 ? 'unchecked' : 'skip')
        })

  const withoutParameter = (name: string) => (sent: Sent, send: Send) =>
    send({ ...sent, url: sent.url.replace(RegExp(`(?<=/pets\\?.*?)\\b${name}(?:\\[\\]|%5B%5D)?=[^&]*`, 'g'), 'x=1') })
  const withoutAnswered = (name: string) => async (sent: Sent, send: Send) => {
    const received = await send(sent)
    return { ...received, headers: new Map([...received.headers].filter(([header]) => header !== name)) }
  }
  /** The rules that fail for a service that lacks a thing: the rules about that thing. */
  const things: readonly (readonly [Need, (sent: Sent, send: Send) => Promise<Received>, RegExp])[] = [
    ['categoryId', withoutParameter('categoryId'), /^list\.(?:category|twice|brackets|cursor\.filters)/],
    ['id', withoutParameter('id'), /^list\.(?:id|faults|brackets)/],
    ['after', withoutParameter('after'), /^list\.(?:after|twice)/],
    ['order', withoutParameter('order'), /^list\.(?:desc|twice)/],
    ['search', withoutParameter('search'), /^list\.search/],
    ['pages', withoutAnswered('link'), /^(?:list\.next|get\.deprecated\.links)/],
    ['tags', withoutAnswered('etag'), /^cache\./],
    ['requestIds', withoutAnswered('x-request-id'), /^http\.request-id/],
    ['idempotency', withoutAnswered('idempotency-replayed'), /^idempotency\./],
  ]
  for (const [need, through, about] of some(things))
    test(`The kit fails only the rules about ${need} if a service lacks it [decision 19]`, async () => {
      const upToFull = now.filter(({ level }) => level !== 'store')
      const failed = failuresOf(await checksOf(upToFull, through))
      assert.deepEqual(
        failed.filter((id) => !about.test(id)),
        [],
      )
      assert.ok(failed.length > 0)
    })

  test('The kit notices an animal that a refused request has added, however many animals there are', async () => {
    for (let number = 0; number < 110; number++)
      await service.call('POST', '/pets', { name: 'Rex', categoryId: 1, status: 'sold' })
    const chosen = now.filter(({ id }) => id.endsWith('.refused-adds-nothing'))
    const none = await checksOf(chosen, (sent, send) => send(sent))
    assert.deepEqual(
      none.checks.map(({ status }) => status),
      ['pass', 'pass'],
    )
    const adding = async (sent: Sent, send: Send) => {
      const received = await send(sent)
      const body = JSON.parse(String(sent.body ?? '{}'))
      if (/^POST \/pets$/.test(lineOf(sent)) && received.status >= 400)
        await service.call('POST', '/pets', { name: 'Rex', ...body })
      return received
    }
    assert.deepEqual(failuresOf(await checksOf(chosen, adding)), [
      'auth.refused-adds-nothing: GET /pets answers 200 with another body',
      'create.refused-adds-nothing: GET /pets answers 200 with another body',
    ])
    // Without the filter the kit follows the links. Without links it says that it cannot know.
    const unfiltered = (through: (sent: Sent, send: Send) => Promise<Received>) => (sent: Sent, send: Send) =>
      withoutParameter('categoryId')(sent, (passed) => through(passed, send))
    assert.equal(failuresOf(await checksOf(chosen, unfiltered(adding))).length, 2)
    const { checks } = await checksOf(chosen, unfiltered(withoutAnswered('link')))
    assert.match(checks[0]?.actual ?? '', /^there are more than 80 animals that are sold/)
    assert.deepEqual(
      checks.map(({ status }) => status),
      ['unchecked', 'unchecked'],
    )
  })

  test('The kit follows a filtered feed whose first page is empty, as in a store with many events', async () => {
    const chosen = now.filter(({ id }) => id.startsWith('event.'))
    let empty = 0
    const result = await checksOf(chosen, async (sent, send) => {
      const isFirst = /^GET \/events\?petId=\d+/.test(lineOf(sent)) && !/cursor|from=now|x=/.test(sent.url)
      if (!isFirst) return send(sent)
      empty++
      const headers = new Map([['link', `<${sent.url}&x=1>; rel="next"`]])
      return { status: 200, headers, text: '[]' }
    })
    assert.deepEqual(failuresOf(result), [])
    assert.ok(empty >= 6, String(empty))
  })

  test('The kit finds its own events among those of others, and notices each one that is missing', async () => {
    const chosen = now.filter(({ id }) => id === 'event.changes')
    const beside = async (sent: Sent, send: Send) => {
      if (sent.method !== 'GET') await service.call('POST', '/pets', { name: 'Rex', categoryId: 1 })
      return send(sent)
    }
    assert.deepEqual(failuresOf(await checksOf(chosen, beside)), [])
    const without = async (sent: Sent, send: Send) => {
      const received = await beside(sent, send)
      return { ...received, text: received.text.replace(/,\{"id":\d+,"type":"category\.named"[^{]*\{[^{]*\}\}/, '') }
    }
    assert.equal(failuresOf(await checksOf(chosen, without)).length, 1)
  })

  test('The kit finds its category and its webhook on any page', async () => {
    const chosen = now.filter(({ id }) => id === 'category.list' || id === 'webhook.add')
    for (let number = 0; number < 120; number++)
      await service.call('PUT', `/categories/${-(2 ** 52) + number}`, { name: `Many ${number}` })
    for (let number = 0; number < 60; number++)
      await service.call('POST', '/webhooks', { url: 'https://conform.example/many' })
    // A service may return fewer items than requested.
    const result = await checksOf(chosen, (sent, send) =>
      send({ ...sent, url: sent.url.replace('/webhooks?limit=100', '/webhooks?limit=50') }),
    )
    assert.deepEqual(failuresOf(result), [])
  })

  test('The kit removes what it added, cancels its orders, and says exactly what is left and why', async () => {
    const chosen = now.filter(({ id }) => /^(?:create\.status|order\.place|category\.name|webhook\.change)$/.test(id))
    const before = await service.call('GET', '/store/inventory')
    const { left } = await checksOf(chosen, (sent, send) => send(sent))
    const [pet, order] = left
    assert.match(order?.path ?? '', /^\/store\/orders\/\d+$/)
    assert.equal(order?.reason, 'there is no request to remove an order')
    assert.match(pet?.path ?? '', /^\/pets\/\d+$/)
    assert.equal(pet?.reason, '409 order_state_conflict')
    assert.equal(left.length, 2)
    assert.equal((await service.call('GET', order?.path ?? '')).json.status, 'cancelled')
    const { available, pending, sold } = (await service.call('GET', '/store/inventory')).json
    assert.deepEqual({ available: available - 1, pending, sold }, before.json)
  })

  test('If a service cannot remove anything, the kit says that everything is left', async () => {
    const chosen = now.filter(({ id }) => id === 'create.status')
    for (const [status, code] of [
      [404, 'route_not_found'],
      [405, 'method_not_allowed'],
    ] as const) {
      const { left } = await checksOf(chosen, async (sent, send) =>
        sent.method === 'DELETE' ? { status, headers: new Map(), text: `{"code":"${code}"}` } : send(sent),
      )
      assert.ok(left.length >= 3, String(left.length))
      assert.deepEqual([...new Set(left.map(({ reason }) => reason))], [`${status} ${code}`])
    }
  })

  test('The kit says that something may be left if a request that adds it was not answered', async () => {
    const chosen = now.filter(({ id }) => id === 'create.ids')
    let posted = 0
    const { left, checks } = await checksOf(chosen, async (sent, send) => {
      const received = await send(sent)
      if (sent.method === 'POST' && ++posted === 4) throw new Error('no answer: read ECONNRESET')
      return received
    })
    assert.equal(checks[0]?.cause, 'no answer: read ECONNRESET')
    assert.deepEqual(left, [{ path: '', reason: 'requests without an answer that may have added something: 1' }])
  })

  test('The kit reports one cause for all failures of one fault', async () => {
    const creating = now.filter(({ id }) => /^create\./.test(id))
    const { checks } = await checksOf(creating, async (sent, send) => {
      const received = await send(sent)
      return received.status === 201 ? { ...received, status: 200 } : received
    })
    const failed = checks.filter(({ status }) => status === 'fail')
    assert.ok(failed.length > 15)
    assert.deepEqual([...new Set(failed.map(({ cause }) => cause))], ['POST /pets answers 200, not 201'])
  })
})
