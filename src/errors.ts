/**
 * Every error that a client can get, in one list (code, HTTP status, default message), and the two errors of commands.
 */
import { limits } from './limits.ts'

export const errors = {
  bad_request: [400, 'The request is not valid HTTP.'],
  malformed_json: [400, 'The body is not valid JSON.'],
  missing_field: [400, 'A required field is missing.'],
  invalid_field: [400, 'A field has an invalid value.'],
  unknown_field: [400, 'The body contains an unknown field.'],
  duplicate_field: [400, 'A field is given more than once.'],
  invalid_parameter: [400, 'A query parameter has an invalid value.'],
  invalid_cursor: [400, 'The cursor was not issued by this service for these filters. Start again without a cursor.'],
  invalid_idempotency_key: [
    400,
    `Idempotency-Key must be ${limits.idempotencyKeyLength.text} visible ASCII characters, with or without ` +
      'quotation marks.',
  ],
  missing_api_key: [401, 'The request contains no API key. Send the header Authorization: Bearer <API_KEY>.'],
  invalid_api_key: [401, 'The API key is unknown, malformed, expired or revoked.'],
  insufficient_scope: [403, 'The API key lacks the scope that this operation needs.'],
  route_not_found: [404, 'No operation has this path.'],
  pet_not_found: [404, 'No animal has this identifier.'],
  order_not_found: [404, 'No order has this identifier.'],
  category_not_found: [404, 'No category with this identifier has a name.'],
  webhook_not_found: [404, 'No webhook has this identifier.'],
  delivery_not_found: [404, 'The webhook has no delivery with this identifier.'],
  method_not_allowed: [
    405,
    'This path does not support this method. The Allow header lists the methods that it supports.',
  ],
  request_timeout: [408, 'The request did not arrive in time. Send it again.'],
  pet_not_available: [409, 'The animal is not available.'],
  order_state_conflict: [409, 'The state of an order does not allow this change.'],
  idempotency_in_progress: [
    409,
    'Another request with this Idempotency-Key is still in progress. Try again after the seconds in the ' +
      'Retry-After header.',
  ],
  too_many_webhooks: [
    409,
    `There are already ${limits.webhooks.text} webhooks, which is the maximum. Delete a webhook first.`,
  ],
  endpoint_removed: [410, 'This operation has been removed.'],
  events_expired: [
    410,
    'The event at this position was removed or belongs to another database. Start again with from=now, and list ' +
      'everything again.',
  ],
  precondition_failed: [
    412,
    'The version in If-Match is not the current one. Fetch the resource again and use its ETag.',
  ],
  content_too_large: [413, `The body is larger than ${limits.bodySize.text}.`],
  uri_too_long: [414, `The request target is longer than ${limits.targetSize.text}.`],
  unsupported_media_type: [415, 'The body must be sent as application/json in UTF-8, without a Content-Encoding.'],
  unknown_pet: [422, 'There is no animal with the identifier in petId.'],
  idempotency_key_reused: [
    422,
    'This Idempotency-Key was already used with a different body. Use a new key for a new request.',
  ],
  rate_limited: [429, 'There are too many requests. Try again after the seconds in the Retry-After header.'],
  headers_too_large: [431, `The request headers are larger than ${limits.headerSize.text}.`],
  internal_error: [500, 'The service failed. Its log contains the cause under the X-Request-Id of this response.'],
  unavailable: [503, 'The service is temporarily unavailable. Try again after the seconds in the Retry-After header.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ErrorCode = keyof typeof errors

/** An error response with a code from the list; `headers` are sent with it, as a flat list of names and values. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly headers: readonly string[]

  constructor(code: ErrorCode, message: string = errors[code][1], headers: readonly string[] = []) {
    super(message)
    this.name = 'AppError'
    this.code = code
    this.status = errors[code][0]
    this.headers = headers
  }
}

export function refuse(code: ErrorCode, message?: string, headers?: readonly string[]): never {
  throw new AppError(code, message, headers)
}

/** The command line is invalid: the operator sees one line, no stack trace. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * Something outside the program prevents the command, such as a port in use: the operator sees one line, too. Exit code
 * 1.
 */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}

/**
 * The reason in a message such as "ENOENT: no such file or directory, open 'PATH'", for a line that names the file
 * itself.
 */
export const fileFault = (error: unknown): string => (error as Error).message.replace(/^E[A-Z]+: ([^,]+).*$/s, '$1')
