/** When the client tries again, how long it waits, and when it must not. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  ConnectionError,
  NotFoundError,
  PetStore,
  type PetStoreOptions,
  PreconditionFailedError,
  TimeoutError,
  TooManyRequestsError,
  UnavailableError,
  UnexpectedAnswerError,
} from '../../client/src/index.ts'
import { freshCategory } from '../support/expect.ts'
import { TestService, targets } from '../support/service.ts'
import { type Fault, FaultProxy, inTurn } from './support/fault-proxy.ts'

let service: TestService
let removeDatabase: () => Promise<void>
before(async () => {
  const [target] = targets
  assert.ok(target)
  const database = await target.database()
  removeDatabase = database.remove
  service = await TestService.start(target.runtime, { DATABASE_URL: database.url })
})
after(async () => {
  await service.stop()
  await removeDatabase()
})

/** A client whose requests meet these faults in turn; it keeps the pauses it would have made. */
async function meeting(faults: Fault[], options: Partial<PetStoreOptions> = {}) {
  const proxy = await FaultProxy.start(service.port, inTurn(...faults))
  const pauses: number[] = []
  const petstore = new PetStore({
    baseUrl: proxy.url,
    apiKey: service.key,
    random: () => 1,
    sleep: async (milliseconds) => void pauses.push(milliseconds),
    ...options,
  })
  return { petstore, pauses, proxy, [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose]() }
}
const refusal = (status: number, code: string, headers: Record<string, string> = {}): Fault => ({
  status,
  headers: { 'X-Request-Id': 'r-1', ...headers },
  body: JSON.stringify({ code, message: 'not now', status }),
})
const newPet = () => ({ name: 'Rex', categoryId: BigInt(freshCategory()) })

test('waits longer before each retry, and throws the last error after the fourth try [D323]', async () => {
  await using met = await meeting(['cut before', 'cut before', 'cut after', 'cut before', 'none'])
  await assert.rejects(met.petstore.pets.create(newPet()), ConnectionError)
  assert.deepEqual(met.pauses, [250, 500, 1000])
  assert.equal(met.proxy.seen.length, 4)
})

test('waits a random time of at most eight seconds', async () => {
  const chances = [0, 0.5, 1, 1, 1, 1, 1, 1]
  await using met = await meeting(Array(8).fill('cut before'), { maxRetries: 8, random: () => chances.shift() ?? 1 })
  await met.petstore.pets.create(newPet())
  assert.deepEqual(met.pauses, [0, 250, 1000, 2000, 4000, 8000, 8000, 8000])
})

test('retries a request that got 408 [D323]', async () => {
  await using met = await meeting([refusal(408, 'request_timeout')])
  await met.petstore.pets.create(newPet())
  assert.deepEqual(met.pauses, [250])
})

test('waits at least as long as Retry-After asks, on 408, 429, 503 and while the same request is in progress [D323]', async () => {
  await using met = await meeting(
    [
      refusal(429, 'rate_limited', { 'Retry-After': '7' }),
      refusal(503, 'unavailable', { 'Retry-After': new Date(0).toUTCString() }),
      refusal(409, 'idempotency_in_progress', { 'Retry-After': '1' }),
      refusal(408, 'request_timeout', { 'Retry-After': '2' }),
    ],
    { maxRetries: 4 },
  )
  await met.petstore.pets.create(newPet())
  assert.deepEqual(met.pauses, [7250, 500, 2000, 4000])
})

test('waits out a rate limit of the service, and then succeeds [D323]', async () => {
  await service.setTicks(1_000_000)
  const pauses: number[] = []
  const petstore = new PetStore({
    baseUrl: `${service.url}/v1`,
    apiKey: await service.makeKey({ rate: { requests: 2, seconds: 30 } }),
    random: () => 0,
    async sleep(milliseconds) {
      pauses.push(milliseconds)
      await service.setTicks(1_000_000 + pauses.reduce((sum, pause) => sum + pause))
    },
  })
  for (let i = 0; i < 4; i++) await petstore.pets.create(newPet())
  assert.deepEqual(pauses, [15_000, 15_000])
  await service.setTicks(null)
})

test('waits for a minute if Retry-After asks for it; if it asks for more, fails at once and says how long', async () => {
  await using met = await meeting([
    refusal(429, 'rate_limited', { 'Retry-After': '60' }),
    refusal(429, 'rate_limited', { 'Retry-After': '61' }),
  ])
  const error = await met.petstore.pets.create(newPet()).catch((error) => error)
  assert.ok(error instanceof TooManyRequestsError)
  assert.deepEqual([error.retryAfterMs, error.requestId, error.message], [61_000, 'r-1', 'not now'])
  assert.deepEqual(met.pauses, [60_250])
  await using impatient = await meeting([refusal(429, 'rate_limited', { 'Retry-After': '3' })], {
    maxRetryAfterMs: 2_000,
  })
  await assert.rejects(impatient.petstore.pets.create(newPet()), TooManyRequestsError)
  assert.deepEqual(impatient.pauses, [])
})

test('uses one Idempotency-Key for all tries of a POST, and the given one if there is one [D324]', async () => {
  await using met = await meeting(['cut after', 'cut within', 'cut before', 'none', 'cut after'])
  const pet = newPet()
  const made = await met.petstore.pets.create(pet)
  const order = await met.petstore.orders.place({ petId: made.id }, { idempotencyKey: 'order-1' })
  const keys = met.proxy.seen.map(({ headers }) => headers['idempotency-key'])
  assert.equal(new Set(keys.slice(0, 4)).size, 1)
  assert.deepEqual(keys.slice(4), ['order-1', 'order-1'])
  assert.deepEqual(await Array.fromAsync(met.petstore.pets.list({ categoryId: pet.categoryId })), [
    { ...made, status: 'pending' },
  ])
  assert.deepEqual(await met.petstore.orders.place({ petId: made.id }, { idempotencyKey: 'order-1' }), order)
})

