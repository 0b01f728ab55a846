/** The response headers a client may rely on, each described once. */
export const headers = {
  'X-Request-Id': [
    'Identifies the request in the log; the one sent, where it matches `^[\\w.-]{1,128}$`, else a new one.',
    { type: 'string', maxLength: 128, pattern: '^[\\w.-]+$' },
  ],
  ETag: [
    'The version of the body; send it back in `If-None-Match` to get 304 while it still holds.',
    { type: 'string', maxLength: 24, pattern: '^"[\\w-]{22}"$' },
  ],
  'Cache-Control': [
    '`private, no-cache` on what may be kept and asked for again, `no-store` on errors.',
    { type: 'string', enum: ['private, no-cache', 'no-store'] },
  ],
  Link: [
    'Related addresses (RFC 8288): `rel="next"` leads to the next page, absent on the last one; on a deprecated operation ' +
      '`rel="deprecation"`, `rel="sunset"` and `rel="successor-version"` tell of its end and what to use instead.',
    { type: 'string', maxLength: 16384, pattern: '^<[^>]+>; rel="' },
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
