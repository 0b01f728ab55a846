/** A fuzzer led by the served OpenAPI document: whatever it sends, each answer is one the document describes. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createChecker, type DocumentedOperation, operationsOf } from '../support/openapi.ts'
import { projectFile } from '../support/project.ts'
import { type FuzzRequest, requests, type TokenKind, tokenPattern } from '../support/requests.ts'
import { type Answer, onEveryTarget, type TestService } from '../support/service.ts'

const numRuns = Number(process.env.FUZZ_REQUESTS || 1000)

onEveryTarget(
  'The fuzzer',
  (service) => {
    test(`sends ${numRuns} requests and gets only documented answers`, async () => {
      const { json: document } = await service().call('GET', '//openapi.json', { key: null })
      const check = createChecker(document)
      const operations = new Map(operationsOf(document).map((operation) => [operation.id, operation]))
      const client = new FuzzClient(service(), await service().makeKey({ scopes: ['metrics:read'] }))
      await client.prime()
      const seen = new Set<string>()
      await fc.assert(
        fc.asyncProperty(requests(document), async (request) => {
          const answer = await client.send(request)
          seen.add(`${request.operation} ${answer.status}`)
          assert.deepEqual(check(operations.get(request.operation) as DocumentedOperation, answer, request.method), [])
        }),
        { numRuns },
      )
      for (const id of operations.keys())
        for (const kind of ['2', '4'])
          assert.ok(
            [...seen].some((outcome) => outcome.startsWith(`${id} ${kind}`)),
            `${id} was never answered with ${kind}xx: the fuzzer does not reach it`,
          )
      assert.equal(service().log, '', 'nothing failed inside')
    })
  },
  { LOG_LEVEL: 'warn' },
)

/** Sends requests, filling in what earlier answers brought. */
class FuzzClient {
  readonly #service: TestService
  readonly #weakKey: string
  readonly #known: Record<TokenKind, string[]> = { id: ['1'], etag: ['"none"'], cursor: ['none'] }

  constructor(service: TestService, weakKey: string) {
    this.#service = service
    this.#weakKey = weakKey
  }

  /** Animals and open orders to begin with, so that ids drawn at random often mean something. */
  async prime(): Promise<void> {
    for (let i = 0; i < 60; i++) {
      const pet = await this.#service.call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } })
      if (i % 2 === 0) await this.#service.call('POST', '/store/orders', { body: { petId: pet.json.id } })
    }
  }

  async send({ method, path, headers, body, key }: FuzzRequest): Promise<Answer> {
    const keys = { good: this.#service.key, weak: this.#weakKey, bad: 'pst_bad', none: null }
    const answer = await this.#service.call(method, this.#fill(path), {
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, this.#fill(value)])),
      ...(body !== undefined && { body: typeof body === 'string' ? this.#fill(body) : body }),
      key: keys[key],
    })
    this.#learn(answer)
    return answer
  }

  #fill(text: string): string {
    return text.replaceAll(tokenPattern, (_, kind: TokenKind, n: string) => {
      const known = this.#known[kind]
      return known[Number(n) % known.length] as string
    })
  }

  #learn({ text, headers }: Answer): void {
    const bring = (kind: TokenKind, value: string | null | undefined) => {
      if (value && !this.#known[kind].includes(value)) this.#known[kind] = [value, ...this.#known[kind]].slice(0, 50)
    }
    for (const [, id] of text.matchAll(/\{"id":(\d+)/g)) bring('id', id)
    bring('etag', headers.get('etag'))
    bring('cursor', /[?&]cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1])
  }
}

describe('The checker of the fuzzer', () => {
  const document = JSON.parse(projectFile('openapi.json'))
  const check = createChecker(document)
  const listPets = operationsOf(document).find(({ id }) => id === 'listPets') as DocumentedOperation
  const answerOf = (status: number, json: unknown, type = 'application/json; charset=utf-8'): Answer => ({
    status,
    headers: new Headers({ 'Content-Type': type }),
    text: json === undefined ? '' : JSON.stringify(json),
    json,
  })
  const withHeaders = (answer: Answer, headers: Record<string, string>): Answer => ({
    ...answer,
    headers: new Headers([...answer.headers, ...Object.entries(headers)]),
  })
  const pet = { id: 1, name: 'Rex', categoryId: 1, status: 'sold' }
  const error = { code: 'invalid_parameter', message: 'limit: must be …', status: 400 }

  for (const [what, answer] of Object.entries({
    'a page': answerOf(200, [pet, { ...pet, status: undefined }]),
    'an error': answerOf(400, error),
    'no body on 304': answerOf(304, undefined),
    'the headers it documents, and those of the connection': withHeaders(answerOf(200, []), {
      ...{ Link: '<x>; rel="next"', etag: '"x"', 'X-Request-Id': 'x' },
      ...{ Date: 'x', Connection: 'close', 'Keep-Alive': 'x', Vary: 'Origin', 'Access-Control-Allow-Origin': '*' },
    }),
  }))
    test(`is content with ${what}`, () => {
      assert.deepEqual(check(listPets, answer), [])
    })

  for (const [what, answer, complaint] of [
    ['an undocumented status', answerOf(418, { ...error, status: 418 }), /418 is not documented/],
    [
      'a 500, documented or not',
      answerOf(500, { code: 'internal_error', message: 'x', status: 500 }),
      /the service failed/,
    ],
    ['an extra member in an answer', answerOf(200, [{ ...pet, wings: 2 }]), /must NOT have additional properties/],
    ['an extra member in an error', answerOf(400, { ...error, stack: 'x' }), /must NOT have additional properties/],
    ['a missing member', answerOf(200, [{ id: 1, categoryId: 1 }]), /must have required property 'name'/],
    ['a member of another type', answerOf(200, [{ ...pet, id: '1' }]), /must be integer/],
    ['a value that is not in the list', answerOf(200, [{ ...pet, status: 'lost' }]), /must be equal to one of/],
    ['an unknown error code', answerOf(400, { ...error, code: 'oops' }), /must be equal to one of/],
    ['an error that belies its status', answerOf(400, { ...error, status: 404 }), /says 404 under status 400/],
    ['a body that is no JSON', answerOf(200, [], 'text/html'), /a body of type text\/html/],
    ['a body on 304', answerOf(304, []), /a body where none may be/],
    [
      'a header no operation has',
      withHeaders(answerOf(200, []), { 'X-Powered-By': 'x' }),
      /header x-powered-by is not/,
    ],
    ['a header of another operation', withHeaders(answerOf(200, []), { Location: '/' }), /header location is not/],
    ['a header of another status', withHeaders(answerOf(400, error), { ETag: '"x"' }), /header etag is not/],
    ['a header on 304', withHeaders(answerOf(304, undefined), { 'Retry-After': '1' }), /header retry-after is not/],
  ] as const)
    test(`complains of ${what}`, () => {
      assert.match(check(listPets, answer).join('\n'), complaint)
    })
})
