/** `POST /mcp`: the Model Context Protocol over streamable HTTP, without sessions and streams. */
import { programVersion } from '../config/program.ts'
import { AppError } from '../errors.ts'
import { parseBody } from '../http/body.ts'
import { type Cors, isAllowed } from '../http/cors.ts'
import type { Handler, Incoming, Reply } from '../http/message.ts'
import type { Operation } from '../http/operation.ts'
import { errorReply } from '../http/respond.ts'
import type { SiteRoute } from '../http/site-route.ts'
import type { Key } from '../model/key.ts'
import { type Json, type JsonObject, writeJson } from '../schema/json.ts'
import { requestOf, resultOf, toolsOf } from './tools.ts'

/** Every request of this revision names its revision. Clients of earlier revisions begin with `initialize`. */
const current = '2026-07-28'
/**
 * For a server that offers only tools, these revisions do not differ. Clients of the last two send no header with the
 * revision.
 */
const previous = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
const unnamed = '2025-03-26'
const supportedVersions = [current, ...previous]
const meta = 'io.modelcontextprotocol/'

const described = {
  capabilities: { tools: {} },
  instructions:
    'The animals of a pet store, and orders on them. To sell one: listPets with status available, placeOrder, ' +
    'completeOrder. A result has the answer in `body`. If it has `next`, send that as `cursor`, with the same other ' +
    'arguments, for the next page. Send an integer of 16 digits or more as a string: numbers are rounded. Send ' +
    '`etag` as If-Match to change something only if nobody else has. An error says what to correct; if it has ' +
    '`retryAfter`, wait that many seconds.',
}
/** How long a client may cache a list. Another key may get another list. */
const caching = { ttlMs: 300_000, cacheScope: 'private' }

const codes = { request: -32600, method: -32601, params: -32602, header: -32020, version: -32022 }

/** An error of the protocol, which replaces the result. `status` is the HTTP status of the response. */
class ProtocolError extends Error {
  readonly error: object
  readonly status: number

  constructor(code: keyof typeof codes, message: string, status = 400, data?: object) {
    super(message)
    this.error = { code: codes[code], message, data }
    this.status = status
  }
}

/** A tool call is an ordinary request: `handle` answers it. */
export function createMcp(operations: readonly Operation[], publicUrl: string, cors: Cors, handle: Handler): SiteRoute {
  const ours = originsOf(new URL(publicUrl))
  /** This is made when it is first needed, because most instances never need it. */
  let made: { tools: ReturnType<typeof toolsOf>; serverInfo: object } | undefined
  const make = () => ({ tools: toolsOf(operations), serverInfo: { name: 'petstore', version: programVersion() } })

  /** The members of a result, or the response to a tool call if a result cannot contain it. */
  async function resultFor(method: string, params: JsonObject, incoming: Incoming, key: Key): Promise<string | Reply> {
    const version = versionOf(incoming, method, params)
    const isCurrent = version === current
    const { tools, serverInfo } = (made ??= make())
    // Earlier revisions allow these members, but do not use them.
    const stamp = { resultType: 'complete', _meta: { [`${meta}serverInfo`]: serverInfo } }
    const members = (result: object): string => JSON.stringify({ ...result, ...stamp }).slice(1, -1)
    if (method === 'tools/list') {
      if (params.has('cursor')) throw new ProtocolError('params', 'The list has one page, and no cursor.', 200)
      const mayCall = [...tools.values()].filter(({ operation: { scope } }) => !scope || key.scopes.includes(scope))
      return `"tools":[${mayCall.map(({ json }) => json)}],${members(caching)}`
    }
    if (method === 'tools/call') {
      const [name, given = new Map()] = [params.get('name'), params.get('arguments')]
      const tool = tools.get(name as string)
      if (!tool)
        throw new ProtocolError('params', `Unknown tool: ${name}. There are ${[...tools.keys()].join(', ')}.`, 200)
      if (!(given instanceof Map)) throw new ProtocolError('params', 'The arguments must be an object.', 200)
      const request = requestOf(tool, given, incoming)
      const answer = request instanceof AppError ? errorReply(request) : await handle(request, key)
      // The connection was cut, or a proxy answered.
      if (typeof answer.body === 'function' || !isJson(answer)) return answer
      return `${resultOf(tool, answer)},${members({})}`
    }
    if (method === 'server/discover' && isCurrent) return members({ supportedVersions, ...described, ...caching })
    if (method === 'initialize' && !isCurrent) return members({ protocolVersion: version, serverInfo, ...described })
    if (method === 'ping' && !isCurrent) return ''
    throw new ProtocolError('method', `Unknown method: ${method}`, isCurrent ? 404 : 200)
  }

  async function replyTo(incoming: Incoming, key: Key, bytes: Uint8Array): Promise<Reply> {
    let id: Json | undefined
    try {
      const origin = incoming.header('origin')
      if (origin !== undefined && !ours.includes(origin) && !isAllowed(cors, origin))
        throw new ProtocolError('request', `Pages of ${origin} may not call this service.`, 403)
      const { value, duplicates } = parseBody(bytes)
      if (!(value instanceof Map))
        throw new ProtocolError('request', 'Send one message, which is an object; no batches.')
      const [sent, method, params = new Map()] = ['id', 'method', 'params'].map((name) => value.get(name))
      if (typeof sent === 'string' || typeof sent === 'bigint') id = sent
      if (duplicates.length > 0) throw new ProtocolError('request', `Given more than once: ${duplicates}`)
      const isMessage = value.get('jsonrpc') === '2.0' && typeof method === 'string' && params instanceof Map
      if (!isMessage || id !== sent) throw new ProtocolError('request', 'This is not a request of JSON-RPC 2.0.')
      // No notification changes anything here.
      if (id === undefined) return { status: 202, body: '', cache: 'no-store' }
      const result = await resultFor(method, params, incoming, key)
      return typeof result === 'string' ? reply(200, id, `"result":{${result}}`) : passedOn(result)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      return reply(error.status, id, `"error":${JSON.stringify(error.error)}`)
    }
  }

  return { method: 'POST', needs: 'key', reply: (incoming, key, bytes) => replyTo(incoming, key as Key, bytes) }
}

