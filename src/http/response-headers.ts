/** The response headers that clients may rely on. */
import { limits } from '../limits.ts'
import { positionSchema } from '../model/event.ts'
import { revalidate } from './message.ts'
import { requestIdPattern } from './request-headers.ts'

/** Each header with its description, its schema, and whether every response that documents it contains it. */
export const headers = {
  'X-Request-Id': [
    `Identifies the request in the log. It is the value that you sent if it matches \`${requestIdPattern}\`, ` +
      'otherwise a new one.',
    { type: 'string', maxLength: limits.requestIdLength.max, pattern: '^[\\w.-]+$' },
    'always',
  ],
  'X-Content-Type-Options': ['`nosniff`, on every response.', { type: 'string', enum: ['nosniff'] }, 'always'],
  ETag: [
    'The version of the resource. Send it in `If-None-Match` to get 304 while the resource is unchanged.',
    { type: 'string', maxLength: 24, pattern: '^"[\\w-]{22}"$' },
    'always',
  ],
  'Cache-Control': [
    `\`${revalidate}\` on responses that may be cached and revalidated, \`no-store\` on errors, streams and secrets.`,
    { type: 'string', enum: [revalidate, 'no-store'] },
    'always',
  ],
  Link: [
    'Related URLs (RFC 8288). `rel="next"` is the next page; it is absent on the last page. Responses of a ' +
      'deprecated operation also contain `rel="deprecation"` and `rel="sunset"`, which lead to its documentation, ' +
      'and `rel="successor-version"`, which is the operation to use instead.',
    { type: 'string', maxLength: limits.headerSize.bytes, pattern: '^<[^>]+>; rel="' },
  ],
  'Last-Event-ID': [
    'The position after the last event of the page. To continue from there, send it as `after`, or to a stream as ' +
      '`Last-Event-ID`.',
    positionSchema,
    'always',
  ],
  Location: ['The URL of the created resource.', { type: 'string', format: 'uri', maxLength: 2048 }, 'always'],
  'Idempotency-Replayed': [
    '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.',
    { type: 'string', enum: ['true'] },
  ],
  Deprecation: [
    'The date since which the operation has been deprecated (RFC 9745).',
    { type: 'string', maxLength: 13, pattern: '^@\\d+$' },
  ],
  Sunset: [
    'The date on which the operation will be removed (RFC 8594).',
    { type: 'string', maxLength: 29, pattern: ' GMT$' },
  ],
  Allow: ['The methods that the path supports.', { type: 'string', maxLength: 128, pattern: '^[A-Z]+(, [A-Z]+)*$' }],
  'WWW-Authenticate': [
    'How to authenticate (RFC 6750).',
    { type: 'string', maxLength: 256, pattern: '^Bearer realm="petstore"' },
    'always',
  ],
  'Retry-After': [
    'The number of seconds to wait before trying again.',
    { type: 'integer', format: 'int32', minimum: 1, maximum: 86400 },
  ],
  'RateLimit-Policy': [
    'The rate limit of the API key: `q` requests in `w` seconds. Absent if the key has no rate limit. (IETF ' +
      'draft, version 10)',
    { type: 'string', maxLength: 32, pattern: '^"default";q=\\d+;w=\\d+$' },
  ],
  RateLimit: [
    'What is left of the rate limit: `r` requests now, and more after `t` seconds. (IETF draft, version 10)',
    { type: 'string', maxLength: 32, pattern: '^"default";r=\\d+;t=\\d+$' },
  ],
} as const satisfies Record<
  string,
  readonly [description: string, schema: Record<string, unknown>, presence?: 'always']
>

export type HeaderName = keyof typeof headers
