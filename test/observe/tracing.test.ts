/** Spans and their way to the collector: the exact form, sampling, and a collector that is slow, refuses, or is away. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Log } from '../../src/observe/log.ts'
import { createTracing, type Tracing } from '../../src/observe/tracing.ts'
import { attributesOf, Collector } from '../support/collector.ts'
import { logInto } from '../support/log.ts'
import { projectFile, root } from '../support/project.ts'

const batchMax = 512
const queueMax = 8_192

const caller = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', parentId: '00f067aa0ba902b7', flags: '01' }
const { version } = JSON.parse(projectFile('package.json'))

describe('tracing', () => {
  let collector: Collector
  let lines: { msg: string; dropped?: number; status?: number; spans?: number }[]
  let log: Log
  let tick: () => Promise<void>
  let tracing: Tracing

  function trace(options: Partial<Parameters<typeof createTracing>[0]> = {}): Tracing {
    const all = { url: `${collector.url}/v1/traces`, headers: {}, serviceName: 'shop', ratio: 1, ...options }
    return createTracing(all, log, (run) => {
      tick = run
      return () => {}
    })
  }

  beforeEach(async () => {
    collector = await Collector.start()
    lines = []
    log = logInto(lines)
    tracing = trace()
  })
  afterEach(async () => {
    collector.release()
    await tracing.close()
    await collector.close()
    mock.timers.reset()
  })

  /** Traces a request with this status. */
  function request(status = 200, target = '/v1/pets'): string {
    const span = tracing.begin(undefined)
    assert.ok(span)
    tracing.end(span, 'GET', target, '/v1/pets', status, performance.now())
    return span.spanId
  }
  const requests = (count: number) => Array.from({ length: count }, () => request())
  const dropped = () => tracing.samples()[0]?.[1]

  test('sends spans in the JSON form of OTLP, to the letter [D269]', async () => {
    const span = tracing.begin(caller)
    assert.ok(span)
    tracing.end(span, 'GET', '/v1/pets/7?q=1', '/v1/pets/{petId}', 503, performance.now())
    tick()
    await collector.until(() => collector.spans.length === 1)
    const [server] = collector.spans
    const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })
    const { startTimeUnixNano = '', endTimeUnixNano = '' } = server ?? {}
    for (const time of [startTimeUnixNano, endTimeUnixNano]) assert.match(time, /^[1-9][0-9]{18}$/)
    assert.ok(startTimeUnixNano <= endTimeUnixNano)
    assert.deepEqual(JSON.parse(collector.bodies[0] ?? ''), {
      resourceSpans: [
        {
          resource: {
            attributes: [
              text('service.name', 'shop'),
              text('service.version', version),
              { key: 'process.pid', value: { intValue: String(process.pid) } },
            ],
          },
          scopeSpans: [
            {
              scope: { name: 'petstore' },
              spans: [
                {
                  traceId: caller.traceId,
                  spanId: span.spanId,
                  parentSpanId: caller.parentId,
                  name: 'GET /v1/pets/{petId}',
                  kind: 2,
                  ...{ startTimeUnixNano, endTimeUnixNano },
                  attributes: [
                    text('http.request.method', 'GET'),
                    text('url.scheme', 'http'),
                    text('http.route', '/v1/pets/{petId}'),
                    text('url.path', '/v1/pets/7'),
                    { key: 'http.response.status_code', value: { intValue: '503' } },
                    text('error.type', '503'),
                  ],
                  status: { code: 2 },
                },
              ],
            },
          ],
        },
      ],
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

  test('a path is cut if it is long, and has neither the query nor a key that a client has put into it by mistake [D272]', async () => {
    const key = `pst_${'aB3'.repeat(12)}`
    const targets = [`/v1/pets/${key}`, `/v1/${key}/${key}?key=${key}`, `/${'x'.repeat(8000)}`]
    for (const target of targets) request(404, target)
    await tick()
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

  test('a collector that does not answer gets one batch at a time; what waits is bounded, and the rest dropped and counted [D274]', async () => {
    collector.answer = null
    const ids = requests(queueMax)
    await collector.until(() => collector.bodies.length > 0)
    requests(100)
    tick()
    assert.equal(dropped(), 100)
    assert.equal(collector.bodies.length, 1, 'one request at a time')
    collector.release()
    await collector.until(() => collector.spans.length === queueMax)
    assert.deepEqual(
      collector.spans.map(({ spanId }) => spanId),
      ids,
    )
  })

  test('a collector that fails is told of once in the log, asked once a second, and sent all that was kept when it is back [D274]', async () => {
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
        tick()
        await nextTurn()
      } while (collector.bodies.length < seconds)
      request()
    }
    assert.deepEqual(lines, [
      { level: 40, url: `${collector.url}/v1/traces`, status: 503, msg: 'spans cannot be exported' },
    ])
    collector.answer = 200
    while (collector.spans.length < ids.length) {
      tick()
      await nextTurn()
    }
    assert.deepEqual(
      collector.spans.slice(0, ids.length).map(({ spanId }) => spanId),
      ids,
    )
    assert.deepEqual(lines.slice(1), [{ level: 30, dropped: 0, msg: 'spans are exported again' }])
  })

  test('a collector that asks for a pause gets it, of a minute at most [D274]', async () => {
    collector.answer = 503
    for (const [asked, seconds] of [
      ['3', 3],
      ['86400', 60],
      ['Wed, 21 Oct 2026 07:28:00 GMT', 0],
      ['-1', 0],
    ] as const) {
      collector.answerHeaders = { 'Retry-After': asked }
      request()
      await tick()
      const { length } = collector.bodies
      for (let i = 0; i < seconds; i++) await tick()
      assert.equal(collector.bodies.length, length, asked)
    }
    collector.answer = 200
    await tick()
    assert.equal(collector.spans.length, 4)
  })

  test('spans that a collector says it has rejected are counted as dropped [D274]', async () => {
    for (const [body, count] of [
      ['{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}', 2],
      ['{ "partialSuccess": { "rejectedSpans": 1 } }', 3],
      ['{"partialSuccess":{}}', 3],
      ['not JSON', 3],
    ] as const) {
      collector.answerBody = body
      requests(2)
      await tick()
      assert.equal(dropped(), count, body)
    }
    assert.deepEqual(lines, [])
  })

  test('of an answer that does not end, no more is read than can be of use [D274]', async () => {
    collector.answerHeaders = { 'Content-Length': '1000000000' }
    collector.answerBody = 'x'.repeat(100_000)
    request()
    await tick()
    assert.deepEqual([collector.spans.length, lines.length], [1, 0])
  })

  for (const [what, status, kept] of [
    ['is away', undefined, true],
    ['leads elsewhere, as the headers may have a key,', 307, true],
    ['refuses', 400, false],
  ] as const)
    test(`what a collector that ${what} was sent is ${kept ? 'kept' : 'dropped and counted'}, and told of once in the log`, async () => {
      const other = await Collector.start()
      if (status === undefined) await collector.close()
      else collector.answer = status
      collector.answerHeaders = { Location: `${other.url}/v1/traces` }
      for (const count of [1, 2]) {
        request()
        await tick()
        assert.equal(dropped(), kept ? 0 : count)
      }
      await other.close()
      assert.deepEqual(
        lines.map(({ msg }) => msg),
        ['spans cannot be exported'],
      )
      assert.equal(other.bodies.length, 0)
    })

  test('closing sends all that waits', async () => {
    requests(batchMax + 7)
    await tracing.close()
    assert.equal(collector.spans.length, batchMax + 7)
    assert.deepEqual(lines, [])
  })

  test('closing ends after two seconds if the collector does not answer [D274]', async () => {
    collector.answer = null
    requests(3)
    tick()
    await collector.until(() => collector.bodies.length === 1)
    mock.timers.enable({ apis: ['setTimeout'] })
    const closed = tracing.close()
    mock.timers.tick(2_000)
    await closed
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
