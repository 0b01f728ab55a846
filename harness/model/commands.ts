/**
 * The steps of a sequence. Each sends the same request to the service and to the model, and compares every part of the
 * answers.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { InProcess, Reply } from '../in-process.ts'
import type { Order } from '../order.ts'
import type { Expected, Model, PetStatus, Terms } from './model.ts'

/** The service, and the rows that one sequence has for itself on a database that several sequences share. */
export interface Real {
  readonly service: InProcess
  /** The number of two categories, this one and the next, that no other sequence uses. */
  readonly categoryId: number
  /** The outcomes that each kind of step has had, over all sequences. */
  readonly seen: Set<string>
  /** Every id that this sequence has ever received. */
  readonly petIds: number[]
  readonly orderIds: number[]
  /** When the sequence began. */
  readonly start: number
  /** Sets the clock of the database. */
  readonly setClock: (now: number) => Promise<unknown>
  /** Expires the orders whose time has passed. */
  readonly expire: () => Promise<unknown>
}
type Command = fc.AsyncCommand<Model, Real>

const noId = 2 ** 52
const indexMax = 12

function command(name: string, run: (model: Model, real: Real) => Promise<Expected | undefined>): Command {
  return {
    check: () => true,
    async run(model, real) {
      model.now = ++real.service.now
      await real.setClock(model.now)
      const expected = await run(model, real)
      const end = expected?.replayed ? 'replayed' : (expected?.code ?? expected?.status ?? 'ok')
      const outcome = `${name.split(' ')[0]} ${end}`
      real.seen.add(outcome)
    },
    toString: () => name,
  }
}

/** Compares an answer with the one that the model expects, byte for byte. */
function compare(reply: Reply, expected: Expected): Expected {
  const { status, json, headers } = reply
  assert.deepEqual(
    {
      status,
      ...(status >= 400 ? { code: json.code } : { body: reply.text }),
      replayed: headers.has('idempotency-replayed'),
    },
    {
      ...expected,
      ...(expected.code ? {} : { body: JSON.stringify(expected.body) ?? '' }),
      replayed: expected.replayed ?? false,
    },
  )
  return expected
}

/** Returns the id of a new row in an answer, which must be higher than all before. */
function newId({ status, json, headers }: Reply, ids: number[]): number {
  if (status !== 201 || headers.has('idempotency-replayed')) return 0
  assert.ok(json.id > (ids.at(-1) ?? 0), 'ids rise')
  ids.push(json.id)
  return json.id
}

/** Returns one of the ids so far, including those of removed rows, or an id that nobody has. */
const at = (ids: readonly number[], index: number): number =>
  index === indexMax ? noId : (ids[index % ids.length] ?? noId)
const keyed = (real: Real, key: string | undefined): Record<string, string> =>
  key ? { 'idempotency-key': `${key}-${real.categoryId}` } : {}

async function walk(real: Real, path: string): Promise<unknown[]> {
  const rows: unknown[] = []
  for (let next: string | undefined = path; next; ) {
    const reply: Reply = await real.service.call('GET', next)
    assert.equal(reply.status, 200, reply.text)
    rows.push(...reply.json)
    next = /\/v1(\/[^>]*)>; rel="next"$/.exec(reply.headers.get('link') ?? '')?.[1]
  }
  return rows
}

const index = fc.nat(indexMax)
const key = fc.option(fc.constantFrom('a', 'b'), { nil: undefined, freq: 2 })
const anyStatus = fc.constantFrom<PetStatus>('available', 'pending', 'sold')
const status = fc.option(anyStatus, { nil: undefined, freq: 1 })
const name = fc.constantFrom('Rex', 'Ada')
const ifMatch = fc.constantFrom('none', 'none', 'any', 'current', 'stale')
const changes = fc.record({ name, category: fc.nat(1), status: anyStatus }, { requiredKeys: [] })
/**
 * The end of an order: the next six hours or the third six hours, counted from now, the first six hours of the
 * sequence, or no end.
 */
type Hold = 1 | 3 | 'first' | null | undefined
const hold = fc.constantFrom<Hold>(undefined, undefined, 1, 3, 'first', null)
const reference = fc.constantFrom(undefined, 'Novak', 'Mrs "\\ Novák')
const verb = fc.constantFrom('complete', 'complete', 'cancel', 'return')
const orderStatus = fc.option(
  fc.constantFrom<Order['status']>('placed', 'completed', 'cancelled', 'returned', 'expired'),
  {
    nil: undefined,
  },
)
const limit = fc.integer({ min: 1, max: 3 })
/** A list may begin after any int64. */
const edge = fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n)
const direction = fc.constantFrom('', '&order=asc', '&order=desc')

