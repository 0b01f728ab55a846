/** All rules hold for this service over sockets, on both databases, and they detect faults. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { help } from '../../conform/src/command.ts'
import type { Received } from '../../conform/src/expect.ts'
import { type Fault, faults } from '../../conform/src/faults.ts'
import { POST, toSend } from '../../conform/src/request.ts'
import type { Rule } from '../../conform/src/rule.ts'
import { rules } from '../../conform/src/rules/rules.ts'
import { type Check, run } from '../../conform/src/run.ts'
import { createSend, Late, type Send } from '../../conform/src/send.ts'
import { DatabaseClock } from '../../harness/database-clock.ts'
import { databases } from '../../harness/databases.ts'
import { InProcess, withStores } from '../../harness/in-process.ts'
import { silentLog } from '../../harness/log.ts'
import { projectFile } from '../../harness/project.ts'
import { after, before, describeInFull, test, testInFull } from '../../harness/scope.ts'
import { asProcess, type TestService } from '../../harness/service.ts'
import { publicUrl, sendTo, shopsOn } from '../../harness/shops.ts'
import { openAt } from '../../harness/stores.ts'
import { withLoopback } from '../../src/config/network.ts'
import { issueKey } from '../../src/keys/keys.ts'
import { limits } from '../../src/limits.ts'
import { scopes } from '../../src/model/key.ts'
import { faultyAnswer, faultyRequest } from '../../src/sandbox/faults.ts'
import type { Shops } from '../../src/sandbox/shops.ts'
import type { Store } from '../../src/store/store.ts'
import { systemTime } from '../../src/time.ts'
import { smallStore } from './small-store.ts'

interface TestedService {
  readonly url: string
  readonly key: string
  readonly send: Send
  readonly clock?: () => number
  readonly wait?: (milliseconds: number) => Promise<unknown>
  readonly until?: number
  readonly signal?: AbortSignal
  readonly progress?: (line: string) => void
}

async function checksOf(
  tested: TestedService,
  only: readonly Rule[],
  report: (check: Check) => void = () => {},
): Promise<Check[]> {
  const checks: Check[] = []
  const options = { demanded: 'store', wait: async () => {}, until: Number.POSITIVE_INFINITY, clock: Date.now } as const
  const noted = (check: Check) => {
    checks.push(check)
    report(check)
  }
  await run({ ...options, ...tested, rules: only, report: noted })
  return checks
}
const today = () => new Date().toISOString().slice(0, 10)
const inProcess = async (
  store: Store,
  clock: DatabaseClock,
  now = Date.now(),
): Promise<TestedService & { service: InProcess }> => {
  const service = await InProcess.on(store, silentLog, scopes)
  const setTime = (time: number) => {
    service.now = time
    return clock.set(time)
  }
  await setTime(now)
  const wait = async (milliseconds: number) => {
    await setTime(service.now + milliseconds)
    await store.orders.expire()
  }
  return { service, wait, url: 'http://shop.example/v1', key: service.key, send: (sent) => service.send(sent) }
}
/** A service in the process of the test delivers no webhooks. */
const withoutReceiver = rules.filter(({ needs = [] }) => !needs.includes('receiver'))
const shown = (checks: readonly Check[]) =>
  checks
    .filter(({ id, status }) => status !== 'pass' && !/^get\.removed/.test(id))
    .map(({ id, status, expected, actual }) => `${id} ${status}: expected ${expected}, got ${actual}`)

test('From 5 December 2030 on, getPet is gone and all other rules hold', () =>
  withStores(databases[0], 1, async ([store], _url, clock) => {
    const { service, ...tested } = await inProcess(store, clock, Date.UTC(2030, 11, 5))
    const checks = await checksOf({ ...tested, clock: () => service.now }, rules)
    assert.deepEqual(
      checks.filter(({ status }) => status === 'fail'),
      [],
    )
    assert.deepEqual(
      checks.filter(({ id, status }) => /^get\./.test(id) && status === 'pass').map(({ id }) => id),
      ['get.removed', 'get.deprecated.only', 'get.removed.code'],
    )
  }))

