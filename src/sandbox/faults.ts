/** Contract faults: ways in which pet stores are wrong, each to be planted in a shop to see who notices. */
import type { Incoming, Outgoing } from '../http/message.ts'
import type { WebhookSender } from '../webhooks/send.ts'

type Message = Parameters<WebhookSender['send']>[0]
/** What becomes of a request, of an answer with `about`, which is its status, method and target, or of a webhook. */
interface Change {
  request?(incoming: Incoming): Incoming
  answer?(outgoing: Outgoing, about: string): Outgoing
  message?(message: Message): Message
}
export interface Fault extends Change {
  readonly id: string
  readonly description: string
}
type From = RegExp | string

/** A request with some of it changed; a copy would lack what its class has. */
export const changed = (incoming: Incoming, changes: Partial<Incoming>): Incoming => ({
  ...{ method: incoming.method, target: incoming.target, fault: incoming.fault },
  header: (name) => incoming.header(name),
  address: () => incoming.address(),
  body: (bytesMax, onReceived) => incoming.body(bytesMax, onReceived),
  ...changes,
})
const target = (from: From, to: string): Change => ({
  request: (incoming) => changed(incoming, { target: incoming.target.replace(from, to) }),
})
const body = (from: From, to: string): Change => ({
  request: (incoming) =>
    changed(incoming, {
      async body(bytesMax, onReceived) {
        const bytes = await incoming.body(bytesMax, onReceived)
        return bytes && Buffer.from(Buffer.from(bytes).toString().replace(from, to))
      },
    }),
})
/** The service takes one header for another, or for none. */
const sent = (name: string, change: (value: string) => string | undefined = () => undefined): Change => ({
  request(incoming) {
    const value = incoming.header(name)
    const taken = value === undefined ? undefined : change(value)
    return changed(incoming, { header: (asked) => (asked === name ? taken : incoming.header(asked)) })
  },
})
const answer = (of: RegExp, change: (outgoing: Outgoing) => Partial<Outgoing>): Change => ({
  answer: (outgoing, about) => (of.test(about) ? { ...outgoing, ...change(outgoing) } : outgoing),
})
const header = (name: string, value?: string, of = /./): Change =>
  answer(of, ({ headers }) => {
    const others = headers.filter((_, index) => headers[index - (index % 2)]?.toLowerCase() !== name.toLowerCase())
    return { headers: value === undefined ? others : [...others, name, value] }
  })
const text = (from: From, to: string | ((match: string) => string), of = /./): Change =>
  answer(of, ({ body }) => (typeof body === 'string' ? { body: body.replace(from, to as string) } : {}))
const status = (from: number, to: number, of = ''): Change =>
  answer(new RegExp(`^${from} ${of}`), () => ({ status: to }))
const rounded = (match: string) => String(Number(match))