/** Returns the header of a condition. For `current`, it first asks for the version. */
async function condition(real: Real, id: number, kind: string): Promise<Record<string, string>> {
  const tag = { any: '*', stale: '"stale"', none: undefined }[kind]
  if (kind !== 'current') return tag ? { 'if-match': tag } : {}
  return { 'if-match': (await real.service.call('GET', `/pets/${id}`)).headers.get('etag') ?? '*' }
}

const create = fc.tuple(name, fc.nat(1), status, key).map(([name, category, status, key]) =>
  command(`create ${name} ${category} ${status} ${key}`, async (model, real) => {
    const pet = { name, categoryId: real.categoryId + category, ...(status && { status }) }
    const reply = await real.service.call('POST', '/pets', pet, keyed(real, key))
    return compare(reply, model.create(pet, key, newId(reply, real.petIds)))
  }),
)
const patch = fc.tuple(index, changes, ifMatch).map(([index, { category, ...rest }, ifMatch]) =>
  command(`patch ${index} ${JSON.stringify({ category, ...rest })} ${ifMatch}`, async (model, real) => {
    const id = at(real.petIds, index)
    const body = { ...rest, ...(category !== undefined && { categoryId: real.categoryId + category }) }
    const headers = await condition(real, id, ifMatch)
    return compare(await real.service.call('PATCH', `/pets/${id}`, body, headers), model.patch(id, body, ifMatch))
  }),
)
const remove = fc.tuple(index, ifMatch).map(([index, ifMatch]) =>
  command(`delete ${index} ${ifMatch}`, async (model, real) => {
    const id = at(real.petIds, index)
    const headers = await condition(real, id, ifMatch)
    return compare(await real.service.call('DELETE', `/pets/${id}`, undefined, headers), model.remove(id, ifMatch))
  }),
)
const sixHours = 6 * 60 * 60 * 1000
function termsOf(real: Real, reference: string | undefined, hold: Hold): Terms {
  const from = hold === 'first' ? real.start : real.service.now
  const until = (Math.floor(from / sixHours) + (typeof hold === 'number' ? hold : 1)) * sixHours
  return {
    ...(reference !== undefined && { reference: `${reference} ${real.categoryId}` }),
    ...(hold !== undefined && { heldUntil: hold === null ? null : new Date(until).toISOString() }),
  }
}
const order = fc.tuple(index, key, reference, hold).map(([index, key, reference, hold]) =>
  command(`order ${index} ${key} ${reference} ${hold}`, async (model, real) => {
    const body = { petId: at(real.petIds, index), ...termsOf(real, reference, hold ?? undefined) }
    const reply = await real.service.call('POST', '/store/orders', body, keyed(real, key))
    return compare(reply, model.place(body, key, newId(reply, real.orderIds)))
  }),
)
const change = fc.tuple(index, reference, hold).map(([index, reference, hold]) =>
  command(`change ${index} ${reference} ${hold}`, async (model, real) => {
    const [id, body] = [at(real.orderIds, index), termsOf(real, reference, hold)]
    return compare(await real.service.call('PATCH', `/store/orders/${id}`, body), model.patchOrder(id, body))
  }),
)
const move = fc.tuple(verb, index).map(([verb, index]) =>
  command(`${verb} ${index}`, async (model, real) => {
    const id = at(real.orderIds, index)
    return compare(await real.service.call('POST', `/store/orders/${id}/${verb}`), model.move(id, verb))
  }),
)
const get = index.map((index) =>
  command(`get ${index}`, async (model, real) => {
    const [petId, orderId] = [at(real.petIds, index), at(real.orderIds, index)]
    compare(await real.service.call('GET', `/pets/${petId}`), model.getPet(petId))
    return compare(await real.service.call('GET', `/store/orders/${orderId}`), model.getOrder(orderId))
  }),
)
const list = fc
  .tuple(fc.nat(1), status, orderStatus, index, limit, direction, fc.option(fc.oneof(index, edge), { nil: undefined }))
  .map(([category, status, orderStatus, index, limit, direction, start]) =>
    command(
      `list ${[category, status, orderStatus, index, limit, direction, start].join(' ')}`,
      async (model, real) => {
        const shown = async (path: string, rows: readonly { id: number }[], ids: readonly number[]) => {
          const after = typeof start === 'number' ? at(ids, start) : start
          const isNewestFirst = direction === '&order=desc'
          const kept = rows.filter(({ id }) => after === undefined || (isNewestFirst ? id < after : id > after))
          const found = await walk(
            real,
            `${path}&limit=${limit}${direction}${after === undefined ? '' : `&after=${after}`}`,
          )
          assert.deepEqual(found, isNewestFirst ? kept.reverse() : kept)
        }
        const categoryId = real.categoryId + category
        const pets = `/pets?categoryId=${categoryId}${status ? `&status=${status}` : ''}`
        await shown(pets, model.petsIn(categoryId, status), real.petIds)
        const petId = at(real.petIds, index)
        const orders = `/store/orders?petId=${petId}${orderStatus ? `&status=${orderStatus}` : ''}`
        await shown(orders, model.ordersOn(petId, orderStatus), real.orderIds)
        const whose = `Novak ${real.categoryId}`
        const filter = { reference: whose, ...(orderStatus && { status: orderStatus }) }
        await shown(`/store/orders?${new URLSearchParams(filter)}`, model.ordersWith(filter), real.orderIds)
        return undefined
      },
    ),
  )