/** Checks that every rule holds for a service, over sockets. */
async function expectRules(service: TestService): Promise<void> {
  const send = createSend({ bytesMax: 2 ** 20, timeoutMilliseconds: 60_000 })
  let added = 0
  const counting: Send = async (sent) => {
    const received = await send(sent)
    if (sent.method === 'POST' && sent.url.endsWith('/pets') && received.status === 201) added++
    return received
  }
  const tested = { url: `${service.url}/v1`, key: await service.makeKey({ scopes }), send: counting, wait }
  let checks: Check[] = []
  // The rules about sales use the day on which the run begins. If that day ends meanwhile, they run once more.
  for (let day = ''; day !== today(); ) {
    day = today()
    added = 0
    checks = await checksOf(tested, rules)
  }
  assert.deepEqual(shown(checks), [])
  send.close()
  const said = Number(/adds about (\d+) animals/.exec(help('petstore conform'))?.[1])
  assert.ok(Math.abs(added - said) <= said / 4, `${added}, not ${said}`)
}

/** This lets the service reach the receiver of the kit. */
const loopback = { WEBHOOKS_ALLOW: withLoopback() }

describeInFull('A service in its own process', () =>
  asProcess(
    'Over sockets',
    (service) => void test('Every rule holds for the service over sockets', () => expectRules(service())),
    loopback,
  ),
)

test('The results in the docs count as many rules as there are', () => {
  const upTo = { store: rules, core: rules.filter(({ level }) => level === 'core') }
  for (const page of ['docs/conformance.md', 'conform/README.md']) {
    const [, level, ...numbers] =
      /^Level (\w+): (\d+) passed, (\d+) failed, (\d+) not checked, (\d+) skipped/m.exec(projectFile(page)) ?? []
    const sum = numbers.map(Number).reduce((a, b) => a + b, 0)
    assert.equal(sum, upTo[level as 'core']?.length, page)
  }
})

test('Each rule has its own id and a sentence', () => {
  assert.equal(new Set(rules.map(({ id }) => id)).size, rules.length)
  for (const { id, source } of rules) assert.match(source, /^(?:Decision: |[A-Z][\w ]+: “)/, id)
})

