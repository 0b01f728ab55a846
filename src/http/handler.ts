/** The way every request takes, in the order the register of decisions gives: who, what, may they, is it well-formed, do it. */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { AppError, refuse } from '../errors.ts'
import type { Verify } from '../keys/keyring.ts'
import { StoreUnavailable } from '../store/store.ts'
import { authenticate, authorize } from './auth.ts'
import { type Cors, corsHeaders, preflightHeaders } from './cors.ts'
import { deprecationHeaders } from './deprecation.ts'
import { etagOf, isCurrent } from './etag.ts'
import { readAttempt } from './idempotency.ts'
import { parseJson } from '../schema/json.ts'
import { type Answer, type Handler, type Incoming, jsonType } from './message.ts'
import { isRemoved, type Operation, type Reply, type Services } from './operation.ts'
import { type Parameter, readQuery } from './parameters.ts'
import { createRouter, type Route } from './router.ts'
import { readBody } from '../schema/schema.ts'

export const versionPrefix = '/v1'
export const bodyBytesMax = 64 * 1024
export const targetBytesMax = 8 * 1024

/** A page outside the version prefix that needs no key. */
export type OpenPage = (incoming: Incoming) => Reply | Promise<Reply>

export interface HandlerOptions {
  readonly operations: readonly Operation[]
  readonly openPages: ReadonlyMap<string, OpenPage>
  readonly services: Services
  readonly verify: Verify
  readonly cors: Cors
  readonly log: Logger
}

/** What is known of a request so far; the log line and the headers of a refusal are made from it. */
interface Trace {
  readonly requestId: string
  route?: string
  keyId?: number
  operation?: Operation
}

export function createHandler({ operations, openPages, services, verify, cors, log }: HandlerOptions): Handler {
  const findRoute = createRouter(operations)
  const announcements = new Map<Operation | undefined, readonly string[]>()
  for (const operation of operations)
    if (operation.deprecated) announcements.set(operation, deprecationHeaders(operation.deprecated, services.publicUrl))

  return async (incoming) => {
    const isLogged = log.isLevelEnabled('info')
    const started = isLogged ? performance.now() : 0
    const trace: Trace = { requestId: requestIdOf(incoming) }
    let reply: Reply
    try {
      reply = await respond(incoming, trace)
    } catch (error) {
      reply = refusalOf(error, trace)
    }
    const answer = finish(incoming, reply, trace)
    if (isLogged)
      log.info({
        method: incoming.method,
        route: trace.route ?? '(none)',
        status: answer.status,
        durationMs: Math.round((performance.now() - started) * 1000) / 1000,
        requestId: trace.requestId,
        keyId: trace.keyId,
      })
    return answer
  }

  async function respond(incoming: Incoming, trace: Trace): Promise<Reply> {
    const { target, method, fault } = incoming
    if (fault !== undefined) refuse('bad_request', fault)
    if (target.length > targetBytesMax) refuse('uri_too_long')
    const mark = target.indexOf('?')
    const path = mark < 0 ? target : target.slice(0, mark)
    const query = mark < 0 ? '' : target.slice(mark + 1)

    const openPage = openPages.get(path)
    if (openPage) {
      trace.route = path
      if (method === 'OPTIONS') return optionsReply(incoming, 'GET, HEAD, OPTIONS')
      if (method !== 'GET' && method !== 'HEAD')
        refuse('method_not_allowed', undefined, ['Allow', 'GET, HEAD, OPTIONS'])
      return openPage(incoming)
    }
    if (path !== versionPrefix && !path.startsWith(`${versionPrefix}/`)) refuse('route_not_found')

    const match = findRoute(path.slice(versionPrefix.length))
    if (match) trace.route = versionPrefix + match.route.path
    if (match && method === 'OPTIONS') return optionsReply(incoming, allowOf(match.route))

    const key = await authenticate(incoming.header('authorization'), verify)
    trace.keyId = key.id
    if (!match) refuse('route_not_found')
    const operation = match.route.operations.get(method === 'HEAD' ? 'GET' : method)
    if (!operation) refuse('method_not_allowed', undefined, ['Allow', allowOf(match.route)])
    trace.operation = operation
    if (isRemoved(operation, services.clock())) refuse('endpoint_removed', removalText(operation))
    authorize(key, operation.scope)

    let bytes: Uint8Array = noBytes
    let body: unknown
    if (operation.body) {
      checkMediaType(incoming)
      bytes = (await incoming.body(bodyBytesMax)) ?? refuse('content_too_large')
      body = readBody(operation.body.schema, parse(bytes), operation.body.ignored ?? [])
    }
    const attempt = operation.repeatable
      ? readAttempt(incoming.header('idempotency-key'), {
          keyId: key.id,
          route: `${method} ${path}`,
          bytes,
          now: services.clock(),
        })
      : undefined
    const input = {
      query: operation.query ? readQuery(operation.query, query) : {},
      params: readParams(operation, match.route.names, match.texts),
      body,
      attempt,
      ifMatch: operation.conditional ? incoming.header('if-match') : undefined,
    }
    return operation.run(input, services)
  }

  function allowOf({ operations }: Route): string {
    const methods: string[] = []
    for (const [method, operation] of operations)
      if (!isRemoved(operation, services.clock())) methods.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]))
    return [...methods, 'OPTIONS'].join(', ')
  }

  function optionsReply(incoming: Incoming, allow: string): Reply {
    return { status: 204, body: '', headers: ['Allow', allow, ...preflightHeaders(cors, incoming, allow)] }
  }

  function refusalOf(error: unknown, { requestId }: Trace): Reply {
    const refusal = asRefusal(error)
    if (refusal !== error) {
      const level = refusal.status === 500 ? 'error' : 'warn'
      log[level]({ requestId, err: error }, refusal.status === 500 ? 'a request failed' : 'the store is unavailable')
    }
    return refusalReply(refusal)
  }

  function finish(incoming: Incoming, reply: Reply, { requestId, operation }: Trace): Answer {
    const { body } = reply
    let { status } = reply
    const headers = ['X-Request-Id', requestId]
    if (reply.headers) headers.push(...reply.headers)
    const announcement = announcements.get(operation)
    if (announcement) headers.push(...announcement)
    if (cors.length > 0) corsHeaders(cors, incoming, headers)
    const isGet = incoming.method === 'GET' || incoming.method === 'HEAD'
    if (isGet && status === 200 && !reply.volatile) {
      const etag = reply.kept?.etag ?? etagOf(body)
      headers.push('ETag', etag, 'Cache-Control', reply.kept?.cacheControl ?? 'private, no-cache')
      if (isCurrent(incoming.header('if-none-match'), etag)) status = 304
    }
    if (status === 204 || status === 304) return { status, headers, body: '' }
    headers.push('Content-Type', reply.type ?? jsonType, 'Content-Length', String(Buffer.byteLength(body)))
    return { status, headers, body: incoming.method === 'HEAD' ? '' : body }
  }
}