const nameCategory = fc.tuple(fc.nat(1), name).map(([category, name]) =>
  command(`name ${category} ${name}`, async (model, real) => {
    const id = real.categoryId + category
    return compare(await real.service.call('PUT', `/categories/${id}`, { name }), model.nameCategory(id, name))
  }),
)
const unnameCategory = fc.nat(1).map((category) =>
  command(`unname ${category}`, async (model, real) => {
    const id = real.categoryId + category
    return compare(await real.service.call('DELETE', `/categories/${id}`), model.unnameCategory(id))
  }),
)
const count = fc.constant(
  command('count', async (model, real) => {
    await checkCounts(model, real)
    return undefined
  }),
)
const wait = fc.constant(
  // An Idempotency-Key is still known after the first wait, and is forgotten after the second.
  command('wait for half a day', async (model, real) => {
    const halfDay = 12 * 60 * 60 * 1000
    model.now = real.service.now += halfDay
    await real.setClock(model.now)
    return undefined
  }),
)
const expire = fc.constant(
  command('expire', async (model, real) => {
    const placed = model.ordersWith({ status: 'placed' }).length
    await real.expire()
    model.expire()
    return { status: placed - model.ordersWith({ status: 'placed' }).length > 0 ? 200 : 304 }
  }),
)

/** Sequences of `steps` steps. Steps that change the status of an animal are more frequent. */
export const sequences = (steps: number): fc.Arbitrary<Command[]> =>
  fc.array(
    fc.oneof(
      { weight: 4, arbitrary: create },
      { weight: 4, arbitrary: patch },
      { weight: 2, arbitrary: remove },
      { weight: 7, arbitrary: order },
      { weight: 9, arbitrary: move },
      { weight: 3, arbitrary: change },
      { weight: 2, arbitrary: expire },
      { weight: 2, arbitrary: get },
      { weight: 2, arbitrary: list },
      { weight: 2, arbitrary: wait },
      { weight: 1, arbitrary: nameCategory },
      { weight: 1, arbitrary: unnameCategory },
      { weight: 2, arbitrary: count },
    ),
    { minLength: steps, maxLength: steps },
  )

/** Compares the stored counts of the categories with those of the model. */
async function checkCounts(model: Model, real: Real): Promise<void> {
  const own = [real.categoryId, real.categoryId + 1]
  const rows = (await walk(real, '/store/inventory?by=category&limit=100')) as { categoryId: number }[]
  assert.deepEqual(
    rows.filter(({ categoryId }) => own.includes(categoryId)),
    own.flatMap((categoryId) => model.countsIn(categoryId) ?? []),
  )
}

/** Compares everything that a sequence has left behind with the model once more. */
export async function checkAll(model: Model, real: Real): Promise<void> {
  for (const categoryId of [real.categoryId, real.categoryId + 1])
    assert.deepEqual(await walk(real, `/pets?categoryId=${categoryId}`), model.petsIn(categoryId))
  for (const petId of real.petIds)
    assert.deepEqual(await walk(real, `/store/orders?petId=${petId}`), model.ordersOn(petId))
  await checkCounts(model, real)
}
