/**
 * Traces: the trace id of a valid `traceparent` in the log, and the spans that OpenTelemetry makes if an operator loads
 * it.
 */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { attributeOf, Collector } from '../../harness/collector.ts'
import { databases } from '../../harness/databases.ts'
import { releasePostgres } from '../../harness/postgres.ts'
import { makeKey, node, Served } from '../../harness/process.ts'
import { projectFile, root } from '../../harness/project.ts'
import { RawConnection } from '../../harness/raw.ts'
import { testInFull } from '../../harness/scope.ts'
import { onOneTarget } from '../../harness/service.ts'
import { traceIdFrom } from '../../src/http/request-headers.ts'

after(releasePostgres)

const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`))
const id = (length: number) => hex(length).filter((text) => /[^0]/.test(text))
const parts = fc.tuple(id(32), id(16), hex(2))
const traceparent = ([traceId, parentId, flags]: readonly string[], version = '00') =>
  `${version}-${traceId}-${parentId}-${flags}`

describe('traceparent', () => {
  test('A traceparent is read as it was written, and of a later version everything after the flags is ignored [decision 26]', () => {
    const later = hex(2).filter((version) => version !== '00' && version !== 'ff')
    const read = fc.property(parts, later, fc.constantFrom('', '-', '-what-ever, comes'), (all, version, rest) => {
      for (const text of [traceparent(all), traceparent(all, version) + rest]) assert.equal(traceIdFrom(text), all[0])
    })
    fc.assert(read, { numRuns: 1000 })
  })

  test('A traceparent with a wrong character or of another length is invalid', () => {
    const refuse = fc.property(parts, fc.nat(54), fc.constantFrom(...'gGA F_-\t,é'), (all, at, other) => {
      const valid = traceparent(all)
      fc.pre(valid[at] !== other)
      const wrong = ['-', '-00', '0', ' ', `, ${valid}`, '\n'].map((more) => valid + more)
      for (const text of [valid.slice(0, at) + other + valid.slice(at + 1), valid.slice(0, at), ...wrong])
        assert.equal(traceIdFrom(text), undefined, JSON.stringify(text))
    })
    fc.assert(refuse, { numRuns: 1000 })
    const [traceId, parentId, flags] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7', '01']
    const ofVersion = (version: string) => traceparent([traceId, parentId, flags], version)
    const zeros = [traceparent(['0'.repeat(32), parentId, flags]), traceparent([traceId, '0'.repeat(16), flags])]
    for (const text of [
      ...zeros,
      ofVersion('ff'),
      `${ofVersion('cc')}.what`,
      `${ofVersion('cc')}, ${ofVersion('cc')}`,
      '',
    ])
      assert.equal(traceIdFrom(text), undefined, text)
  })
})

onOneTarget('the log line of a request', (service) => {
  test('The log line of a request has the trace id of a valid traceparent, and of an invalid one none [decision 26]', async () => {
    const traceId = 'a'.repeat(32)
    const valid = { traceparent: traceparent([traceId, 'b'.repeat(16), '00']), 'x-request-id': 'valid' }
    await service().call('GET', '/pets', { headers: valid })
    await service().call('GET', '/pets', { headers: { ...valid, traceparent: 'x', 'x-request-id': 'invalid' } })
    await service().logged(/"requestId":"invalid"/)
    const lines = service()
      .log.split('\n')
      .filter((line) => line.includes('alid"'))
    const traces = lines.map((line) => [JSON.parse(line).requestId, JSON.parse(line).traceId])
    assert.deepEqual(traces, [
      ['valid', traceId],
      ['invalid', undefined],
    ])
  })
})

describe("OpenTelemetry's instrumentation, loaded as docs/metrics.md shows it,", () => {
  const [, block = ''] = /```sh traces\n(.+?)```/s.exec(projectFile('docs/metrics.md')) ?? []

  testInFull(
    'OpenTelemetry’s instrumentation makes a span with the route for a request, and child spans for its statements [decision 26]',
    async () => {
      await using collector = await Collector.start()
      const { url: DATABASE_URL, remove } = await databases[1].open()
      try {
        // Without npx in between, the program ends when the test ends it.
        const lines = block.replace(/^npm install .*\n/, '').replace('http://127.0.0.1:4318', collector.url)
        const program = ['bash', '-c', lines.replace('npx --no-install node', `exec ${node}`)]
        const env = {
          DATABASE_URL,
          // The collector of the test reads JSON, and accepts only traces.
          OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
          OTEL_METRICS_EXPORTER: 'none',
          OTEL_LOGS_EXPORTER: 'none',
        }
        await using served = await Served.start(env, { program, cwd: root })
        const key = await makeKey(env)
        const created = await served.call('POST', '/pets', { key, body: { name: 'Rex', categoryId: 1 } })
        assert.equal(created.status, 201)
        const body = '{"name":"Max"}'
        const head = `Host: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 14`
        // The second request waits for the answer to the first, and is handled while the first is traced.
        const connection = await RawConnection.open(served.port)
        connection.send(`PATCH /v1/pets/1 HTTP/1.1\r\n${head}\r\n\r\n${body}`.repeat(2))
        for (const answer of [await connection.answer(), await connection.answer()]) assert.equal(answer?.status, 200)
        connection.close()
        await served.end('SIGTERM')
        const requests = collector.spans.filter((span) => attributeOf(span, 'http.route') === '/v1/pets/{petId}')
        assert.deepEqual(
          requests.map(({ name, kind }) => `${name} ${kind}`),
          Array(2).fill('PATCH /v1/pets/{petId} 2'),
        )
        for (const { spanId } of requests) {
          const below = collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId).map(({ name }) => name)
          assert.ok(
            below.some((name) => name.startsWith('pg.query')),
            `below a request there are: ${below}`,
          )
        }
      } finally {
        await remove()
      }
    },
  )
})
