/**
 * The OpenAPI document as a contract. It is up to date, agrees with the published interface, and has an example of
 * everything, and every error code and every header where it belongs.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { type DocumentedOperation, type Node, operationsOf, resolve } from '../../harness/openapi.ts'
import { command, done, Folder } from '../../harness/process.ts'
import { projectFile, root } from '../../harness/project.ts'
import { testInFull } from '../../harness/scope.ts'
import { type ErrorCode, errors } from '../../src/errors.ts'
import { eventTypes, positionText } from '../../src/model/event.ts'

const text = projectFile('openapi.json')
const document: Node = JSON.parse(text)
const { schemas } = document.components
const operations = new Map(operationsOf(document).map((operation) => [operation.id, operation]))
const operation = (id: string): DocumentedOperation => operations.get(id) ?? assert.fail(`${id} is not documented`)
const jsonOf = (node: Node): Node => resolve(document, node).content['application/json']

/** Returns a parameter without its description and its example. */
function parameter(id: string, name: string): Node {
  const found = operation(id).node.parameters.find((each: Node) => each.name === name)
  assert.ok(found, `${id} has no parameter ${name}`)
  const { description, example, ...rest } = found
  assert.ok(description, `${name} is described`)
  return rest
}

const written = async (env: Record<string, string>): Promise<string> =>
  (await command(['openapi', '--output', '-'], env)).stdout

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(document, 'document')
const validators = new Map<string, ValidateFunction>()
function expectValid(schema: Node, value: unknown, where: string): void {
  const rooted = JSON.stringify(schema).replaceAll('"#/', '"document#/')
  let validate = validators.get(rooted)
  if (!validate) validators.set(rooted, (validate = ajv.compile(JSON.parse(rooted))))
  assert.ok(validate(value), `${where}: ${ajv.errorsText(validate.errors)}`)
}

