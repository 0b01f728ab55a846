/** The rules hold for this service, over sockets, on both databases and on Bun; and they see faults. */
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
import { createSend, type Send } from '../../conform/src/send.ts'
import { limits } from '../../src/limits.ts'
import { scopes } from '../../src/model/key.ts'
import { faultyAnswer, faultyRequest } from '../../src/sandbox/faults.ts'
import type { Shops } from '../../src/sandbox/shops.ts'
import type { Store } from '../../src/store/store.ts'
import { systemTime } from '../../src/time.ts'
import { DatabaseClock } from '../support/database-clock.ts'
import { databases } from '../support/databases.ts'
import { InProcess, withStores } from '../support/in-process.ts'
import { silentLog } from '../support/log.ts'
import { bun, Folder } from '../support/process.ts'
import { after, before, test, testInFull } from '../support/scope.ts'
import { asProcess, TestService } from '../support/service.ts'
import { publicUrl, sendTo, shopsOn } from '../support/shops.ts'
import { openAt } from '../support/stores.ts'
import { smallStore } from './small-store.ts'

interface Subject {
  readonly url: string
  readonly key: string
  readonly send: Send
  readonly clock?: () => number
  readonly wait?: (milliseconds: number) => Promise<unknown>
}

async function checksOf(
  subject: Subject,
  only: readonly Rule[],
  report: (check: Check) => void = () => {},
): Promise<Check[]> {
  const checks: Check[] = []
  const options = { demanded: 'store', wait: async () => {}, until: Number.POSITIVE_INFINITY, clock: Date.now } as const
  const noted = (check: Check) => {
    checks.push(check)
    report(check)
  }
  await run({ ...options, ...subject, rules: only, report: noted })
  return checks
}
const today = () => new Date().toISOString().slice(0, 10)
const inProcess = async (
  store: Store,
  clock: DatabaseClock,
  now = Date.now(),
): Promise<Subject & { service: InProcess }> => {
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
const shown = (checks: readonly Check[]) =>
  checks
    .filter(({ id, status }) => status !== 'pass' && !/^get\.removed/.test(id))
    .map(({ id, status, expected, actual }) => `${id} ${status}: expected ${expected}, got ${actual}`)

test('from 5 December 2030 on, the other rules hold, and getPet is gone', () =>
  withStores(databases[0], 1, async ([store], _url, clock) => {
    const { service, ...subject } = await inProcess(store, clock, Date.UTC(2030, 11, 5))
    const checks = await checksOf({ ...subject, clock: () => service.now }, rules)
    assert.deepEqual(
      checks.filter(({ status }) => status === 'fail'),
      [],
    )
    assert.deepEqual(
      checks.filter(({ id, status }) => /^get\./.test(id) && status === 'pass').map(({ id }) => id),
      ['get.removed', 'get.deprecated.only', 'get.removed.code'],
    )
  }))

/** Every rule holds for a service, over sockets. */
async function expectRules(service: TestService): Promise<void> {
  const send = createSend({ bytesMax: 2 ** 20, timeoutMilliseconds: 60_000 })
  let added = 0
  const counting: Send = async (sent) => {
    const received = await send(sent)
    if (sent.method === 'POST' && sent.url.endsWith('/pets') && received.status === 201) added++
    return received
  }
  const subject = { url: `${service.url}/v1`, key: await service.makeKey({ scopes }), send: counting, wait }
  let checks: Check[] = []
  // The rules of sales take today for the day on which the run begins: where that ends meanwhile, once more.
  for (let day = ''; day !== today(); ) {
    day = today()
    added = 0
    checks = await checksOf(subject, rules)
  }
  assert.deepEqual(shown(checks), [])
  send.close()
  const said = Number(/adds about (\d+) animals/.exec(help('petstore conform'))?.[1])
  assert.ok(Math.abs(added - said) <= said / 4, `${added}, not ${said}`)
}

asProcess('Over sockets', (service) => {
  test('every rule holds', () => expectRules(service()))
})

testInFull('every rule holds on Bun, which has a node:http of its own', async () => {
  using folder = new Folder()
  await using service = await TestService.start(folder.env, bun)
  await expectRules(service)
})

test('Each rule has an id of its own and a sentence', () => {
  assert.equal(new Set(rules.map(({ id }) => id)).size, rules.length)
  for (const { id, source } of rules) assert.match(source, /^(?:Decision: |[A-Z][\w ]+: “)/, id)
})

test('a service that takes five seconds to say nothing fails every check, within the time of the run', async () => {
  let [now, asked] = [0, 0]
  const checks: Check[] = []
  await run({
    url: 'http://shop.example/v1',
    key: 'pst_none',
    rules,
    demanded: 'store',
    wait: async () => {},
    until: 54_000,
    clock: () => now,
    send: async () => {
      asked++
      now += 5_000
      throw new Error('no whole answer within 5 s')
    },
    report: (check) => checks.push(check),
  })
  assert.deepEqual([...new Set(checks.map(({ status }) => status))], ['fail', 'skip'])
  assert.ok(asked <= 20 && now <= 60_000, `${asked} requests, ${now} ms`)
  assert.match(checks.at(-1)?.actual ?? '', /^not checked: the run took too long$/)
})

for (const [limited, waits, status] of [
  [2, [3_000, 3_000], 'pass'],
  [9, [3_000, 3_000, 3_000, 3_000], 'fail'],
] as const)
  test(`a key that is limited ${limited} times waits as Retry-After says, but not for ever`, async () => {
    const [waited, headers]: [number[], Map<string, string>] = [[], new Map([['retry-after', '3']])]
    let asked = 0
    const [check] = await checksOf(
      {
        url: 'http://shop.example/v1',
        key: 'pst_none',
        clock: () => 0,
        send: async () => ({ status: asked++ < limited ? 429 : 200, headers, text: '[]' }),
        wait: async (milliseconds) => waited.push(milliseconds),
      },
      rules.filter(({ id }) => id === 'auth.valid'),
    )
    assert.deepEqual([waited, check?.status], [waits, status])
  })

test('what a service does not have is skipped, unless the level that is demanded has it', async () => {
  const seen: string[] = []
  for (const demanded of ['core', 'store'] as const)
    await run({
      url: 'http://shop.example/v1',
      key: 'pst_none',
      demanded,
      clock: () => 0,
      until: 54_000,
      wait: async () => {},
      rules: rules.filter(({ id }) => id === 'category.methods'),
      send: async () => ({ status: 404, headers: new Map(), text: '{}' }),
      report: ({ status }) => seen.push(status),
    })
  assert.deepEqual(seen, ['skip', 'fail'])
})

test('checks are reported in the order of the rules, however long each takes', async () => {
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

test('run again and again, it fails no service that limits wrong keys: at last it skips what needs them [D366]', () =>
  withStores(databases[0], 1, async ([store], _url, clock) => {
    const { service: _, ...subject } = await inProcess(store, clock)
    const chosen = rules.filter(({ id, since }) => /^(?:auth|error)\./.test(id) && since === undefined)
    const skipped: string[][] = []
    for (let round = 0; round < 10; round++) {
      const checks = await checksOf(subject, chosen)
      assert.deepEqual(shown(checks.filter(({ status }) => status === 'fail')), [], `round ${round}`)
      skipped.push(shown(checks))
    }
    assert.deepEqual(skipped.slice(0, 8).flat(), [])
    assert.match(skipped.at(-1)?.join() ?? '', /auth\.invalid\.list skip: .* limits requests with wrong keys: 429/)
  }))

test('a service that takes no more webhooks fails no rule: those that add one are skipped [D365]', () =>
  withStores(databases[0], 1, async ([store], _url, clock) => {
    const { service: _, ...subject } = await inProcess(store, clock)
    const webhook = toSend(POST('/webhooks', { url: 'https://shop.example/hooks' }), subject.url, subject.key)
    for (let number = 0; number < limits.webhooks.max; number++) assert.equal((await subject.send(webhook)).status, 201)
    const checks = await checksOf(
      subject,
      rules.filter(({ id }) => id.startsWith('webhook.')),
    )
    assert.deepEqual(
      checks.map(({ id, status, actual }) => `${id} ${status} ${actual}`.trim()),
      [
        'webhook.add skip the service takes no more webhooks: 409',
        'webhook.change skip the service takes no more webhooks: 409',
        'webhook.refused pass',
        'webhook.rotate skip the service takes no more webhooks: 409',
        'webhook.unknown pass',
      ],
    )
  }))

describe('A right store that was written from the interface alone', () => {
  const upToFull = rules.filter(({ level }) => level !== 'store')
  const checksOfIt = async (change: (received: Received) => Received) => {
    const send = smallStore('a-right-key')
    const subject = { url: 'http://shop.example/v1', key: 'a-right-key' }
    return checksOf({ ...subject, send: async (sent) => change(await send(sent)) }, upToFull)
  }
  const failed = (checks: readonly Check[]) => checks.filter(({ status }) => status === 'fail')

  test('keeps every rule of level core, and at full fails only what it decided otherwise [D365]', async () => {
    const checks = await checksOfIt((received) => received)
    const failures = failed(checks)
    assert.deepEqual(shown(failures.filter(({ level }) => level === 'core')), [])
    const ids = failures.map(({ id }) => id)
    for (const means of ['create.int64', 'list.unknown', 'list.order', 'list.next', 'http.accept', 'error.discreet'])
      assert.ok(!ids.includes(means), means)
    // A refusal is right, whatever its code.
    for (const right of ['list.status.refused', 'body.malformed', 'auth.first'])
      assert.equal(checks.find(({ id }) => id === right)?.status, 'pass', right)
    // One rule fails for each thing that it does not have.
    for (const one of [/^list\.category/, /^list\.id/, /^idempotency\./, /^http\.request-id/, /^error\.codes/])
      assert.equal(ids.filter((id) => one.test(id)).length, 1, String(one))
  })
})

describe('A service that is wrong in one thing', () => {
  const [sqlite] = databases
  let store: Store
  let clock: DatabaseClock
  let remove: () => Promise<void>
  let subject: Subject
  let shops: Shops
  before(async () => {
    shops = shopsOn(systemTime)
    const wait = (milliseconds: number) => shops.of('test_a').setClock(shops.of('test_a').now() + milliseconds)
    const send: Send = (sent) => sendTo(shops.of('test_a'), sent)
    // Orders of others, which a filter leaves out.
    await checksOf(
      { url: publicUrl, key: 'test_a', send, wait },
      rules.filter(({ id }) => /^order\./.test(id)),
    )
    const { url, ...database } = await sqlite.open()
    remove = database.remove
    clock = new DatabaseClock(url)
    store = await openAt(url, 5, clock.time)
    subject = await inProcess(store, clock)
  })
  after(async () => {
    await shops.close()
    await store.close()
    await remove()
  })

  /** The checks of a shop that has the fault, or of a service if no shop can have it. */
  async function checksWith(fault: Fault, only: readonly Rule[]): Promise<Check[]> {
    if (!fault.isOutside) {
      const shop = shops.of('test_a')
      shop.plan.replace([{ fault: fault.id }])
      return checksOf({ ...subject, key: 'test_a', send: (sent) => sendTo(shop, sent) }, only)
    }
    const { service, ...wrong } = await inProcess(store, clock)
    const { handle } = service
    service.handle = async (incoming) => faultyAnswer(await handle(faultyRequest(incoming, fault)), incoming, fault)
    return checksOf(wrong, only)
  }

  for (const fault of faults)
    if (fault.rule)
      test(`is seen by ${fault.rule}: ${fault.description} [D400]`, async () => {
        const only = rules.filter((each) => each.id === fault.rule)
        assert.equal(only.length, 1, `no rule ${fault.rule}`)
        const [check] = await checksWith(fault, only)
        assert.equal(check?.status, 'fail')
      })

  const refusesNothing = (received: Received): Received =>
    received.status >= 400 ? { ...received, status: 200, text: '[]' } : received
  const others: ((received: Received) => Received)[] = [
    (received) => (received.status < 300 ? { ...received, text: '[]' } : received),
    (received) => ({ ...received, headers: new Map() }),
    (received) => (received.status < 300 ? { ...received, status: 400, text: '{}' } : received),
  ]
  test('is seen by every rule: if nothing is refused, without content or headers, or if all is refused', async () => {
    const asked = rules.filter(({ since }) => since === undefined)
    const isRefusal = new Map<string, boolean>()
    for (const rule of asked) {
      let status = 0
      const send: Send = async (sent) => {
        const received = await subject.send(sent)
        status = received.status
        return received
      }
      await checksOf({ ...subject, send }, [rule], ({ id }) => isRefusal.set(id, status >= 400))
    }
    const refusals = asked.filter(({ id }) => isRefusal.get(id))
    assert.ok(refusals.length > 90, String(refusals.length))
    const redOf = async (only: readonly Rule[], answer: (received: Received) => Received) => {
      const checks = await checksOf({ ...subject, send: async (sent) => answer(await subject.send(sent)) }, only)
      return checks.filter(({ status }) => status === 'fail').map(({ id }) => id)
    }
    const unseen = new Map(asked.map((rule) => [rule.id, rule]))
    for (const id of await redOf(refusals, refusesNothing)) unseen.delete(id)
    for (const answer of others) {
      const left = [...unseen.values()].filter(({ id }) => !isRefusal.get(id))
      for (const id of await redOf(left, answer)) unseen.delete(id)
    }
    assert.deepEqual([...unseen.keys()], [])
  })
})
