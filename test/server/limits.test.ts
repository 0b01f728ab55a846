/** How large a request may be, to the byte, and what happens to a request whose client disconnects. */
import assert from 'node:assert/strict'
import { databases } from '../../harness/databases.ts'
import { expectError } from '../../harness/expect.ts'
import { eventually } from '../../harness/patience.ts'
import { chunk, exchange, RawConnection, request } from '../../harness/raw.ts'
import { test, testInFull } from '../../harness/scope.ts'
import { type Answer, asProcess, onOneTarget } from '../../harness/service.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
const bodyBytesMax = 64 * kibibyte
/** A valid body of exactly this many bytes. */
const bodyOfBytes = (bytes: number): string => '{"name":"Rex","categoryId":1}'.padEnd(bytes)
const halves = (text: string): string[] => [text.slice(0, text.length / 2), text.slice(text.length / 2)]

asProcess(
  'the limits of a request',
  (service) => {
    const common = () => ['Host: localhost', `Authorization: Bearer ${service().key}`]
    const headOfPost = (...lines: string[]) =>
      request('POST /v1/pets HTTP/1.1', [...common(), 'Content-Type: application/json', ...lines])

    test('The service takes a target of 8 KiB and refuses one byte more with 414', async () => {
      const get = async (length: number) => {
        const line = `GET ${'/v1/pets?x='.padEnd(length, 'x')} HTTP/1.1`
        const [answer] = await exchange(service().port, request(line, [...common(), 'Connection: close']))
        return answer as Answer
      }
      assert.equal((await get(8 * kibibyte)).status, 200)
      expectError(await get(8 * kibibyte + 1), 414, 'uri_too_long')
    })

    const ways: readonly ((body: string) => [length: string, parts: string[]])[] = [
      (body) => [`Content-Length: ${body.length}`, [body]],
      (body) => ['Transfer-Encoding: chunked', [`${chunk(body)}0\r\n\r\n`]],
      (body) => ['Transfer-Encoding: chunked', [...halves(body).map(chunk), '0\r\n\r\n']],
    ]
    test('The service takes a body of 64 KiB and refuses one byte more with 413, however it is sent [decision 21]', async () => {
      for (const write of ways)
        for (const isLate of [false, true])
          for (const more of [0, 1]) {
            const [length, parts] = write(bodyOfBytes(bodyBytesMax + more))
            const connection = await RawConnection.open(service().port)
            connection.send(headOfPost(length))
            // After another request is answered, this one has begun and waits for its body.
            if (isLate) await service().call('GET', '/pets?limit=1')
            for (const part of parts) connection.send(part)
            const answer = (await connection.answer()) as Answer
            connection.close()
            if (more === 0) assert.equal(answer.status, 201)
            else expectError(answer, 413, 'content_too_large')
          }
    })

    for (const length of ['Transfer-Encoding: chunked', `Content-Length: ${1024 * mebibyte}`])
      testInFull(
        `The service keeps nothing of a body that is too large, and refuses it early, with ${length} [decision 21]`,
        async () => {
          const before = await service().memory()
          const connection = await RawConnection.open(service().port)
          connection.send(headOfPost(length))
          const part = chunk('x'.repeat(mebibyte))
          for (let sent = 0; sent < 256; sent++) {
            connection.send(part)
            await connection.sent()
          }
          const grown = (await service().memory()) - before
          const refused = (await connection.answer()) as Answer
          connection.close()
          expectError(refused, 413, 'content_too_large')
          assert.ok(grown < 192 * mebibyte, `of 256 MiB, ${Math.round(grown / mebibyte)} were kept`)
        },
      )

    for (const length of ['Transfer-Encoding: chunked', 'Content-Length: 1000'])
      test(`A client that disconnects within its body is not counted as a failure of the service, with ${length}`, async () => {
        const seen = service().log.length
        const connection = await RawConnection.open(service().port)
        connection.send(headOfPost(length) + chunk('{"name":'))
        // Before the service has read what arrived, it would not see the request at all.
        await service().call('GET', '/pets?limit=1')
        connection.close()
        const log = await eventually(
          async () => service().log.slice(seen),
          (text) => /"method":"POST"/.test(text),
        )
        assert.match(log, /"method":"POST","route":"\/v1\/pets","status":400/)
        assert.doesNotMatch(log, /"level":(40|50|60)/)
      })
  },
  {},
  [databases[0]],
)

onOneTarget('on Node', (service) => {
  /**
   * Returns the answer to a request whose target, header names and header values, which Node counts, have this many
   * bytes together.
   */
  async function answerTo(target: string, bytes: number): Promise<Answer> {
    const counted = target.length + 'Hosta'.length + 'Connectionclose'.length + 'X'.length
    const lines = ['Host: a', 'Connection: close', `X: ${'x'.repeat(bytes - counted)}`]
    const [answer] = await exchange(service().port, request(`GET ${target} HTTP/1.1`, lines))
    return answer as Answer
  }

  test('The service takes a head of just below 16 KiB and refuses one of 16 KiB with 431', async () => {
    assert.equal((await answerTo('/livez', 16 * kibibyte - 1)).status, 200)
    expectError(await answerTo('/livez', 16 * kibibyte), 431, 'headers_too_large')
  })

  test('A head that is too large is blamed on the target only if the target is too long', async () => {
    const targetOf = (length: number) => '/livez?'.padEnd(length, 'x')
    expectError(await answerTo(targetOf(8 * kibibyte), 20 * kibibyte), 431, 'headers_too_large')
    expectError(await answerTo(targetOf(8 * kibibyte + 1), 20 * kibibyte), 414, 'uri_too_long')
  })
})