describe('The document', () => {
  test('The OpenAPI document is version 3.1 of the interface 1.0.0, and its addresses end in /v1 [decision 30]', async () => {
    assert.match(document.openapi, /^3\.1\./)
    assert.equal(document.info.version, '1.0.0')
    const urls = { PUBLIC_URL: 'https://shop.example/v1', STAGING_URL: 'https://staging.example/v1' }
    assert.deepEqual(JSON.parse(await written(urls)).servers, [
      { url: urls.PUBLIC_URL, description: 'Production' },
      { url: urls.STAGING_URL, description: 'Staging' },
    ])
    assert.deepEqual(document.servers, [{ url: 'http://127.0.0.1:8080/v1', description: 'Local' }])
    assert.ok(document.tags.some(({ name }: Node) => name === 'animals'))
    assert.doesNotMatch(text, /"x-(?:internal|expects)"/, 'only this program understands those')
  })

  test('The OpenAPI document requires a bearer key for every operation', () => {
    const [requirement, ...others] = document.security
    assert.equal(others.length, 0)
    const [scheme = ''] = Object.keys(requirement)
    const { type, scheme: kind } = document.components.securitySchemes[scheme]
    assert.deepEqual({ type, kind }, { type: 'http', kind: 'bearer' })
    // An operation itself only names the scope that the key needs, where tools look for it.
    for (const { node } of operations.values()) {
      const scope = node['x-scope']
      assert.deepEqual(node.security, scope && [{ [scheme]: [scope] }])
      assert.ok(node.description.endsWith(scope ? `the scope \`${scope}\`.` : 'which may have any scope.'))
    }
  })

  test('The OpenAPI document marks exactly what the interface does not contain as not yet stable, with a badge', () => {
    const published = ['listPets limit', 'listPets status', 'getPet petId']
    for (const { id, node } of operations.values()) {
      const isPublished = ['listPets', 'createPet', 'getPet'].includes(id)
      if (!isPublished)
        assert.match(
          node['x-stability'] ?? '',
          /^(beta|experimental)$/,
          `${id} is not in the published interface; declare it with stability: 'beta'`,
        )
      else
        for (const { name, 'x-stability': stability } of node.parameters)
          assert.equal(stability === undefined, published.includes(`${id} ${name}`), `${id} ${name}`)
    }
    const webhooks = Object.values<Node>(document.webhooks).map(({ post }) => post)
    for (const node of [...[...operations.values()].map((each) => each.node), ...webhooks]) {
      const stability = node['x-stability']
      const badge = { name: stability, label: stability, color: 'orange' }
      assert.deepEqual(node['x-badges'], stability && [badge], node.operationId)
      assert.equal(node['x-mcp'], node.operationId === 'streamEvents' ? false : undefined, 'agents follow no stream')
    }
  })

  test('The OpenAPI document has valid examples of every body and of the parameters that every request may have [decision 30]', () => {
    const without: string[] = []
    for (const { id, node } of operations.values()) {
      for (const { name, in: place, schema, example, description } of node.parameters)
        if (example !== undefined) {
          assert.ok(place === 'path' || 'default' in schema, `${id} ${name}: pages would send every filter at once`)
          expectValid(schema, example, `${id} ${name}`)
        } else if (!resolve(document, schema).enum && !/ For example: `.+`\.$/.test(description))
          without.push(`${id} ${name}`)
      for (const [where, each] of Object.entries<Node>({ request: node.requestBody ?? {}, ...node.responses }))
        for (const { schema, ...body } of Object.values<Node>(resolve(document, each).content ?? {})) {
          const examples = 'example' in body ? [body.example] : Object.values<Node>(body.examples).map((n) => n.value)
          assert.ok(examples.length > 0, `${id} ${where}`)
          for (const example of examples) expectValid(schema, example, `${id} ${where}`)
        }
    }
    // Only the service can create these values. A page that filled in an invented one would get 400, 410 or 412.
    const given = ['cursor', 'after', 'If-None-Match', 'If-Match', 'Last-Event-ID', 'Idempotency-Key']
    const ofGiven = [...operations.values()].flatMap(({ id, node }) =>
      node.parameters.flatMap(({ name }: Node) => (given.includes(name) ? `${id} ${name}` : [])),
    )
    assert.deepEqual(without, ofGiven)
  })

  test('The OpenAPI document has a format for every integer that may exceed 32 bits, where some clients would overflow', () => {
    JSON.parse(text, (_name, node) => {
      if (node?.type === 'integer' && !(node.maximum < 2 ** 31))
        assert.equal(node.format, 'int64', JSON.stringify(node))
      return node
    })
  })

  test('The OpenAPI document describes the data of an event for each type [decision 15]', () => {
    const { oneOf, discriminator } = schemas.Event
    const dataOf = (pointer: string) => resolve(document, { $ref: pointer }).properties
    const told = Object.entries<string>(discriminator.mapping).map(([type, $ref]) => {
      assert.ok(dataOf($ref).type.enum.includes(type))
      return [type, dataOf($ref).data.$ref.split('/').at(-1).toLowerCase()]
    })
    assert.deepEqual(discriminator.propertyName, 'type')
    const expected = eventTypes.map((type) => [type, type.split('.')[0]])
    assert.deepEqual(told, expected)
    const named = oneOf.flatMap(({ $ref }: Node) => dataOf($ref).type.enum)
    assert.deepEqual(named, eventTypes)
  })

  test('The OpenAPI document accepts as Last-Event-ID what a stream sends as its id', () => {
    const { pattern, maxLength } = parameter('streamEvents', 'Last-Event-ID').schema
    const last = positionText({ id: Number.MAX_SAFE_INTEGER, at: 8.64e15 })
    for (const position of ['0-0', '7-mwhmvow0', '7', last]) assert.match(position, new RegExp(pattern, 'u'))
    assert.ok(last.length <= maxLength)
  })

  /** Ends the program that loads it at its first connection. */
  const offline = `data:text/javascript,${encodeURIComponent(`
import { Socket } from 'node:net'
Socket.prototype.connect = function (options) {
  process.stderr.write('It asked for a connection: ' + JSON.stringify(options))
  process.exit(97)
}`)}`
  for (const [program, title, arg, file = 'openapi.json'] of [
    ['redocly', 'redocly finds no fault in the document', '--max-problems=1000', 'openapi.json'],
    ['redocly', 'nor in that of OpenAPI 3.0 [decision 30]', '--max-problems=1000', 'openapi-3.0.json'],
    ['spectral', 'Spectral finds nothing that .spectral.yaml does not waive', '--fail-severity=hint'],
  ] as const)
    testInFull(`${title}, without a network`, async () => {
      using folder = new Folder()
      const older = join(folder.path, 'openapi-3.0.json')
      if (file !== 'openapi.json') await done(['openapi', '--openapi', '3.0', '--output', older])
      const bin = join(root, 'node_modules/.bin', program)
      const line = ['--import', offline, bin, 'lint', file === 'openapi.json' ? file : older, arg]
      // Redocly would otherwise look for a newer version of itself, and report to its makers that it ran.
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
      const { status, stdout, stderr } = spawnSync(process.execPath, line, { cwd: root, encoding: 'utf8', env })
      assert.equal(status, 0, `${stdout}\n${stderr}`)
    })
})

