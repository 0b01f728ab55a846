/** The OpenAPI document as a contract: up to date, true to the published interface, with an example of everything. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { eventTypes, positionText } from '../../src/model/event.ts'
import { type DocumentedOperation, type Node, operationsOf, resolve } from '../support/openapi.ts'
import { projectFile } from '../support/project.ts'
import { main, plainEnvironment } from '../support/service.ts'

const text = projectFile('openapi.json')
const document: Node = JSON.parse(text)
const operations = new Map(operationsOf(document).map((operation) => [operation.id, operation]))

function operation(id: string): DocumentedOperation {
  const found = operations.get(id)
  assert.ok(found, `${id} is not documented`)
  return found
}

function expectOperation(id: string, method: string, path: string): void {
  const { method: documentedMethod, path: documentedPath, node } = operation(id)
  assert.equal(`${documentedMethod} ${documentedPath}`, `${method} ${path}`)
  assert.deepEqual(node.tags, ['animals'])
  assert.ok(!('x-stability' in node), 'absent means stable')
}

/** Checks the responses of the interface; more may be documented, but only refusals and 304. */
function expectResponses(id: string, expected: Record<number, string>): void {
  const { responses } = operation(id).node
  for (const [status, schema] of Object.entries(expected))
    assert.deepEqual(resolve(document, responses[status]).content['application/json'].schema, {
      $ref: `#/components/schemas/${schema}`,
    })
  for (const [status, response] of Object.entries<Node>(responses)) {
    if (status in expected) continue
    assert.match(status, /^(304|[45]\d\d)$/)
    const schema = { $ref: '#/components/schemas/Error' }
    if (status !== '304') assert.deepEqual(resolve(document, response).content['application/json'].schema, schema)
  }
}

/** A parameter without its words and its example. */
function parameter(id: string, name: string): Node {
  const found = operation(id).node.parameters.find((each: Node) => each.name === name)
  assert.ok(found, `${id} has no parameter ${name}`)
  const { description, example, ...rest } = found
  assert.ok(description, `${name} is described`)
  return rest
}

/** The properties of a schema, each as its type, format and reference alone. */
function fieldsOf(schema: string): Node {
  const { properties } = document.components.schemas[schema]
  return Object.fromEntries(
    Object.entries<Node>(properties).map(([name, { type, format, $ref }]) => [
      name,
      $ref ?? (format ? `${type} ${format}` : type),
    ]),
  )
}

function writtenText(settings: Record<string, string>): string {
  const args = [main, 'openapi', '--output', '-']
  return execFileSync(process.execPath, args, { env: { ...plainEnvironment(), ...settings }, encoding: 'utf8' })
}
const written = (settings: Record<string, string>): Node => JSON.parse(writtenText(settings))

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(document, 'document')
function expectValid(schema: Node, value: unknown, where: string): void {
  const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))
  assert.ok(ajv.validate(rooted, value), `${where}: ${ajv.errorsText()}`)
}

