/** The metrics in the form that Prometheus reads: what is counted, exactly, and who may read it. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { CallOptions } from '../../harness/call.ts'
import { addPet, addPets, expectError } from '../../harness/expect.ts'
import { Exposition } from '../../harness/exposition.ts'
import { addOrder, end, order } from '../../harness/orders.ts'
import { onBothDatabases, onOneTarget, type TestService } from '../../harness/service.ts'
import { errors } from '../../src/errors.ts'
import { limits } from '../../src/limits.ts'
import { type Metric, metrics } from '../../src/observe/metrics.ts'

const declared: Readonly<Record<string, Metric>> = metrics
const requests = 'petstore_requests_total'
const duration = 'http_server_request_duration_seconds'
const now = Date.UTC(2027, 0, 1)
const rex = { name: 'Rex', categoryId: 1 }
const ofRoute = (method: string, route: string, status?: number) => ({
  http_request_method: method,
  http_route: route,
  ...(status !== undefined && { http_response_status_code: String(status) }),
})

/** Reads the metrics of a service with a key that may read them. */
function watch(service: () => TestService) {
  let key: string
  before(async () => {
    // The clock stands still, so that no use of a key is recorded meanwhile, which would be a commit.
    await service().setClock(now)
    key = await service().makeKey({ scopes: ['metrics:read'] })
    await scrape()
    await service().call('GET', '/pets')
    await service().call('GET', '/pets/1')
  })

  async function scrape(): Promise<Exposition> {
    const answer = await service().call('GET', '//metrics', { key })
    assert.deepEqual(
      [answer.status, ...['content-type', 'cache-control', 'etag'].map((name) => answer.headers.get(name))],
      [200, 'text/plain; version=0.0.4; charset=utf-8', 'no-store', null],
    )
    return new Exposition(answer.text)
  }

  /** Returns how much each value changes while `work` runs. */
  async function movedBy(work: () => Promise<unknown>) {
    const earlier = await scrape()
    await work()
    const later = await scrape()
    return (name: string, labels: Record<string, string> = {}) =>
      later.value(name, labels) - earlier.value(name, labels)
  }
  return { scrape, movedBy, key: () => key }
}