test('The OpenAPI 3.0 document has the same operations and schemas, in the vocabulary of 3.0 [decision 30]', async () => {
  const { stdout } = await command(['openapi', '--openapi', '3.0', '--output', '-'], {})
  const older: Node = JSON.parse(stdout)
  assert.deepEqual([older.openapi, older.webhooks, older.info.summary], ['3.0.3', undefined, undefined])
  assert.deepEqual(Object.keys(older['x-webhooks']), Object.keys(document.webhooks))
  assert.deepEqual(
    operationsOf(older).map(({ id }) => id),
    [...operations.keys()],
  )
  assert.deepEqual(Object.keys(older.components.schemas), Object.keys(schemas))
  const { type, nullable, example } = older.components.schemas.OrderPatch.properties.heldUntil
  assert.deepEqual([type, nullable, example], ['string', true, '2026-11-20T18:00:00Z'])
  const placed = older.paths['/store/orders'].post.requestBody
  assert.deepEqual(jsonOf(placed).examples, jsonOf(operation('placeOrder').node.requestBody).examples)
  JSON.parse(stdout, (_name, node) => {
    assert.ok(!Array.isArray(node?.type) && !Array.isArray(node?.examples), JSON.stringify(node))
    for (const requirement of node?.security ?? []) assert.deepEqual(requirement, { apiKey: [] })
    return node
  })
})

describe('The published operations', () => {
  for (const [id, line, responses, body] of [
    ['listPets', 'GET /pets', { 200: 'Pets', 401: 'Error' }],
    ['createPet', 'POST /pets', { 201: 'Pet', 400: 'Error', 401: 'Error' }, 'NewPet'],
    ['getPet', 'GET /pets/{petId}', { 200: 'Pet', 401: 'Error', 404: 'Error' }],
  ] as [string, string, Record<string, string>, string?][])
    test(`${id} has the published responses, and additional ones only as refusals and 304`, () => {
      const { method, path, node } = operation(id)
      assert.equal(`${method} ${path}`, line)
      assert.deepEqual(node.tags, ['animals'])
      assert.ok(!('x-stability' in node), 'absent means stable')
      assert.equal(node.deprecated === true, id === 'getPet')
      assert.equal(node.requestBody?.required, body && true)
      const refTo = (schema: string) => ({ $ref: `#/components/schemas/${schema}` })
      if (body)
        assert.deepEqual(node.requestBody.content, {
          'application/json': { ...jsonOf(node.requestBody), schema: refTo(body) },
        })
      for (const [status, schema] of Object.entries(responses))
        assert.deepEqual(jsonOf(node.responses[status]).schema, refTo(schema))
      for (const [status, response] of Object.entries<Node>(node.responses)) {
        if (status in responses) continue
        assert.match(status, /^(304|[45]\d\d)$/)
        if (status !== '304') assert.deepEqual(jsonOf(response).schema, refTo('Error'))
      }
      for (const each of node.parameters)
        assert.equal(resolve(document, each).required, each.in === 'path', `${id} ${each.name}`)
    })

  test('The published operations accept the parameters of the interface, and getPet announces its removal', () => {
    assert.deepEqual(parameter('listPets', 'limit'), {
      name: 'limit',
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    })
    assert.deepEqual(parameter('listPets', 'status'), {
      name: 'status',
      in: 'query',
      required: false,
      schema: { $ref: '#/components/schemas/PetStatus' },
    })
    assert.deepEqual(parameter('getPet', 'petId'), {
      name: 'petId',
      in: 'path',
      required: true,
      schema: { type: 'integer', format: 'int64' },
    })
    const { node } = operation('getPet')
    assert.equal(node['x-deprecated-sunset'], '2030-12-05')
    assert.match(node.description, /warning/i)
    assert.match(node.description, /2030-12-05/)
  })

  test('The published operations have the published schemas', () => {
    const newPet = { name: 'string', categoryId: 'integer int64', status: '#/components/schemas/PetStatus' }
    for (const [schema, fields, required] of [
      ['Pet', { id: 'integer int64', ...newPet }, ['categoryId', 'id', 'name']],
      ['NewPet', { id: 'integer int64', ...newPet }, ['categoryId', 'name']],
      ['Error', { code: 'string', message: 'string', status: 'integer int32' }, ['code', 'message', 'status']],
    ] as const) {
      const found = Object.entries<Node>(schemas[schema].properties).map(([name, { type, format, $ref }]) => [
        name,
        $ref ?? (format ? `${type} ${format}` : type),
      ])
      assert.deepEqual(Object.fromEntries(found), fields)
      assert.deepEqual([...schemas[schema].required].sort(), required)
    }
    for (const schema of ['NewPet', 'PetPatch']) {
      assert.match(schemas[schema].properties.id.description, /^Ignored/, 'the interface has no id here')
      assert.ok(!schemas[schema].required?.includes('id'))
    }
    assert.equal(schemas.Error.additionalProperties, false)
    assert.equal(schemas.PetStatus.type, 'string')
    assert.deepEqual(schemas.PetStatus.enum, ['available', 'pending', 'sold'])
    const { type, items } = schemas.Pets
    assert.deepEqual([type, items], ['array', { $ref: '#/components/schemas/Pet' }])
  })
})