describe('The document', () => {
  test('is committed as the program writes it', () => {
    assert.ok(
      writtenText({}) === text,
      'openapi.json is not up to date; write it again: npx --no-install petstore openapi',
    )
  })

  test('is OpenAPI 3.1 of the version 1.0.0, under addresses that end in /v1 [D166]', () => {
    assert.match(document.openapi, /^3\.1\./)
    assert.equal(document.info.version, '1.0.0')
    const urls = { PUBLIC_URL: 'https://shop.example/v1', STAGING_URL: 'https://staging.example/v1' }
    assert.deepEqual(written(urls).servers, [
      { url: urls.PUBLIC_URL, description: 'Production' },
      { url: urls.STAGING_URL, description: 'Staging' },
    ])
    assert.deepEqual(document.servers, [{ url: 'http://127.0.0.1:8080/v1', description: 'Local' }])
    assert.ok(document.tags.some(({ name }: Node) => name === 'animals'))
  })

  test('asks for a bearer key on every operation [D159]', () => {
    const [requirement, ...others] = document.security
    assert.equal(others.length, 0)
    const [scheme] = Object.keys(requirement)
    const { type, scheme: kind } = document.components.securitySchemes[scheme as string]
    assert.deepEqual({ type, kind }, { type: 'http', kind: 'bearer' })
    // Of its own, an operation only says which scope the key needs, where tools look for it.
    for (const { node } of operations.values()) {
      const scope = node['x-scope']
      assert.deepEqual(node.security, scope && [{ [scheme as string]: [scope] }])
      assert.ok(node.description.endsWith(scope ? `the scope \`${scope}\`.` : 'Any API key will do.'))
    }
  })

  test('marks everything beyond the interface, and nothing in it, as not yet stable', () => {
    const published = ['listPets limit', 'listPets status', 'getPet petId']
    for (const { id, node } of operations.values()) {
      const isPublished = ['listPets', 'createPet', 'getPet'].includes(id)
      if (!isPublished) assert.match(node['x-stability'], /^(beta|experimental)$/, id)
      else
        for (const { name, 'x-stability': stability } of node.parameters)
          assert.equal(stability === undefined, published.includes(`${id} ${name}`), `${id} ${name}`)
    }
  })

  test('has an example for every body and every parameter but a few, each as its schema asks [D161]', () => {
    const without: string[] = []
    for (const { id, node } of operations.values()) {
      for (const { name, schema, example } of node.parameters)
        if (example === undefined) without.push(`${id} ${name}`)
        else expectValid(schema, example, `${id} ${name}`)
      for (const [where, each] of Object.entries<Node>({ request: node.requestBody ?? {}, ...node.responses }))
        for (const { schema, ...body } of Object.values<Node>(resolve(document, each).content ?? {})) {
          const examples = 'example' in body ? [body.example] : Object.values<Node>(body.examples).map((n) => n.value)
          assert.ok(examples.length > 0, `${id} ${where}`)
          for (const example of examples) expectValid(schema, example, `${id} ${where}`)
        }
    }
    // What only the service gives out: a page that filled in an invented one would be answered 400, 410 or 412.
    const given = ['cursor', 'after', 'from', 'If-None-Match', 'If-Match', 'Last-Event-ID', 'Idempotency-Key']
    const ofGiven = [...operations.values()].flatMap(({ id, node }) =>
      node.parameters.flatMap(({ name }: Node) => (given.includes(name) ? `${id} ${name}` : [])),
    )
    assert.deepEqual(without, ofGiven)
  })

  test('has a format for every integer that may be beyond 32 bits, where clients in Java, C# and Rust would overflow', () => {
    JSON.parse(text, (_name, node) => {
      if (node?.type === 'integer' && !(node.maximum < 2 ** 31))
        assert.equal(node.format, 'int64', JSON.stringify(node))
      return node
    })
  })

  test('tells what the data of an event is by its type [D113]', () => {
    const { oneOf, discriminator } = document.components.schemas.Event
    const dataOf = (pointer: string) => resolve(document, { $ref: pointer }).properties
    const told = Object.entries<string>(discriminator.mapping).map(([type, $ref]) => {
      assert.ok(dataOf($ref).type.enum.includes(type))
      return [type, dataOf($ref).data.$ref.split('/').at(-1).toLowerCase()]
    })
    assert.deepEqual(discriminator.propertyName, 'type')
    assert.deepEqual(
      told,
      eventTypes.map((type) => [type, type.split('.')[0]]),
    )
    assert.deepEqual(
      oneOf.flatMap(({ $ref }: Node) => dataOf($ref).type.enum),
      eventTypes,
    )
  })

  test('describes the request of each type of event, and of a test, to a receiver that has no key', () => {
    assert.deepEqual(Object.keys(document.webhooks), [...eventTypes, 'webhook.test'])
    const ids = [...operations.keys()]
    for (const [type, { post }] of Object.entries<Node>(document.webhooks)) {
      const { schema, example } = post.requestBody.content['application/json']
      expectValid(schema, example, type)
      assert.equal(example.type, type)
      const headers = post.parameters.map((each: Node) => resolve(document, each))
      assert.deepEqual(
        headers.map(({ name }: Node) => name),
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
      )
      for (const each of headers) expectValid(each.schema, each.example, each.name)
      assert.deepEqual(post.security, [])
      assert.ok(!ids.includes(post.operationId))
      ids.push(post.operationId)
    }
  })

  test('takes as Last-Event-ID what a stream sends as its id', () => {
    const { pattern, maxLength } = parameter('streamEvents', 'Last-Event-ID').schema
    const last = positionText({ id: Number.MAX_SAFE_INTEGER, at: 8.64e15 })
    for (const text of ['0-0', '7-mwhmvow0', '7', last]) assert.match(text, new RegExp(pattern, 'u'))
    assert.ok(last.length <= maxLength)
  })

  test('has no placeholder outside of code, where renderers take it for HTML', () => {
    const texts: string[] = []
    JSON.parse(text, (name, value) => {
      if (name === 'description') texts.push(value)
      return value
    })
    for (const each of texts) assert.doesNotMatch(each.replace(/`[^`]*`/g, ''), /<\w/)
    assert.ok(texts.some((each) => each.includes('`Authorization: Bearer <API_KEY>`')))
  })

  test('says whom to ask, and nothing that only this program understands', () => {
    assert.deepEqual(Object.keys(document.info.contact), ['name'])
    assert.doesNotMatch(text, /"x-(?:internal|expects)"/)
  })

  test('explains its extensions, after what a newcomer reads', () => {
    const [introduction, ...sections] = document.info.description.split(/^## /m)
    assert.doesNotMatch(introduction, /\bx-/)
    const names = new Set(text.match(/(?<=")x-\w[\w-]*(?=":)/g))
    assert.ok(names.size > 5)
    for (const name of names) assert.ok(sections.at(-1).includes(`\`${name}\``), name)
  })

  test('says in the words of each tool which operation has no panel to try it, and why [D159]', () => {
    const marks = ['x-hideTryItPanel', 'x-explorer-enabled', 'x-fern-explorer', 'x-hideTryItPanelReason']
    const marked = [...operations.values()].filter(({ node }) => marks.some((mark) => mark in node))
    assert.deepEqual(
      marked.map(({ id, node }) => [id, ...marks.slice(0, 3).map((mark) => node[mark])]),
      [
        ['listOrders', true, false, false],
        ['streamEvents', true, false, false],
      ],
    )
    for (const { node } of marked) assert.equal(typeof node['x-hideTryItPanelReason'], 'string')
  })

  test('has a badge wherever something is not stable, and keeps agents from the stream', () => {
    const webhooks = Object.values<Node>(document.webhooks).map(({ post }) => post)
    for (const node of [...[...operations.values()].map((each) => each.node), ...webhooks]) {
      const stability = node['x-stability']
      const badge = { name: stability, label: stability, color: 'orange' }
      assert.deepEqual(node['x-badges'], stability && [badge], node.operationId)
      assert.equal(node['x-mcp'], node.operationId === 'streamEvents' ? false : undefined)
    }
  })
})

