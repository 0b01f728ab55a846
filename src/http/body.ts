/** Receives the body of a request, and reads it as JSON. */
import { refuse } from '../errors.ts'
import { limits } from '../limits.ts'
import { type Parsed, parseJson } from '../schema/json.ts'
import { type BodyCheck, problemsText } from '../schema/schema.ts'
import type { Admission, BodyRoom } from './admission.ts'
import type { Incoming } from './message.ts'

export interface BodyContext {
  received: number
  /** The memory that the body takes. It is released when the request is answered. */
  room?: BodyRoom
}

type ReceiveBody = (
  incoming: Incoming,
  keyId: number,
  mediaTypes: readonly string[] | undefined,
  context: BodyContext,
) => Promise<Uint8Array>

/** Receives the bytes of a body. The media type is checked first, and the size is checked while the body arrives. */
export function createReceiveBody(admission: Admission): ReceiveBody {
  return async function receiveBody(incoming, keyId, mediaTypes, context) {
    const type = incoming.header('content-type')
    const isAccepted = type !== undefined && isMediaType(type, mediaTypes)
    if (type !== undefined && !isAccepted) refuse('unsupported_media_type')
    if (incoming.header('content-encoding') !== undefined) refuse('unsupported_media_type')
    const room = (context.room = { keyId, bytes: 0 })
    const body = incoming.body(limits.bodySize.bytes, (length) => admission.hold(room, length))
    const bytes = (body instanceof Promise ? await admission.arrivalOf(body) : body) ?? refuse('content_too_large')
    // A request without type and body is refused later, for the missing body.
    if (!isAccepted && bytes.length > 0) refuse('unsupported_media_type')
    context.received = bytes.length
    return bytes
  }
}

const utf8Parameter = /^[ \t]*charset=(?:utf-8|"utf-8")[ \t]*$/i

function isMediaType(type: string, others: readonly string[] = []): boolean {
  if (type === 'application/json') return true
  const semicolon = type.indexOf(';')
  const bare = (semicolon < 0 ? type : type.slice(0, semicolon).replace(/[ \t]+$/, '')).toLowerCase()
  if (bare !== 'application/json' && !others.includes(bare)) return false
  return semicolon < 0 || utf8Parameter.test(type.slice(semicolon + 1))
}

/** Checks a body and returns it in the form that an operation takes. The error names the first ten problems. */
export function checkBody(check: BodyCheck<unknown>, parsed: Parsed): unknown {
  const checked = check(parsed)
  if (checked.problems) refuse(checked.problems[0].code, problemsText(checked))
  return checked.value
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const noMembers: Parsed = { value: new Map(), duplicates: [] }

export function parseBody(bytes: Uint8Array, { isOptional = false } = {}): Parsed {
  if (bytes.length === 0)
    return isOptional ? noMembers : refuse('malformed_json', 'The body is empty. Send a JSON object.')
  try {
    return parseJson(utf8.decode(bytes))
  } catch (error) {
    if (error instanceof SyntaxError) refuse('malformed_json', `The body is not valid JSON: ${error.message}.`)
    if (error instanceof TypeError) refuse('malformed_json', 'The body is not valid UTF-8.')
    throw error
  }
}