test('repeats what moves an order on as it is: it needs no Idempotency-Key', async () => {
  await using met = await meeting(['none', 'none', 'cut after', 'none', 'cut after', 'none'])
  const made = await met.petstore.pets.create(newPet())
  const { id } = await met.petstore.orders.place({ petId: made.id })
  assert.equal((await met.petstore.orders.complete(id)).status, 'completed')
  assert.equal((await met.petstore.orders.return(id)).status, 'returned')
  const moves = met.proxy.seen.slice(2)
  assert.deepEqual(
    moves.map(({ headers }) => headers['idempotency-key']),
    Array(4).fill(undefined),
  )
})

test('does not retry errors that are not transient [D323]', async () => {
  await using met = await meeting([
    'none',
    'none',
    { status: 502, body: '<h1>Bad Gateway</h1>' },
    { status: 200, body: '{' },
    refusal(500, 'internal_error'),
  ])
  await assert.rejects(met.petstore.orders.get(404404n), NotFoundError)
  await assert.rejects(met.petstore.pets.create({ name: '', categoryId: 1n }), { status: 400, code: 'invalid_field' })
  await assert.rejects(met.petstore.pets.list().page(), (error) => {
    return error instanceof UnexpectedAnswerError && error.status === 502
  })
  await assert.rejects(met.petstore.pets.list().page(), UnexpectedAnswerError)
  await assert.rejects(met.petstore.pets.list().page(), { status: 500, code: 'internal_error' })
  assert.equal(met.proxy.seen.length, 5)
})

test('retries a PATCH, but not one with ifMatch that may have succeeded [D324]', async () => {
  await using met = await meeting([
    'none',
    'cut after',
    'none',
    refusal(429, 'rate_limited'),
    'none',
    'cut after',
    refusal(503, 'unavailable'),
  ])
  const pet = await met.petstore.pets.create(newPet())
  const max = await met.petstore.pets.update(pet.id, { name: 'Max' })
  const ada = await met.petstore.pets.update(pet.id, { name: 'Ada' }, { ifMatch: max })
  await assert.rejects(met.petstore.pets.update(pet.id, { name: 'Eve' }, { ifMatch: ada }), ConnectionError)
  await assert.rejects(met.petstore.pets.update(pet.id, { name: 'Eve' }, { ifMatch: ada }), UnavailableError)
  await assert.rejects(met.petstore.pets.update(pet.id, { name: 'Bob' }, { ifMatch: ada }), PreconditionFailedError)
  const [now] = await Array.fromAsync(met.petstore.pets.list({ id: [pet.id] }))
  assert.equal(now?.name, 'Eve', 'the change without an answer had been made')
})

test('retries a DELETE, and takes 404 after a try without a response as deleted [D324]', async () => {
  await using met = await meeting(['none', 'cut after'])
  const pet = await met.petstore.pets.create(newPet())
  await met.petstore.pets.delete(pet.id)
  assert.equal(met.proxy.seen.length, 3)
  await assert.rejects(met.petstore.pets.delete(pet.id), NotFoundError)
})

test('cancels a try after its timeout, and then retries', async () => {
  await using met = await meeting(['hold'], { maxRetries: Infinity })
  const pet = await met.petstore.pets.create(newPet(), { timeoutMs: 200 })
  assert.equal(pet.name, 'Rex')
  assert.equal(met.pauses[0], 250)
  await using slow = await meeting(['hold'], { maxRetries: 0, timeoutMs: 20 })
  await assert.rejects(slow.petstore.pets.list().page(), TimeoutError)
})

test('stops at once when the signal is aborted: before, during and between tries', async () => {
  const reason = new Error('enough')
  const controller = new AbortController()
  await using held = await meeting(['hold'])
  const call = held.petstore.pets.create(newPet(), { signal: controller.signal })
  controller.abort(reason)
  await assert.rejects(call, reason)
  await assert.rejects(held.petstore.pets.create(newPet(), { signal: controller.signal }), reason)

  const between = new AbortController()
  const { sleep } = await import('../../client/src/retry.ts')
  await using waiting = await meeting(['cut before'], {
    random: () => 1e6,
    sleep: (milliseconds, signal) => {
      const pause = sleep(milliseconds, signal)
      between.abort(reason)
      return pause
    },
  })
  await assert.rejects(waiting.petstore.pets.create(newPet(), { signal: between.signal }), reason)
  assert.equal(waiting.proxy.seen.length, 1)
  await assert.rejects(sleep(1e9, between.signal), reason)
})

test('takes only the cursor from a link, never its address [D331]', async () => {
  const pet = newPet()
  const direct = new PetStore({ baseUrl: `${service.url}/v1/`, apiKey: service.key })
  for (let i = 0; i < 3; i++) await direct.pets.create(pet)
  await using met = await meeting([])
  // The service names its own address in the link, the client goes on asking the proxy.
  assert.equal((await Array.fromAsync(met.petstore.pets.list({ categoryId: pet.categoryId, limit: 1 }))).length, 3)
  assert.equal(met.proxy.seen.length, 3)
})