describe('What could not be checked is not checked, and no failure:', () => {
  const url = 'http://shop.example/v1'
  const valid = rules.filter(({ id }) => id === 'auth.valid')

  test('If a service does not answer in time, the kit tries a few times and checks nothing else [decision 19]', async () => {
    let asked = 0
    const send: Send = async () => {
      asked++
      throw new Late('no whole answer within 10 s')
    }
    const checks = await checksOf({ url, key: 'pst_none', send }, rules)
    assert.deepEqual([...new Set(checks.map(({ status }) => status))], ['unchecked', 'skip'])
    assert.ok(asked <= 20, `${asked} requests`)
    assert.match(checks.at(-1)?.actual ?? '', /^the service did not answer 5 requests in a row$/)
  })

  test('A request that takes too long leaves only its own rule unchecked', () =>
    withStores(databases[0], 1, async ([store], _url, clock) => {
      const { service: _, ...tested } = await inProcess(store, clock)
      const send: Send = async (sent) => {
        if (sent.url.endsWith('/pets?limit=19')) throw new Late('no whole answer within 10 s')
        return tested.send(sent)
      }
      const checks = await checksOf(
        { ...tested, send },
        rules.filter(({ id }) => id.startsWith('list.limit.')),
      )
      assert.deepEqual(shown(checks), ['list.limit.between unchecked: expected , got no whole answer within 10 s'])
    }))

  test('The kit reports what it leaves behind when its time is over or it is interrupted', async () => {
    const chosen = rules.filter(({ id }) => id.startsWith('auth.missing.'))
    const stopping = new AbortController()
    let now = 0
    for (const [options, end, reason] of [
      [{ until: 10_000 }, () => (now += 10_000), 'the run reached the limit of --timeout'],
      [{ signal: stopping.signal }, () => stopping.abort(), 'the run was interrupted'],
    ] as const) {
      const asked: string[] = []
      const send: Send = async ({ method, headers }) => {
        asked.push(method)
        if (headers.length === 0) end()
        return { status: method === 'GET' ? 401 : 201, headers: new Map(), text: '{"id":7}' }
      }
      const checks = await checksOf({ url, key: 'pst_none', clock: () => now, send, ...options }, [
        ...chosen.slice(0, 1),
        ...rules.filter(({ id }) => id === 'event.refused'),
      ])
      assert.deepEqual(shown(checks), [`event.refused unchecked: expected , got ${reason}`])
      now = 0
    }
  })

  for (const [limited, waits, status] of [
    [2, [3_000, 3_000], 'pass'],
    [99, Array(40).fill(3_000), 'unchecked'],
  ] as const)
    test(`If its key is limited ${limited} times, the kit waits as long as Retry-After says, but not for ever`, async () => {
      const [waited, headers]: [number[], Map<string, string>] = [[], new Map([['retry-after', '3']])]
      let asked = 0
      const [check] = await checksOf(
        {
          url,
          key: 'pst_none',
          clock: () => 0,
          send: async ({ url }) => {
            if (!url.endsWith('/pets?limit=1')) return { status: 200, headers, text: '[]' }
            return { status: asked++ < limited ? 429 : 200, headers, text: '[]' }
          },
          wait: async (milliseconds) => waited.push(milliseconds),
        },
        valid,
      )
      assert.deepEqual([waited, check?.status], [waits, status])
      if (status === 'unchecked') assert.equal(check?.actual, 'the service limits requests: 429 with Retry-After: 3')
    })

  testInFull('With a key of 100 requests in 5 seconds, the kit checks every rule and none fails', () =>
    withStores(databases[0], 1, async ([store], _url, clock) => {
      const { service, ...tested } = await inProcess(store, clock)
      const rate = { requests: 100, seconds: 5 }
      const { token } = await issueKey(store.keys, { name: 'slow', scopes, now: 0, expiresAt: undefined, rate })
      let refused = 0
      const send: Send = async (sent) => {
        const received = await service.send(sent)
        if (received.status === 429) refused++
        return received
      }
      const checks = await checksOf({ ...tested, key: token, clock: () => service.now, send }, withoutReceiver)
      assert.deepEqual(shown(checks), [])
      assert.ok(refused > 50, `${refused} requests were refused`)
    }),
  )

  for (const seconds of [4, 0.1])
    testInFull(`If every answer takes ${seconds} s, the kit checks every rule and none fails`, () =>
      withStores(databases[0], 1, async ([store], _url, clock) => {
        const { service, wait, ...tested } = await inProcess(store, clock, Date.UTC(2027, 0))
        const send: Send = async (sent) => {
          await wait?.(seconds * 500)
          const received = await service.send(sent)
          await wait?.(seconds * 500)
          return received
        }
        const checks = await checksOf(
          { ...tested, wait, clock: () => service.now, send } as TestedService,
          withoutReceiver,
        )
        assert.deepEqual(shown(checks), [])
        assert.ok(service.now - Date.UTC(2027, 0) > seconds * 1_000_000, 'it was slow for more than 1,000 requests')
      }),
    )
})

test('The kit skips rules about what a service lacks, unless the demanded level includes them', async () => {
  const seen: string[] = []
  for (const demanded of ['core', 'store'] as const)
    await run({
      url: 'http://shop.example/v1',
      key: 'pst_none',
      demanded,
      clock: () => 0,
      until: Number.POSITIVE_INFINITY,
      wait: async () => {},
      rules: rules.filter(({ id }) => id === 'category.methods'),
      send: async () => ({ status: 404, headers: new Map(), text: '{}' }),
      report: ({ status }) => seen.push(status),
    })
  assert.deepEqual(seen, ['skip', 'fail'])
})

test('A rule that failed stays failed, even if the key loses its scope meanwhile', () =>
  withStores(databases[0], 1, async ([store], _url, clock) => {
    const { service: _, ...tested } = await inProcess(store, clock)
    let posted = 0
    const send: Send = async (sent) => {
      const received = await tested.send(sent)
      const isLost = sent.method === 'POST' && posted++ > 2
      return isLost ? { ...received, status: 403 } : received
    }
    const [check] = await checksOf(
      { ...tested, send },
      rules.filter(({ id }) => id === 'create.status'),
    )
    assert.deepEqual([check?.status, check?.cause], ['fail', 'POST /pets answers 403, not 201'])
  }))

