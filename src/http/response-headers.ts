/** The response headers that clients may rely on. */
import { limits } from '../limits.ts'
import { positionSchema } from '../model/event.ts'
import { revalidate } from './message.ts'
import { requestIdPattern } from './request-headers.ts'

/** Each with its description, its schema, and whether no response that documents it is without it. */
export const headers = {
  'X-Request-Id': [
    `Identifies the request in the log: the one sent if it matches \`${requestIdPattern}\`, otherwise a new one.`,
    { type: 'string', maxLength: limits.requestIdLength.max, pattern: '^[\\w.-]+$' },
    'always',
  ],
  'X-Content-Type-Options': ['`nosniff`, on every response.', { type: 'string', enum: ['nosniff'] }, 'always'],
  ETag: [
    'The version of the resource; send it in `If-None-Match` to get 304 while it is unchanged.',
    { type: 'string', maxLength: 24, pattern: '^"[\\w-]{22}"$' },
    'always',
  ],
  'Cache-Control': [
    `\`${revalidate}\` on responses that may be cached and revalidated, \`no-store\` on errors, streams and secrets.`,
    { type: 'string', enum: [revalidate, 'no-store'] },
    'always',
  ],
  Link: [
    'Related URLs (RFC 8288): `rel="next"` is the next page, absent on the last one; on a deprecated operation, ' +
      '`rel="deprecation"` and `rel="sunset"` are its documentation and ' +
      '`rel="successor-version"` is what to use instead.',
    { type: 'string', maxLength: limits.headerSize.bytes, pattern: '^<[^>]+>; rel="' },
  ],
  'Last-Event-ID': [
    'Where a page of events ends: send it as `after`, or to a stream as `Last-Event-ID`, to continue from there.',
    positionSchema,
    'always',
  ],
  Location: ['The URL of the created resource.', { type: 'string', format: 'uri', maxLength: 2048 }, 'always'],
  'Idempotency-Replayed': [
    '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.',
    { type: 'string', enum: ['true'] },
  ],
  Deprecation: [
    'Since when the operation is deprecated (RFC 9745).',
    { type: 'string', maxLength: 13, pattern: '^@\\d+$' },
  ],
  Sunset: ['When the operation is removed (RFC 8594).', { type: 'string', maxLength: 29, pattern: ' GMT$' }],
  Allow: ['The methods the path supports.', { type: 'string', maxLength: 128, pattern: '^[A-Z]+(, [A-Z]+)*$' }],
  'WWW-Authenticate': [
    'How to authenticate (RFC 6750).',
    { type: 'string', maxLength: 256, pattern: '^Bearer realm="petstore"' },
    'always',
  ],
  'Retry-After': [
    'Seconds to wait before trying again.',
    { type: 'integer', format: 'int32', minimum: 1, maximum: 86400 },
  ],
  'RateLimit-Policy': [
    'The rate limit of the API key, if it has one: `q` requests in `w` seconds (IETF draft, version 10).',
    { type: 'string', maxLength: 32, pattern: '^"default";q=\\d+;w=\\d+$' },
  ],
  RateLimit: [
    'What is left of the rate limit: `r` requests now, and more after `t` seconds (IETF draft, version 10).',
    { type: 'string', maxLength: 32, pattern: '^"default";r=\\d+;t=\\d+$' },
  ],
} as const satisfies Record<
  string,
  readonly [description: string, schema: Record<string, unknown>, presence?: 'always']
>

export type HeaderName = keyof typeof headers
