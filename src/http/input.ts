/** Reads the request body and the path parameters as the operation declares them. */
import { refuse } from '../errors.ts'
import { limits } from '../limits.ts'
import { type Parsed, parseJson } from '../schema/json.ts'
import type { Fault } from '../schema/schema.ts'
import type { Arrived, Incoming } from './message.ts'
import type { Operation } from './operation.ts'
import type { Parameter } from './parameters.ts'

/** The raw body; its media type is checked first, its size while it arrives. */
export async function readBytes(incoming: Incoming, { body }: Operation, arrived: Arrived): Promise<Uint8Array> {
  const type = incoming.header('content-type')
  const isTaken = type !== undefined && isMediaType(type, body?.mediaTypes)
  if (type !== undefined && !isTaken) refuse('unsupported_media_type')
  if (incoming.header('content-encoding') !== undefined) refuse('unsupported_media_type')
  const bytes = (await incoming.body(limits.bodySize.bytes, arrived)) ?? refuse('content_too_large')
  // With neither type nor body, the error is about the missing body.
  return isTaken || bytes.length === 0 ? bytes : refuse('unsupported_media_type')
}

const utf8Parameter = /^[ \t]*charset=(?:utf-8|"utf-8")[ \t]*$/i

function isMediaType(type: string, others: readonly string[] = []): boolean {
  if (type === 'application/json') return true
  const semicolon = type.indexOf(';')
  const bare = (semicolon < 0 ? type : type.slice(0, semicolon).replace(/[ \t]+$/, '')).toLowerCase()
  if (bare !== 'application/json' && !others.includes(bare)) return false
  return semicolon < 0 || utf8Parameter.test(type.slice(semicolon + 1))
}

/** The body, checked against the operation's schema; the error names every fault. */
export function readBody({ check }: Operation, bytes: Uint8Array): unknown {
  const checked = check?.(parse(bytes))
  if (checked?.faults) refuse(checked.faults[0].code, summary(checked.faults))
  return checked?.value
}

const messageLengthMax = 2000

function summary(faults: readonly Fault[]): string {
  const text = faults.map((fault) => fault.text).join('; ')
  return (text.length <= messageLengthMax ? text : `${text.slice(0, messageLengthMax)}…`).toWellFormed()
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function parse(bytes: Uint8Array): Parsed {
  if (bytes.length === 0) refuse('malformed_json', 'The body is empty; send a JSON object.')
  try {
    return parseJson(utf8.decode(bytes))
  } catch (error) {
    if (error instanceof SyntaxError) refuse('malformed_json', `The body is not valid JSON: ${error.message}.`)
    if (error instanceof TypeError) refuse('malformed_json', 'The body is not valid UTF-8.')
    throw error
  }
}

export function readParams(
  operation: Operation,
  names: readonly string[],
  texts: readonly string[],
): Record<string, {}> {
  const params: Record<string, {}> = {}
  for (let i = 0; i < names.length; i++) {
    const parameter: Parameter<{}> = operation.params[names[i] as string]
    params[names[i] as string] = parameter.parse(texts[i] as string) ?? refuse(parameter.refusal)
  }
  return params
}
