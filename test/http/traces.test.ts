/** Traces: `traceparent` as the W3C recommendation defines it, and spans as a collector gets them from the running service. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { readTraceparent } from '../../src/http/input.ts'
import { attributesOf, Collector } from '../support/collector.ts'
import { addPet } from '../support/expect.ts'
import { onOneTarget } from '../support/service.ts'

const numRuns = 2000
const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
const id = (length: number) => hex(length).filter((text) => /[^0]/.test(text))
const parts = fc.tuple(id(32), id(16), hex(2))
const textOf = ([traceId, parentId, flags]: readonly string[], version = '00') =>
  `${version}-${traceId}-${parentId}-${flags}`

describe('traceparent', () => {
  test('is read as it was written, of a later version up to its flags, whatever follows after a hyphen [D203]', () => {
    const later = hex(2).filter((version) => version !== '00' && version !== 'ff')
    const rests = fc.constantFrom('', '-', '-what-ever, comes')
    fc.assert(
      fc.property(parts, later, rests, (all, version, rest) => {
        const [traceId, parentId, flags] = all
        for (const text of [textOf(all), textOf(all, version) + rest])
          assert.deepEqual(readTraceparent(text), { traceId, parentId, flags })
      }),
      { numRuns },
    )
  })

  test('is invalid after a change of one character to no lower-case hexadecimal digit, shorter, or longer in version 00', () => {
    fc.assert(
      fc.property(parts, fc.nat(54), fc.constantFrom(...'gGA F_-\t,é'), (all, at, other) => {
        const valid = textOf(all)
        fc.pre(valid[at] !== other)
        const wrong = ['-', '-00', '0', ' ', `, ${valid}`, '\n'].map((more) => valid + more)
        for (const text of [valid.slice(0, at) + other + valid.slice(at + 1), valid.slice(0, at), ...wrong])
          assert.equal(readTraceparent(text), undefined, JSON.stringify(text))
      }),
      { numRuns },
    )
    const ids = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7', '01'] as const
    for (const text of [
      textOf(ids, 'ff'),
      textOf(['0'.repeat(32), ids[1], '01']),
      textOf([ids[0], '0'.repeat(16), '01']),
      `${textOf(ids, 'cc')}.what`,
      `${textOf(ids, 'cc')}, ${textOf(ids, 'cc')}`,
      '',
    ])
      assert.equal(readTraceparent(text), undefined, text)
  })
})

const collector = await Collector.start()
after(() => collector.close())

function newCaller(flags = '01') {
  const [traceId, parentId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { traceId, parentId, headers: { traceparent: textOf([traceId, parentId, flags]) } }
}

onOneTarget(
  'traces',
  (service) => {
    let petId: number
    before(async () => {
      const key = await service().makeKey({ scopes: ['metrics:read'] })
      assert.match((await service().call('GET', '//metrics', { key })).text, /^petstore_spans_dropped_total 0$/m)
      petId = (await addPet(service())).id
    })

    async function traceOf(traceId: string) {
      await service().exportTraces()
      return collector.trace(traceId)
    }

    /** The trace in the line of a request, which may come a moment after its answer. */
    async function loggedTrace(requestId: string | null): Promise<string> {
      const line = new RegExp(`"requestId":"${requestId}".*"traceId":"(\\w+)"`)
      await service().logged(line)
      return line.exec(service().log)?.[1] ?? ''
    }

    test('have a server span that continues the trace of the caller, after the conventions [D269 D272]', async () => {
      const caller = newCaller()
      const before = BigInt(Date.now() - 50) * 1_000_000n
      const answer = await service().call('GET', `/pets/${petId}`, caller)
      const after = BigInt(Date.now() + 50) * 1_000_000n
      const { server } = await traceOf(caller.traceId)
      assert.deepEqual(
        [answer.status, server.name, server.kind, server.parentSpanId, server.status],
        [200, 'GET /v1/pets/{petId}', 2, caller.parentId, undefined],
      )
      assert.ok(before <= BigInt(server.startTimeUnixNano) && BigInt(server.endTimeUnixNano) <= after)
      assert.equal(await loggedTrace(answer.headers.get('x-request-id')), caller.traceId)
    })

    test('leave out what the caller does not record, and who only watches: health checks and the metrics; the log line has the trace id all the same [D272]', async () => {
      const [unsampled, probe, sampled] = [newCaller('00'), newCaller(), newCaller('03')]
      const answer = await service().call('GET', '/pets', unsampled)
      const key = await service().makeKey({ scopes: ['metrics:read'] })
      for (const path of ['//livez', '//readyz', '//metrics'])
        assert.equal((await service().call('GET', path, { key, ...probe })).status, 200)
      await service().call('GET', '/pets', sampled)
      await traceOf(sampled.traceId)
      for (const { traceId } of [unsampled, probe]) assert.ok(!collector.bodies.join().includes(traceId))
      assert.equal(await loggedTrace(answer.headers.get('x-request-id')), unsampled.traceId)
    })

    test('begin with a request without a valid traceparent, and the log line has the new trace id', async () => {
      for (const headers of [{}, { traceparent: textOf(['0'.repeat(32), '1'.repeat(16), '00']) }]) {
        const answer = await service().call('GET', '/no/such/route', { headers })
        const { server } = await traceOf(await loggedTrace(answer.headers.get('x-request-id')))
        assert.deepEqual([server.parentSpanId, server.name], [undefined, 'GET'])
        assert.match(`${server.traceId} ${server.spanId}`, /^[0-9a-f]{32} [0-9a-f]{16}$/)
        assert.deepEqual(attributesOf(server.attributes), {
          'http.request.method': 'GET',
          'url.scheme': 'http',
          'url.path': '/v1/no/such/route',
          'http.response.status_code': 404,
        })
      }
    })

    test('are sent to the last one when the service stops, with the headers and the name of the settings', async () => {
      const caller = newCaller()
      await service().call('GET', '/pets', caller)
      await service().stop()
      assert.ok(collector.spans.some(({ traceId }) => traceId === caller.traceId))
      assert.deepEqual([...new Set(collector.headers.map((headers) => headers['x-key']))], ['secret'])
      assert.deepEqual([...new Set(collector.resources.map((resource) => resource['service.name']))], ['shop'])
    })
  },
  {
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'shop' },
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=secret',
  },
)
