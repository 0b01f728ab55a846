/**
 * Faults of pet stores. Each fault changes a request on its way to a correct service, or its answer, and names a rule
 * that detects it. A sandbox offers them, and the tests of the kit plant them.
 */
type From = RegExp | string
type To = string | ((match: string) => string)

export interface Change {
  /** Of the path and query, or of the body of a request; `of` matches its method, path and query. */
  readonly target?: readonly [From, To]
  readonly body?: readonly [From, To]
  /** A header of a request that is taken for another; if nothing is left of it, for none. */
  readonly sent?: readonly [name: string, from: From, to: string]
  /** A header, the text and the status of an answer; `of` matches its status, method, path and query. */
  readonly header?: readonly [name: string, value?: string]
  readonly text?: readonly [From, To]
  readonly status?: number
  readonly of?: RegExp
  /** With what webhooks are signed. */
  readonly secret?: string
}

export interface Fault {
  readonly id: string
  readonly description: string
  /** The id of a rule that sees it. */
  readonly rule: string
  readonly change: Change
  /** True for what a shop of a sandbox cannot have: it is about requests without a right key, which are of no shop. */
  readonly isOutside?: true
}

const fault = (id: string, rule: string, description: string, change: Change): Fault => ({
  id,
  rule,
  description,
  change,
})
/** Of requests without a right key. */
const outside = (id: string, rule: string, description: string, change: Change): Fault => ({
  ...fault(id, rule, description, change),
  isOutside: true,
})
const target = (from: From, to: To): Change => ({ target: [from, to] })
const body = (from: From, to: To, of?: RegExp): Change => ({ body: [from, to], ...(of && { of }) })
const sent = (name: string, from: From, to: string): Change => ({ sent: [name, from, to] })
const notSent = (name: string): Change => sent(name, /.*/s, '')
const header = (name: string, value?: string, of?: RegExp): Change => ({
  header: value === undefined ? [name] : [name, value],
  ...(of && { of }),
})
const text = (from: From, to: To, of?: RegExp): Change => ({ text: [from, to], ...(of && { of }) })
const status = (to: number, of: RegExp): Change => ({ status: to, of })
const rounded = (match: string) => String(Number(match))
/** To add an animal, in a request and in its answer; and to read one, or a page. */
const adding = /POST .*\/pets$/
const added = /^201 POST .*\/pets$/
const one = /GET .*\/pets\/\d/
const page = /GET .*\/pets(?:\?|$)/
const large = /(?<![\d."])-?\d{16,}(?![\d."])/g

