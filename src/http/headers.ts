/** The response headers a client may rely on, each described once. */
import { limits } from '../limits.ts'

/** For what may be cached, but is to be asked for again with its tag before it is used. */
export const revalidate = 'private, no-cache'
const requestId = `^[\\w.-]{1,${limits.requestIdLength.max}}$`
/** An `X-Request-Id` that is safe to log; any other is replaced. */
export const requestIdPattern = new RegExp(requestId)

export const headers = {
  'X-Request-Id': [
    `Identifies the request in the log; the one sent, where it matches \`${requestId}\`, else a new one.`,
    { type: 'string', maxLength: limits.requestIdLength.max, pattern: '^[\\w.-]+$' },
  ],
  'X-Content-Type-Options': ['`nosniff`, on every answer.', { type: 'string', enum: ['nosniff'] }],
  ETag: [
    'The version of the body; send it back in `If-None-Match` to get 304 while it still holds.',
    { type: 'string', maxLength: 24, pattern: '^"[\\w-]{22}"$' },
  ],
  'Cache-Control': [
    `\`${revalidate}\` on what may be cached and revalidated, \`no-store\` on errors.`,
    { type: 'string', enum: [revalidate, 'no-store'] },
  ],
  Link: [
    'Related addresses (RFC 8288): `rel="next"` leads to the next page, absent on the last one; on a deprecated operation ' +
      '`rel="deprecation"`, `rel="sunset"` and `rel="successor-version"` tell of its end and what to use instead.',
    { type: 'string', maxLength: limits.headerSize.bytes, pattern: '^<[^>]+>; rel="' },
  ],
  Location: ['The address of what was created.', { type: 'string', format: 'uri', maxLength: 2048 }],
  'Idempotency-Replayed': [
    '`true` when an earlier answer to the same `Idempotency-Key` is given again.',
    { type: 'string', enum: ['true'] },
  ],
  Deprecation: [
    'Since when the operation is deprecated (RFC 9745).',
    { type: 'string', maxLength: 13, pattern: '^@\\d+$' },
  ],
  Sunset: ['When the operation is removed (RFC 8594).', { type: 'string', maxLength: 29, pattern: ' GMT$' }],
  Allow: ['The methods the path answers.', { type: 'string', maxLength: 128, pattern: '^[A-Z]+(, [A-Z]+)*$' }],
  'WWW-Authenticate': [
    'How to authenticate (RFC 6750).',
    { type: 'string', maxLength: 256, pattern: '^Bearer realm="petstore"' },
  ],
  'Retry-After': [
    'How many seconds to wait before trying again.',
    { type: 'integer', format: 'int32', minimum: 1, maximum: 86400 },
  ],
} as const satisfies Record<string, readonly [description: string, schema: Record<string, unknown>]>

export type HeaderName = keyof typeof headers
