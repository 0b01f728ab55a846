/** Faults to plant into a right service, each with the rule that must see it. `$KEY` in a header is the right key. */
import type { Received } from '../../conform/src/expect.ts'
import type { Sent } from '../../conform/src/request.ts'

type Request = (sent: Sent) => Sent
type Answer = (received: Received, sent: Sent) => Received
/** What is wrong with the service, as what becomes of a request or of an answer. */
export type Fault = readonly [rule: string, fault: string, change: { request?: Request; answer?: Answer }]

const url = (from: RegExp | string, to: string) => ({
  request: (sent: Sent): Sent => ({ ...sent, url: sent.url.replace(from, to) }),
})
const body = (from: RegExp | string, to: string) => ({
  request: (sent: Sent): Sent => ({ ...sent, body: sent.body && Buffer.from(String(sent.body).replace(from, to)) }),
})
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
const ignored = (name: string) => sentHeader(name, () => undefined)
const header = (name: string, value: string | undefined, of = /./) => ({
  answer: (received: Received, { method, url }: Sent): Received => {
    if (!of.test(`${received.status} ${method} ${url}`)) return received
    const headers = new Map(received.headers)
    if (value === undefined) headers.delete(name)
    else headers.set(name, value)
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
const rounded = (match: string) => String(Number(match))

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
  ['auth.code.invalid', 'no challenge', header('www-authenticate', undefined)],
  [
    'auth.scheme',
    'the scheme is case-sensitive',
    sentHeader('Authorization', (value) => (value.startsWith('Bearer') ? value : undefined)),
  ],
  ['auth.unknown-path', '404 comes before 401', status(401, 404, /nope/)],
  ['error.members', 'an Error with a fourth member', text(/\}$/, ',"detail":"x"}', /^4/)],
  ['error.400', 'an Error without a message', text(/"message":"[^"]*",/, '', /^400/)],
  ['error.401', 'an Error whose status is text', text(/"status":401/, '"status":"401"')],
  ['error.404', 'an Error with another status', text(/"status":404/, '"status":400')],
  ['error.json', 'an Error as plain text', header('content-type', 'text/plain', /^4/)],
  ['error.codes', 'other codes', text('"route_not_found"', '"not_found"')],
  ['http.charset', 'no charset', header('content-type', 'application/json')],
  ['error.type', 'an Error that may be cached', header('cache-control', 'max-age=60', /^4/)],
  ['error.discreet', 'an Error with a stack', text(/"message":"/, '"message":"Error at (node:internal) ', /^4/)],
  ['http.unknown-path', 'a trailing slash is cut off', url(/\/pets\/$/, '/pets')],
  ['http.method', 'no Allow', header('allow', undefined)],
  ['http.options', 'OPTIONS has a body', text(/^$/, 'x', /OPTIONS/)],
  ['http.options', 'OPTIONS answers 200', status(204, 200, /^OPTIONS/)],
  ['http.head', 'HEAD without a tag', header('etag', undefined, /HEAD/)],
  ['http.accept', '406 for a type that is not JSON', status(200, 406)],
  ['http.request-id', 'the request id is always made', ignored('X-Request-Id')],
  ['http.request-id.new', 'one request id for all', header('x-request-id', 'same-id-for-all')],
  ['http.nosniff', 'no nosniff', header('x-content-type-options', undefined)],
  ['cache.etag', 'a tag that never changes', header('etag', '"same"')],
  ['cache.304', 'If-None-Match ignored', ignored('If-None-Match')],
  [
    'cache.304',
    '304 only for the exact header',
    sentHeader('If-None-Match', (value) => (value.startsWith('"other') ? undefined : value)),
  ],
  ['cache.other', '304 for any tag', sentHeader('If-None-Match', () => '*')],
  ['list.array', 'the list is wrapped in an object', text(/^\[.*\]$/s, '{"items":[]}', /GET/)],
  ['list.json', 'the list is sent as text', header('content-type', 'text/plain', /GET/)],
  ['list.limit.default', 'the default is 50', url(/\/pets$/, '/pets?limit=50')],
  ['list.limit.min', 'limit=1 gives two', url('limit=1', 'limit=2')],
  ['list.limit.max', 'no page above 50', url('limit=100', 'limit=50')],
  ['list.limit.between', 'limit ignored', url(/limit=\d+/, 'x=1')],
  ['list.limit.refused', 'a limit clamped', url(/limit=101$/, 'limit=100')],
  ['list.limit.refused', 'a limit coerced', url(/limit=05$/, 'limit=5')],
  ['list.limit.refused', 'an empty limit is none', url(/limit=$/, '')],
  ['list.status.sold', 'the filter status ignored', url('status=sold', 'x=1')],
  ['list.status.limit', 'limit ignored with a filter', url('&limit=1', '')],
  ['list.status.refused', 'a status in any case', url('status=Available', 'status=available')],
  ['list.twice', 'the last of two counts', url('limit=1&limit=1', 'limit=1')],
  ['list.unknown', 'an unknown parameter is refused', url('offset=1', 'limit=x')],
  ['list.order', 'the newest first', url('/pets?', '/pets?order=desc&')],
  ['list.next', 'no link', header('link', undefined)],
  [
    'list.next.end',
    'a link on the last page',
    header('link', '<http://shop.example/v1/pets?cursor=x>; rel="next"', /GET/),
  ],
  ['list.cursor.unknown', 'an unknown cursor is the first page', url(/cursor=[^&]*/, 'x=1')],
  ['list.category', 'categoryId of the filter rounded', url(/categoryId=(\d+)/, 'categoryId=9007199254740992')],
  ['list.id.many', 'ids beyond 100 cut off', url(/,101$/, '')],
  ['list.search', 'search ignored', url(/&search=[^&]*/, '')],
  ['create.created', '200 for 201', status(201, 200)],
  ['create.ids', 'one id for all', text(/"id":\d+/, '"id":7', /^201/)],
  ['create.stored', 'an animal changed on its way', text('"categoryId":7', '"categoryId":8', /GET/)],
  ['create.name', 'accents dropped', text('José', 'Jose')],
  ['create.name.exact', 'a name trimmed', body(/"name":"\s+/, '"name":"')],
  [
    'create.name.exact',
    'a name normalised',
    { answer: (received) => ({ ...received, text: received.text.normalize('NFC') }) },
  ],
  ['create.category.large', 'a category in 32 bits', text(/"categoryId":\d+/, '"categoryId":1', /^201/)],
  ['create.category.exact', 'an int64 rounded when it is read', text(/9007199254740993/, rounded, /GET/)],
  ['create.int64', 'an int64 rounded', text(/9007199254740993|9223372036854775807/, rounded)],
  ['create.int64.refused', 'text taken for a number', body('"categoryId":"5"', '"categoryId":5')],
  ['create.status', 'a status always available', text(/"status":"(pending|sold)"/, '"status":"available"', /^201/)],
  ['create.status.default', 'no status', text(/,"status":"available"/, '', /^201/)],
  ['create.missing.name', 'a name made up', body(/^\{"categoryId":1\}$/, '{"name":"a","categoryId":1}')],
  ['create.missing.category', 'a category made up', body(/"\}$/, '","categoryId":0}')],
  ['create.invalid.status', 'an unknown status passed over', body(/,"status":"lost"/, '')],
  ['create.unknown', 'an unknown member passed over', body(/,"colour":1/, '')],
  ['create.duplicate', 'the last of two members counts', body(/"name":"[^"]*",(.*"name":"a")/, '$1')],
  ['create.faults', 'only the first fault is named', text(/; wings[^"]*/, '')],
  ['create.location', 'no Location', header('location', undefined)],
  ['create.members', 'an animal with a member more', text(/\}$/, ',"createdAt":"now"}', /^201/)],
  ['create.id', 'the id of the client is taken', text(/"id":\d+/, '"id":900719925474099', /^201/)],
  ['body.type.refused', 'any type is taken', sentHeader('Content-Type', () => 'application/json')],
  ['body.encoding', 'a Content-Encoding passed over', ignored('Content-Encoding')],
  ['body.large', '400 for 413', status(413, 400)],
  ['body.malformed', 'a trailing comma forgiven', body(/,\}$/, ',"categoryId":1}')],
  ['idempotency.replay', 'Idempotency-Key ignored', ignored('Idempotency-Key')],
  ['idempotency.replay', 'a replay that does not say so', header('idempotency-replayed', undefined)],
  ['get.found', 'another animal', text(/"name":"[^"]*"/, '"name":"Rex"', /200 GET/)],
  [
    'get.unknown',
    '200 with null for 404',
    { answer: (received) => (received.status === 404 ? { ...received, status: 200, text: 'null' } : received) },
  ],
  ['get.canonical', '400 for 404', status(404, 400)],
  ['get.deprecated', 'no Deprecation', header('deprecation', undefined)],
  ['get.deprecated', 'another day', header('sunset', 'Fri, 06 Dec 2030 00:00:00 GMT')],
  ['change.one', 'a PATCH that replaces', text(/"status":"sold"/, '"status":"available"', /PATCH/)],
  ['match.stale', 'If-Match ignored', ignored('If-Match')],
  ['order.place', 'the animal stays available', text('"status":"pending"', '"status":"available"', /GET/)],
  ['orders.list', 'the filter petId ignored', url(/petId=\d+&?/, '')],
  ['category.remove', 'a category that takes its animals along', text(/^\[.*\]$/s, '[]', /GET/)],
  ['sales.days', 'yesterday last', text(/\},\{[^{]*\]$/, '}]')],
  ['sales.returned', 'no return is counted', text(/"returned":\d+/, '"returned":0')],
  ['event.changes', 'an event too few', text(/,\{[^{]*\{[^{]*\]$/, ']', /events/)],
  ['event.by', 'an event of nobody', text(/"by":"[^"]*",/, '', /events/)],
  ['webhook.add', 'a secret shown again', text(/"enabled"/, '"secret":"whsec_a","enabled"', /200 GET/)],
]
