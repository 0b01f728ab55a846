/**
 * Faults of pet stores. Each fault changes a request on its way to a correct service, or its answer, and names a rule
 * that detects it. A sandbox offers them, and the tests of the kit plant them.
 */
type From = RegExp | string
type To = string | ((match: string) => string)

export interface Change {
  /** A replacement in the path and query or in the body of a request. `of` matches its method, path and query. */
  readonly target?: readonly [From, To]
  readonly body?: readonly [From, To]
  /** A replacement in a header of a request. If nothing is left of its value, the header is removed. */
  readonly sent?: readonly [name: string, from: From, to: string]
  /** Changes of a header, the text and the status of an answer. `of` matches its status, method, path and query. */
  readonly header?: readonly [name: string, value?: string]
  readonly text?: readonly [From, To]
  readonly status?: number
  readonly of?: RegExp
  /** The secret that signs webhooks. */
  readonly secret?: string
}

export interface Fault {
  readonly id: string
  readonly description: string
  /** The id of a rule that detects it. */
  readonly rule: string
  readonly change: Change
  /** True if a shop of a sandbox cannot have the fault, because requests without a valid key belong to no shop. */
  readonly isOutside?: true
}

const fault = (id: string, rule: string, description: string, change: Change): Fault => ({
  id,
  rule,
  description,
  change,
})
/** A fault of requests without a valid key. */
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
/** Match the request that adds an animal, its answer, and requests for one animal or for a page. */
const adding = /POST .*\/pets$/
const added = /^201 POST .*\/pets$/
const one = /GET .*\/pets\/\d/
const page = /GET .*\/pets(?:\?|$)/
const large = /(?<![\d."])-?\d{16,}(?![\d."])/g