test('The kit reports checks in the order of the rules, however long each takes', async () => {
  const chosen = rules.filter(({ id }) => id.startsWith('auth.'))
  let turns = 100
  const send: Send = async () => {
    turns -= 4
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
    return { status: 200, headers: new Map(), text: '[]' }
  }
  const checks = await checksOf({ url: 'http://shop.example/v1', key: 'a-right-key', send }, chosen)
  assert.deepEqual(
    checks.map(({ id }) => id),
    chosen.map(({ id }) => id),
  )
})

test('Repeated runs of the kit fail no service that limits wrong keys, and wait as long as it asks [decision 19]', () =>
  withStores(databases[0], 1, async ([store], _url, clock) => {
    const { service, ...tested } = await inProcess(store, clock)
    const chosen = rules.filter(({ id, since }) => /^(?:auth|error)\./.test(id) && since === undefined)
    const began = service.now
    let wrong = 0
    const send: Send = async (sent) => {
      const received = await tested.send(sent)
      if (received.status === 401 && received.text.includes('invalid_api_key')) wrong++
      return received
    }
    for (let round = 0; round < 12; round++)
      assert.deepEqual(shown(await checksOf({ ...tested, send, clock: () => service.now }, chosen)), [], `${round}`)
    assert.ok(service.now > began, 'it never had to wait')
    assert.match(projectFile('docs/conformance.md'), / sends seven wrong keys,/)
    assert.equal(wrong, 12 * 7)
  }))

test('If a service accepts no more webhooks, the rules that add a webhook are not checked and none fails [decision 19]', () =>
  withStores(databases[0], 1, async ([store], _url, clock) => {
    const { service: _, ...tested } = await inProcess(store, clock)
    const webhook = toSend(POST('/webhooks', { url: 'https://shop.example/hooks' }), tested.url, tested.key)
    for (let number = 0; number < limits.webhooks.max; number++) assert.equal((await tested.send(webhook)).status, 201)
    const checks = await checksOf(
      tested,
      rules.filter(({ id }) => id.startsWith('webhook.')),
    )
    assert.deepEqual(
      checks.map(({ id, status, actual }) => `${id} ${status} ${actual}`.trim()),
      [
        'webhook.add unchecked the service takes no more webhooks: 409',
        'webhook.change unchecked the service takes no more webhooks: 409',
        'webhook.refused pass',
        'webhook.rotate unchecked the service takes no more webhooks: 409',
        'webhook.unknown pass',
        'webhook.signed unchecked the service takes no more webhooks: 409',
        'webhook.order unchecked the service takes no more webhooks: 409',
        'webhook.repeated unchecked the service takes no more webhooks: 409',
      ],
    )
  }))

describe('A right store that was written from the interface alone', () => {
  const upToFull = rules.filter(({ level }) => level !== 'store')
  const checksOfIt = async (change: (received: Received) => Received) => {
    const send = smallStore('a-right-key')
    const tested = { url: 'http://shop.example/v1', key: 'a-right-key' }
    return checksOf({ ...tested, send: async (sent) => change(await send(sent)) }, upToFull)
  }
  const failed = (checks: readonly Check[]) => checks.filter(({ status }) => status === 'fail')

  test('A store written from the interface alone keeps every core rule, and fails at level full only where it decided differently [decision 19]', async () => {
    const checks = await checksOfIt((received) => received)
    const failures = failed(checks)
    assert.deepEqual(shown(failures.filter(({ level }) => level === 'core')), [])
    const ids = failures.map(({ id }) => id)
    for (const means of ['create.int64', 'list.unknown', 'list.order', 'list.next', 'http.accept', 'error.discreet'])
      assert.ok(!ids.includes(means), means)
    // A refusal is correct, whatever its code.
    for (const right of ['list.status.refused', 'body.malformed', 'auth.first'])
      assert.equal(checks.find(({ id }) => id === right)?.status, 'pass', right)
    // One rule fails for each thing that the store lacks.
    for (const one of [/^list\.category/, /^list\.id/, /^idempotency\./, /^http\.request-id/, /^error\.codes/])
      assert.equal(ids.filter((id) => one.test(id)).length, 1, String(one))
  })
})