describe('The published operations', () => {
  test('listPets', () => {
    expectOperation('listPets', 'GET', '/pets')
    assert.ok(!operation('listPets').node.requestBody)
    assert.ok(!operation('listPets').node.deprecated)
    expectResponses('listPets', { 200: 'Pets', 401: 'Error' })
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
  })

  test('createPet', () => {
    expectOperation('createPet', 'POST', '/pets')
    const { node } = operation('createPet')
    assert.ok(!node.deprecated)
    assert.equal(node.requestBody.required, true)
    assert.deepEqual(Object.keys(node.requestBody.content), ['application/json'])
    assert.deepEqual(node.requestBody.content['application/json'].schema, { $ref: '#/components/schemas/NewPet' })
    expectResponses('createPet', { 201: 'Pet', 400: 'Error', 401: 'Error' })
  })

  test('getPet, with the warning of its end', () => {
    expectOperation('getPet', 'GET', '/pets/{petId}')
    const { node } = operation('getPet')
    assert.ok(!node.requestBody)
    assert.equal(node.deprecated, true)
    assert.equal(node['x-deprecated-sunset'], '2030-12-05')
    assert.match(node.description, /warning/i)
    assert.match(node.description, /2030-12-05/)
    expectResponses('getPet', { 200: 'Pet', 401: 'Error', 404: 'Error' })
    assert.deepEqual(parameter('getPet', 'petId'), {
      name: 'petId',
      in: 'path',
      required: true,
      schema: { type: 'integer', format: 'int64' },
    })
  })

  test('none of their optional parameters is required', () => {
    for (const id of ['listPets', 'createPet', 'getPet'])
      for (const each of operation(id).node.parameters)
        assert.equal(resolve(document, each).required, each.in === 'path', `${id} ${each.name}`)
  })
})

describe('The published schemas', () => {
  const { schemas } = document.components
  const newPet = { name: 'string', categoryId: 'integer int64', status: '#/components/schemas/PetStatus' }

  test('Pet', () => {
    assert.deepEqual(fieldsOf('Pet'), { id: 'integer int64', ...newPet })
    assert.deepEqual([...schemas.Pet.required].sort(), ['categoryId', 'id', 'name'])
  })

  test('NewPet', () => {
    const { id, ...fields } = fieldsOf('NewPet')
    assert.deepEqual(fields, newPet)
    assert.equal(id, 'integer int64')
    assert.match(schemas.NewPet.properties.id.description, /^Ignored/, 'the interface has no id here')
    assert.deepEqual([...schemas.NewPet.required].sort(), ['categoryId', 'name'])
  })

  test('PetStatus', () => {
    assert.equal(schemas.PetStatus.type, 'string')
    assert.deepEqual(schemas.PetStatus.enum, ['available', 'pending', 'sold'])
  })

  test('Pets', () => {
    assert.equal(schemas.Pets.type, 'array')
    assert.deepEqual(schemas.Pets.items, { $ref: '#/components/schemas/Pet' })
  })

  test('Error', () => {
    assert.deepEqual(fieldsOf('Error'), { code: 'string', message: 'string', status: 'integer int32' })
    assert.deepEqual([...schemas.Error.required].sort(), ['code', 'message', 'status'])
    assert.equal(schemas.Error.additionalProperties, false)
  })
})