const catalogue: readonly (readonly [id: string, description: string, change: Change])[] = [
  ['error-fourth-member', 'an Error with a fourth member', text(/\}$/, ',"detail":"x"}', /^4/)],
  ['error-no-message', 'an Error without a message', text(/"message":"[^"]*",/, '', /^400/)],
  ['error-no-status', 'an Error without status', text(/,"status":404/, '')],
  ['error-other-status', 'an Error with another status', text(/"status":404/, '"status":400')],
  ['error-plain-text', 'an Error as plain text', header('Content-Type', 'text/plain', /^4/)],
  ['error-other-codes', 'Errors with codes of their own', text('"route_not_found"', '"not_found"')],
  ['error-cached', 'an Error that may be cached', header('Cache-Control', 'max-age=60', /^4/)],
  ['error-stack', 'an Error with a stack', text(/"message":"/, '"message":"Error at (node:internal) ', /^4/)],
  ['no-charset', 'JSON without its charset', header('Content-Type', 'application/json')],
  ['trailing-slash', 'a trailing slash is cut off', target(/\/pets\/$/, '/pets')],
  ['no-allow', '405 without Allow', header('Allow')],
  ['options-200', 'OPTIONS answers 200', status(204, 200, 'OPTIONS')],
  ['head-no-etag', 'HEAD without a tag', header('ETag', undefined, /HEAD/)],
  ['request-id-ignored', 'the request id is always made', sent('x-request-id')],
  ['request-id-same', 'one request id for all', header('X-Request-Id', 'same-id-for-all')],
  ['no-nosniff', 'no X-Content-Type-Options', header('X-Content-Type-Options')],
  ['etag-constant', 'a tag that never changes', header('ETag', '"same"')],
  ['if-none-match-ignored', 'If-None-Match is ignored', sent('if-none-match')],
  ['if-none-match-any', '304 for any tag', sent('if-none-match', () => '*')],
  ['if-match-ignored', 'If-Match is ignored', sent('if-match')],
  ['list-wrapped', 'a list in an object', text(/^\[.*\]$/s, '{"items":[]}', /GET/)],
  ['list-plain-text', 'a list as plain text', header('Content-Type', 'text/plain', /GET/)],
  ['limit-ignored', 'limit is ignored', target(/limit=\d+/, 'x=1')],
  ['limit-default', 'a page has 50 unless asked', target(/\/pets$/, '/pets?limit=50')],
  ['limit-off-by-one', 'limit=1 gives two', target('limit=1', 'limit=2')],
  ['limit-half', 'no page above 50', target('limit=100', 'limit=50')],
  ['limit-clamped', 'a limit beyond 100 is taken for 100', target(/limit=101$/, 'limit=100')],
  ['limit-coerced', 'limit=05 is taken for 5', target(/limit=05$/, 'limit=5')],
  ['limit-empty', 'an empty limit is taken for none', target(/limit=$/, '')],
  ['limit-ignored-with-filter', 'limit is ignored beside a filter', target('&limit=1', '')],
  ['status-filter-ignored', 'the filter status is ignored', target('status=sold', 'x=1')],
  ['status-filter-any-case', 'the filter status in any case', target('status=Available', 'status=available')],
  ['twice-last-counts', 'of a parameter given twice, the last counts', target('limit=1&limit=1', 'limit=1')],
  ['unknown-parameter-refused', 'an unknown parameter is refused', target('offset=1', 'limit=x')],
  ['list-newest-first', 'the newest first', target('/pets?', '/pets?order=desc&')],
  ['link-missing', 'no Link to the next page', header('Link', undefined, /GET .*\/pets/)],
  ['link-endless', 'a Link on the last page', header('Link', '<http://a.example/v1/pets?cursor=x>; rel="next"', /GET/)],
  ['cursor-unknown-ignored', 'an unknown cursor gives the first page', target(/cursor=[^&]*/, 'x=1')],
  [
    'category-filter-rounded',
    'categoryId of the filter is rounded',
    target(/categoryId=\d+/, 'categoryId=9007199254740992'),
  ],
  ['ids-cut-off', 'ids beyond 100 are cut off', target(/,101$/, '')],
  ['search-ignored', 'search is ignored', target(/&search=[^&]*/, '')],
  ['created-200', '200 for 201', status(201, 200)],
  ['ids-same', 'one id for all', text(/"id":\d+/, '"id":7', /^201/)],
  ['ids-text', 'ids as text', text(/"id":(\d+)/g, '"id":"$1"', /pets/)],
  ['id-of-client', 'the id of the client is taken', text(/"id":\d+/, '"id":900719925474099', /^201/)],
  ['stored-otherwise', 'an animal changes on its way', text('"categoryId":7', '"categoryId":8', /GET/)],
  ['name-ascii', 'accents are dropped', text('José', 'Jose')],
  ['name-trimmed', 'a name is trimmed', body(/"name":"\s+/, '"name":"')],
  ['int64-rounded', 'int64 rounded', text(/9007199254740993|9223372036854775807/g, rounded)],
  ['int64-rounded-read', 'int64 rounded when it is read', text(/9007199254740993/g, rounded, /GET/)],
  ['int64-text', 'text is taken for a number', body('"categoryId":"5"', '"categoryId":5')],
  ['int32', 'a category in 32 bits', text(/"categoryId":\d{11,}/, '"categoryId":1', /^201/)],
  [
    'status-always-available',
    'a new animal is always available',
    text(/"status":"(?:pending|sold)"/, '"status":"available"', /^201/),
  ],
  ['status-missing', 'an animal without status', text(/,"status":"available"/, '', /^201/)],
  ['name-made-up', 'a missing name is made up', body(/^\{"categoryId":1\}$/, '{"name":"a","categoryId":1}')],
  ['category-made-up', 'a missing category is made up', body(/"\}$/, '","categoryId":0}')],
  ['status-passed-over', 'an unknown status is passed over', body(/,"status":"lost"/, '')],
  ['member-passed-over', 'an unknown member is passed over', body(/,"colour":1/, '')],
  ['duplicate-passed-over', 'of a member given twice, the last counts', body(/"name":"[^"]*",(.*"name":"a")/, '$1')],
  ['first-fault-only', 'only the first fault is named', text(/; wings[^"]*/, '')],
  ['no-location', '201 without Location', header('Location')],
  ['created-more', 'a new animal with a member more', text(/\}$/, ',"createdAt":"now"}', /^201/)],
  ['any-type', 'any media type is taken', sent('content-type', () => 'application/json')],
  ['encoding-ignored', 'Content-Encoding is ignored', sent('content-encoding')],
  ['large-400', '400 for 413', status(413, 400)],
  ['trailing-comma', 'a trailing comma is forgiven', body(/,\}$/, ',"categoryId":1}')],
  ['idempotency-ignored', 'Idempotency-Key is ignored', sent('idempotency-key')],
  ['idempotency-unsaid', 'a replay that does not say so', header('Idempotency-Replayed')],
  ['get-other', 'another animal', text(/"name":"[^"]*"/, '"name":"Rex"', /200 GET/)],
  ['unknown-null', 'an unknown animal as 200 null', answer(/^404/, () => ({ status: 200, body: 'null' }))],
  ['unknown-400', '400 for 404', status(404, 400)],
  ['deprecation-missing', 'a deprecated operation without Deprecation', header('Deprecation')],
  [
    'sunset-other',
    'a deprecated operation that ends on another day',
    header('Sunset', 'Fri, 06 Dec 2030 00:00:00 GMT'),
  ],
  ['patch-replaces', 'a PATCH that replaces', text(/"status":"sold"/, '"status":"available"', /PATCH/)],
  ['order-not-pending', 'an ordered animal stays available', text('"status":"pending"', '"status":"available"', /GET/)],
  ['order-filter-ignored', 'the filter petId is ignored', target(/petId=\d+&?/, '')],
  ['category-takes-animals', 'a category takes its animals along', text(/^\[.*\]$/s, '[]', /GET/)],
  ['sales-yesterday', 'sales end with yesterday', text(/\},\{[^{]*\]$/, '}]', /sales/)],
  ['sales-no-returns', 'no return is counted', text(/"returned":\d+/, '"returned":0')],
  ['event-missing', 'an event too few', text(/,\{[^{]*\{[^{]*\]$/, ']', /events/)],
  [
    'secret-shown',
    'the secret of a webhook is shown again',
    text(/"enabled"/, '"secret":"whsec_a","enabled"', /200 GET/),
  ],
  [
    'webhook-signature',
    'a webhook with a wrong signature',
    { message: (one) => ({ ...one, secrets: ['whsec_wrong'] }) },
  ],
]

/** Every fault, by id. */
export const faults: ReadonlyMap<string, Fault> = new Map(
  catalogue.map(([id, description, change]) => [id, { id, description, ...change }]),
)
export const faultNamed = (id: string): Fault => faults.get(id) as Fault

export const faultyRequest = (incoming: Incoming, planted: readonly Fault[]): Incoming =>
  planted.reduce((changed, { request }) => request?.(changed) ?? changed, incoming)

export function faultyAnswer(outgoing: Outgoing, { method, target }: Incoming, planted: readonly Fault[]): Outgoing {
  const about = `${outgoing.status} ${method} ${target}`
  const wrong = planted.reduce((changed, { answer }) => answer?.(changed, about) ?? changed, outgoing)
  if (wrong === outgoing || typeof wrong.body === 'function' || method === 'HEAD') return wrong
  return header('Content-Length', String(Buffer.byteLength(wrong.body))).answer?.(wrong, about) ?? wrong
}

export const faultySender = (sender: WebhookSender, plan: { readonly faults: readonly Fault[] }): WebhookSender => {
  const wrong = (right: Message) => plan.faults.reduce((changed, { message }) => message?.(changed) ?? changed, right)
  return { ...sender, send: (message) => sender.send(wrong(message)), test: (message) => sender.test(wrong(message)) }
}