describe('A service that is wrong in one thing', () => {
  const [sqlite] = databases
  let store: Store
  let clock: DatabaseClock
  let remove: () => Promise<void>
  let tested: TestedService
  let shops: Shops
  before(async () => {
    shops = shopsOn(systemTime)
    const wait = (milliseconds: number) => shops.of('test_a').setClock(shops.of('test_a').now() + milliseconds)
    const send: Send = (sent) => sendTo(shops.of('test_a'), sent)
    // The store also contains orders of others, which a filter leaves out.
    await checksOf(
      { url: publicUrl, key: 'test_a', send, wait },
      rules.filter(({ id }) => /^order\./.test(id)),
    )
    const { url, ...database } = await sqlite.open()
    remove = database.remove
    clock = new DatabaseClock(url)
    store = await openAt(url, 5, clock.time)
    tested = await inProcess(store, clock)
  })
  after(async () => {
    await shops.close()
    await store.close()
    await remove()
  })

  /** Returns the checks of a shop that has the fault, or of a service if no shop can have it. */
  async function checksWith(fault: Fault, only: readonly Rule[]): Promise<Check[]> {
    if (!fault.isOutside) {
      const shop = shops.of('test_a')
      shop.plan.replace([{ fault: fault.id }])
      return checksOf({ ...tested, key: 'test_a', send: (sent) => sendTo(shop, sent) }, only)
    }
    const { service, ...wrong } = await inProcess(store, clock)
    const { handle } = service
    service.handle = async (incoming) => faultyAnswer(await handle(faultyRequest(incoming, fault)), incoming, fault)
    return checksOf(wrong, only)
  }

  for (const fault of faults)
    test(`The rule ${fault.rule} notices a fault: ${fault.description} [decision 18]`, async () => {
      const only = rules.filter((each) => each.id === fault.rule)
      assert.equal(only.length, 1, `no rule ${fault.rule}`)
      const [check] = await checksWith(fault, only)
      assert.equal(check?.status, 'fail')
    })

  /** Makes a shop that sends webhooks to this machine. Its clock advances while the kit waits. */
  const receiving = () => {
    const shop = shops.of('test_receiving')
    const send: Send = (sent) => sendTo(shop, sent)
    const wait = (milliseconds: number) => shop.setClock(shop.now() + milliseconds)
    return { shop, url: publicUrl, key: 'test_receiving', send, wait }
  }
  const withReceiver = rules.filter((rule) => !withoutReceiver.includes(rule))

  testInFull('Every rule about received webhooks fails if another secret signs them [decision 19]', async () => {
    const { shop, ...tested } = receiving()
    assert.deepEqual(shown(await checksOf(tested, withReceiver)), [])
    shop.plan.replace([{ fault: 'webhook-signature' }])
    const checks = await checksOf(tested, withReceiver)
    assert.deepEqual(
      [...new Set(checks.map(({ status, cause }) => `${status}: ${cause.split(' ').at(-1)}`))],
      ['fail: webhook-signature'],
    )
  })

  const refusesNothing = (received: Received): Received =>
    received.status >= 400 ? { ...received, status: 200, text: '[]' } : received
  const others: ((received: Received) => Received)[] = [
    (received) => (received.status < 300 ? { ...received, text: '[]' } : received),
    (received) => ({ ...received, headers: new Map() }),
    (received) => (received.status < 300 ? { ...received, status: 400, text: '{}' } : received),
  ]
  testInFull(
    'Every rule fails if nothing is refused, if responses have no content or headers, or if everything is refused',
    async () => {
      // Rules that need a receiver are tested above, and only in a sandbox.
      const asked = withoutReceiver.filter(({ since }) => since === undefined)
      const isRefusal = new Map<string, boolean>()
      for (const rule of asked) {
        let status = 0
        const send: Send = async (sent) => {
          const received = await tested.send(sent)
          status = received.status
          return received
        }
        await checksOf({ ...tested, send }, [rule], ({ id }) => isRefusal.set(id, status >= 400))
      }
      const refusals = asked.filter(({ id }) => isRefusal.get(id))
      assert.ok(refusals.length > 90, String(refusals.length))
      const redOf = async (only: readonly Rule[], answer: (received: Received) => Received) => {
        // At first, the service has everything that the rules need.
        let isProbed = false
        const progress = (line: string) => void (isProbed ||= line.endsWith(' checked'))
        const send: Send = async (sent) => {
          const received = await tested.send(sent)
          return isProbed ? answer(received) : received
        }
        const checks = await checksOf({ ...tested, send, progress }, only)
        return checks.filter(({ status }) => status === 'fail').map(({ id }) => id)
      }
      const unseen = new Map(asked.map((rule) => [rule.id, rule]))
      for (const id of await redOf(refusals, refusesNothing)) unseen.delete(id)
      for (const answer of others) {
        const left = [...unseen.values()].filter(({ id }) => !isRefusal.get(id))
        for (const id of await redOf(left, answer)) unseen.delete(id)
      }
      assert.deepEqual([...unseen.keys()], [])
    },
  )
})

