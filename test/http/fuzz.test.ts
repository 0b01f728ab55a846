/** A fuzzer that uses the served OpenAPI document. Whatever it sends, the document describes each answer. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fuzz, fuzzEnvironment } from '../../harness/fuzz.ts'
import { createChecker, type DocumentedOperation, operationsOf } from '../../harness/openapi.ts'
import { projectFile } from '../../harness/project.ts'
import { runOf } from '../../harness/random.ts'
import { times } from '../../harness/scope.ts'
import { type Answer, onOneTarget } from '../../harness/service.ts'

const count = times(2_500, 40)

onOneTarget(
  'The fuzzer',
  (service) => {
    test(`The fuzzer gets only documented answers to ${count} requests with limits [decision 11, 21, 30]`, (t) =>
      fuzz(service(), count, runOf(t)))
  },
  // The rate limit is never reached. Only one request is handled at a time, so a request that did not end would block
  // all others.
  { ...fuzzEnvironment, RATE_LIMIT: '1000000/1', REQUESTS_MAX: '1' },
)

describe('The checker of the fuzzer', () => {
  const document = JSON.parse(projectFile('openapi.json'))
  const check = createChecker(document)
  const listPets = operationsOf(document).find(({ id }) => id === 'listPets') as DocumentedOperation
  const answerOf = (status: number, json: unknown, more: Record<string, string> = {}): Answer => ({
    status,
    headers: new Headers({
      'X-Request-Id': 'x',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      'Content-Type': 'application/json; charset=utf-8',
      ...(status < 400 && { ETag: '"x"' }),
      ...more,
    }),
    text: json === undefined ? '' : JSON.stringify(json),
    json,
  })
  const pet = { id: 1, name: 'Rex', categoryId: 1, status: 'sold' }
  const error = { code: 'invalid_parameter', message: 'limit: must be …', status: 400 }
  const page = (changed: object) => answerOf(200, [{ ...pet, ...changed }])
  const refusal = (changed: object) => answerOf(400, { ...error, ...changed })

  test('The checker of the fuzzer accepts a page, an error, a 304 without a body, and documented or connection headers', () => {
    for (const answer of [
      answerOf(200, [pet, { ...pet, status: undefined }]),
      answerOf(400, error),
      answerOf(304, undefined),
      answerOf(200, [], {
        Link: '<x>; rel="next"',
        RateLimit: 'x',
        Date: 'x',
        Connection: 'close',
        'Keep-Alive': 'x',
        Vary: 'Origin',
        'Access-Control-Allow-Origin': '*',
      }),
    ])
      assert.deepEqual(check(listPets, answer), [])
  })

  for (const [what, answer, complaint] of [
    ['an undocumented status', answerOf(418, { ...error, status: 418 }), /418 is not documented/],
    ['a 500, documented or not', answerOf(500, { ...error, status: 500 }), /the service failed/],
    ['an extra member in an answer', page({ wings: 2 }), /must NOT have additional properties/],
    ['an extra member in an error', refusal({ stack: 'x' }), /must NOT have additional properties/],
    ['a missing member', page({ name: undefined }), /must have required property 'name'/],
    ['a member of another type', page({ id: '1' }), /must be integer/],
    ['a value that is not in the list', page({ status: 'lost' }), /must be equal to one of/],
    ['an unknown error code', refusal({ code: 'oops' }), /must be equal to one of/],
    ['a code of other operations', refusal({ code: 'malformed_json' }), /the code malformed_json is not documented/],
    ['an error that belies its status', refusal({ status: 404 }), /says 404 under status 400/],
    ['a body that is no JSON', answerOf(200, [], { 'Content-Type': 'text/html' }), /a body of type text\/html/],
    ['a body on 304', answerOf(304, []), /a body where none may be/],
    ['a header no operation has', answerOf(200, [], { 'X-Powered-By': 'x' }), /header x-powered-by is not/],
    ['an answer without its headers', { ...answerOf(304, undefined), headers: new Headers() }, /no header ETag/],
    ['a header of another operation', answerOf(200, [], { Location: '/' }), /header location is not/],
    ['a header of another status', answerOf(400, error, { ETag: '"x"' }), /header etag is not/],
    ['a header on 304', answerOf(304, undefined, { 'Retry-After': '1' }), /header retry-after is not/],
  ] as const)
    test(`The checker of the fuzzer reports ${what} [decision 30]`, () => {
      assert.match(check(listPets, answer).join('\n'), complaint)
    })
})
