/** What a response means: an answer of the service, one of its errors, or something from elsewhere. */
import * as errors from './errors.ts'
import { parseJson } from './json.ts'
import { retryAfterOf } from './retry.ts'

/** How the service answered a call that succeeded. */
export interface ResponseDetails {
  readonly status: number
  readonly headers: Headers
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined
}
export interface Answer extends ResponseDetails {
  /** The parsed body with exact integers; undefined if it was empty. */
  readonly body: object | undefined
}

/** `isExpected` tells of a body whether it can be what was asked for. */
export function outcomeOf(response: Response, text: string, isExpected: (body: unknown) => boolean) {
  const { ok, status, headers } = response
  const requestId = headers.get('x-request-id') ?? undefined
  const details = { status, requestId, retryAfterMs: retryAfterOf(headers.get('retry-after')) }
  const strange = (more: string, cause?: unknown) =>
    new errors.UnexpectedAnswerError(`The response, with status ${status}, ${more}.`, { ...details, cause })
  try {
    const body = text === '' ? undefined : parseJson(text)
    if (ok && isExpected(body)) return { body, status, headers, requestId } as Answer
    const { code, message, ...more } = Object(body)
    if (!ok && typeof code === 'string' && typeof message === 'string' && more.status === status)
      return new (classOf(status))(message, { ...details, code })
  } catch (cause) {
    return strange('is not JSON', cause)
  }
  const location = headers.get('location')
  return strange(location === null ? 'did not come from the service' : `redirects to ${location}`)
}

/** Later services may send a status that has no class here. */
function classOf(status: number): typeof errors.RefusedError {
  const Known = Object.values(errors).find(({ prototype }) => prototype.status === status)
  return (Known ?? errors.RefusedError) as typeof errors.RefusedError
}
