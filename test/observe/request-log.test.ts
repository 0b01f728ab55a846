/** The line of a request: its form to the letter, and which of them are left out. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRequestLog, type Log } from '../../src/observe/log.ts'
import type { CallOptions } from '../support/call.ts'
import { logTo } from '../support/log.ts'
import { onOneTarget } from '../support/service.ts'

const slowMilliseconds = 500
type RequestRecord = Parameters<ReturnType<typeof createRequestLog>>[0]

const ordinary: RequestRecord = {
  method: 'GET',
  route: '/v1/pets/{petId}',
  status: 200,
  durationMs: 1.23456,
  requestId: 'request-1',
  keyId: 7,
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  isFailure: false,
}

describe('the line of a request', () => {
  const withoutTime = (line: string) => line.replace(/"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/, '"time"')

  function written(write: (log: Log) => void): string[] {
    const lines: string[] = []
    write(logTo((line) => lines.push(withoutTime(line))))
    return lines
  }

  const start = '{"level":30,"time","method":"GET","route":"/v1/pets/{petId}","status":200,"durationMs":1.235'
  const identified = '"requestId":"request-1","keyId":7,"traceId":"4bf92f3577b34da6a3ce929d0e0e4736"}\n'
  const withIds = `${start},${identified}`
  test('has its members in order, in one line [D203]', () => {
    for (const [changed, line] of [
      [{}, withIds],
      [{ keyId: undefined, traceId: undefined }, `${start},"requestId":"request-1"}\n`],
      [{ method: '(none)', route: '(none)' }, withIds.replace('GET', '(none)').replace('/v1/pets/{petId}', '(none)')],
      [{ method: '"\\\n\u0001é\ud800' }, withIds.replace('"GET"', '"\\"\\\\\\n\\u0001é\\ud800"')],
      [{ durationMs: 12 }, withIds.replace('1.235', '12')],
    ] as const)
      assert.deepEqual(
        written((log) => createRequestLog(log, 1)({ ...ordinary, ...changed })),
        [line],
      )
  })

  /** The records that are logged with this sample, and the random numbers 0, 0.1, …, 0.9. */
  function sampled(record: RequestRecord, sample = 0.25): Record<string, unknown>[] {
    let next = 0
    const lines = written((log) => {
      const logRequest = createRequestLog(log, sample, () => next++ / 10)
      for (let i = 0; i < 10; i++) logRequest(record)
    })
    return lines.map((line) => JSON.parse(line.replace('"time",', '')))
  }

  test('is left out by LOG_SAMPLE for all but a part, whose lines name it [D202]', () => {
    for (const status of [200, 201, 401, 404]) {
      const lines = sampled({ ...ordinary, status })
      assert.equal(lines.length, 3, 'below 0.25 are 0, 0.1 and 0.2')
      for (const line of lines) assert.deepEqual([line.status, line.sample], [status, 0.25])
    }
    assert.deepEqual(sampled(ordinary, 0), [])
  })

  test('is never left out if the service failed or was slow, and then stands for one request [D202]', () => {
    for (const kept of [
      { status: 500, isFailure: true },
      { status: 503, isFailure: true },
      { durationMs: slowMilliseconds },
    ]) {
      const lines = sampled({ ...ordinary, ...kept })
      assert.equal(lines.length, 10)
      for (const line of lines) assert.equal(line.sample, undefined)
    }
    assert.equal(sampled({ ...ordinary, durationMs: slowMilliseconds - 0.001 }).length, 3)
  })
})

onOneTarget('the log of the service', (service) => {
  test('has one JSON line per request, with method, route, status, duration, request id and key id', async () => {
    let sent = 0
    const call = (method: string, path: string, options: CallOptions = {}) =>
      service().call(method, path, { headers: { 'X-Request-Id': `request-${++sent}` }, ...options })
    const started = performance.now()
    await call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } })
    await call('GET', '/pets?limit=5&status=available')
    await call('HEAD', '/pets/2')
    await call('POST', '/pets', { body: { name: '' } })
    await call('GET', '/nowhere')
    await call('DELETE', '/pets')
    const { headers } = await call('GET', '/pets', { headers: { Authorization: 'Basic x' } })
    const elapsed = performance.now() - started
    const made = headers.get('x-request-id') ?? ''
    assert.match(made, /^[\w-]{36}$/, 'one is made where none was sent')
    await service().logged(new RegExp(`"requestId":"${made}"[^\\n]*\n`))
    const lines = service()
      .log.split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      lines.flatMap(({ method, route, status, requestId, keyId }) =>
        requestId ? [[requestId, method, route, status, keyId]] : [],
      ),
      [
        ['request-1', 'POST', '/v1/pets', 201, 1],
        ['request-2', 'GET', '/v1/pets', 200, 1],
        ['request-3', 'HEAD', '/v1/pets/{petId}', 404, 1],
        ['request-4', 'POST', '/v1/pets', 400, 1],
        ['request-5', 'GET', '(none)', 404, 1],
        ['request-6', 'DELETE', '/v1/pets', 405, 1],
        [made, 'GET', '/v1/pets', 401, undefined],
      ],
    )
    const durations = lines.flatMap(({ durationMs = 0 }) => durationMs)
    assert.ok(durations.every((each) => each >= 0))
    assert.ok(durations.reduce((a, b) => a + b) <= elapsed, 'they took no longer than the client saw')
  })
})

onOneTarget(
  'the log with LOG_SAMPLE',
  (service) => {
    test('leaves out ordinary requests, and has what a level above asks for', async () => {
      for (let i = 0; i < 20; i++) await service().call('GET', '/pets')
      // One that took long on a busy machine is logged whatever the sample.
      const lines = service()
        .log.split('\n')
        .filter((line) => line.includes('requestId'))
      assert.deepEqual(
        lines.filter((line) => JSON.parse(line).durationMs < slowMilliseconds),
        [],
      )
    })
  },
  { LOG_SAMPLE: '0.000000001' },
)
