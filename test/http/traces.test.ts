/** Traces, as a collector gets them from the running service. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { attributesOf, Collector, kinds } from '../support/collector.ts'
import { addPet } from '../support/expect.ts'
import { eventually } from '../support/load.ts'
import { onOneTarget } from '../support/service.ts'

const now = Date.UTC(2027, 0, 1)
const collector = await Collector.start()
after(() => collector.close())

function newCaller(flags = '01') {
  const [traceId, parentId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { traceId, parentId, headers: { traceparent: `00-${traceId}-${parentId}-${flags}` } }
}

onOneTarget(
  'traces',
  (service) => {
    let id: number
    before(async () => {
      const { text } = await service().call('GET', '//metrics', {
        key: await service().makeKey({ scopes: ['metrics:read'] }),
      })
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

    test('have a server span that continues the trace of the caller, after the conventions [D269 D273]', async () => {
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

    test('leave out what the caller does not record; the log line has its trace id all the same [D272]', async () => {
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
        const { server } = await traceOf(line.traceId)
        assert.equal(server.parentSpanId, undefined)
        assert.equal(server.name, 'GET')
        assert.deepEqual(attributesOf(server.attributes), {
          'http.request.method': 'GET',
          'url.scheme': 'http',
          'url.path': '/v1/no/such/route',
          'http.response.status_code': 404,
        })
      })
  },
  { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
)
