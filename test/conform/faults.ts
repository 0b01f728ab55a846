/**
 * Faults that a shop of a sandbox cannot have, as they are about requests without its key, or about what no runtime
 * sends: planted between the kit and a right service. `$KEY` in a header is the right key.
 */
import type { Received } from '../../conform/src/expect.ts'
import type { Sent } from '../../conform/src/request.ts'

type Request = (sent: Sent) => Sent
type Answer = (received: Received, sent: Sent) => Received
/** What is wrong with the service, as what becomes of a request or of an answer. */
export type Fault = readonly [rule: string, fault: string, change: { request?: Request; answer?: Answer }]

/** The service takes one header for another, or for none. */
const sentHeader = (name: string, change: (value: string) => string | undefined) => ({
  request: (sent: Sent): Sent => ({
    ...sent,
    headers: sent.headers.flatMap(([each, value]) => {
      const changed = each === name ? change(value) : value
      return changed === undefined ? [] : [[each, changed] as const]
    }),
  }),
})
const withoutHeader = (name: string) => ({
  answer: (received: Received): Received => {
    const headers = new Map(received.headers)
    headers.delete(name)
    return { ...received, headers }
  },
})
const text = (from: RegExp | string, to: string | ((match: string) => string), of = /./) => ({
  answer: (received: Received, { method, url }: Sent): Received =>
    of.test(`${received.status} ${method} ${url}`)
      ? { ...received, text: received.text.replace(from, to as string) }
      : received,
})
const status = (from: number, to: number, of = /./) => ({
  answer: (received: Received, { method, url }: Sent): Received =>
    received.status === from && of.test(`${method} ${url}`) ? { ...received, status: to } : received,
})

export const faults: readonly Fault[] = [
  [
    'auth.altered',
    'only the beginning of a key counts',
    sentHeader('Authorization', (value) => (value.replace(/.$/, '').length > 40 ? 'Bearer $KEY' : value)),
  ],
  [
    'auth.other-scheme',
    'any scheme is taken',
    sentHeader('Authorization', (value) => value.replace('Basic', 'Bearer')),
  ],
  [
    'auth.no-scheme',
    'a key is taken without its scheme',
    sentHeader('Authorization', (value) => `Bearer ${value.replace('Bearer ', '')}`),
  ],
  ['auth.missing.create', '403 for 401', status(401, 403)],
  ['auth.code.missing', 'one code for both', text('missing_api_key', 'invalid_api_key')],
  ['auth.code.invalid', 'no challenge', withoutHeader('www-authenticate')],
  [
    'auth.scheme',
    'the scheme is case-sensitive',
    sentHeader('Authorization', (value) => (value.startsWith('Bearer') ? value : undefined)),
  ],
  ['auth.unknown-path', '404 comes before 401', status(401, 404, /nope/)],
  ['error.401', 'an Error whose status is text', text(/"status":401/, '"status":"401"')],
  ['http.options', 'OPTIONS has a body', text(/^$/, 'x', /OPTIONS/)],
  ['http.accept', '406 for a type that is not JSON', status(200, 406)],
  [
    'cache.304',
    '304 only for the exact header',
    sentHeader('If-None-Match', (value) => (value.startsWith('"other') ? undefined : value)),
  ],
  [
    'create.name.exact',
    'a name normalised',
    { answer: (received) => ({ ...received, text: received.text.normalize('NFC') }) },
  ],
]
