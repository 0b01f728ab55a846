/** Metrics, as Prometheus reads them: what is counted, exactly, and who may read it. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { errors } from '../../src/errors.ts'
import { limits } from '../../src/limits.ts'
import { type Metric, metrics } from '../../src/observe/metrics.ts'
import type { CallOptions } from '../support/call.ts'
import { addPet, addPets, expectError } from '../support/expect.ts'
import { Exposition } from '../support/exposition.ts'
import { addOrder, end, order } from '../support/orders.ts'
import { onOneTarget } from '../support/service.ts'

const declared: Readonly<Record<string, Metric>> = metrics
const duration = 'http_server_request_duration_seconds'
const now = Date.UTC(2027, 0, 1)

onOneTarget('metrics', (service) => {
  let key: string
  before(async () => {
    // A clock that stands still: no use of a key is noted in the meantime, which would be a commit.
    await service().setClock(now)
    key = await service().makeKey({ scopes: ['metrics:read'] })
    await scrape()
    await service().call('GET', '/pets')
    await service().call('GET', '/pets/1')
  })

  async function scrape(): Promise<Exposition> {
    const answer = await service().call('GET', '//metrics', { key })
    assert.equal(answer.status, 200, answer.text)
    return new Exposition(answer.text)
  }

  /** How much each value moves while `work` is done. */
  async function movedBy(work: () => Promise<unknown>) {
    const earlier = await scrape()
    await work()
    const later = await scrape()
    return (name: string, labels: Record<string, string> = {}) =>
      later.value(name, labels) - earlier.value(name, labels)
  }

  const ofRoute = (method: string, route: string, status?: number) => ({
    http_request_method: method,
    http_route: route,
    ...(status !== undefined && { http_response_status_code: String(status) }),
  })

  describe('the endpoint', () => {
    test('needs a key with the scope metrics:read [D3]', async () => {
      expectError(await service().call('GET', '//metrics', { key: null }), 401, 'missing_api_key')
      expectError(await service().call('GET', '//metrics', { key: `${key}x` }), 401, 'invalid_api_key')
      const refused = await service().call('GET', '//metrics')
      expectError(refused, 403, 'insufficient_scope')
      assert.match(refused.headers.get('www-authenticate') ?? '', /error="insufficient_scope", scope="metrics:read"/)
    })

    test('answers 401 before 405, 405 before 403, and OPTIONS without a key [D3]', async () => {
      expectError(await service().call('POST', '//metrics', { key: null }), 401, 'missing_api_key')
      const refused = await service().call('POST', '//metrics')
      expectError(refused, 405, 'method_not_allowed')
      assert.equal(refused.headers.get('allow'), 'GET, HEAD, OPTIONS')
      assert.equal((await service().call('OPTIONS', '//metrics', { key: null })).status, 204)
    })

    test('is rate-limited like any other operation, and each refusal is counted', async () => {
      const limited = await service().makeKey({ scopes: ['metrics:read'], rate: { requests: 1, seconds: 3600 } })
      const moved = await movedBy(async () => {
        assert.equal((await service().call('GET', '//metrics', { key: limited })).status, 200)
        expectError(await service().call('GET', '//metrics', { key: limited }), 429, 'rate_limited')
        expectError(await service().call('POST', '//metrics', { key: limited }), 429, 'rate_limited')
      })
      assert.equal(moved('petstore_errors_total', { code: 'rate_limited' }), 2)
      assert.equal(moved('petstore_invalid_keys_limited_total'), 0)
    })

    test('has the type of the text format, and may not be cached; HEAD has the same headers and no body', async () => {
      const get = await service().call('GET', '//metrics', { key })
      const head = await service().call('HEAD', '//metrics', { key })
      for (const { status, headers } of [get, head]) {
        assert.equal(status, 200)
        assert.equal(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
        assert.equal(headers.get('cache-control'), 'no-store')
        assert.equal(headers.get('etag'), null)
      }
      assert.equal(head.text, '')
      assert.ok(Number(head.headers.get('content-length')) > 1000)
    })

    test('has every declared metric of its database and no other, each as it is declared [D265]', async () => {
      const { families } = await scrape()
      const database = families.has('petstore_sqlite_file_bytes') ? 'SQLite' : 'PostgreSQL'
      const expected = Object.entries(declared).filter(([, metric]) => (metric.database ?? database) === database)
      const absent = new Set([
        // Of the program's own log, which the service in this test does not have.
        'petstore_log_lines_dropped_total',
        // Traces are off.
        'petstore_spans_dropped_total',
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
  })

  describe('requests', () => {
    test('are counted by method, declared route and status', async () => {
      const { id } = await addPet(service())
      const moved = await movedBy(async () => {
        for (let i = 0; i < 3; i++) await service().call('GET', `/pets/${id}`)
        await service().call('HEAD', `/pets/${id}`)
        await service().call('GET', '/pets/0')
        await service().call('GET', '/pets?limit=1')
        await service().call('GET', '/nope/1')
        await service().call('GET', '//nope')
        await service().call('PUT', `/pets/${id}`)
        await service().call('GET', '//livez', { key: null })
        await service().call('OPTIONS', '/pets', { key: null })
      })
      const pet = '/v1/pets/{petId}'
      for (const [method, route, status, count] of [
        ['GET', pet, 200, 3],
        ['HEAD', pet, 200, 1],
        ['GET', pet, 404, 1],
        ['PUT', pet, 405, 1],
        ['GET', '/v1/pets', 200, 1],
        ['GET', '(none)', 404, 2],
        ['GET', '/livez', 200, 1],
        ['OPTIONS', '/v1/pets', 204, 1],
        // The first of the two scrapes.
        ['GET', '/metrics', 200, 1],
      ] as const)
        assert.equal(moved(`${duration}_count`, ofRoute(method, route, status)), count, `${method} ${route} ${status}`)
      assert.equal(moved(`${duration}_count`), 12, 'and no other')
      assert.ok(moved(`${duration}_sum`) > 0)
    })

    test('in progress are counted while they are: between two requests, only the one that asks', async () => {
      assert.equal((await scrape()).value('http_server_active_requests'), 1)
    })

    test('are counted with the bytes of both bodies, and none where none is sent', async () => {
      const body = JSON.stringify({ name: 'Größe', categoryId: 1 })
      let sent = 0
      const moved = await movedBy(async () => {
        sent += Buffer.byteLength((await service().call('POST', '/pets', { body })).text)
        await service().call('HEAD', '/pets?limit=1')
        const { headers } = await service().call('GET', '/pets?limit=1')
        const tag = headers.get('etag') as string
        await service().call('GET', '//livez', { headers: { 'If-None-Match': tag } })
      })
      const post = ofRoute('POST', '/v1/pets')
      assert.equal(moved('http_server_request_body_size_bytes_sum', post), Buffer.byteLength(body))
      assert.equal(moved('http_server_request_body_size_bytes_count', post), 1)
      assert.equal(moved('http_server_response_body_size_bytes_sum', post), sent)
      assert.equal(moved('http_server_response_body_size_bytes_sum', ofRoute('HEAD', '/v1/pets')), 0)
      assert.equal(moved('http_server_response_body_size_bytes_count', ofRoute('HEAD', '/v1/pets')), 1)
    })

    test('that fail are counted by their code, from the closed list and each from 0 on', async () => {
      const moved = await movedBy(async () => {
        await service().call('GET', '/pets', { key: null })
        await service().call('GET', '/pets', { key: 'nope' })
        await service().call('GET', '/pets', { key: 'nope' })
        await service().call('GET', '/pets', { key })
        await service().call('POST', '/pets', { body: '{' })
      })
      const total = 'petstore_errors_total'
      assert.equal(moved(total, { code: 'missing_api_key' }), 1)
      assert.equal(moved(total, { code: 'invalid_api_key' }), 2)
      assert.equal(moved(total, { code: 'insufficient_scope' }), 1)
      assert.equal(moved(total, { code: 'malformed_json' }), 1)
      assert.equal(moved(total), 5)
      const codes = (await scrape()).families.get(total)?.series.map(({ labels }) => labels.code)
      assert.deepEqual(codes, Object.keys(errors))
    })

    test('with an Idempotency-Key are counted as recorded, replayed or refused', async () => {
      const send = (idempotencyKey: string, body: unknown) =>
        service().call('POST', '/pets', { body, headers: { 'Idempotency-Key': idempotencyKey } })
      const moved = await movedBy(async () => {
        await send('counted', { name: 'Rex', categoryId: 1 })
        await send('counted', { name: 'Rex', categoryId: 1 })
        await send('counted', { name: 'Rex', categoryId: 1 })
        await send('counted', { name: 'Max', categoryId: 1 })
        await send('not recorded', { name: '' })
        await addPet(service())
      })
      const total = 'petstore_idempotent_requests_total'
      assert.equal(moved(total, { outcome: 'recorded' }), 1)
      assert.equal(moved(total, { outcome: 'replayed' }), 2)
      assert.equal(moved(total, { outcome: 'refused' }), 1)
    })

    test('that sell are counted as animals and orders: each once, however often it is repeated', async () => {
      const again = { headers: { 'Idempotency-Key': 'sold' } }
      const moved = await movedBy(async () => {
        const pets = await addPets(service(), 3)
        for (let i = 0; i < 2; i++)
          await service().call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 }, ...again })
        for (let i = 0; i < 2; i++) await order(service(), pets[0], again)
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
      assert.equal(moved('petstore_pets_added_total'), 4)
      assert.equal(moved('petstore_orders_total', { status: 'placed' }), 3)
      assert.equal(moved('petstore_orders_total', { status: 'completed' }), 1)
      assert.equal(moved('petstore_orders_total', { status: 'cancelled' }), 1)
      assert.equal(moved('petstore_orders_total', { status: 'returned' }), 1)
    })

    test('that move the same order at the same time are counted as one [D83]', async () => {
      const moved = await movedBy(async () => {
        const orders = []
        for (const petId of await addPets(service(), 20)) orders.push(await addOrder(service(), petId))
        // A clock that stands still: the time of a change does not tell who has made it.
        await service().setClock(now)
        for (const verb of ['complete', 'return'] as const)
          await Promise.all(orders.flatMap(({ id }) => Array.from({ length: 8 }, () => end(service(), id, verb))))
      })
      assert.equal(moved('petstore_orders_total', { status: 'completed' }), 20)
      assert.equal(moved('petstore_orders_total', { status: 'returned' }), 20)
    })

    test('of deprecated operations are counted by operation and key, with one that is refused, too', async () => {
      const other = await service().makeKey({ scopes: ['orders:read'] })
      const moved = await movedBy(async () => {
        await service().call('GET', '/pets/1')
        await service().call('GET', '/pets/0')
        await service().call('GET', '/pets/1', { key: other })
        await service().call('GET', '/pets')
      })
      const total = 'petstore_deprecated_requests_total'
      assert.equal(moved(total, { operation: 'getPet' }), 3)
      const { families } = await scrape()
      const ids = families.get(total)?.series.map(({ labels }) => labels.key_id) ?? []
      assert.equal(new Set(ids).size, 2)
      for (const id of ids) assert.match(id ?? '', /^\d+$/)
      assert.equal(moved(total, { key_id: ids[0] as string }), 2)
    })

    test('leave no text of a client in any label [D266]', async () => {
      const marks = 'Zz9'
      const requests: [string, string, CallOptions?][] = [
        ['GET', `/pets/${marks}`],
        ['GET', `/${marks}`],
        ['GET', `//${marks}/x?${marks}=${marks}`],
        ['GET', '/pets', { key: marks }],
        ['GET', '/pets', { headers: { 'X-Request-Id': marks, 'User-Agent': marks, 'X-Forwarded-For': marks } }],
        ['POST', '/pets', { body: { [marks]: marks }, headers: { 'Idempotency-Key': marks } }],
        ['PROPFIND', '/pets'],
        ['LINK', `/${marks}`],
      ]
      const moved = await movedBy(() => Promise.all(requests.map((request) => service().call(...request))))
      assert.equal(moved(`${duration}_count`, { http_request_method: '_OTHER' }), 2)
      const { text } = await service().call('GET', '//metrics', { key })
      for (const mark of [marks, 'PROPFIND', 'LINK', service().key, key]) assert.ok(!text.includes(mark), mark)
    })
  })

  describe('the store', () => {
    test('counts commits, the writes in them and the time they take', async () => {
      const moved = await movedBy(async () => {
        const { id } = await addPet(service())
        await service().call('PATCH', `/pets/${id}`, { body: { name: 'Max' } })
        await service().call('POST', '/store/orders', { body: { petId: id } })
      })
      assert.equal(moved('petstore_commit_duration_seconds_count'), 3)
      assert.ok(moved('petstore_commit_duration_seconds_sum') > 0)
      assert.equal(moved('petstore_commit_writes_count'), 3)
      assert.equal(moved('petstore_commit_writes_sum'), 3)
      assert.equal((await scrape()).value('petstore_writes_waiting'), 0)
    })

    test('counts writes that came together as one commit with several', async () => {
      const moved = await movedBy(() => Promise.all(Array.from({ length: 50 }, () => addPet(service()))))
      assert.equal(moved('petstore_commit_writes_sum'), 50)
      assert.equal(moved('petstore_commit_writes_count'), moved('petstore_commit_duration_seconds_count'))
      assert.ok(moved('petstore_commit_writes_count') < 50)
    })

    test('counts what only its database has: the cache and the files, or statements and connections', async () => {
      const page = `/pets?limit=7&categoryId=${now}`
      await addPet(service())
      const moved = await movedBy(async () => {
        for (let i = 0; i < 3; i++) await service().call('GET', page)
      })
      const later = await scrape()
      if (later.families.has('petstore_sqlite_file_bytes')) {
        const cache = 'petstore_page_cache_requests_total'
        assert.deepEqual([moved(cache, { result: 'miss' }), moved(cache, { result: 'hit' })], [1, 2])
        assert.ok(moved('petstore_page_cache_bytes') > 0)
        for (const file of ['database', 'log']) assert.ok(later.value('petstore_sqlite_file_bytes', { file }) >= 4096)
        return
      }
      // Or more, and connections in use: what was added before is counted meanwhile.
      assert.ok(moved('db_client_operation_duration_seconds_count') >= 3)
      assert.equal(later.value('db_client_connection_max'), 10)
      const inState = (state: string) => later.value('db_client_connections', { db_client_connection_state: state })
      const open = inState('idle') + inState('used')
      assert.ok(open >= 1 && open <= 10, `${open} connections`)
      assert.equal(later.value('db_client_connections'), open)
      for (const name of ['collisions', 'connections_lost', 'failovers'])
        assert.equal(later.value(`petstore_postgres_${name}_total`), 0)
    })
  })

  test('the process is known by its version, runtime, memory, CPU time and files', async () => {
    const { families } = await scrape()
    const value = (name: string) => families.get(name)?.series[0]?.value ?? 0
    const { labels } = families.get('petstore_build_info')?.series[0] ?? {}
    assert.match(`${labels?.version} ${labels?.runtime}`, /^\d+\.\d+\.\d+ (?:node|bun)$/)
    assert.equal(value('petstore_build_info'), 1)
    assert.ok(value('process_resident_memory_bytes') > 10 * 1024 * 1024)
    assert.ok(value('process_cpu_seconds_total') > 0)
    const age = Date.now() / 1000 - value('process_start_time_seconds')
    assert.ok(age > 0 && age < 3600, `started ${age} s ago`)
    assert.ok(value('nodejs_eventloop_delay_max_seconds') >= value('nodejs_eventloop_delay_p50_seconds'))
    assert.ok(value('nodejs_eventloop_delay_p50_seconds') >= 0)
    if (process.platform === 'linux') assert.ok(value('process_open_fds') < value('process_max_fds'))
  })

  // The last: the address stays at its limit.
  test('invalid keys that get 429 are counted apart from keys beyond their rate', async () => {
    await service().setTicks(1_000_000_000)
    const { requests } = limits.failedAuthentications
    const moved = await movedBy(async () => {
      for (let i = 0; i < requests + 3; i++) await service().call('GET', '/pets', { key: 'pst_guessed' })
    })
    await service().setTicks(null)
    assert.equal(moved('petstore_errors_total', { code: 'invalid_api_key' }), requests)
    assert.equal(moved('petstore_errors_total', { code: 'rate_limited' }), 3)
    assert.equal(moved('petstore_invalid_keys_limited_total'), 3)
  })
})
