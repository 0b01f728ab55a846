/** The headers in the document: each stands where it can be sent, and only there. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Node, operationsOf, resolve } from '../support/openapi.ts'
import { projectFile } from '../support/project.ts'

const document: Node = JSON.parse(projectFile('openapi.json'))
const operations = operationsOf(document)

/** Every documented answer, with the names of its headers. */
const answers = operations.flatMap(({ id, node }) =>
  Object.entries<Node>(node.responses).map(([status, response]) => ({
    id,
    status: Number(status),
    names: Object.keys(resolve(document, response).headers ?? {}),
    takesIdempotencyKey: node.parameters.some(({ name }: Node) => name === 'Idempotency-Key'),
    isDeprecated: node.deprecated === true,
  })),
)

describe('The documented headers', () => {
  test('of every response include X-Request-Id, X-Content-Type-Options and those of the rate limit', () => {
    for (const { id, status, names } of answers)
      for (const name of ['X-Request-Id', 'X-Content-Type-Options', 'RateLimit', 'RateLimit-Policy'])
        assert.ok(names.includes(name), `${id} ${status}`)
  })

  test('have Retry-After on 429 and 503, and on 409 only where an Idempotency-Key is taken [D159]', () => {
    for (const { id, status, names, takesIdempotencyKey } of answers)
      assert.equal(
        names.includes('Retry-After'),
        status === 429 || status === 503 || (status === 409 && takesIdempotencyKey),
        `${id} ${status}`,
      )
    for (const { id } of operations)
      assert.ok(
        answers.some((answer) => answer.id === id && answer.status === 429),
        id,
      )
    assert.ok(answers.some(({ status, takesIdempotencyKey }) => status === 409 && !takesIdempotencyKey))
  })

  test('have WWW-Authenticate on 401 and 403 alone', () => {
    for (const { id, status, names } of answers)
      assert.equal(names.includes('WWW-Authenticate'), status === 401 || status === 403, `${id} ${status}`)
  })

  test('are required where no response that documents them is without', () => {
    const required = Object.entries<Node>(document.components.headers).filter(([, header]) => header.required)
    assert.deepEqual(
      required.map(([name]) => name),
      ['X-Request-Id', 'X-Content-Type-Options', 'ETag', 'Cache-Control', 'Location', 'WWW-Authenticate'],
    )
  })

  test('have Cache-Control on every answer with a secret', () => {
    for (const id of ['createWebhook', 'rotateWebhook'])
      for (const { status, names } of answers.filter((answer) => answer.id === id))
        assert.ok(names.includes('Cache-Control'), `${id} ${status}`)
  })

  test('announce a removal on deprecated operations only, 304 included', () => {
    for (const { id, status, names, isDeprecated } of answers) {
      if (!isDeprecated) assert.ok(!names.includes('Sunset') && !names.includes('Deprecation'), `${id} ${status}`)
      else if ([200, 304, 403, 404].includes(status))
        for (const name of ['Sunset', 'Deprecation', 'Link']) assert.ok(names.includes(name), `${id} ${status} ${name}`)
    }
  })
})