/** A service on this machine has three names, and DNS can give none of them to somebody else's page. */
function originsOf({ protocol, hostname, port, origin }: URL): string[] {
  const names = ['127.0.0.1', 'localhost', '[::1]']
  return names.includes(hostname) ? names.map((name) => new URL(`${protocol}//${name}:${port}`).origin) : [origin]
}

const typeIn = ({ headers = [] }: Reply): string => headers[headers.indexOf('Content-Type') + 1] ?? ''
const isJson = (answer: Reply): boolean => answer.body === '' || !typeIn(answer).startsWith('text/')

function passedOn(answer: Reply): Reply {
  const { status, body, headers = [] } = answer
  const at = headers.indexOf('Retry-After')
  return { status, body, headers: at < 0 ? [] : headers.slice(at, at + 2), type: typeIn(answer), cache: 'no-store' }
}

const reply = (status: number, id: Json | undefined, member: string): Reply => ({
  status,
  body: `{"jsonrpc":"2.0",${id === undefined ? '' : `"id":${writeJson(id)},`}${member}}`,
  cache: 'no-store',
})

/**
 * The revision of a request. In the current revision, the headers also contain it, the method and the name of the tool.
 */
function versionOf(incoming: Incoming, method: string, params: JsonObject): string {
  const members = params.get('_meta') instanceof Map ? (params.get('_meta') as JsonObject) : new Map<string, Json>()
  const claimed = members.get(`${meta}protocolVersion`)
  const version = incoming.header('mcp-protocol-version')
  if (method === 'initialize' && claimed === undefined && version !== current)
    return previous.find((each) => each === params.get('protocolVersion')) ?? (previous[0] as string)
  if (version === undefined && claimed === undefined) return unnamed
  checkHeader('MCP-Protocol-Version', version, claimed ?? version)
  if (previous.includes(version as string)) return version as string
  if (version !== current)
    throw new ProtocolError('version', 'Unsupported protocol version', 400, {
      supported: supportedVersions,
      requested: version,
    })
  if (claimed === undefined || !(members.get(`${meta}clientCapabilities`) instanceof Map))
    throw new ProtocolError('params', `_meta must have ${meta}protocolVersion and ${meta}clientCapabilities.`)
  checkHeader('Mcp-Method', incoming.header('mcp-method'), method)
  const name = incoming.header('mcp-name')
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(name ?? '') ?? []
  const decoded = encoded === undefined ? name : Buffer.from(encoded, 'base64').toString()
  if (method === 'tools/call') checkHeader('Mcp-Name', decoded, params.get('name'))
  return current
}

function checkHeader(name: string, sent: string | undefined, expected: Json | undefined): void {
  if (sent !== undefined && sent === expected) return
  throw new ProtocolError('header', `The header ${name} is ${sent ?? 'missing'}; it must be ${expected}.`)
}