// Go's RE2 and Rust's regex have no lookaround and no backreferences, and each dialect writes Unicode differently.
test('The pattern of a name uses only ASCII classes and repetition, and stands only where a name is sent', () => {
  const { pattern } = schemas.NewPet.properties.name
  assert.match(pattern, /^\^(?:\[\^(?:\\x[0-7][0-9A-F]|\\s|-)+\]\*?)+\$$/)
  assert.equal(schemas.PetPatch.properties.name.pattern, pattern)
  assert.ok(!('pattern' in schemas.Pet.properties.name), 'a stricter rule later must not make old names invalid')
})

describe('The error codes', () => {
  test('The OpenAPI document lists the error codes of the program, and a new code breaks no client [decision 4]', () => {
    const { code } = schemas.Error.properties
    assert.deepEqual(code['x-extensible-enum'].toSorted(), Object.keys(errors).toSorted())
    assert.equal(code.enum, undefined)
  })

  /** Returns the errors that are documented for a status of an operation. */
  function documented(id: string, status: string | number): Node[] {
    const { example, examples } = jsonOf(operation(id).node.responses[status])
    return example ? [example] : Object.values<Node>(examples).map(({ value }) => value)
  }

  test('Each error code is listed only under its status, and each operation lists its own codes', () => {
    for (const { id, node } of operations.values())
      for (const status of Object.keys(node.responses).filter((each) => Number(each) >= 400))
        for (const value of documented(id, status)) {
          assert.equal(errors[value.code as ErrorCode]?.[0], Number(status), `${id} ${status} ${value.code}`)
          assert.deepEqual(Object.keys(value).sort(), ['code', 'message', 'status'])
          assert.equal(value.status, Number(status))
        }
    const codes = (id: string, status: number) => documented(id, status).map(({ code }) => code)
    assert.deepEqual(codes('getPet', 400), ['bad_request'])
    assert.deepEqual(codes('listPets', 400), ['bad_request', 'invalid_parameter', 'invalid_cursor'])
    for (const id of ['createPet', 'putCategory']) assert.ok(codes(id, 400).includes('missing_field'))
    assert.deepEqual(codes('getPet', 404), ['pet_not_found'])
    assert.deepEqual(codes('getOrder', 404), ['order_not_found'])
    assert.deepEqual(codes('placeOrder', 409), ['pet_not_available', 'idempotency_in_progress'])
    assert.deepEqual(codes('deletePet', 409), ['order_state_conflict'])
    for (const id of operations.keys()) assert.deepEqual(codes(id, 401), ['missing_api_key', 'invalid_api_key'])
  })
})