export const faults: readonly Fault[] = [
  outside(
    'scheme-any',
    'auth.other-scheme',
    'any authentication scheme is accepted',
    sent('authorization', /^Basic/, 'Bearer'),
  ),
  outside(
    'scheme-none',
    'auth.no-scheme',
    'a key without a scheme is accepted',
    sent('authorization', /^(?!\w+ )/, 'Bearer '),
  ),
  outside(
    'scheme-case',
    'auth.scheme',
    'the scheme Bearer is case-sensitive',
    sent('authorization', /^(?!Bearer).*/, ''),
  ),
  outside('unauthorized-403', 'auth.missing.create', '403 is returned instead of 401', status(403, /^401/)),
  outside(
    'key-code',
    'auth.code.missing',
    'a missing key and an invalid key get the same code',
    text('missing_api_key', 'invalid_api_key'),
  ),
  outside('no-challenge', 'auth.code.invalid', '401 has no WWW-Authenticate header', header('WWW-Authenticate')),
  outside('path-first', 'auth.unknown-path', '404 takes precedence over 401', status(404, /^401 .*nope/)),
  outside(
    'error-status-text',
    'error.401',
    'the status in an Error is a string',
    text(/"status":401/, '"status":"401"'),
  ),
  fault('error-fourth-member', 'error.members', 'an Error has a fourth member', text(/\}$/, ',"detail":"x"}', /^4/)),
  fault('error-no-message', 'error.400', 'an Error has no message', text(/"message":"[^"]*",/, '', /^400/)),
  fault('error-no-status', 'error.404', 'an Error has no status', text(/,"status":404/, '')),
  fault(
    'error-other-status',
    'error.404',
    'the status in an Error differs from that of the response',
    text(/"status":404/, '"status":400'),
  ),
  fault('error-plain-text', 'error.json', 'an Error is sent as plain text', header('Content-Type', 'text/plain', /^4/)),
  fault(
    'error-other-codes',
    'error.codes',
    'an Error has a code that is not in the list',
    text('"route_not_found"', '"not_found"'),
  ),
  fault('error-cached', 'error.type', 'an Error may be cached', header('Cache-Control', 'max-age=60', /^4/)),
  fault(
    'error-stack',
    'error.discreet',
    'an Error contains a stack trace',
    text(/"message":"/, '$&Error at (node:fs) ', /^4/),
  ),
  fault(
    'no-charset',
    'http.charset',
    'the media type of JSON has no charset',
    header('Content-Type', 'application/json'),
  ),
  fault('trailing-slash', 'http.unknown-path', 'a trailing slash is ignored', target(/\/pets\/$/, '/pets')),
  fault('no-allow', 'http.method', '405 has no Allow header', header('Allow')),
  fault('options-200', 'http.options', 'OPTIONS gets 200', status(200, /^204 OPTIONS/)),
  fault('options-body', 'http.options', 'the response to OPTIONS has a body', text(/^$/, 'x', /OPTIONS/)),
  fault('head-no-etag', 'http.head', 'HEAD gets no ETag', header('ETag', undefined, /HEAD/)),
  fault('request-id-ignored', 'http.request-id', 'the X-Request-Id of the client is ignored', notSent('x-request-id')),
  fault(
    'request-id-same',
    'http.request-id.new',
    'all responses have the same X-Request-Id',
    header('X-Request-Id', 'same-id-for-all'),
  ),
  fault('no-nosniff', 'http.nosniff', 'responses have no X-Content-Type-Options', header('X-Content-Type-Options')),
  fault('etag-constant', 'cache.etag', 'the ETag never changes', header('ETag', '"same"')),
  fault('if-none-match-ignored', 'cache.304', 'If-None-Match is ignored', notSent('if-none-match')),
  fault('if-none-match-any', 'cache.other', 'any If-None-Match gets 304', sent('if-none-match', /.+/s, '*')),
  fault(
    'if-none-match-one',
    'cache.304',
    'a list of several tags in If-None-Match is ignored',
    sent('if-none-match', /.*,.*/s, ''),
  ),
  fault('if-match-ignored', 'match.stale', 'If-Match is ignored', notSent('if-match')),
  fault('list-wrapped', 'list.array', 'a list is wrapped in an object', text(/^\[.*\]$/s, '{"items":[]}', page)),
  fault('list-plain-text', 'list.json', 'a list is sent as plain text', header('Content-Type', 'text/plain', /GET/)),
  fault('limit-ignored', 'list.limit.between', 'limit is ignored', target(/(\/pets\?.*)limit=\d+/, '$1x=1')),
  fault('limit-default', 'list.limit.default', 'a page has 50 animals by default', target(/\/pets$/, '/pets?limit=50')),
  fault(
    'limit-off-by-one',
    'list.limit.min',
    'limit=1 returns two animals',
    target(/(\/pets\?.*)limit=1(?!\d)/, '$1limit=2'),
  ),
  fault(
    'limit-half',
    'list.limit.max',
    'no page has more than 50 animals',
    target(/(?<=\/pets\?(?:.*&)?limit=)(?:5[1-9]|[6-9]\d|100)(?!\d)/, '50'),
  ),
  fault(
    'limit-clamped',
    'list.limit.refused',
    'a limit above 100 is reduced to 100',
    target(/(?<=[?&]limit=)(?:10[1-9]|1[1-9]\d|[2-9]\d\d|\d{4,})(?!\d)/, '100'),
  ),
  fault('limit-coerced', 'list.limit.refused', 'limit=05 is read as 5', target(/(?<=[?&]limit=)0+(?=[1-9])/, '')),
  fault('limit-empty', 'list.limit.refused', 'an empty limit is ignored', target(/(?<=[?&])limit=(?=&|$)/, '')),
  fault(
    'limit-beside-filter',
    'list.status.limit',
    'limit is ignored if there is a filter',
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
    'the filter status is accepted in any case',
    target(/(?<=[?&])status=\w+/, (match) => match.toLowerCase()),
  ),
  fault(
    'twice-taken',
    'list.twice',
    'one of two values of a repeated parameter is used',
    target(/([?&](\w+)=[^&]*)&\2=[^&]*/, '$1'),
  ),
  fault(
    'unknown-refused',
    'list.unknown',
    'an unknown parameter is refused',
    target(/(?<=\/pets\?(?:.*&)?)(?!(?:limit|status|categoryId|id|after|order|search|cursor)\b)\w+=/, 'limit=x'),
  ),
  fault('newest-first', 'list.order', 'the newest animals are listed first', target('/pets?', '/pets?order=desc&')),
  fault('no-link', 'list.next', 'no page has a Link header', header('Link', undefined, /GET .*\/pets/)),
  fault(
    'link-endless',
    'list.next.end',
    'the last page has a Link header',
    header('Link', '</v1/pets?cursor=x>; rel="next"', page),
  ),
  fault(
    'cursor-ignored',
    'list.cursor.unknown',
    'any cursor returns the first page',
    target(/(\/pets\?.*)cursor=[^&]*/, '$1x=1'),
  ),
  fault(
    'filter-rounded',
    'list.category',
    'an int64 in a filter is rounded',
    target(/(?<=categoryId=)-?\d{16,}/, rounded),
  ),
  fault(
    'ids-cut-off',
    'list.id.many',
    'ids after the first 100 are ignored',
    target(/(?<=[?&]id=)(?:\d+,){100,}\d+/, (match) => match.split(',').slice(0, 100).join()),
  ),
  fault('search-ignored', 'list.search', 'search is ignored', target(/&search=[^&]*/, '')),
  fault('created-200', 'create.created', 'adding an animal gets 200 instead of 201', status(200, added)),
  fault('ids-same', 'create.ids', 'every animal gets the same id', text(/"id":\d+/, '"id":7', added)),
  fault('ids-text', 'get.found', 'ids are strings', text(/"id":(\d+)/g, '"id":"$1"', /GET .*\/pets/)),
  fault(
    'id-of-client',
    'create.id',
    'the id that the client sends is used',
    text(/"id":\d+/, '"id":900719925474099', added),
  ),
  fault(
    'stored-otherwise',
    'create.stored',
    'an animal is stored differently than it was sent',
    text('"categoryId":7', '$&0', /GET/),
  ),
  fault(
    'name-ascii',
    'create.name',
    'accents in a name are dropped',
    text(/.+/s, (text) => text.normalize('NFD').replace(/\p{M}/gu, '')),
  ),
  fault('name-trimmed', 'create.name.exact', 'a name is trimmed', body(/"name":"\s+/, '"name":"')),
  fault(
    'name-normalised',
    'create.name.exact',
    'a name is normalised',
    text(/.+/s, (name) => name.normalize('NFC')),
  ),
  fault('int64-rounded', 'create.int64', 'an int64 is rounded', text(large, rounded)),
  fault(
    'int64-rounded-read',
    'create.category.exact',
    'an int64 is rounded when it is read',
    text(large, rounded, /GET/),
  ),
  fault(
    'int64-text',
    'create.int64.refused',
    'a string is accepted as a number',
    body(/"categoryId":"(-?\d+)"/, '"categoryId":$1'),
  ),
  fault(
    'int32',
    'create.category.large',
    'an int64 is truncated to 32 bits',
    text(/"categoryId":\d{10,}/, '"categoryId":1', /^201/),
  ),
  fault(
    'status-ignored',
    'create.status',
    'the status of a new animal is always available',
    text(/"(?:pending|sold)"/, '"available"', /^201/),
  ),
  fault('no-status', 'create.status.default', 'a new animal has no status', text(/,"status":"available"/, '', added)),
  fault(
    'name-made-up',
    'create.missing.name',
    'a missing name is replaced by a default',
    body(/^\{"categoryId/, '{"name":"a","categoryId', adding),
  ),
  fault(
    'category-made-up',
    'create.missing.category',
    'a missing categoryId is replaced by a default',
    body(/^(\{"name":"[^"]*")\}$/, '$1,"categoryId":0}', adding),
  ),
  fault(
    'status-dropped',
    'create.invalid.status',
    'an unknown status is ignored',
    body(/,"status":"(?!(?:available|pending|sold)")[^"]*"/, ''),
  ),
  fault(
    'member-dropped',
    'create.unknown',
    'an unknown member is ignored',
    body(/,"(?!(?:id|name|categoryId|status|petId|reference|heldUntil|url|types|enabled)")\w+":\d+(?=\})/, ''),
  ),
  fault(
    'duplicate-dropped',
    'create.duplicate',
    'one of two values of a repeated member is used',
    body(/"name":"[^"]*",(.*"name":"a")/, '$1'),
  ),
  fault('first-fault-only', 'create.faults', 'an Error names only the first problem', text(/; wings[^"]*/, '')),
  fault('no-location', 'create.location', '201 has no Location header', header('Location')),
  fault(
    'created-more',
    'create.members',
    'a new animal has an additional member',
    text(/\}$/, ',"createdAt":"now"}', added),
  ),
  fault('any-type', 'body.type.refused', 'any media type is accepted', sent('content-type', /.+/s, 'application/json')),
  fault('encoding-ignored', 'body.encoding', 'Content-Encoding is ignored', notSent('content-encoding')),
  fault('large-400', 'body.large', 'a body that is too large gets 400 instead of 413', status(400, /^413/)),
  fault('trailing-comma', 'body.malformed', 'a trailing comma is accepted', body(/,\}$/, ',"categoryId":1}')),
  fault('key-ignored', 'idempotency.replay', 'Idempotency-Key is ignored', notSent('idempotency-key')),
  fault(
    'replay-unsaid',
    'idempotency.replay',
    'a replayed response has no Idempotency-Replayed header',
    header('Idempotency-Replayed'),
  ),
  fault('get-other', 'get.found', 'another animal is returned', text(/"name":"[^"]*"/, '"name":"Rex"', one)),
  fault('unknown-null', 'get.unknown', 'an unknown animal gets 200 with null', {
    text: [/^.*$/s, 'null'],
    status: 200,
    of: /^404 GET .*\/pets\//,
  }),
  fault(
    'unknown-400',
    'get.canonical',
    'an unknown animal gets 400 instead of 404',
    status(400, /^404 GET .*\/pets\//),
  ),
  fault('no-deprecation', 'get.deprecated.document', 'nothing says that an operation is deprecated', {
    header: ['Deprecation'],
    text: [/"deprecated": ?true,?/g, ''],
  }),
  fault(
    'other-sunset',
    'get.deprecated',
    'Sunset names another day',
    header('Sunset', 'Fri, 06 Dec 2030 00:00:00 GMT'),
  ),
  fault(
    'patch-replaces',
    'change.one',
    'PATCH replaces the whole animal',
    text('"status":"sold"', '"status":"available"', /PATCH/),
  ),
  fault(
    'order-holds-not',
    'order.place',
    'an ordered animal stays available',
    text(/"pending"/g, '"available"', /GET/),
  ),
  fault(
    'order-filter-ignored',
    'orders.list',
    'the filter petId of orders is ignored',
    target(/(orders\?.*?)petId=\d+&?/, '$1'),
  ),
  fault(
    'category-removes',
    'category.remove',
    'removing the name of a category removes its animals',
    text(/^\[.*\]$/s, '[]', /GET .*categoryId=/),
  ),
  fault(
    'category-made-again',
    'category.create',
    'POST /categories with an existing name creates another category',
    text(/"id":-?\d+/, '"id":7', /^200 POST .*\/categories$/),
  ),
  fault(
    'category-no-location',
    'category.create',
    'a new category has no Location header',
    header('Location', undefined, /^201 POST .*\/categories$/),
  ),
  fault(
    'category-number-used',
    'category.create.number',
    'every new category gets the number 1',
    text(/"id":\d+/, '"id":1', /^201 POST .*\/categories$/),
  ),
  fault('sales-yesterday', 'sales.days', 'sales end with yesterday', text(/\},\{[^{]*\]$/, '}]', /sales/)),
  fault('sales-no-returns', 'sales.returned', 'returns are not counted', text(/"returned":\d+/g, '"returned":0')),
  fault(
    'order-counts-old',
    'order.counts',
    'the counts of orders never change',
    text(/"placed":\d+/, '"placed":1', /order-counts/),
  ),
  fault(
    'order-counts-due',
    'order.counts',
    'every placed order counts as due today',
    text(/"placed":(\d+)(.*"dueToday":)\d+/, '"placed":$1$2$1', /order-counts/),
  ),
  fault(
    'order-search-ignored',
    'order.search',
    'search is ignored for orders',
    target(/orders(.*)&search=[^&]*/, 'orders$1'),
  ),
  fault(
    'order-search-any-cursor',
    'order.search.pages',
    'a cursor of one search is accepted by another',
    target(/(orders.*&search=)con(?=&)/, '$1conform'),
  ),
  fault(
    'order-search-empty',
    'order.search.refused',
    'an empty search for orders is accepted',
    target(/(orders\?)search=$/, '$1'),
  ),
  fault('event-since-ignored', 'event.since', 'since is ignored', target(/&since=20[^&]*/, '')),
  fault('event-since-empty', 'event.since', 'since in the future is refused', status(400, /^200 GET .*since=2999/)),
  fault('event-missing', 'event.changes', 'one event is missing', text(/,\{[^{]*\{[^{]*\]$/, ']', /events/)),
  fault(
    'secret-shown',
    'webhook.add',
    'the secret of a webhook is shown again',
    text('"enabled"', '"secret":"whsec_a",$&', /200 GET/),
  ),
  fault('webhook-signature', 'webhook.signed', 'webhooks have a wrong signature', { secret: 'whsec_d3Jvbmc=' }),
]
