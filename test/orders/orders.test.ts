/** Orders beyond the rules in conform/ and the model: which times are accepted, and when orders expire. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { InProcess, type Reply } from '../../harness/in-process.ts'
import { logInto, silentLog } from '../../harness/log.ts'
import { openFile } from '../../harness/stores.ts'
import { timeAt } from '../../harness/time.ts'
import { defaultScopes } from '../../src/model/key.ts'
import { startExpiry } from '../../src/orders/expiry.ts'
import { type Store, StoreUnavailable } from '../../src/store/store.ts'

type Expiry = Awaited<ReturnType<Store['orders']['expire']>>
const hour = 60 * 60 * 1000
const textOf = (time: number): string => new Date(time).toISOString()

describe('the time until which an order is held', () => {
  let store: Store
  let service: InProcess
  before(async () => {
    store = openFile(
      ':memory:',
      timeAt(() => service?.now ?? 0),
    )
    service = await InProcess.on(store)
  })
  after(() => store.close())

  async function place(terms: object, headers: Record<string, string> = {}, on = service): Promise<Reply> {
    const { json } = await on.call('POST', '/pets', { name: 'Rex', categoryId: 1 })
    return on.call('POST', '/store/orders', { petId: json.id, ...terms }, headers)
  }

  test('heldUntil accepts any RFC 3339 time, and is shown in UTC with milliseconds [decision 12]', async () => {
    service.now = Date.UTC(2027, 0, 1)
    for (const [heldUntil, shown] of [
      ['2027-01-01T00:00:00.001Z', '2027-01-01T00:00:00.001Z'],
      ['2027-01-02T03:04:05Z', '2027-01-02T03:04:05.000Z'],
      ['2027-01-02T03:04:05.123456789Z', '2027-01-02T03:04:05.123Z'],
      ['2027-01-02t03:04:05z', '2027-01-02T03:04:05.000Z'],
      ['2027-01-02T03:04:05+05:45', '2027-01-01T21:19:05.000Z'],
      ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000Z'],
      ['2028-01-02T00:00:00Z', '2028-01-02T00:00:00.000Z'],
    ] as const) {
      const { status, json } = await place({ heldUntil })
      assert.deepEqual([status, json.heldUntil], [201, shown])
      const changed = await service.call('PATCH', `/store/orders/${json.id}`, { heldUntil })
      assert.deepEqual([changed.status, changed.json], [200, json])
    }
  })

  test('heldUntil is refused if it is no RFC 3339 time, is not in the future, or is more than 366 days ahead [decision 12]', async () => {
    service.now = Date.UTC(2027, 0, 1)
    const { json } = await place({})
    for (const heldUntil of [
      '2027-01-01T00:00:00Z',
      '2026-12-31T23:59:59.999Z',
      '2028-01-02T00:00:00.001Z',
      '9999-12-31T23:59:59Z',
      '2027-02-29T00:00:00Z',
      '2027-04-31T00:00:00Z',
      '2027-13-01T00:00:00Z',
      '2027-01-02T24:00:00Z',
      '2027-01-02T25:00:00Z',
      '2027-01-02T23:59:60Z',
      '2027-01-02',
      '2027-01-02T03:04:05',
      '2027-01-02T03:04Z',
      '2027-01-02 03:04:05Z',
      'tomorrow',
      '',
      '2027-01-02T03:04:05+24:00',
      '2027-01-02T03:04:05+0100',
      '+002027-01-02T03:04:05Z',
      1_800_000_000_000,
      true,
    ])
      for (const reply of [
        await place({ heldUntil }),
        await service.call('PATCH', `/store/orders/${json.id}`, { heldUntil }),
      ]) {
        assert.deepEqual([reply.status, reply.json.code], [400, 'invalid_field'], String(heldUntil))
        assert.match(reply.json.message, /^heldUntil: must be an RFC 3339 time in the future, at most 366 days ahead/)
      }
    assert.equal((await place({ heldUntil: null })).json.code, 'invalid_field')
    assert.equal((await service.call('GET', `/store/orders/${json.id}`)).text, JSON.stringify(json))
  })

  test('An order is over from the millisecond of its heldUntil on [decision 12]', async () => {
    for (const [early, status] of [
      [1, 200],
      [0, 409],
    ] as const)
      for (const verb of ['complete', 'cancel']) {
        service.now = Date.UTC(2027, 0, 1)
        const { json } = await place({ heldUntil: textOf(service.now + hour) })
        service.now += hour - early
        assert.equal((await service.call('POST', `/store/orders/${json.id}/${verb}`)).status, status)
      }
  })

  test('heldUntil may have passed if the order is repeated with its Idempotency-Key [decision 8]', async () => {
    service.now = Date.UTC(2027, 0, 1)
    const pet = await service.call('POST', '/pets', { name: 'Rex', categoryId: 1 })
    const body = { petId: pet.json.id, heldUntil: textOf(service.now + hour) }
    const send = () => service.call('POST', '/store/orders', body, { 'idempotency-key': 'again' })
    const placed = await send()
    service.now += 2 * hour
    const again = await send()
    assert.deepEqual([again.status, again.text, again.headers.get('idempotency-replayed')], [201, placed.text, 'true'])
  })

  test('HOLD_HOURS sets the end of orders without heldUntil, counted from when they were placed [decision 12]', async () => {
    const limited = await InProcess.on(store, silentLog, defaultScopes, 48)
    limited.now = service.now
    const placed = await place({}, {}, limited)
    assert.equal(placed.json.heldUntil, textOf(Date.parse(placed.json.createdAt) + 48 * hour))
    const [heldUntil, kept] = [textOf(limited.now + hour), { heldUntil: null }]
    assert.equal((await place({ heldUntil }, {}, limited)).json.heldUntil, heldUntil)
    const forGood = await limited.call('PATCH', `/store/orders/${placed.json.id}`, kept)
    assert.deepEqual([forGood.status, 'heldUntil' in forGood.json], [200, false])
    assert.equal('heldUntil' in (await place({})).json, false)
  })
})

describe('orders that are due', () => {
  /** Opens a store and starts what expires its orders, on a clock that only the test moves. */
  async function running() {
    let now = Date.UTC(2027, 0, 1)
    const store = openFile(
      ':memory:',
      timeAt(() => now),
    )
    const waits: number[] = []
    let timer: { readonly at: number; readonly run: () => void } | undefined
    let looked = Promise.withResolvers<void>()
    const expiry = startExpiry({
      orders: store.orders,
      time: {
        after(milliseconds, run) {
          waits.push(milliseconds)
          timer = { at: now + milliseconds, run }
          looked.resolve()
          return () => {
            timer = undefined
          }
        },
      },
      log: silentLog,
    })
    await looked.promise
    return {
      store,
      expiry,
      waits,
      isWaiting: () => timer !== undefined,
      async hold(milliseconds: number): Promise<bigint> {
        const pet = await store.pets.insert({ name: 'Rex', categoryId: 1n, status: 'available' }, undefined)
        assert.ok(typeof pet === 'object')
        const order = { petId: BigInt(pet.id), heldUntil: textOf(now + milliseconds) }
        const placed = await store.orders.place(order, undefined)
        assert.ok(typeof placed === 'object')
        return BigInt(placed.id)
      },
      async pass(milliseconds: number): Promise<void> {
        const end = now + milliseconds
        while (timer && timer.at <= end) {
          now = timer.at
          looked = Promise.withResolvers()
          timer.run()
          await looked.promise
        }
        now = end
      },
    }
  }
  const statusOf = async (store: Store, id: bigint) => JSON.parse((await store.orders.find(id)) ?? '').status

  test('An order expires within a second of its end, even if it was placed since the last poll [decision 12]', async () => {
    const { store, expiry, waits, hold, pass } = await running()
    const [soon, late] = [await hold(300), await hold(2_600)]
    await pass(999)
    assert.equal(await statusOf(store, soon), 'placed')
    await pass(1)
    assert.equal(await statusOf(store, soon), 'expired')
    await pass(1_599)
    assert.equal(await statusOf(store, late), 'placed')
    await pass(1)
    assert.equal(await statusOf(store, late), 'expired')
    assert.deepEqual(waits, [1_000, 1_000, 600, 1_000])
    assert.deepEqual(expiry.samples(), [['petstore_orders_total', 2, 'expired']])
    await expiry.stop()
    await store.close()
  })

  test('Expiring orders costs one poll per second while none is due, and none after the shutdown', async () => {
    const { store, expiry, waits, pass, isWaiting } = await running()
    await pass(5_000)
    assert.deepEqual(
      waits,
      Array.from({ length: 6 }, () => 1_000),
    )
    await expiry.stop()
    assert.equal(isWaiting(), false)
    await store.close()
  })

  /** Returns how long it waits after polls that end as given, until all of them are over. */
  async function waitsAfter(looks: readonly (Expiry | Error)[], log = silentLog): Promise<number[]> {
    const left = [...looks]
    const waits: number[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const expire = async () => {
      const look = left.shift() ?? assert.fail('too many looks')
      if (look instanceof Error) throw look
      return look
    }
    const after = (milliseconds: number, run: () => void) => {
      waits.push(milliseconds)
      if (left.length > 0) run()
      else resolve()
      return () => {}
    }
    const expiry = startExpiry({ orders: { expire }, time: { after }, log })
    await promise
    await expiry.stop()
    return waits
  }

  test('Orders that are due expire immediately, even if one poll does not find all, and locked ones a little later', async () => {
    const looks = [
      { expired: 250, nextIn: -1 },
      { expired: 250, nextIn: 0 },
      { expired: 0, nextIn: -1 },
      { expired: 0, nextIn: 1 },
      { expired: 3, nextIn: 999_999 },
    ]
    assert.deepEqual(await waitsAfter(looks), [0, 0, 100, 1, 1_000])
  })

  test('The search for orders that are due continues after a failure, which is logged once', async () => {
    const lines: Record<string, unknown>[] = []
    const lost = new StoreUnavailable('the database is gone')
    const found = { expired: 0, nextIn: undefined }
    const waits = await waitsAfter([lost, lost, found, lost, found], logInto(lines))
    assert.deepEqual(waits, [1_000, 1_000, 1_000, 1_000, 1_000])
    const message = 'orders whose time has passed could not be expired'
    assert.deepEqual(
      lines.map(({ msg }) => msg),
      [message, message],
    )
  })
})