onBothDatabases('metrics of the store', (service) => {
  const { scrape, movedBy } = watch(service)

  test('/metrics contains exactly the declared metrics of its database, each as it is declared [decision 26]', async () => {
    const { families } = await scrape()
    const database = service().databaseUrl.startsWith('sqlite') ? 'SQLite' : 'PostgreSQL'
    const expected = Object.entries(declared).filter(([, metric]) => (metric.database ?? database) === database)
    const absent = new Set([
      // This metric belongs to the log of the program, which the service in this test does not have.
      'petstore_log_lines_dropped_total',
      ...(process.platform === 'linux' ? [] : ['process_open_fds', 'process_max_fds']),
    ])
    assert.deepEqual(
      [...families.keys()],
      expected.map(([name]) => name).filter((name) => !absent.has(name)),
    )
    for (const [name, { type, help, series }] of families) {
      const metric = declared[name] as Metric
      assert.deepEqual([type, help], [metric.type, `${metric.help}.`])
      for (const { labels } of series) {
        const { le, ...own } = labels
        assert.deepEqual(Object.keys(own), metric.labels, name)
      }
    }
  })

  test('Concurrent requests that move the same order are counted once [decision 12]', async () => {
    const moved = await movedBy(async () => {
      const orders = []
      for (const petId of await addPets(service(), 8)) orders.push(await addOrder(service(), petId))
      // The clock stands still, so that the time of a change does not show who made it.
      await service().setClock(now)
      for (const verb of ['complete', 'return'] as const)
        await Promise.all(orders.flatMap(({ id }) => Array.from({ length: 8 }, () => end(service(), id, verb))))
    })
    for (const status of ['completed', 'returned']) assert.equal(moved('petstore_orders_total', { status }), 8, status)
  })

  test('The metrics count commits, their writes and their time, and writes that arrive together are one commit', async () => {
    const alone = await movedBy(async () => {
      const { id } = await addPet(service())
      await service().call('PATCH', `/pets/${id}`, { body: { name: 'Max' } })
      await order(service(), id)
    })
    const together = await movedBy(() => Promise.all(Array.from({ length: 50 }, () => addPet(service()))))
    const [commits, writes] = ['petstore_commit_duration_seconds', 'petstore_commit_writes']
    assert.deepEqual([alone(`${commits}_count`), alone(`${writes}_count`), alone(`${writes}_sum`)], [3, 3, 3])
    assert.ok(alone(`${commits}_sum`) > 0)
    assert.equal((await scrape()).value('petstore_writes_waiting'), 0)
    assert.equal(together(`${writes}_sum`), 50)
    assert.equal(together(`${writes}_count`), together(`${commits}_count`))
    assert.ok(together(`${writes}_count`) < 50)
  })

  test('The metrics of each database include its own: cache and files, or statements and connections', async () => {
    const page = `/pets?limit=7&categoryId=${now}`
    await addPet(service())
    const moved = await movedBy(async () => {
      for (let i = 0; i < 3; i++) await service().call('GET', page)
    })
    const later = await scrape()
    const cache = 'petstore_page_cache_requests_total'
    assert.equal(moved(cache, { result: 'miss' }) + moved(cache, { result: 'hit' }), 3)
    if (later.families.has('petstore_sqlite_file_bytes')) {
      assert.equal(moved(cache, { result: 'miss' }), 1)
      assert.ok(moved('petstore_page_cache_bytes') > 0)
      for (const file of ['database', 'log']) assert.ok(later.value('petstore_sqlite_file_bytes', { file }) >= 4096)
      return
    }
    // There may be more statements, and connections in use, because earlier writes are counted meanwhile.
    assert.ok(moved('db_client_operation_duration_seconds_count') >= 3)
    assert.equal(later.value('db_client_connection_max'), 10)
    const inState = (state: string) => later.value('db_client_connection_count', { db_client_connection_state: state })
    const open = inState('idle') + inState('used')
    assert.ok(open >= 1 && open <= 10, `${open} connections`)
    assert.equal(later.value('db_client_connection_count'), open)
    for (const name of ['collisions', 'connections_lost', 'failovers'])
      assert.equal(later.value(`petstore_postgres_${name}_total`), 0)
  })
})

