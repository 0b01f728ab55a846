/** `/mcp` message by message: what it refuses and how, what it counts and logs, and who may do what. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Answer, CallOptions } from '../../harness/call.ts'
import { times } from '../../harness/scope.ts'
import { onOneTarget, type TestService } from '../../harness/service.ts'
import { operations } from '../../src/app.ts'
import { toolsOf } from '../../src/mcp/tools.ts'
import { scopes } from '../../src/model/key.ts'

const current = '2026-07-28'
const previous = '2025-11-25'
const older = ['2025-06-18', '2025-03-26', '2024-11-05']
const prefix = 'io.modelcontextprotocol/'

/** Sends a message of the previous revision, which needs the least around it. */
const send = (service: TestService, body: unknown, { headers = {}, ...options }: CallOptions = {}): Promise<Answer> =>
  service.call('POST', '//mcp', { body, headers: { 'MCP-Protocol-Version': previous, ...headers }, ...options })
const request = (method: string, params?: unknown) => ({ jsonrpc: '2.0', id: 7, method, params })
const toolCall = (name: string, args: unknown = {}) => request('tools/call', { name, arguments: args })

/** The error in the result of a call. */
// biome-ignore lint/suspicious/noExplicitAny: errors of every shape.
const errorIn = ({ json }: Answer): any => json.result?.isError && JSON.parse(json.result.content[0].text)

