/** The line of a request: the same that pino would write, and which of them are left out. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Logger, pino, stdTimeFunctions } from 'pino'
import { createRequestLog, type RequestRecord, slowMilliseconds } from '../../src/observe/request-log.ts'

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
  const options = { timestamp: stdTimeFunctions.isoTime }
  const withoutTime = (line: string) => line.replace(/"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/, '"time"')

  /** What a logger writes, with its bindings or without. */
  function written(base: object | null, write: (log: Logger) => void): string[] {
    const lines: string[] = []
    write(pino({ ...options, base }, { write: (line: string) => lines.push(withoutTime(line)) }))
    return lines
  }

  for (const base of [null, { pid: 1, hostname: 'shop' }])
    for (const [what, record] of Object.entries({
      'a known request': ordinary,
      'a request without a key or a trace': { ...ordinary, keyId: undefined, traceId: undefined },
      'a request that could not be read': { ...ordinary, method: '(none)', route: '(none)' },
      'a method with characters that JSON escapes': { ...ordinary, method: '"\\\u0001é' },
      'a whole number of milliseconds': { ...ordinary, durationMs: 12 },
    }))
      test(`is what pino would write: ${what}${base ? ', with bindings' : ''}`, () => {
        const { isFailure, ...fields } = { ...record, durationMs: Math.round(record.durationMs * 1000) / 1000 }
        const lines = written(base, (log) => createRequestLog(log, 1)(record))
        assert.deepEqual(
          lines,
          written(base, (log) => log.info(fields)),
        )
      })

  /** The records that are logged with this sample, and the random numbers 0, 0.1, …, 0.9. */
  function sampled(record: RequestRecord, sample = 0.25): Record<string, unknown>[] {
    let next = 0
    const lines = written(null, (log) => {
      const logRequest = createRequestLog(log, sample, () => next++ / 10)
      for (let i = 0; i < 10; i++) logRequest(record)
    })
    return lines.map((line) => JSON.parse(line.replace('"time",', '')))
  }

  test('is left out by LOG_SAMPLE for all but a part, whose lines name it', () => {
    for (const status of [200, 201, 401, 404]) {
      const lines = sampled({ ...ordinary, status })
      assert.equal(lines.length, 3, 'below 0.25 are 0, 0.1 and 0.2')
      for (const line of lines) assert.deepEqual([line.status, line.sample], [status, 0.25])
    }
    assert.deepEqual(sampled(ordinary, 0), [])
  })

  test('is never left out if the service failed or was slow, and then stands for one request', () => {
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
