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

/** The parts of the rules that a fault of the catalogue may turn red, and the faults for which that holds. */
export const seenIn: readonly (readonly [parts: string, ...faults: string[]])[] = [
  ['error http', 'error-fourth-member'],
  [
    'body cache category change create error event idempotency inventory list order orders sales webhook',
    'error-no-message',
  ],
  ['category change error get http match open order orders remove webhook', 'error-no-status', 'error-other-status'],
  ['error', 'error-plain-text', 'error-other-codes', 'error-cached', 'error-stack'],
  ['error http open remove', 'no-charset'],
  ['http', 'trailing-slash', 'request-id-ignored', 'request-id-same', 'no-nosniff'],
  ['category http open orders', 'no-allow'],
  ['http orders', 'options-200'],
  ['cache http', 'head-no-etag'],
  ['cache category error event inventory match order orders', 'etag-constant'],
  ['cache category event inventory open order orders', 'if-none-match-ignored'],
  ['cache event inventory order orders', 'if-none-match-any'],
  ['category match order', 'if-match-ignored'],
  ['cache create http list', 'list-wrapped'],
  ['error get http list open', 'list-plain-text'],
  ['cache error list', 'limit-ignored'],
  [
    'list',
    'limit-default',
    'limit-half',
    'status-filter-ignored',
    'status-any-case',
    'twice-taken',
    'unknown-refused',
    'filter-rounded',
    'ids-cut-off',
    'search-ignored',
  ],
  ['cache list', 'limit-off-by-one', 'newest-first'],
  ['list orders', 'limit-clamped', 'limit-coerced', 'limit-empty'],
  ['cache create inventory list orders', 'limit-beside-filter'],
  ['get list', 'no-link'],
  ['cache http list', 'link-endless'],
  ['error list', 'cursor-ignored'],
  [
    'body cache category change create event get http idempotency inventory list match order orders remove sales',
    'created-200',
  ],
  [
    'cache category change create event get idempotency list match order orders remove sales',
    'ids-same',
    'id-of-client',
  ],
  ['cache category change create get http idempotency list order', 'ids-text'],
  ['create', 'stored-otherwise', 'name-ascii', 'status-ignored', 'first-fault-only'],
  ['body category change create', 'name-trimmed'],
  ['category create list', 'int64-rounded'],
  ['create list', 'int64-rounded-read'],
  ['body create', 'int64-text', 'duplicate-dropped'],
  ['create event', 'int32'],
  ['change create event', 'no-status', 'created-more'],
  ['body change create', 'name-made-up'],
  ['body category create event inventory', 'category-made-up'],
  ['body create idempotency', 'status-dropped'],
  ['body category create', 'member-dropped'],
  ['create idempotency order webhook', 'no-location'],
  ['body change order', 'any-type'],
  ['body', 'encoding-ignored', 'large-400', 'trailing-comma'],
  ['idempotency', 'key-ignored'],
  ['idempotency order', 'replay-unsaid'],
  ['create get list', 'get-other'],
  ['error get http', 'unknown-null', 'unknown-400'],
  ['get', 'no-deprecation', 'other-sunset'],
  ['change', 'patch-replaces'],
  ['inventory list order', 'order-holds-not'],
  ['order orders', 'order-filter-ignored'],
  ['category change idempotency list', 'category-removes'],
  ['sales', 'sales-yesterday', 'sales-no-returns'],
  ['event', 'event-missing'],
  ['webhook', 'secret-shown'],
]
