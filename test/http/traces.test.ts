/** Traces, as a collector gets them from the running service. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { attributesOf, Collector, kinds, type Span } from '../support/collector.ts'
import { addPet } from '../support/expect.ts'
import { Exposition } from '../support/exposition.ts'
import { eventually } from '../support/load.ts'
import { onOneTarget } from '../support/service.ts'

const now = Date.UTC(2027, 0, 1)
const collector = await Collector.start()
after(() => collector.close())

function newCaller(flags = '01') {
  const [traceId, parentId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { traceId, parentId, headers: { traceparent: `00-${traceId}-${parentId}-${flags}` } }
}

const isWithin = (inner: Span, outer: Span) =>
  inner.startTimeUnixNano >= outer.startTimeUnixNano && inner.endTimeUnixNano <= outer.endTimeUnixNano

onOneTarget(
  'traces',
  (service) => {
    let system: string
    let id: number
    before(async () => {
      const { text } = await service().call('GET', '//metrics', {
        key: await service().makeKey({ scopes: ['metrics:read'] }),
      })
      system = new Exposition(text).families.has('petstore_sqlite_file_bytes') ? 'sqlite' : 'postgresql'
      assert.match(text, /^petstore_spans_dropped_total 0$/m)
      // A clock that stands still: no key is looked up again, or its use noted, in the meantime.
      await service().setClock(now)
      id = (await addPet(service())).id
    })

    async function traceOf(traceId: string) {
      await service().exportTraces()
      return collector.trace(traceId)
    }

    /** The lines of a request, which may come a moment after its answer. */
    const linesOf = (requestId: string | null) =>
      eventually(
        async () =>
          service()
            .log.split('\n')
            .slice(0, -1)
            .filter((line) => line.includes(`"requestId":"${requestId}"`))
            .map((line) => JSON.parse(line)),
        ({ length }) => length > 0,
      )

    test('have a server span that continues the trace of the caller, after the conventions', async () => {
      const caller = newCaller()
      const before = BigInt(Date.now() - 50) * 1_000_000n
      const answer = await service().call('GET', `/pets/${id}?secret=hidden`, caller)
      const after = BigInt(Date.now() + 50) * 1_000_000n
      const { server } = await traceOf(caller.traceId)
      assert.equal(answer.status, 200)
      assert.deepEqual(
        [server.name, server.kind, server.parentSpanId],
        ['GET /v1/pets/{petId}', kinds.server, caller.parentId],
      )
      assert.deepEqual(attributesOf(server.attributes), {
        'http.request.method': 'GET',
        'url.scheme': 'http',
        'url.path': `/v1/pets/${id}`,
        'http.route': '/v1/pets/{petId}',
        'http.response.status_code': 200,
      })
      assert.equal(server.status, undefined)
      assert.ok(before <= BigInt(server.startTimeUnixNano) && BigInt(server.endTimeUnixNano) <= after)
      assert.deepEqual(
        (await linesOf(answer.headers.get('x-request-id'))).map(({ traceId }) => traceId),
        [caller.traceId],
      )
      assert.ok(!collector.bodies.join().includes('hidden'), 'no query')
    })

    test('have a span for each statement, whose parent is the request', async () => {
      const [reading, writing] = [newCaller(), newCaller()]
      await service().call('GET', `/pets?id=${id}`, reading)
      await service().call('POST', '/pets', { ...writing, body: { name: 'Rex', categoryId: 1 } })
      const read = await traceOf(reading.traceId)
      const written = await traceOf(writing.traceId)
      for (const { server, statements } of [read, written])
        for (const statement of statements) {
          assert.deepEqual([statement.parentSpanId, statement.kind], [server.spanId, kinds.client])
          assert.ok(isWithin(statement, server))
          assert.deepEqual(attributesOf(statement.attributes), {
            'db.system.name': system,
            'db.query.summary': statement.name,
            'db.operation.name': statement.name.split(' ')[0],
          })
        }
      assert.deepEqual(
        read.statements.map(({ name }) => name),
        ['SELECT pets'],
      )
      // On PostgreSQL the statement is the commit, and what makes the id visible comes after it.
      const expected =
        system === 'sqlite' ? ['INSERT pets', 'SELECT pets', 'COMMIT'] : ['INSERT pets', 'SELECT pet_ids']
      assert.deepEqual(
        written.statements.map(({ name }) => name),
        expected,
      )
    })

    test('leave out what the caller does not record; the log line has its trace id all the same', async () => {
      const [unsampled, sampled] = [newCaller('00'), newCaller('03')]
      const answer = await service().call('GET', '/pets', unsampled)
      await service().call('GET', '/pets', sampled)
      await traceOf(sampled.traceId)
      assert.ok(!collector.bodies.join().includes(unsampled.traceId))
      assert.deepEqual(
        (await linesOf(answer.headers.get('x-request-id'))).map(({ traceId }) => traceId),
        [unsampled.traceId],
      )
    })

    for (const [what, headers] of [
      ['without a traceparent', {}],
      ['with an invalid one', { traceparent: `00-${'0'.repeat(32)}-${'1'.repeat(16)}-00` }],
    ] as const)
      test(`begin with a request ${what}, and the log line has the new trace id`, async () => {
        const answer = await service().call('GET', '/no/such/route', { headers })
        const [line] = await linesOf(answer.headers.get('x-request-id'))
        const { server, statements } = await traceOf(line.traceId)
        assert.equal(server.parentSpanId, undefined)
        assert.equal(server.name, 'GET')
        assert.deepEqual(attributesOf(server.attributes), {
          'http.request.method': 'GET',
          'url.scheme': 'http',
          'url.path': '/v1/no/such/route',
          'http.response.status_code': 404,
        })
        assert.deepEqual(statements, [])
      })

    test('of requests that share a commit have it once: under the first, with links to the others', async () => {
      const callers = Array.from({ length: 24 }, () => newCaller())
      const body = { name: 'Rex', categoryId: 1 }
      await Promise.all(callers.map((caller) => service().call('POST', '/pets', { ...caller, body })))
      const traces = await Promise.all(callers.map(({ traceId }) => traceOf(traceId)))
      const shared = traces.flatMap(({ statements }) =>
        statements.filter(({ name }) => name === (system === 'sqlite' ? 'COMMIT' : 'INSERT pets')),
      )
      const served = shared.flatMap(({ traceId, parentSpanId, links = [] }) => [
        `${traceId} ${parentSpanId}`,
        ...links.map((link) => `${link.traceId} ${link.spanId}`),
      ])
      assert.deepEqual(served.sort(), traces.map(({ server }) => `${server.traceId} ${server.spanId}`).sort())
      assert.ok(shared.length < callers.length, 'some share')
      if (system === 'sqlite')
        for (const { statements } of traces) assert.equal(statements[0]?.name, 'INSERT pets', 'each has its own insert')
      for (const { attributes, links = [] } of shared)
        assert.equal(
          attributesOf(attributes)['db.operation.batch.size'],
          links.length > 0 ? links.length + 1 : undefined,
        )
    })

    test('of requests that share a page or a lookup have its statement once as well', async () => {
      const callers = Array.from({ length: 24 }, () => newCaller())
      await Promise.all(callers.map((caller) => service().call('GET', `/pets?id=${id}&limit=7`, caller)))
      const traces = await Promise.all(callers.map(({ traceId }) => traceOf(traceId)))
      const reads = traces.flatMap(({ statements }) => statements)
      const served = reads.flatMap(({ traceId, links = [] }) => [traceId, ...links.map((link) => link.traceId)])
      if (system === 'postgresql') assert.deepEqual(served.sort(), callers.map(({ traceId }) => traceId).sort())
      else assert.ok(reads.length <= 1, 'a page from the cache needs no statement')
    })

    describe('of an order', () => {
      test('name what its statements write', async () => {
        const caller = newCaller()
        const pet = await addPet(service())
        await service().call('POST', '/store/orders', { ...caller, body: { petId: pet.id } })
        const { statements } = await traceOf(caller.traceId)
        const names = statements.map(({ name }) => name)
        const expected =
          system === 'sqlite'
            ? ['UPDATE pets', 'INSERT orders', 'COMMIT']
            : ['UPDATE pets INSERT orders INSERT attempts', 'SELECT order_ids']
        assert.deepEqual(names, expected)
      })
    })
  },
  { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
)
