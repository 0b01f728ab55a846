/**
 * The lines of the log, including those of requests: their exact form, errors, secrets, values that JSON cannot write,
 * and which lines are left out.
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import type { CallOptions } from '../../harness/call.ts'
import { logInto, logTo } from '../../harness/log.ts'
import { onOneTarget } from '../../harness/service.ts'
import { logLevels } from '../../src/config/setting-values.ts'
import { createRequestLog, type Log } from '../../src/observe/log.ts'
import { readable } from '../../src/observe/log-format.ts'
import { systemTime } from '../../src/time.ts'

const time = /^\{"level":\d0,"time":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/

/** Returns the only line that is written, complete except for its time. */
function lineOf(write: (log: Log) => void): string {
  const lines: string[] = []
  write(logTo((line) => lines.push(line), 'trace'))
  assert.equal(lines.length, 1)
  const [line = ''] = lines
  assert.match(line, time)
  assert.match(line, /^[^\n]*\n$/, 'one line')
  JSON.parse(line)
  return line.replace(/,"time":"[^"]*"/, '')
}

const fail = () => {
  throw new Error('no')
}

/** Returns what a warning contains about an error. */
const errorIn = (err: unknown) => JSON.parse(lineOf((log) => log.warn({ err }, 'it failed'))).err

describe('a line', () => {
  test('A line of the log contains the level, the time, the members in order, and at the end the message as it is [decision 26]', () => {
    const members = { url: 'http://x/"\\', count: 1, isOn: true, none: null, list: [1, 'a'], inner: { a: { b: 2 } } }
    for (const [write, line] of [
      [
        (log: Log) => log.info(members, 'ready'),
        '{"level":30,"url":"http://x/\\"\\\\","count":1,"isOn":true,"none":null,"list":[1,"a"],' +
          '"inner":{"a":{"b":2}},"msg":"ready"}\n',
      ],
      [(log: Log) => log.info({}, 'ready'), '{"level":30,"msg":"ready"}\n'],
      [(log: Log) => log.error('100 %s\n%d "x" \ud800'), '{"level":50,"msg":"100 %s\\n%d \\"x\\" \\ud800"}\n'],
    ] as const)
      assert.equal(lineOf(write), line)
  })

  test('A line of the log is written only at its level and at more detailed levels', () => {
    const writing = { debug: 20, info: 30, warn: 40, error: 50 } as const
    const kept = { trace: 4, debug: 4, info: 3, warn: 2, error: 1, fatal: 0, silent: 0 }
    for (const level of logLevels) {
      const numbers: number[] = []
      const log = logTo((line) => numbers.push(JSON.parse(line).level), level)
      for (const name of Object.keys(writing) as (keyof typeof writing)[]) {
        log[name]({ a: 1 }, 'm')
        assert.equal(log.isLevelEnabled(name), numbers.includes(writing[name]), `${name} at ${level}`)
      }
      assert.deepEqual(numbers, Object.values(writing).slice(4 - kept[level]), level)
    }
  })

  test('A line of the log leaves out the same values as JSON, and contains integers of any size', () => {
    const members = { nothing: undefined, act() {}, date: new Date(0), list: [undefined, 2n ** 63n] }
    assert.equal(
      lineOf((log) => log.info(members, 'm')),
      '{"level":30,"date":"1970-01-01T00:00:00.000Z","list":[null,9223372036854775808],"msg":"m"}\n',
    )
  })

  test('If an object cannot be written, the line of the log is written without its objects [decision 26]', () => {
    const circle: Record<string, unknown> = { a: 1 }
    circle.circle = circle
    let deep = {}
    for (let i = 0; i < 100_000; i++) deep = { deep }
    for (const hostile of [circle, deep, { toJSON: fail }, new Proxy({}, { ownKeys: fail })])
      assert.equal(
        lineOf((log) => log.info({ hostile, half: '\ud800\u2028\r\n\0', count: 2n }, 'm')),
        '{"level":30,"half":"\\ud800\u2028\\r\\n\\u0000","count":2,"msg":"m"}\n',
      )
  })
})