onOneTarget(
  '/mcp',
  (service) => {
    test('/mcp refuses an invalid message with 400 and the error code of JSON-RPC [decision 17]', async () => {
      const one = request('ping')
      const wrong: [unknown, RegExp][] = [
        [[one], /no batches/],
        [[], /no batches/],
        ['"text"', /no batches/],
        [{ ...one, jsonrpc: '1.0' }, /JSON-RPC 2.0/],
        [{ ...one, id: null }, /JSON-RPC 2.0/],
        [{ ...one, id: 1.5 }, /JSON-RPC 2.0/],
        [{ ...one, params: [] }, /JSON-RPC 2.0/],
        [{ jsonrpc: '2.0', id: 1, result: {} }, /JSON-RPC 2.0/],
        ['{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}', /more than once: method/],
      ]
      for (const [body, message] of wrong) {
        const { status, json } = await send(service(), body)
        assert.deepEqual([status, json.error.code], [400, -32600], JSON.stringify(body))
        assert.match(json.error.message, message)
      }
    })

    test('/mcp refuses, like every operation, a body that is not JSON, too large or of another type, and a missing key [decision 17]', async () => {
      const ping = request('ping')
      const refused: [string, Answer][] = [
        ['malformed_json', await send(service(), '{"jsonrpc":')],
        ['malformed_json', await send(service(), '')],
        ['content_too_large', await send(service(), request('ping', { padding: 'x'.repeat(65_536) }))],
        ['unsupported_media_type', await send(service(), ping, { headers: { 'Content-Type': 'text/plain' } })],
        ['unsupported_media_type', await send(service(), ping, { headers: { 'Content-Encoding': 'gzip' } })],
        ['missing_api_key', await send(service(), ping, { key: null })],
        ['invalid_api_key', await send(service(), ping, { key: 'pst_unknown' })],
        ['missing_api_key', await service().call('GET', '//mcp', { key: null })],
      ]
      for (const [code, { json }] of refused) assert.equal(json.code, code)
    })

    test('/mcp has no stream and no session: every method except POST gets 405 [decision 17]', async () => {
      for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
        const { status, headers } = await service().call(method, '//mcp')
        assert.deepEqual([status, headers.get('allow')], [405, 'POST, OPTIONS'], method)
      }
      const { headers } = await send(service(), request('ping'))
      assert.equal(headers.get('mcp-session-id'), null)
    })

    test('/mcp accepts pages of its own origin and of CORS_ORIGINS, and refuses others with 403 [decision 17]', async () => {
      const origin = (Origin: string) => send(service(), request('ping'), { headers: { Origin } })
      const aliases = ['localhost', '127.0.0.1', '[::1]'].map((name) => `http://${name}:${new URL(service().url).port}`)
      for (const allowed of [service().url, ...aliases, 'https://shop.example'])
        assert.equal((await origin(allowed)).status, 200, allowed)
      for (const other of [
        'http://evil.example',
        'http://localhost:1',
        'null',
        `${service().url}.evil.example`,
        'https://shop.example:444',
      ])
        assert.equal((await origin(other)).status, 403, other)
      const { status, json } = await send(service(), '{', { headers: { Origin: 'http://evil.example' } })
      assert.deepEqual([status, json.error.code, 'id' in json], [403, -32600, false])
      const asked = { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'POST' }
      const preflight = await service().call('OPTIONS', '//mcp', { key: null, headers: asked })
      assert.match(
        preflight.headers.get('access-control-allow-headers') ?? '',
        /Mcp-Method, Mcp-Name, MCP-Protocol-Version/,
      )
    })

    test('/mcp accepts the current and earlier revisions, and names them if another is requested [decision 17]', async () => {
      for (const version of ['2024-10-07', '2027-01-01', '']) {
        const { status, json } = await send(service(), request('ping'), {
          headers: { 'MCP-Protocol-Version': version },
        })
        assert.deepEqual([status, json.id, json.error.code], [400, 7, -32022], version)
        assert.deepEqual(json.error.data, { supported: [current, previous, ...older], requested: version })
      }
      const open = async (protocolVersion: unknown) => {
        const body = request('initialize', { protocolVersion })
        return (await service().call('POST', '//mcp', { body })).json.result.protocolVersion
      }
      for (const version of [previous, ...older]) {
        assert.equal(await open(version), version)
        const listed = await send(service(), request('tools/list'), { headers: { 'MCP-Protocol-Version': version } })
        assert.ok(listed.json.result.tools.length > 0, version)
      }
      for (const unknown of ['2024-10-07', '2027-01-01', 5, undefined]) assert.equal(await open(unknown), previous)
      const silent = await service().call('POST', '//mcp', { body: request('ping') })
      assert.deepEqual(silent.json.result, {}, 'clients of 2025-03-26 have no such header')
    })

    test('In the current revision, /mcp requires that the headers agree with the message [decision 17]', async () => {
      const meta = { [`${prefix}protocolVersion`]: current, [`${prefix}clientCapabilities`]: {} }
      const headers = { 'MCP-Protocol-Version': current, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'getMe' }
      const message = (_meta: object = meta) => request('tools/call', { name: 'getMe', _meta })
      const encoded = { ...headers, 'Mcp-Name': `=?base64?${Buffer.from('getMe').toString('base64')}?=` }
      for (const good of [headers, encoded]) {
        const { json } = await send(service(), message(), { headers: good })
        assert.equal(json.result.resultType, 'complete')
        assert.equal(json.result._meta[`${prefix}serverInfo`].name, 'petstore')
      }
      const { 'Mcp-Method': _, ...noMethod } = headers
      const { 'Mcp-Name': __, ...noName } = headers
      const wrong: [number, object, Record<string, string>][] = [
        [-32020, meta, noMethod],
        [-32020, meta, noName],
        [-32020, meta, { ...headers, 'Mcp-Method': 'tools/list' }],
        [-32020, meta, { ...headers, 'Mcp-Name': 'getOrder' }],
        [-32020, meta, { ...headers, 'MCP-Protocol-Version': previous }],
        [-32602, {}, headers],
        [-32602, { [`${prefix}protocolVersion`]: current }, headers],
      ]
      for (const [code, _meta, given] of wrong) {
        const { status, json } = await send(service(), message(_meta), { headers: given })
        assert.deepEqual([status, json.error.code], [400, code], JSON.stringify([_meta, given]))
      }
      const unknown = { ...headers, 'Mcp-Method': 'ping' }
      const gone = await send(service(), request('ping', { _meta: meta }), { headers: unknown })
      assert.deepEqual([gone.status, gone.json.error.code], [404, -32601])
    })

    test('/mcp answers a notification with 202, and an unknown method, tool or argument with an error', async () => {
      const noted = await send(service(), { jsonrpc: '2.0', method: 'notifications/initialized' })
      assert.deepEqual([noted.status, noted.text], [202, ''])
      const wrong: [unknown, number][] = [
        [request('resources/list'), -32601],
        [request('tools/list', { cursor: 'mine' }), -32602],
        [toolCall('nothing'), -32602],
        [toolCall('streamEvents'), -32602],
        [toolCall('getPet', { petId: 1 }), -32602],
        [request('tools/call', { name: 5 }), -32602],
        [toolCall('getMe', []), -32602],
      ]
      for (const [body, code] of wrong) {
        const { status, json } = await send(service(), body)
        assert.deepEqual([status, json.id, json.error.code], [200, 7, code], JSON.stringify(body))
      }
      const { text } = await send(service(), '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}')
      assert.equal(text, '{"jsonrpc":"2.0","id":9007199254740993,"result":{}}')
    })

    test('/mcp reports problems in arguments as a result that names each problem [decision 17]', async () => {
      const problems: [string, object, string, RegExp][] = [
        ['listPets', { limit: 0, status: 'gone' }, 'invalid_parameter', /limit: must be .*; status: must be one of/],
        ['listPets', { limit: '5' }, 'invalid_parameter', /limit: must be a whole number/],
        ['listPets', { search: 5 }, 'invalid_parameter', /search: must be a text/],
        ['listPets', { id: 5 }, 'invalid_parameter', /id: must be/],
        ['listPets', { id: [] }, 'invalid_parameter', /id: must be/],
        ['listPets', { colour: 'red' }, 'invalid_parameter', /colour: is not a known argument/],
        ['listPets', { cursor: 'mine' }, 'invalid_cursor', /cursor/],
        ['listPets', { Status: 'sold' }, 'invalid_parameter', /Status: .*; its name is status/],
        [
          'createPet',
          { name: 'Rex', categoryId: 1, idempotencyKey: 'once' },
          'invalid_parameter',
          /^idempotencyKey: is not a known argument; its name is Idempotency-Key$/,
        ],
        ['getOrder', {}, 'invalid_parameter', /orderId: is required/],
        ['getOrder', { orderId: '../pets' }, 'invalid_parameter', /orderId: must be an int64/],
        ['getOrder', { orderId: 1e15 }, 'order_not_found', /No order/],
        ['createPet', { name: '', colour: 'red' }, 'missing_field', /categoryId: is required.*name: must be.*colour/],
        ['createPet', { name: 'Rex', categoryId: [5] }, 'invalid_field', /categoryId: must be an int64/],
        ['createPet', { name: 'Rex', categoryId: '9223372036854775808' }, 'invalid_field', /categoryId/],
        ['createPet', { name: 'Rex', categoryId: 1, 'Idempotency-Key': 'a b' }, 'invalid_idempotency_key', /visible/],
        ['listEvents', {}, 'insufficient_scope', /events:read/],
      ]
      for (const [name, args, code, message] of problems) {
        const error = errorIn(await send(service(), toolCall(name, args)))
        assert.equal(error.code, code, `${name} ${JSON.stringify(args)}`)
        assert.match(error.message, message)
      }
    })

    test('/mcp is logged and counted as POST /mcp, and a tool call also as its operation, with the same id [decision 17]', async () => {
      const key = await service().makeKey({
        rate: { requests: 10, seconds: 3600 },
      })
      const watcher = await service().makeKey({ scopes: ['metrics:read'] })
      const counted = async (method: string, route: string): Promise<number> => {
        const { text } = await service().call('GET', '//metrics', { key: watcher })
        assert.ok(text.includes('\nhttp_server_active_requests 1\n'), 'the one for the page')
        const labels = `http_request_method="${method}",http_route="${route}"`
        const series = `petstore_requests_total{${labels}`
        const lines = text.split('\n').filter((line) => line.startsWith(series))
        return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
      }
      const operationsBefore = await counted('GET', '/v1/store/orders/{orderId}')
      const messagesBefore = await counted('POST', '/mcp')
      const left = ({ headers }: Answer) => /r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]
      const mark = (id: string) => ({ key, headers: { 'X-Request-Id': id } })
      assert.equal(left(await send(service(), request('ping'), mark('mcp-ping'))), '9')
      assert.equal(left(await send(service(), toolCall('getOrder', { orderId: 404 }), mark('mcp-call'))), '8')
      assert.equal(left(await send(service(), '{', mark('mcp-bad'))), '7')
      await service().logged(/mcp-bad/)
      const lines = service()
        .log.split('\n')
        .filter((line) => line.includes('"mcp-'))
      const logged = lines
        .map((line) => JSON.parse(line))
        .map(({ requestId, method, route, status }) => [requestId, method, route, status])
      assert.deepEqual(logged, [
        ['mcp-ping', 'POST', '/mcp', 200],
        ['mcp-call', 'GET', '/v1/store/orders/{orderId}', 404],
        ['mcp-call', 'POST', '/mcp', 200],
        ['mcp-bad', 'POST', '/mcp', 400],
      ])
      assert.equal(await counted('GET', '/v1/store/orders/{orderId}'), operationsBefore + 1)
      assert.equal(await counted('POST', '/mcp'), messagesBefore + 3)
      for (let spent = 0; spent < 7; spent++) await send(service(), request('ping'), { key })
      const limited = await send(service(), toolCall('getMe'), { key })
      assert.deepEqual([limited.status, limited.json.code], [429, 'rate_limited'])
    })

    test('/mcp returns every int64 exactly, as a string if it does not fit a double [decision 17]', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
          fc.boolean(),
          async (category, asText) => {
            const args = `{"name":"Exact","categoryId":${asText ? `"${category}"` : category}}`
            const { json } = await send(
              service(),
              `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"createPet","arguments":${args}}}`,
            )
            const isExact = asText || Number.isSafeInteger(Number(category))
            assert.equal(json.result.isError === true, !isExact)
            if (!isExact) return
            const { id, categoryId } = json.result.structuredContent.body
            assert.equal(typeof categoryId, Number.isSafeInteger(Number(category)) ? 'number' : 'string')
            assert.equal(BigInt(categoryId), category)
            const read = await service().call('GET', `/pets?id=${id}`)
            assert.ok(read.text.includes(`"categoryId":${category},`))
          },
        ),
        { numRuns: times(30, 10) },
      )
    })

    test('/mcp refuses a number of 16 digits or more, because it may have been rounded on its way [decision 17]', async () => {
      for (const [name, args, argument] of [
        ['createPet', '{"name":"Exact","categoryId":9007199254740993}', 'categoryId'],
        ['listPets', '{"categoryId":-9007199254740992}', 'categoryId'],
        ['listPets', '{"id":[1,9007199254740993]}', 'id'],
        ['updatePet', '{"petId":9007199254740993}', 'petId'],
      ]) {
        const sent = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`
        const { code, message } = errorIn(await send(service(), sent))
        assert.equal(code, 'invalid_parameter')
        assert.match(message, new RegExp(`^${argument}: send an integer of 16 digits or more as a string, such as`))
      }
    })

    test('/mcp names the existing tools if an unknown tool is called [decision 17]', async () => {
      const { json } = await send(service(), toolCall('getPet', { petId: 1 }))
      assert.match(json.error.message, /^Unknown tool: getPet\. There are listPets, createPet, .*\bgetMe\.$/)
    })
  },
  { CORS_ORIGINS: 'https://shop.example' },
)

onOneTarget('any message to /mcp', (service) => {
  test('Any message to /mcp is answered with a result or an error, never with 500', async () => {
    const names = [...toolsOf(operations).keys()]
    const known = [...toolsOf(operations).values()].flatMap((tool) => [...tool.arguments.keys()])
    const value = fc.oneof(
      fc.jsonValue(),
      fc.bigInt().map(String),
      fc.constantFrom(1, '1', [1], null, '', '*', 'now', 'placed'),
    )
    const args = fc.dictionary(fc.oneof(fc.constantFrom(...known), fc.string()), value, { maxKeys: 5 })
    const method = fc.oneof(fc.constant('tools/call'), fc.constantFrom('tools/list', 'ping', 'initialize'), fc.string())
    const params = fc.record({
      name: fc.oneof(fc.constantFrom(...names), fc.string()),
      arguments: fc.oneof(args, fc.jsonValue()),
    })
    const message = fc.record({ jsonrpc: fc.constant('2.0'), id: fc.oneof(fc.integer(), fc.string()), method, params })
    const key = await service().makeKey({ scopes })
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ arbitrary: message, weight: 9 }, { arbitrary: fc.jsonValue(), weight: 1 }),
        async (body) => {
          const { status, json } = await send(service(), JSON.stringify(body), { key })
          assert.ok([200, 202, 400, 413].includes(status), `${status}`)
          if (status !== 200) return
          assert.notEqual('result' in json, 'error' in json)
          assert.notEqual(errorIn({ json } as Answer)?.status, 500)
        },
      ),
      { numRuns: times(300, 100) },
    )
  })

  test('A tool is listed exactly for the keys that may call its operation [decision 17]', async () => {
    for (const scope of scopes) {
      const key = await service().makeKey({ scopes: [scope] })
      const { json } = await send(service(), request('tools/list'), { key })
      const listed = new Set(json.result.tools.map(({ name }: { name: string }) => name))
      for (const [name, { operation }] of toolsOf(operations)) {
        const mayCall = operation.scope === undefined || operation.scope === scope
        assert.equal(listed.has(name), mayCall, `${name} in the list of ${scope}`)
      }
    }
  })
})

describe('the list of tools', () => {
  const tools = [...toolsOf(operations).values()]

  test('Each tool takes at most 600 tokens of the list, and a tool takes 230 on average, at four bytes each', (t) => {
    const tokens = tools.map(({ json }) => (Buffer.byteLength(json) + 1) / 4)
    const average = tokens.reduce((sum, each) => sum + each, 0) / tokens.length
    t.diagnostic(`${Math.round(average)} tokens on average`)
    assert.ok(Math.max(...tokens) <= 600, String(Math.max(...tokens)))
    assert.ok(average <= 230, String(average))
  })

  test('The list of tools contains every operation except the stream and deprecated operations [decision 17]', () => {
    const left = operations.map(({ id }) => id).filter((id) => !tools.some(({ operation }) => operation.id === id))
    assert.deepEqual(left, ['getPet', 'streamEvents'])
  })

  test('The list of tools marks what only reads, what destroys, what may be repeated and what reaches beyond the store [decision 17]', () => {
    const hints = Object.fromEntries(tools.map(({ json }) => [JSON.parse(json).name, JSON.parse(json).annotations]))
    const changing = (destructiveHint: boolean, idempotentHint: boolean, openWorldHint = false) =>
      ({ destructiveHint, idempotentHint, openWorldHint }) as const
    assert.deepEqual(hints.listPets, { readOnlyHint: true, openWorldHint: false })
    assert.deepEqual(hints.createPet, changing(false, false))
    assert.deepEqual(hints.createCategory, changing(false, true))
    for (const id of ['updatePet', 'deletePet', 'putCategory', 'completeOrder', 'cancelOrder', 'returnOrder'])
      assert.deepEqual(hints[id], changing(true, true), id)
    assert.deepEqual(hints.rotateWebhook, changing(true, false, true))
  })

  test('The list of tools says at every int64 that a large number must be sent as a string [decision 17]', () => {
    const { inputSchema } = JSON.parse(tools.find(({ operation }) => operation.id === 'placeOrder')?.json ?? '')
    assert.match(inputSchema.properties.petId.description, / 16 digits or more: as a string\.$/)
  })
})