export const faults: readonly Fault[] = [
  outside('scheme-any', 'auth.other-scheme', 'any scheme is taken', sent('authorization', /^Basic/, 'Bearer')),
  outside('scheme-none', 'auth.no-scheme', 'a key without a scheme', sent('authorization', /^(?!\w+ )/, 'Bearer ')),
  outside('scheme-case', 'auth.scheme', 'the scheme is case-sensitive', sent('authorization', /^(?!Bearer).*/, '')),
  outside('unauthorized-403', 'auth.missing.create', '403 for 401', status(403, /^401/)),
  outside('key-code', 'auth.code.missing', 'one code for both', text('missing_api_key', 'invalid_api_key')),
  outside('no-challenge', 'auth.code.invalid', 'no challenge', header('WWW-Authenticate')),
  outside('path-first', 'auth.unknown-path', '404 comes before 401', status(404, /^401 .*nope/)),
  outside('error-status-text', 'error.401', 'an Error whose status is text', text(/"status":401/, '"status":"401"')),
  fault('error-fourth-member', 'error.members', 'an Error with a fourth member', text(/\}$/, ',"detail":"x"}', /^4/)),
  fault('error-no-message', 'error.400', 'an Error without a message', text(/"message":"[^"]*",/, '', /^400/)),
  fault('error-no-status', 'error.404', 'an Error without status', text(/,"status":404/, '')),
  fault('error-other-status', 'error.404', 'an Error with another status', text(/"status":404/, '"status":400')),
  fault('error-plain-text', 'error.json', 'an Error as plain text', header('Content-Type', 'text/plain', /^4/)),
  fault('error-other-codes', 'error.codes', 'other error codes', text('"route_not_found"', '"not_found"')),
  fault('error-cached', 'error.type', 'an Error that may be cached', header('Cache-Control', 'max-age=60', /^4/)),
  fault('error-stack', 'error.discreet', 'an Error with a stack', text(/"message":"/, '$&Error at (node:fs) ', /^4/)),
  fault('no-charset', 'http.charset', 'JSON without a charset', header('Content-Type', 'application/json')),
  fault('trailing-slash', 'http.unknown-path', 'a trailing slash is cut off', target(/\/pets\/$/, '/pets')),
  fault('no-allow', 'http.method', '405 without Allow', header('Allow')),
  fault('options-200', 'http.options', 'OPTIONS answers 200', status(200, /^204 OPTIONS/)),
  fault('options-body', 'http.options', 'OPTIONS has a body', text(/^$/, 'x', /OPTIONS/)),
  fault('head-no-etag', 'http.head', 'HEAD without a tag', header('ETag', undefined, /HEAD/)),
  fault('request-id-ignored', 'http.request-id', 'the request id is always made', notSent('x-request-id')),
  fault('request-id-same', 'http.request-id.new', 'one request id for all', header('X-Request-Id', 'same-id-for-all')),
  fault('no-nosniff', 'http.nosniff', 'no X-Content-Type-Options', header('X-Content-Type-Options')),
  fault('etag-constant', 'cache.etag', 'a tag that never changes', header('ETag', '"same"')),
  fault('if-none-match-ignored', 'cache.304', 'If-None-Match is ignored', notSent('if-none-match')),
  fault('if-none-match-any', 'cache.other', '304 for any tag', sent('if-none-match', /.+/s, '*')),
  fault('if-none-match-one', 'cache.304', 'of several tags none counts', sent('if-none-match', /.*,.*/s, '')),
  fault('if-match-ignored', 'match.stale', 'If-Match is ignored', notSent('if-match')),
  fault('list-wrapped', 'list.array', 'a list in an object', text(/^\[.*\]$/s, '{"items":[]}', page)),
  fault('list-plain-text', 'list.json', 'a list as plain text', header('Content-Type', 'text/plain', /GET/)),
  fault('limit-ignored', 'list.limit.between', 'limit is ignored', target(/(\/pets\?.*)limit=\d+/, '$1x=1')),
  fault('limit-default', 'list.limit.default', 'a page has 50 unless asked', target(/\/pets$/, '/pets?limit=50')),
  fault('limit-off-by-one', 'list.limit.min', 'limit=1 gives two', target(/(\/pets\?.*)limit=1(?!\d)/, '$1limit=2')),
  fault(
    'limit-half',
    'list.limit.max',
    'no page above 50',
    target(/(?<=\/pets\?(?:.*&)?limit=)(?:5[1-9]|[6-9]\d|100)(?!\d)/, '50'),
  ),
  fault(
    'limit-clamped',
    'list.limit.refused',
    'a limit above 100 is taken for 100',
    target(/(?<=[?&]limit=)(?:10[1-9]|1[1-9]\d|[2-9]\d\d|\d{4,})(?!\d)/, '100'),
  ),
  fault('limit-coerced', 'list.limit.refused', 'limit=05 is taken for 5', target(/(?<=[?&]limit=)0+(?=[1-9])/, '')),
  fault('limit-empty', 'list.limit.refused', 'an empty limit is taken for none', target(/(?<=[?&])limit=(?=&|$)/, '')),
  fault(
    'limit-beside-filter',
    'list.status.limit',
    'limit is ignored beside a filter',
    target(/(?<=\/pets\?(?=.*(?:status|categoryId|search)=).*?)\blimit=\d+/, ''),
  ),
  fault(
    'status-filter-ignored',
    'list.status.sold',
    'the filter status is ignored',
    target(/(?<=\/pets\?.*?)\bstatus=(?:available|pending|sold)(?=&|$)/, 'x=1'),
  ),
  fault(
    'status-any-case',
    'list.status.refused',
    'a status in any case',
    target(/(?<=[?&])status=\w+/, (match) => match.toLowerCase()),
  ),
  fault(
    'twice-taken',
    'list.twice',
    'of a parameter given twice one counts',
    target(/([?&](\w+)=[^&]*)&\2=[^&]*/, '$1'),
  ),
  fault(
    'unknown-refused',
    'list.unknown',
    'an unknown parameter is refused',
    target(/(?<=\/pets\?(?:.*&)?)(?!(?:limit|status|categoryId|id|after|order|search|cursor)\b)\w+=/, 'limit=x'),
  ),
  fault('newest-first', 'list.order', 'the newest first', target('/pets?', '/pets?order=desc&')),
  fault('no-link', 'list.next', 'no Link to the next page', header('Link', undefined, /GET .*\/pets/)),
  fault(
    'link-endless',
    'list.next.end',
    'a Link on the last page',
    header('Link', '</v1/pets?cursor=x>; rel="next"', page),
  ),
  fault(
    'cursor-ignored',
    'list.cursor.unknown',
    'any cursor gives the first page',
    target(/(\/pets\?.*)cursor=[^&]*/, '$1x=1'),
  ),
  fault('filter-rounded', 'list.category', 'int64 of a filter rounded', target(/(?<=categoryId=)-?\d{16,}/, rounded)),
  fault(
    'ids-cut-off',
    'list.id.many',
    'ids beyond 100 are cut off',
    target(/(?<=[?&]id=)(?:\d+,){100,}\d+/, (match) => match.split(',').slice(0, 100).join()),
  ),
  fault('search-ignored', 'list.search', 'search is ignored', target(/&search=[^&]*/, '')),
  fault('created-200', 'create.created', '200 for 201', status(200, added)),
  fault('ids-same', 'create.ids', 'one id for all', text(/"id":\d+/, '"id":7', added)),
  fault('ids-text', 'get.found', 'ids as text', text(/"id":(\d+)/g, '"id":"$1"', /GET .*\/pets/)),
  fault('id-of-client', 'create.id', 'the id of the client is taken', text(/"id":\d+/, '"id":900719925474099', added)),
  fault('stored-otherwise', 'create.stored', 'an animal changes on its way', text('"categoryId":7', '$&0', /GET/)),
  fault(
    'name-ascii',
    'create.name',
    'accents are dropped',
    text(/.+/s, (text) => text.normalize('NFD').replace(/\p{M}/gu, '')),
  ),
  fault('name-trimmed', 'create.name.exact', 'a name is trimmed', body(/"name":"\s+/, '"name":"')),
  fault(
    'name-normalised',
    'create.name.exact',
    'a name is normalised',
    text(/.+/s, (name) => name.normalize('NFC')),
  ),
  fault('int64-rounded', 'create.int64', 'int64 rounded', text(large, rounded)),
  fault('int64-rounded-read', 'create.category.exact', 'int64 rounded when it is read', text(large, rounded, /GET/)),
  fault(
    'int64-text',
    'create.int64.refused',
    'text is taken for a number',
    body(/"categoryId":"(-?\d+)"/, '"categoryId":$1'),
  ),
  fault('int32', 'create.category.large', 'int64 in 32 bits', text(/"categoryId":\d{10,}/, '"categoryId":1', /^201/)),
  fault('status-ignored', 'create.status', 'always available', text(/"(?:pending|sold)"/, '"available"', /^201/)),
  fault('no-status', 'create.status.default', 'no status', text(/,"status":"available"/, '', added)),
  fault(
    'name-made-up',
    'create.missing.name',
    'a missing name is made up',
    body(/^\{"categoryId/, '{"name":"a","categoryId', adding),
  ),
  fault(
    'category-made-up',
    'create.missing.category',
    'a missing category is made up',
    body(/^(\{"name":"[^"]*")\}$/, '$1,"categoryId":0}', adding),
  ),
  fault(
    'status-dropped',
    'create.invalid.status',
    'an unknown status is dropped',
    body(/,"status":"(?!(?:available|pending|sold)")[^"]*"/, ''),
  ),
  fault(
    'member-dropped',
    'create.unknown',
    'an unknown member is dropped',
    body(/,"(?!(?:id|name|categoryId|status|petId|reference|heldUntil|url|types|enabled)")\w+":\d+(?=\})/, ''),
  ),
  fault(
    'duplicate-dropped',
    'create.duplicate',
    'of two members one counts',
    body(/"name":"[^"]*",(.*"name":"a")/, '$1'),
  ),
  fault('first-fault-only', 'create.faults', 'an Error names only the first problem', text(/; wings[^"]*/, '')),
  fault('no-location', 'create.location', '201 without Location', header('Location')),
  fault('created-more', 'create.members', 'a member more', text(/\}$/, ',"createdAt":"now"}', added)),
  fault('any-type', 'body.type.refused', 'any media type is taken', sent('content-type', /.+/s, 'application/json')),
  fault('encoding-ignored', 'body.encoding', 'Content-Encoding is ignored', notSent('content-encoding')),
  fault('large-400', 'body.large', '400 for 413', status(400, /^413/)),
  fault('trailing-comma', 'body.malformed', 'a trailing comma is forgiven', body(/,\}$/, ',"categoryId":1}')),
  fault('key-ignored', 'idempotency.replay', 'Idempotency-Key is ignored', notSent('idempotency-key')),
  fault('replay-unsaid', 'idempotency.replay', 'a replay that does not say so', header('Idempotency-Replayed')),
  fault('get-other', 'get.found', 'another animal', text(/"name":"[^"]*"/, '"name":"Rex"', one)),
  fault('unknown-null', 'get.unknown', 'an unknown animal as 200 null', {
    text: [/^.*$/s, 'null'],
    status: 200,
    of: /^404 GET .*\/pets\//,
  }),
  fault('unknown-400', 'get.canonical', '400 for 404', status(400, /^404 GET .*\/pets\//)),
  fault('no-deprecation', 'get.deprecated.document', 'nothing says that an operation is deprecated', {
    header: ['Deprecation'],
    text: [/"deprecated": ?true,?/g, ''],
  }),
  fault('other-sunset', 'get.deprecated', 'another day of removal', header('Sunset', 'Fri, 06 Dec 2030 00:00:00 GMT')),
  fault(
    'patch-replaces',
    'change.one',
    'a PATCH that replaces',
    text('"status":"sold"', '"status":"available"', /PATCH/),
  ),
  fault(
    'order-holds-not',
    'order.place',
    'an ordered animal stays available',
    text(/"pending"/g, '"available"', /GET/),
  ),
  fault('order-filter-ignored', 'orders.list', 'the filter petId is ignored', target(/(orders\?.*?)petId=\d+&?/, '$1')),
  fault(
    'category-removes',
    'category.remove',
    'a category takes its animals along',
    text(/^\[.*\]$/s, '[]', /GET .*categoryId=/),
  ),
  fault(
    'category-made-again',
    'category.create',
    'a known name is another category',
    text(/"id":-?\d+/, '"id":7', /^200 POST .*\/categories$/),
  ),
  fault(
    'category-no-location',
    'category.create',
    'a new category has no Location',
    header('Location', undefined, /^201 POST .*\/categories$/),
  ),
  fault(
    'category-number-used',
    'category.create.number',
    'every new category gets the number 1',
    text(/"id":\d+/, '"id":1', /^201 POST .*\/categories$/),
  ),
  fault('sales-yesterday', 'sales.days', 'sales end with yesterday', text(/\},\{[^{]*\]$/, '}]', /sales/)),
  fault('sales-no-returns', 'sales.returned', 'no return is counted', text(/"returned":\d+/g, '"returned":0')),
  fault(
    'order-counts-old',
    'order.counts',
    'the counts of orders stay as they are',
    text(/"placed":\d+/, '"placed":1', /order-counts/),
  ),
  fault(
    'order-counts-due',
    'order.counts',
    'every order that is placed is due today',
    text(/"placed":(\d+)(.*"dueToday":)\d+/, '"placed":$1$2$1', /order-counts/),
  ),
  fault(
    'order-search-ignored',
    'order.search',
    'search of orders is ignored',
    target(/orders(.*)&search=[^&]*/, 'orders$1'),
  ),
  fault(
    'order-search-any-cursor',
    'order.search.pages',
    'a cursor is good for any search',
    target(/(orders.*&search=)con(?=&)/, '$1conform'),
  ),
  fault('order-search-empty', 'order.search.refused', 'an empty search of orders', target(/(orders\?)search=$/, '$1')),
  fault('event-since-ignored', 'event.since', 'since is ignored', target(/&since=20[^&]*/, '')),
  fault('event-since-empty', 'event.since', 'since in the future is refused', status(400, /^200 GET .*since=2999/)),
  fault('event-missing', 'event.changes', 'an event too few', text(/,\{[^{]*\{[^{]*\]$/, ']', /events/)),
  fault(
    'secret-shown',
    'webhook.add',
    'a secret is shown again',
    text('"enabled"', '"secret":"whsec_a",$&', /200 GET/),
  ),
  fault('webhook-signature', 'webhook.signed', 'a webhook with a wrong signature', { secret: 'whsec_d3Jvbmc=' }),
]
