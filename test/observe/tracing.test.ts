/**
 * Traces: `traceparent` as the W3C recommendation defines it, spans as a collector gets them, and a collector that is
 * slow, refuses, or is away.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { globSync } from 'node:fs'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { readTraceparent } from '../../src/http/request-headers.ts'
import type { Log } from '../../src/observe/log.ts'
import { createTracing, type Tracing } from '../../src/observe/tracing.ts'
import { attributesOf, Collector } from '../support/collector.ts'
import { addPet } from '../support/expect.ts'
import { logInto } from '../support/log.ts'
import { projectFile, root } from '../support/project.ts'
import { onOneTarget } from '../support/service.ts'
import { TestTime } from '../support/time.ts'

const batchMax = 512
const queueMax = 8_192

const caller = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', parentId: '00f067aa0ba902b7', flags: '01' }
const { version } = JSON.parse(projectFile('package.json'))

describe('tracing', () => {
  let collector: Collector
  let lines: { msg: string; dropped?: number; status?: number; reason?: string; spans?: number }[]
  let log: Log
  let time: TestTime
  let tracing: Tracing

  function trace(options: Partial<Parameters<typeof createTracing>[0]> = {}): Tracing {
    const all = { url: `${collector.url}/v1/traces`, headers: {}, serviceName: 'shop', ratio: 1, ...options }
    return createTracing(all, time, log)
  }

  beforeEach(async () => {
    collector = await Collector.start()
    lines = []
    log = logInto(lines)
    time = new TestTime()
    tracing = trace()
  })
  afterEach(async () => {
    collector.release()
    await tracing.close()
    await collector.close()
  })

  /** Traces a request with this status. */
  function request(status = 200, target = '/v1/pets'): string {
    const span = tracing.begin(undefined)
    assert.ok(span)
    span.end('GET', target, '/v1/pets', status, time.ticks())
    return span.spanId
  }
  const requests = (count: number) => Array.from({ length: count }, () => request())
  const dropped = () => tracing.samples()[0]?.[1]

  test('sends spans in the JSON form of OTLP, to the letter [D269]', async () => {
    const span = tracing.begin(caller)
    assert.ok(span)
    span.end('GET', '/v1/pets/7?q=1', '/v1/pets/{petId}', 503, time.ticks() - 100)
    await tracing.tick()
    const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })
    const integer = (key: string, value: number) => ({ key, value: { intValue: String(value) } })
    const { startTimeUnixNano = '', endTimeUnixNano = '' } = collector.spans[0] ?? {}
    const [start, end] = [startTimeUnixNano, endTimeUnixNano].map((time) => Number(BigInt(time) / 1_000_000n))
    assert.deepEqual([start, end], [time.now() - 100, time.now()])
    const resource = [text('service.name', 'shop'), text('service.version', version)]
    const server = {
      traceId: caller.traceId,
      spanId: span.spanId,
      parentSpanId: caller.parentId,
      ...{ startTimeUnixNano, endTimeUnixNano },
      name: 'GET /v1/pets/{petId}',
      kind: 2,
      attributes: [
        text('http.request.method', 'GET'),
        text('url.scheme', 'http'),
        text('http.route', '/v1/pets/{petId}'),
        text('url.path', '/v1/pets/7'),
        integer('http.response.status_code', 503),
        text('error.type', '503'),
      ],
      status: { code: 2 },
    }
    const scopeSpans = [{ scope: { name: 'petstore' }, spans: [server] }]
    assert.deepEqual(JSON.parse(collector.bodies[0] ?? ''), {
      resourceSpans: [{ resource: { attributes: [...resource, integer('process.pid', process.pid)] }, scopeSpans }],
    })
  })

  test('samples by the ratio, unless the caller has decided [D272]', () => {
    const none = trace({ ratio: 0 })
    assert.equal(none.begin(undefined), undefined)
    assert.ok(none.begin(caller))
    assert.ok(none.begin({ ...caller, flags: 'ff' }))
    assert.equal(tracing.begin({ ...caller, flags: '00' }), undefined)
    assert.equal(tracing.begin({ ...caller, flags: '02' }), undefined)
    const half = trace({ ratio: 0.5 })
    const sampled = Array.from({ length: 1000 }, () => half.begin(undefined)).filter(Boolean).length
    // Six standard deviations.
    assert.ok(sampled > 400 && sampled < 600, String(sampled))
  })

  test('a path is cut if it is long, and has neither the query nor a key [D272]', async () => {
    const key = `pst_${'aB3'.repeat(12)}`
    const targets = [`/v1/pets/${key}`, `/v1/${key}/${key}?key=${key}`, `/${'x'.repeat(8000)}`]
    for (const target of targets) request(404, target)
    await tracing.tick()
    assert.deepEqual(
      collector.spans.map(({ attributes }) => attributesOf(attributes)['url.path']),
      ['/v1/pets/pst_…', '/v1/pst_…/pst_…', `/${'x'.repeat(511)}`],
    )
  })

  test('sends the headers it is given, and no batch before the second is over or 512 spans are there', async () => {
    tracing = trace({ headers: { 'x-key': 'a b', 'content-type': 'text/plain' } })
    requests(batchMax - 1)
    assert.equal(collector.bodies.length, 0)
    request()
    await collector.until(() => collector.spans.length > 0)
    assert.equal(collector.spans.length, batchMax)
    const [headers] = collector.headers
    assert.deepEqual([headers?.['x-key'], headers?.['content-type']], ['a b', 'application/json'])
  })

  test('a collector that does not answer gets one batch at a time; what waits is bounded [D274]', async () => {
    collector.answer = null
    const ids = requests(queueMax)
    await collector.until(() => collector.bodies.length > 0)
    requests(100)
    tracing.tick()
    assert.equal(dropped(), 100)
    assert.equal(collector.bodies.length, 1, 'one request at a time')
    collector.release()
    await collector.until(() => collector.spans.length === queueMax)
    assert.deepEqual(
      collector.spans.map(({ spanId }) => spanId),
      ids,
    )
  })

  test('a collector that fails is asked once a second, and sent all that was kept when it is back [D274]', async () => {
    collector.answer = 503
    const ids = requests(2 * batchMax)
    while (lines.length === 0) await nextTurn()
    for (let turns = 0; turns < 100; turns++) {
      request()
      await nextTurn()
    }
    assert.equal(collector.bodies.length, 1, 'not before the second is over')
    for (let seconds = 2; seconds <= 4; seconds++) {
      // The answer has been taken once the next second brings another request.
      do {
        tracing.tick()
        await nextTurn()
      } while (collector.bodies.length < seconds)
      request()
    }
    assert.deepEqual(lines, [
      { level: 40, url: `${collector.url}/v1/traces`, status: 503, msg: 'spans cannot be exported' },
    ])
    collector.answer = 200
    while (collector.spans.length < ids.length) {
      tracing.tick()
      await nextTurn()
    }
    assert.deepEqual(
      collector.spans.slice(0, ids.length).map(({ spanId }) => spanId),
      ids,
    )
    assert.deepEqual(lines.slice(1), [{ level: 30, dropped: 0, msg: 'spans are exported again' }])
  })

  for (const [what, status, kept] of [
    ['is away', undefined, true],
    ['leads elsewhere, as the headers may have a key,', 307, true],
    ['refuses', 400, false],
  ] as const)
    test(`what a collector that ${what} was sent is ${kept ? 'kept' : 'dropped and counted'}`, async (t) => {
      const other = await Collector.start()
      t.after(() => other.close())
      if (status === undefined) await collector.close()
      else collector.answer = status
      collector.answerHeaders = { Location: `${other.url}/v1/traces` }
      for (const count of [1, 2]) {
        request()
        await tracing.tick()
        assert.equal(dropped(), kept ? 0 : count)
      }
      assert.deepEqual(
        lines.map(({ msg }) => msg),
        ['spans cannot be exported'],
      )
      assert.equal(other.bodies.length, 0)
    })

  test('closing sends all that waits, in as many batches as that takes', async () => {
    collector.answer = 503
    requests(batchMax + 1)
    while (lines.length === 0) await nextTurn()
    collector.answer = 200
    await tracing.close()
    assert.equal(collector.spans.length, batchMax + 1)
    assert.deepEqual(
      lines.map(({ msg }) => msg),
      ['spans cannot be exported', 'spans are exported again'],
    )
  })

  test('closing ends after two seconds if the collector does not answer [D274]', async () => {
    collector.answer = null
    requests(3)
    tracing.tick()
    await collector.until(() => collector.bodies.length === 1)
    const closed = tracing.close()
    time.advance(2_000)
    await closed
    // Not by the timeout of the request, which is longer.
    assert.match(lines[0]?.reason ?? '', /^AbortError/)
    assert.deepEqual(
      lines.map(({ msg, spans }) => [msg, spans]),
      [
        ['spans cannot be exported', undefined],
        ['spans were not exported', 3],
      ],
    )
  })

  test('is loaded only when it is used: nothing imports it at the start [D269]', () => {
    const importing = /^import (?!type\b)[^\n]*\/tracing\.ts'/m
    const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => importing.test(projectFile(file)))
    assert.deepEqual(files, [])
  })
})