test('Each fault of the catalogue also affects requests that no rule sends', () => {
  const asked = (id: string, method: string, target: string, sent = '') => {
    const { change } = faults.find((each) => each.id === id) as Fault
    const [request, body] = [change.target, change.body]
    const replaced = (text: string, [from, to]: readonly [RegExp | string, unknown]) => text.replace(from, to as string)
    assert.ok(!change.of || change.of.test(`${method} ${target}`), id)
    return body ? replaced(sent, body) : replaced(target, request ?? assert.fail(id))
  }
  for (const [id, target, taken] of [
    ['limit-clamped', '/v1/pets?limit=250&status=sold', '/v1/pets?limit=100&status=sold'],
    ['limit-coerced', '/v1/pets?limit=007', '/v1/pets?limit=7'],
    ['limit-empty', '/v1/pets?limit=&status=sold', '/v1/pets?&status=sold'],
    ['limit-beside-filter', '/v1/pets?categoryId=5&limit=3', '/v1/pets?categoryId=5&'],
    ['limit-half', '/v1/pets?status=sold&limit=80', '/v1/pets?status=sold&limit=50'],
    ['status-filter-ignored', '/v1/pets?limit=2&status=pending', '/v1/pets?limit=2&x=1'],
    ['status-any-case', '/v1/pets?status=SOLD', '/v1/pets?status=sold'],
    ['twice-taken', '/v1/pets?status=sold&status=pending', '/v1/pets?status=sold'],
    ['unknown-refused', '/v1/pets?limit=2&colour=red', '/v1/pets?limit=2&limit=xred'],
    ['filter-rounded', '/v1/pets?categoryId=9007199254740995', '/v1/pets?categoryId=9007199254740996'],
    ['ids-cut-off', `/v1/pets?id=${'7,'.repeat(149)}7`, `/v1/pets?id=${'7,'.repeat(99)}7`],
  ] as const)
    assert.equal(asked(id, 'GET', target), taken, id)
  for (const [id, sent, taken] of [
    ['int64-text', '{"name":"a","categoryId":"42"}', '{"name":"a","categoryId":42}'],
    ['status-dropped', '{"name":"a","categoryId":1,"status":"gone"}', '{"name":"a","categoryId":1}'],
    ['member-dropped', '{"name":"a","categoryId":1,"wings":2}', '{"name":"a","categoryId":1}'],
  ] as const)
    assert.equal(asked(id, 'POST', '/v1/pets', sent), taken, id)
  for (const [id, answer, given] of [
    ['int64-rounded', '{"categoryId":9007199254740995}', '{"categoryId":9007199254740996}'],
    ['name-ascii', '{"name":"Žofie"}', '{"name":"Zofie"}'],
  ] as const) {
    const { change } = faults.find((each) => each.id === id) as Fault
    assert.equal(answer.replace(...(change.text as [string, string])), given, id)
  }
})
