/** What fails inside: the client learns a code and when to try again, the log the rest. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { type Store, StoreUnavailable } from '../../src/store/store.ts'
import { InProcess, type Reply } from '../support/in-process.ts'
import { logInto } from '../support/log.ts'
import { Folder } from '../support/process.ts'

const [info, warn, error] = [30, 40, 50]
const secret = 'SELECT hash FROM api_keys at /var/lib/petstore'
const pet = { name: 'Rex', categoryId: 1 }

describe('a request that fails', () => {
  let folder: Folder
  let store: Store
  // biome-ignore lint/suspicious/noExplicitAny: the records of the log are of every shape.
  let logged: any[]
  before(() => {
    folder = new Folder()
    store = openSqlite(folder.database)
  })
  after(async () => {
    await store.close()
    folder[Symbol.dispose]()
  })
  beforeEach(() => {
    logged = []
  })

  /** The service on a store whose animals are read and added by `act`. */
  const serviceWhere = (act: () => never | Promise<never>): Promise<InProcess> => {
    const pets = { ...store.pets, page: act, find: act, insert: async () => act() }
    return InProcess.on({ ...store, pets }, logInto(logged))
  }

  /** Asks for what fails, under the request ids `r-0`, `r-1`, …. */
  async function repliesOf(service: InProcess): Promise<Reply[]> {
    const calls = [
      ['GET', '/pets'],
      ['GET', '/pets/1'],
      ['POST', '/pets', pet],
    ] as const
    return Promise.all(
      calls.map(([method, path, body], i) => service.call(method, path, body, { 'x-request-id': `r-${i}` })),
    )
  }

  /** The level and the error of each record that the requests left, apart from the line that every request has. */
  const complaints = () =>
    logged.filter(({ level }) => level !== info).map(({ requestId, level, err }) => [requestId, level, err?.message])

  const fails: Record<string, () => never | Promise<never>> = {
    thrown() {
      throw new Error(secret)
    },
    'a promise rejected': () => Promise.reject(new Error(secret)),
  }
  for (const [how, act] of Object.entries(fails))
    test(`with an unknown error, ${how}, gets 500 without the cause; the log has it once, with the request id [D16]`, async () => {
      for (const reply of await repliesOf(await serviceWhere(act))) {
        assert.equal(reply.status, 500)
        const message = 'The service failed; its log has the cause under the X-Request-Id of this response.'
        assert.deepEqual(reply.json, { code: 'internal_error', message, status: 500 })
        assert.equal(reply.headers.get('cache-control'), 'no-store')
        assert.ok(![...reply.headers].join().includes(secret))
      }
      assert.deepEqual(complaints().sort(), [
        ['r-0', error, secret],
        ['r-1', error, secret],
        ['r-2', error, secret],
      ])
      assert.deepEqual(
        logged.filter(({ level }) => level === info).map(({ status }) => status),
        [500, 500, 500],
      )
    })

  test('for the store gets 503 with Retry-After; the log has it once, as a warning', async () => {
    const service = await serviceWhere(() => Promise.reject(new StoreUnavailable(secret)))
    for (const reply of await repliesOf(service)) {
      assert.equal(reply.status, 503)
      const message = 'The service is temporarily unavailable; try again shortly.'
      assert.deepEqual(reply.json, { code: 'unavailable', message, status: 503 })
      assert.equal(reply.headers.get('retry-after'), '1')
    }
    assert.deepEqual(complaints().sort(), [
      ['r-0', warn, secret],
      ['r-1', warn, secret],
      ['r-2', warn, secret],
    ])
  })

  test('with an error of the closed list is not logged as a failure', async () => {
    const service = await serviceWhere(() => assert.fail('the store was asked'))
    assert.equal((await service.call('GET', '/pets?limit=0')).status, 400)
    assert.equal((await service.call('GET', '/nope')).status, 404)
    assert.deepEqual(complaints(), [])
  })

  test('as its Idempotency-Key is still in use gets 409 with Retry-After; other conflicts are without [D50]', async () => {
    for (const [code, status, retryAfter] of [
      ['idempotency_in_progress', 409, '1'],
      ['idempotency_key_reused', 422, undefined],
    ] as const) {
      const pets = { ...store.pets, insert: async () => code }
      const service = await InProcess.on({ ...store, pets })
      const reply = await service.call('POST', '/pets', pet, { 'idempotency-key': 'k' })
      assert.deepEqual([reply.status, reply.json.code], [status, code])
      assert.equal(reply.headers.get('retry-after'), retryAfter)
    }
  })
})