onOneTarget('metrics', (service) => {
  const { scrape, movedBy, key } = watch(service)

  test('/metrics needs a key with the scope metrics:read [decision 3]', async () => {
    const ask = (method: string, options?: CallOptions) => service().call(method, '//metrics', options)
    for (const method of ['GET', 'POST']) expectError(await ask(method, { key: null }), 401, 'missing_api_key')
    const refused = await ask('GET')
    expectError(refused, 403, 'insufficient_scope')
    assert.match(refused.headers.get('www-authenticate') ?? '', /scope="metrics:read"/)
    const posted = await ask('POST')
    expectError(posted, 405, 'method_not_allowed')
    assert.equal(posted.headers.get('allow'), 'GET, HEAD, OPTIONS')
    assert.equal((await ask('OPTIONS', { key: null })).status, 204)
  })

  test('Requests are counted by method, route and status, with their bytes, and deprecated operations also by key [decision 9]', async () => {
    const { id } = await addPet(service())
    const body = JSON.stringify({ name: 'Größe', categoryId: 1 })
    const other = await service().makeKey({ scopes: ['orders:read'] })
    const pet = '/v1/pets/{petId}'
    const asked: [method: string, path: string, route: string, status: number, count: number, options?: CallOptions][] =
      [
        ['GET', `/pets/${id}`, pet, 200, 3],
        ['HEAD', `/pets/${id}`, pet, 200, 1],
        ['GET', '/pets/0', pet, 404, 1],
        ['GET', '/pets/1', pet, 403, 1, { key: other }],
        ['PUT', `/pets/${id}`, pet, 405, 1],
        ['GET', '/pets?limit=1', '/v1/pets', 200, 1],
        ['OPTIONS', '/pets', '/v1/pets', 204, 1, { key: null }],
        ['GET', '/nope/1', '(none)', 404, 1],
        ['GET', '//livez', '/livez', 200, 1, { key: null }],
        ['POST', '/pets', '/v1/pets', 201, 1, { body }],
      ]
    /** The number of bytes of the last answer, that of the POST. */
    let sent = 0
    const moved = await movedBy(async () => {
      for (const [method, path, , , count, options] of asked)
        for (let i = 0; i < count; i++) sent = Buffer.byteLength((await service().call(method, path, options)).text)
    })
    // The last request is the first of the two scrapes.
    for (const [method, , route, status, count] of [...asked, ['GET', '', '/metrics', 200, 1] as const])
      assert.equal(moved(requests, ofRoute(method, route, status)), count, `${method} ${route} ${status}`)
    assert.equal(moved(requests), 13, 'and no other')
    assert.equal(moved(`${duration}_count`, ofRoute('POST', '/v1/pets')), 1)
    assert.ok(moved(`${duration}_sum`) > 0)
    assert.equal(moved('http_server_request_body_size_bytes_sum'), Buffer.byteLength(body))
    assert.equal(moved('http_server_request_body_size_bytes_count'), 13)
    assert.ok(moved('http_server_response_body_size_bytes_sum') > sent)
    const later = await scrape()
    assert.equal(later.value('http_server_active_requests'), 1, 'only the one that asks')
    const deprecated = 'petstore_deprecated_requests_total'
    const ids = later.families.get(deprecated)?.series.map(({ labels }) => labels.key_id ?? '') ?? []
    for (const each of ids) assert.match(each, /^\d+$/)
    assert.deepEqual(
      ids.map((key_id) => moved(deprecated, { operation: 'getPet', key_id })),
      [5, 1],
    )
  })

  test('The duration of an operation is measured even if it always fails, and only requests to operations are measured', async () => {
    const failing = ofRoute('POST', '/v1/store/orders/{orderId}/return')
    const refused = ofRoute('GET', '/v1/store/sales')
    const moved = await movedBy(async () => {
      expectError(await service().call('POST', '/store/orders/999/return'), 404, 'order_not_found')
      expectError(await service().call('GET', '/store/sales', { key: null }), 401, 'missing_api_key')
      expectError(await service().call('DELETE', '/store/sales'), 405, 'method_not_allowed')
    })
    assert.equal(moved(`${duration}_count`, failing), 1)
    assert.equal(moved(`${duration}_count`, refused), 1)
    assert.equal(moved(`${duration}_count`), 2)
  })

  test('Failures are counted by their error code, and every code has a counter that begins at 0', async () => {
    const moved = await movedBy(async () => {
      await service().call('GET', '/pets', { key: null })
      for (let i = 0; i < 2; i++) await service().call('GET', '/pets', { key: 'nope' })
      await service().call('GET', '/pets', { key: key() })
      await service().call('POST', '/pets', { body: '{' })
    })
    const total = 'petstore_errors_total'
    const expected = { missing_api_key: 1, invalid_api_key: 2, insufficient_scope: 1, malformed_json: 1 }
    for (const [code, count] of Object.entries(expected)) assert.equal(moved(total, { code }), count, code)
    assert.equal(moved(total), 5)
    const codes = (await scrape()).families.get(total)?.series.map(({ labels }) => labels.code)
    assert.deepEqual(codes, Object.keys(errors))
  })

  test('Animals, orders and Idempotency-Keys are counted once, however often a request is repeated', async () => {
    const under = (idempotencyKey: string) => ({ headers: { 'Idempotency-Key': idempotencyKey } })
    const add = (body: unknown, idempotencyKey: string) =>
      service().call('POST', '/pets', { body, ...under(idempotencyKey) })
    const moved = await movedBy(async () => {
      const pets = await addPets(service(), 3)
      for (let i = 0; i < 3; i++) await add(rex, 'counted')
      await add({ ...rex, name: 'Max' }, 'counted')
      await add({ name: '' }, 'not recorded')
      for (let i = 0; i < 2; i++) await order(service(), pets[0], under('sold'))
      expectError(await order(service(), pets[0]), 409, 'pet_not_available')
      const [first, second] = [await addOrder(service(), pets[1]), await addOrder(service(), pets[2])]
      for (let later = 1; later <= 3; later++) {
        await service().setClock(now + later)
        await end(service(), first.id, 'complete')
        await end(service(), second.id, 'cancel')
      }
      expectError(await end(service(), first.id, 'cancel'), 409, 'order_state_conflict')
      for (let i = 0; i < 2; i++) await end(service(), first.id, 'return')
    })
    for (const [outcome, count] of Object.entries({ recorded: 2, replayed: 3, refused: 1 }))
      assert.equal(moved('petstore_idempotent_requests_total', { outcome }), count, outcome)
    assert.equal(moved('petstore_pets_added_total'), 4)
    for (const [status, count] of Object.entries({ placed: 3, completed: 1, cancelled: 1, returned: 1 }))
      assert.equal(moved('petstore_orders_total', { status }), count, status)
  })

  test('No label of a metric contains text from a client [decision 26]', async () => {
    const marks = 'Zz9'
    const sent: [string, string, CallOptions?][] = [
      ['GET', `/pets/${marks}`],
      ['GET', `/${marks}`],
      ['GET', `//${marks}/x?${marks}=${marks}`],
      ['GET', '/pets', { key: marks }],
      ['GET', '/pets', { headers: { 'X-Request-Id': marks, 'User-Agent': marks, 'X-Forwarded-For': marks } }],
      ['POST', '/pets', { body: { [marks]: marks }, headers: { 'Idempotency-Key': marks } }],
      ['PROPFIND', '/pets'],
      ['LINK', `/${marks}`],
    ]
    const moved = await movedBy(() => Promise.all(sent.map((request) => service().call(...request))))
    assert.equal(moved(requests, { http_request_method: '_OTHER' }), 2)
    const { text } = await service().call('GET', '//metrics', { key: key() })
    for (const mark of [marks, 'PROPFIND', 'LINK', service().key, key()]) assert.ok(!text.includes(mark), mark)
  })

  test('The metrics contain the version of the process and of Node, memory, CPU time and open files', async () => {
    const exposed = await scrape()
    const { labels, value } = exposed.families.get('petstore_build_info')?.series[0] ?? {}
    assert.match(`${labels?.version} ${labels?.node_version} ${value}`, /^\d+\.\d+\.\d+ \d+\.\d+\.\d+ 1$/)
    assert.ok(exposed.value('process_resident_memory_bytes') > 10 * 1024 * 1024)
    assert.ok(exposed.value('process_cpu_seconds_total') > 0)
    const age = Date.now() / 1000 - exposed.value('process_start_time_seconds')
    assert.ok(age > 0 && age < 3600, `started ${age} s ago`)
    if (process.platform === 'linux') assert.ok(exposed.value('process_open_fds') < exposed.value('process_max_fds'))
  })
})

onOneTarget('metrics, while an address guesses keys,', (service) => {
  const { movedBy } = watch(service)

  test('429 for an invalid key is counted separately from 429 for a key beyond its rate', async () => {
    await service().setTicks(1_000_000_000)
    const { requests } = limits.failedAuthentications
    const moved = await movedBy(async () => {
      for (let i = 0; i < requests + 3; i++) await service().call('GET', '/pets', { key: 'pst_guessed' })
    })
    assert.equal(moved('petstore_errors_total', { code: 'invalid_api_key' }), requests)
    assert.equal(moved('petstore_errors_total', { code: 'rate_limited' }), 3)
    assert.equal(moved('petstore_invalid_keys_limited_total'), 3)
  })
})
