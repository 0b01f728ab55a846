/**
 * How Dredd causes each response that the document describes. Responses that a single request cannot cause are skipped.
 */
const hooks = require('hooks')

/** Dredd takes every header as required, whatever the document says, and sends every parameter. */
const optional = ['Link', 'RateLimit', 'RateLimit-Policy', 'Idempotency-Replayed', 'Retry-After']
const unsent = ['Idempotency-Key', 'If-Match', 'If-None-Match', 'Last-Event-ID']
const unasked = ['cursor', 'from', 'after', 'by']

/**
 * Responses with members that may be absent. Dredd takes everything in an example as required, because it cannot read
 * schemas of 3.1.
 */
const varying = /\/(?:me|events|deliveries)$/

const setAll = (query, value) => [...query.keys()].map((name) => query.set(name, value)).length > 0

/** The change, for each status, to a request that would otherwise succeed, or false if it cannot be changed. */
const provoke = {
  304: ({ headers }) => (headers['If-None-Match'] = '*'),
  400: ({ request, query }) => (request.body ? (request.body = '{') : setAll(query, '')),
  401: ({ headers }) => delete headers.Authorization,
  403: ({ headers }) => (headers.Authorization = `Bearer ${process.env.PETSTORE_KEY_WITHOUT_SCOPES}`),
  404: (call) => (call.path = call.path.replace(/\/\d+/, '/none')),
  412: ({ headers }) => (headers['If-Match'] = '"another"'),
  413: ({ request }) => (request.body = ' '.repeat(65_537)),
  414: ({ query }) => query.set('long', 'x'.repeat(8_192)) ?? true,
  415: ({ headers }) => (headers['Content-Type'] = 'text/plain'),
  431: ({ headers }) => (headers.Long = 'x'.repeat(16_384)),
}

/** Another body, where an earlier request has used up the example. */
const another = require('./another.json')

hooks.beforeEach((transaction) => {
  const { request, expected, fullPath } = transaction
  const { headers } = request
  const status = Number(expected.statusCode)
  const [path, asked] = fullPath.split('?')
  const call = { request, headers, path, query: new URLSearchParams(asked) }
  for (const name of optional) delete expected.headers[name]
  if (varying.test(path) && status === 200) delete expected.body
  // Dredd compares media types letter by letter.
  if (expected.headers['Content-Type'] === 'application/json') expected.headers['Content-Type'] += '; charset=utf-8'
  for (const name of unsent) delete headers[name]
  for (const name of unasked) call.query.delete(name)
  for (const [method, from, to] of another)
    if (status < 300 && request.method === method) call.path = call.path.replace(from, to)
  if (status === 201 && request.method === 'PUT') call.path = call.path.replace(/\d+$/, '2')
  const done = status < 300 || (provoke[status]?.(call) ?? false)
  transaction.skip = done === false || /\/stream$|\/redeliver$/.test(path)
  transaction.fullPath = `${call.path}${call.query.size > 0 ? `?${call.query}` : ''}`
})
