/**
 * More requests than the service can handle. The excess gets 503 immediately, accepted requests finish, and the memory
 * stays bounded.
 */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe } from 'node:test'
import { databases } from '../../harness/databases.ts'
import { expectError } from '../../harness/expect.ts'
import { logInto } from '../../harness/log.ts'
import { eventually } from '../../harness/patience.ts'
import { chunk, RawConnection, request } from '../../harness/raw.ts'
import { test, testInFull } from '../../harness/scope.ts'
import { type Answer, asProcess, type TestService } from '../../harness/service.ts'
import { createAdmission, overload } from '../../src/http/admission.ts'

/** The most memory that the bodies of all requests may take together. */
const bodyBytesMax = 16 * 1024 * 1024

const kibibyte = 1024
const largest = 64 * kibibyte
const rex = '{"name":"Rex","categoryId":1}'
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'

/** The most memory that the bodies of one key may take. */
const bodyBytesOfKeyMax = bodyBytesMax / 8

const post = (service: TestService, body: string, length = body.length, ...lines: string[]): string =>
  postWith(service.key, body, length, ...lines)

const postWith = (key: string, body: string, length: number, ...lines: string[]): string =>
  request(
    'POST /v1/pets HTTP/1.1',
    [
      'Host: localhost',
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${length}`,
      ...lines,
    ],
    body,
  )

function expectRefusal(answer: Answer | undefined): void {
  expectError(answer as Answer, 503, 'unavailable')
  assert.equal(answer?.headers.get('retry-after'), '1')
}

asProcess(
  'a service that works on one request at a time',
  (service) => {
    /** Runs `work` while a write waits for a lock, and then lets the write finish. */
    async function whileBusy(work: () => Promise<void>): Promise<void> {
      using other = new DatabaseSync(service().databaseUrl.slice('sqlite:'.length), { timeout: 5_000 })
      other.exec('BEGIN IMMEDIATE')
      let isRefused = false
      const write = async (): Promise<Answer> => {
        const answer = await service().call('POST', '/pets', { body: rex })
        isRefused = answer.status === 503
        return answer
      }
      let first = write()
      // The request may itself be refused, and is then repeated.
      await eventually(
        async () => {
          if (isRefused) {
            isRefused = false
            first = write()
          }
          return (await service().call('GET', '/pets?limit=1')).status
        },
        (status) => status !== 200,
      )
      await work()
      other.exec('ROLLBACK')
      assert.equal((await first).status, 201)
    }

    test('An overloaded service refuses requests immediately with 503 and Retry-After, and finishes those in progress [decision 21]', async () => {
      await whileBusy(async () => {
        const id = { 'X-Request-Id': 'refused-1' }
        const refused = await service().call('POST', '/pets', { body: rex, headers: id })
        expectRefusal(refused)
        assert.equal(refused.headers.get('x-request-id'), 'refused-1')
        expectRefusal(await service().call('GET', '/nowhere', { key: null }))
        expectRefusal(await service().call('POST', '//mcp', { body: ping }))
      })
    })

    test('An overloaded service accepts a tool call of an agent whenever it works on nothing else [decision 21]', async () => {
      for (let i = 0; i < 3; i++) assert.equal((await service().call('POST', '//mcp', { body: ping })).status, 200)
    })

    test('An overloaded service answers the health checks, the reference and the metrics [decision 21]', async () => {
      const key = await service().makeKey({ scopes: ['metrics:read'] })
      assert.equal((await service().call('GET', '//readyz', { key: null })).status, 200)
      await whileBusy(async () => {
        const alive = await service().call('GET', '//livez', { key: null })
        assert.deepEqual([alive.status, alive.headers.get('cache-control')], [200, 'no-store'])
        assert.equal((await service().call('GET', '//openapi.json', { key: null })).status, 200)
        const metrics = await service().call('GET', '//metrics', { key })
        assert.match(metrics.text, /^petstore_errors_total\{code="unavailable"\} [1-9]/m)
        // A write that has waited too long for the lock also makes it 503, but for that reason.
        assert.doesNotMatch((await service().call('GET', '//readyz', { key: null })).text, /too many requests/)
      })
    })

    test('An overloaded service refuses without waiting for the body, and the connection stays usable once it has arrived [decision 21]', async () => {
      const connection = await RawConnection.open(service().port)
      await whileBusy(async () => {
        connection.send(post(service(), rex.slice(0, 9), rex.length))
        expectRefusal(await connection.answer())
      })
      connection.send(rex.slice(9) + post(service(), rex))
      assert.equal((await connection.answer())?.status, 201)
      connection.close()
    })

    test('A request whose body does not arrive delays no other request [decision 21]', async () => {
      const slow = await RawConnection.open(service().port)
      slow.send(post(service(), rex.slice(0, 9), rex.length, 'Expect: 100-continue'))
      assert.equal((await slow.answer())?.status, 100)
      for (let i = 0; i < 3; i++) assert.equal((await service().call('POST', '/pets', { body: rex })).status, 201)
      slow.send(rex.slice(9))
      assert.equal((await slow.answer())?.status, 201)
      slow.close()
    })
  },
  { REQUESTS_MAX: '1' },
  [databases[0]],
)

asProcess(
  'large bodies',
  (service) => {
    test('The bodies of one key are read up to 2 MiB concurrently; small bodies and those of other keys do not wait [decision 21]', async () => {
      const [key, other] = [await service().makeKey(), await service().makeKey()]
      const send = (of: string, length: number) =>
        service().call('POST', '/pets', { body: rex.padEnd(length), key: of })
      const announce = async () => {
        const connection = await RawConnection.open(service().port)
        connection.send(postWith(key, '', largest, 'Expect: 100-continue'))
        assert.equal((await connection.answer())?.status, 100)
        return connection
      }
      const slow = await Promise.all(Array.from({ length: bodyBytesOfKeyMax / largest }, announce))
      assert.equal((await send(key, largest)).status, 201)
      for (const connection of slow) connection.send(rex.padEnd(largest - 1))
      // One of these requests may have been refused because of the request that checks whether the room is full. Then
      // another request fills the room.
      let refused = await send(key, 4 * kibibyte + 1)
      for (let tries = 0; tries < 100 && refused.status !== 503; tries++) {
        const another = await announce()
        another.send(rex.padEnd(largest - 1))
        slow.push(another)
        refused = await send(key, 4 * kibibyte + 1)
      }
      expectRefusal(refused)
      assert.equal((await send(key, 4 * kibibyte)).status, 201)
      assert.equal((await send(other, largest)).status, 201)
      const ends = await Promise.all(
        slow.map((connection) => {
          connection.send(' ')
          return connection.answer()
        }),
      )
      assert.ok(ends.some((end) => end?.status === 201))
      assert.equal((await send(key, largest)).status, 201)
      for (const connection of slow) connection.close()
    })

    testInFull('Bodies on 1,000 connections at the same time take less than 400 MB [decision 21]', async () => {
      const whole = rex.padEnd(largest)
      const lines = ['Host: localhost', `Authorization: Bearer ${service().key}`, 'Content-Type: application/json']
      const inChunks = request(
        'POST /v1/pets HTTP/1.1',
        [...lines, 'Transfer-Encoding: chunked'],
        `${chunk(whole)}0\r\n\r\n`,
      )
      const ways = [post(service(), whole), inChunks].map((text) => Buffer.from(text))
      const seen = new Set<number | undefined>()
      async function client(): Promise<void> {
        const connection = await RawConnection.open(service().port)
        for (const sent of ways) {
          connection.send(sent)
          seen.add((await connection.answer())?.status)
        }
        connection.close()
      }
      await Promise.all(Array.from({ length: 1_000 }, client))
      const megabytes = Math.round((await service().memoryPeak()) / 1e6)
      for (const status of seen) assert.ok(status === 201 || status === 503, String(status))
      assert.equal((await service().call('POST', '/pets', { body: rex })).status, 201)
      assert.ok(megabytes < 400, `${megabytes} MB`)
    })
  },
  { LOG_LEVEL: 'error' },
  [databases[0]],
)

const refuses = (enter: () => void) => assert.throws(enter, (error) => error === overload)

describe('bodies', () => {
  /** Requests of a key, each of which keeps this many bytes until the test ends it. */
  class Holding {
    readonly admission = createAdmission(1_000)

    hold(keyId: number, length = largest): () => void {
      const room = { keyId, bytes: 0 }
      const release = () => this.admission.release(room)
      try {
        for (const received of [1, length / 2, length]) this.admission.hold(room, received)
      } catch (error) {
        release()
        throw error
      }
      return release
    }

    refuses = (keyId: number, length?: number) => refuses(() => this.hold(keyId, length))

    /** Makes as many requests as a key may have. */
    fill = (keyId: number) => Array.from({ length: bodyBytesOfKeyMax / largest }, () => this.hold(keyId))
  }

  test('The bodies of all keys may take 16 MiB, and then one more per key, so that slow senders block nobody [decision 21]', () => {
    const holding = new Holding()
    const keys = Array.from({ length: bodyBytesMax / bodyBytesOfKeyMax }, (_, i) => i + 1)
    const [first = []] = keys.map(holding.fill)
    for (const key of keys) holding.refuses(key, 4 * kibibyte + 1)
    const leaving = [100, 101, 102].map((key) => holding.hold(key))
    for (const key of [100, 101, 102]) holding.refuses(key, 4 * kibibyte + 1)
    holding.hold(100, 4 * kibibyte)
    for (const leave of [...leaving, ...first]) leave()
    holding.fill(1)
    holding.refuses(2)
    holding.hold(100)()
  })

  test('The bodies of one key take at most 2 MiB even if there is more room, and none stays in memory [decision 21]', () => {
    const holding = new Holding()
    for (let round = 0; round < 3; round++) {
      const held = holding.fill(1)
      holding.refuses(1)
      for (const leave of held) leave()
    }
  })
})

test('The number of refused requests is logged once if there were any', () => {
  const lines: Record<string, unknown>[] = []
  const [admission, log] = [createAdmission(0), logInto(lines)]
  admission.logRefused(log)
  for (const count of [1, 2]) {
    for (let i = 0; i < count; i++) refuses(() => admission.enter())
    for (let i = 0; i < 2; i++) admission.logRefused(log)
  }
  const line = { level: 40, msg: 'too many requests: some were refused with 503' }
  assert.deepEqual(lines, [
    { ...line, refused: 1 },
    { ...line, refused: 2 },
  ])
})