/** The three-member error body; the only place that writes one. */
export function refusalReply({ code, message, status, headers }: AppError): Reply {
  return { status, body: JSON.stringify({ code, message, status }), headers: ['Cache-Control', 'no-store', ...headers] }
}

function asRefusal(error: unknown): AppError {
  if (error instanceof AppError) return error
  return error instanceof StoreUnavailable
    ? new AppError('unavailable', undefined, ['Retry-After', '1'])
    : new AppError('internal_error')
}

function requestIdOf(incoming: Incoming): string {
  const sent = incoming.header('x-request-id')
  return sent !== undefined && /^[\w.-]{1,128}$/.test(sent) ? sent : randomUUID()
}

function removalText({ deprecated }: Operation): string | undefined {
  return deprecated && `This operation was removed on ${deprecated.sunset}. ${deprecated.advice}`
}

const noBytes = new Uint8Array()

function checkMediaType(incoming: Incoming): void {
  const type = incoming.header('content-type') ?? ''
  const plain =
    type === 'application/json' || /^application\/json[ \t]*;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*$/i.test(type)
  if ((!plain && type.toLowerCase() !== 'application/json') || incoming.header('content-encoding') !== undefined)
    refuse('unsupported_media_type')
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function parse(bytes: Uint8Array) {
  if (bytes.length === 0) refuse('malformed_json', 'The body is empty; send a JSON object.')
  try {
    return parseJson(utf8.decode(bytes))
  } catch (error) {
    if (error instanceof SyntaxError) refuse('malformed_json', `The body is not valid JSON: ${error.message}.`)
    if (error instanceof TypeError) refuse('malformed_json', 'The body is not valid UTF-8.')
    throw error
  }
}

function readParams(operation: Operation, names: readonly string[], texts: readonly string[]): Record<string, {}> {
  const params: Record<string, {}> = {}
  for (let i = 0; i < names.length; i++) {
    const parameter: Parameter<{}> = operation.params[names[i] as string]
    params[names[i] as string] = parameter.parse(texts[i] as string) ?? refuse(parameter.refusal)
  }
  return params
}
