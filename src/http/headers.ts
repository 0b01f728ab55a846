/** The response headers a client may rely on, each described once. */
export const headers = {
  'X-Request-Id':
    'Identifies the request in the log; the one sent, where it matches `^[\\w.-]{1,128}$`, else a new one.',
  ETag: 'The version of the body; send it back in `If-None-Match` to get 304 while it still holds.',
  'Cache-Control': '`private, no-cache` on what may be kept and asked for again, `no-store` on errors.',
  Link: 'Related addresses (RFC 8288): `rel="next"` leads to the next page, and is absent on the last one.',
  Location: 'The address of what was created.',
  'Idempotency-Replayed': '`true` when an earlier answer to the same `Idempotency-Key` is given again.',
  Deprecation: 'Since when the operation is deprecated (RFC 9745).',
  Sunset: 'When the operation is removed (RFC 8594).',
  Allow: 'The methods the path answers.',
  'WWW-Authenticate': 'How to authenticate (RFC 6750).',
  'Retry-After': 'How many seconds to wait before trying again.',
} as const

export type HeaderName = keyof typeof headers
