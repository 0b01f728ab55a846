/** The error codes in the document: all that there are, each under its status, and for each operation its own. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { errors } from '../../src/errors.ts'
import { type DocumentedOperation, type Node, operationsOf, resolve } from '../support/openapi.ts'
import { projectFile } from '../support/project.ts'

const document: Node = JSON.parse(projectFile('openapi.json'))
const operations = operationsOf(document)

describe('The error codes', () => {
  /** The whole list: a code is added here and in src/errors.ts, or not at all. */
  const list: Record<number, string[]> = {
    400: [
      ...['bad_request', 'malformed_json', 'missing_field', 'invalid_field', 'unknown_field', 'duplicate_field'],
      ...['invalid_parameter', 'invalid_cursor', 'invalid_idempotency_key'],
    ],
    401: ['missing_api_key', 'invalid_api_key'],
    403: ['insufficient_scope'],
    404: [
      ...['route_not_found', 'pet_not_found', 'order_not_found', 'category_not_found'],
      ...['webhook_not_found', 'delivery_not_found'],
    ],
    405: ['method_not_allowed'],
    408: ['request_timeout'],
    409: ['pet_not_available', 'order_state_conflict', 'idempotency_in_progress'],
    410: ['endpoint_removed', 'events_expired'],
    412: ['precondition_failed'],
    413: ['content_too_large'],
    414: ['uri_too_long'],
    415: ['unsupported_media_type'],
    422: ['unknown_pet', 'idempotency_key_reused'],
    429: ['rate_limited'],
    431: ['headers_too_large'],
    500: ['internal_error'],
    503: ['unavailable'],
  }
  const codes = Object.values(list).flat()

  test('are those of the list, in the document [D11]', () => {
    const { code } = document.components.schemas.Error.properties
    assert.deepEqual(code['x-extensible-enum'].toSorted(), codes.toSorted())
    assert.equal(code.enum, undefined, 'a new code must break no client')
  })

  test('have the statuses of the list, in the program [D11]', () => {
    const statuses = Object.entries(list).flatMap(([status, group]) => group.map((code) => [code, Number(status)]))
    assert.deepEqual(
      Object.fromEntries(Object.entries(errors).map(([code, [status]]) => [code, status])),
      Object.fromEntries(statuses),
    )
  })

  /** The errors that are documented for a status of an operation. */
  function documented({ node }: DocumentedOperation, status: string | number): Node[] {
    const { example, examples } = resolve(document, node.responses[status]).content['application/json']
    return example ? [example] : Object.values<Node>(examples).map(({ value }) => value)
  }

  test('are listed only under their own status in the document', () => {
    for (const each of operations)
      for (const status of Object.keys(each.node.responses).filter((text) => Number(text) >= 400))
        for (const value of documented(each, status)) {
          assert.ok(list[Number(status)]?.includes(value.code), `${each.id} ${status} ${value.code}`)
          assert.deepEqual(Object.keys(value).sort(), ['code', 'message', 'status'])
          assert.equal(value.status, Number(status))
        }
  })

  test('of an operation are its own, though others share some of them', () => {
    const codes = (id: string, status: number) =>
      documented(operations.find((each) => each.id === id) ?? assert.fail(id), status).map(({ code }) => code)
    assert.deepEqual(codes('getPet', 400), ['bad_request'])
    assert.deepEqual(codes('listPets', 400), ['bad_request', 'invalid_parameter', 'invalid_cursor'])
    assert.ok(codes('createPet', 400).includes('missing_field') && codes('putCategory', 400).includes('missing_field'))
    assert.deepEqual(codes('getPet', 404), ['pet_not_found'])
    assert.deepEqual(codes('getOrder', 404), ['order_not_found'])
    assert.deepEqual(codes('placeOrder', 409), ['pet_not_available', 'idempotency_in_progress'])
    assert.deepEqual(codes('deletePet', 409), ['order_state_conflict'])
    for (const { id } of operations) assert.deepEqual(codes(id, 401), ['missing_api_key', 'invalid_api_key'])
  })
})