const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`))
const id = (length: number) => hex(length).filter((text) => /[^0]/.test(text))
const parts = fc.tuple(id(32), id(16), hex(2))
const traceparent = ([traceId, parentId, flags]: readonly string[], version = '00') =>
  `${version}-${traceId}-${parentId}-${flags}`

describe('traceparent', () => {
  test('is read as it was written, of a later version up to its flags, whatever follows after a hyphen [D203]', () => {
    const later = hex(2).filter((version) => version !== '00' && version !== 'ff')
    const read = fc.property(parts, later, fc.constantFrom('', '-', '-what-ever, comes'), (all, version, rest) => {
      const [traceId, parentId, flags] = all
      for (const text of [traceparent(all), traceparent(all, version) + rest])
        assert.deepEqual(readTraceparent(text), { traceId, parentId, flags })
    })
    fc.assert(read, { numRuns: 1000 })
  })

  test('is invalid after a change of one character to no hexadecimal digit, shorter, or longer', () => {
    const refuse = fc.property(parts, fc.nat(54), fc.constantFrom(...'gGA F_-\t,é'), (all, at, other) => {
      const valid = traceparent(all)
      fc.pre(valid[at] !== other)
      const wrong = ['-', '-00', '0', ' ', `, ${valid}`, '\n'].map((more) => valid + more)
      for (const text of [valid.slice(0, at) + other + valid.slice(at + 1), valid.slice(0, at), ...wrong])
        assert.equal(readTraceparent(text), undefined, JSON.stringify(text))
    })
    fc.assert(refuse, { numRuns: 1000 })
    const { traceId, parentId, flags } = caller
    const ofVersion = (version: string) => traceparent([traceId, parentId, flags], version)
    const zeros = [traceparent(['0'.repeat(32), parentId, flags]), traceparent([traceId, '0'.repeat(16), flags])]
    for (const text of [
      ...zeros,
      ofVersion('ff'),
      `${ofVersion('cc')}.what`,
      `${ofVersion('cc')}, ${ofVersion('cc')}`,
      '',
    ])
      assert.equal(readTraceparent(text), undefined, text)
  })
})

const collector = await Collector.start()
after(() => collector.close())

function newCaller(flags = '01') {
  const [traceId, parentId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { traceId, parentId, headers: { traceparent: traceparent([traceId, parentId, flags]) } }
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
      await service().passSeconds(1)
      return collector.trace(traceId)
    }

    /** The trace in the line of a request, which may come a moment after its answer. */
    async function loggedTrace(requestId: string | null): Promise<string> {
      const line = new RegExp(`"requestId":"${requestId}".*"traceId":"(\\w+)"`)
      await service().logged(line)
      return line.exec(service().log)?.[1] ?? ''
    }

    test('leave out what the caller does not record, and health checks; the log has the id [D272]', async () => {
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
      for (const headers of [{}, { traceparent: traceparent(['0'.repeat(32), '1'.repeat(16), '00']) }]) {
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

    test('continue the trace of the caller, and are sent to the last one when the service stops [D269]', async () => {
      const caller = newCaller()
      await service().call('GET', `/pets/${petId}`, caller)
      await service().stop()
      const { server } = await collector.trace(caller.traceId)
      assert.deepEqual([server.name, server.parentSpanId], ['GET /v1/pets/{petId}', caller.parentId])
      assert.deepEqual([...new Set(collector.headers.map((headers) => headers['x-key']))], ['secret'])
      assert.deepEqual([...new Set(collector.resources.map((resource) => resource['service.name']))], ['shop'])
    })
  },
  {
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'shop' },
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=secret',
  },
)