describe('an error in the log', () => {
  test('An error in the log has its type, message, stack and members, in this order [decision 26]', () => {
    class Refused extends TypeError {
      readonly code = 'E1'
      readonly nothing = undefined
    }
    const error = new Refused('bad\nthing')
    const line = lineOf((log) => log.warn({ requestId: 'r', err: error, after: 1 }, 'it failed'))
    const form = `{"type":"Refused","message":"bad\\nthing","stack":${JSON.stringify(error.stack)},"code":"E1"}`
    assert.equal(line, `{"level":40,"requestId":"r","err":${form},"after":1,"msg":"it failed"}\n`)
  })

  test('An error in the log has its causes in its message and its stack, each of them once even if they are circular [decision 26]', () => {
    const root = new RangeError('root')
    const error = new Error('top', { cause: new Error('middle', { cause: root }) })
    for (const cause of [undefined, error]) {
      root.cause = cause
      const { stack, ...form } = errorIn(error)
      assert.deepEqual(form, { type: 'Error', message: 'top: middle: root' })
      assert.deepEqual(stack.match(/^(caused by: )?\w+: \w+$/gm), [
        'Error: top',
        'caused by: Error: middle',
        'caused by: RangeError: root',
      ])
    }
  })

  test('If an error quotes the message of its cause, the log contains that message once [decision 26]', () => {
    const full = new Error('the disk is full')
    const error = new Error('PostgreSQL: the disk is full', { cause: full })
    assert.equal(errorIn(error).message, 'PostgreSQL: the disk is full')
    const other = new Error('the disk is full of logs', { cause: full })
    assert.equal(errorIn(other).message, 'the disk is full of logs: the disk is full')
    assert.equal(errorIn(new Error('lost', { cause: new Error('') })).message, 'lost')
  })

  test('An error in the log contains its inner errors without their members, which could lead back to it', () => {
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', detail: 'secret' })
    const error: Error & { inner?: unknown } = new AggregateError([refused, 1], '')
    error.inner = error
    const { aggregateErrors, inner } = errorIn(error)
    assert.deepEqual(aggregateErrors, [
      { type: 'Error', message: 'refused', stack: refused.stack, code: 'ECONNREFUSED' },
      1,
    ])
    assert.deepEqual([inner.type, Object.keys(inner)], ['AggregateError', ['type', 'message', 'stack']])
  })

  test('The log accepts anything that was thrown', () => {
    for (const thrown of ['a text', null, 5, { message: 'like one' }, []]) assert.deepEqual(errorIn(thrown), thrown)
    assert.equal(errorIn(undefined), undefined)
    const error = Object.freeze(Object.assign(new Error('frozen'), { code: 'E1', loop: { again: {} } }))
    error.loop.again = error.loop
    assert.deepEqual(errorIn(error), { type: 'Error', message: 'frozen', stack: error.stack, code: 'E1' })
  })
})

describe('a secret in the log', () => {
  const secret = 'pst_secret'
  const hidden = '[Redacted]'

  test('The log leaves out a field called authorization, at the top or inside a member [decision 26]', () => {
    const headers = { authorization: secret, accept: 'a' }
    const line = lineOf((log) => log.info({ authorization: secret, list: [{ headers }], err: { headers } }, 'm'))
    const shown = { authorization: hidden, accept: 'a' }
    const members = { authorization: hidden, list: [{ headers: shown }], err: { headers: shown } }
    assert.deepEqual(JSON.parse(line), { level: 30, ...members, msg: 'm' })
  })

  test('The log leaves out the row in an error of a database, which may contain a secret, even inside another error [decision 26]', () => {
    const members = { detail: `Key (secret)=(${secret})`, where: secret, authorization: secret, code: '23505' }
    const inner = Object.assign(new Error('inner'), members)
    const shown = errorIn(Object.assign(new Error('x', { cause: inner }), members, { inner }))
    assert.ok(!JSON.stringify(shown).includes(secret))
    const expected = { detail: hidden, where: hidden, authorization: hidden, code: '23505' }
    assert.deepEqual(errorIn(members), expected)
    assert.deepEqual({ ...shown, ...expected }, shown)
  })
})

describe('a line on a terminal', () => {
  const at = new Date(2027, 0, 2, 3, 4, 5).toISOString()
  const shown = (members: object) => readable(`${JSON.stringify({ level: 30, time: at, ...members })}\n`)

  test('On a terminal, a log line has the time, the coloured level, the message, the members, and a request in words', () => {
    const plain = (text: string) => stripVTControlCharacters(text)
    assert.equal(
      plain(shown({ status: 503, inner: { a: 1 }, msg: 'ready' })),
      '[03:04:05] INFO: ready { status: 503, inner: { a: 1 } }\n',
    )
    const request = { method: 'GET', route: '/v1/pets', status: 200, durationMs: 1.5 }
    assert.ok(plain(shown(request)).startsWith('[03:04:05] INFO: GET /v1/pets 200 1.5 ms {'))
    for (const [level, name] of Object.entries({ 20: '34mDEBUG', 30: '32mINFO', 40: '33mWARN', 50: '31mERROR' }))
      assert.equal(shown({ level: Number(level), msg: 'x' }), `[03:04:05] \x1b[${name}\x1b[39m: x {}\n`)
  })

  test('On a terminal, a log line shows the lines of a stack without control characters', () => {
    const err = { stack: `Error: a\x1b[2J\n    at ${'b'.repeat(80)}` }
    const text = stripVTControlCharacters(shown({ level: 50, err, msg: 'x' }))
    assert.match(text, /ERROR: x \{\}\n[^\n]*\n?.*Error: a\\x1B\[2J\\n' \+\n +' {4}at b+'/)
  })
})

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
}

describe('the line of a request', () => {
  test('The log line of a request is one line with its members in order [decision 26]', () => {
    const start = '{"level":30,"method":"GET","route":"/v1/pets/{petId}","status":200,"durationMs":1.235'
    const line = `${start},"requestId":"request-1","keyId":7,"traceId":"4bf92f3577b34da6a3ce929d0e0e4736"}\n`
    for (const [changed, expected] of [
      [{}, line],
      [{ keyId: undefined, traceId: undefined }, `${start},"requestId":"request-1"}\n`],
      [{ method: '"\\\n\u0001é\ud800' }, line.replace('"GET"', '"\\"\\\\\\n\\u0001é\\ud800"')],
      [{ durationMs: 12 }, line.replace('1.235', '12')],
    ] as const)
      assert.equal(
        lineOf((log) => createRequestLog(log, 1, systemTime)({ ...ordinary, ...changed }, false)),
        expected,
      )
  })

  /** Returns the records that are logged with this sample, if the random numbers are 0, 0.1, …, 0.9. */
  function sampled(
    changed: Partial<RequestRecord>,
    { sample = 0.25, isFailure = false } = {},
  ): Record<string, unknown>[] {
    const lines: Record<string, unknown>[] = []
    let next = 0
    const logRequest = createRequestLog(logInto(lines), sample, systemTime, () => next++ / 10)
    for (let i = 0; i < 10; i++) logRequest({ ...ordinary, ...changed }, isFailure)
    return lines
  }

  test('LOG_SAMPLE writes only a part of the request lines, and each of them names that part [decision 26]', () => {
    for (const status of [200, 404]) {
      const lines = sampled({ status })
      assert.equal(lines.length, 3, 'below 0.25 are 0, 0.1 and 0.2')
      for (const line of lines) assert.deepEqual([line.status, line.sample], [status, 0.25])
    }
    assert.deepEqual(sampled({}, { sample: 0 }), [])
  })

  test('LOG_SAMPLE never leaves out a request that failed or was slow, and its line stands for one request [decision 26]', () => {
    for (const lines of [sampled({ status: 500 }, { isFailure: true }), sampled({ durationMs: slowMilliseconds })]) {
      assert.equal(lines.length, 10)
      for (const line of lines) assert.equal(line.sample, undefined)
    }
    assert.equal(sampled({ durationMs: slowMilliseconds - 0.001 }).length, 3)
  })
})

onOneTarget('the log of the service', (service) => {
  test('The log has one JSON line per request, with method, route, status, duration, request id and key id', async () => {
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
    test('The service with LOG_SAMPLE leaves out ordinary requests, and LOG_LEVEL limits what is written', async () => {
      for (let i = 0; i < 20; i++) await service().call('GET', '/pets')
      // A request that took long on a busy machine is logged whatever the sample.
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
