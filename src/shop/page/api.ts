// @ts-nocheck
/** Calls to the service: the key, exact integers, and every failure as a code and a message. */
import { signal } from '@preact/signals'

const base = new URL('v1', document.baseURI).href
const storedAs = 'petstore.key'
const timeoutMilliseconds = 15_000
/** A stream has a comment every 15 seconds; after this silence its connection is taken for lost. */
const silenceMilliseconds = 30_000

/** Undefined where the browser denies it: then nothing outlives a reload. */
const storage = (() => {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
})()
export const recall = (name) => storage?.getItem(name) ?? null
export const keep = (name, text) => (text === null ? storage?.removeItem(name) : storage?.setItem(name, text))

/** The API key; kept for as long as the tab is open. */
export const key = signal(recall(storedAs))
export const isOnline = signal(true)

export function keepKey(value) {
  key.value = value
  keep(storedAs, value)
}

const unavailable = 'The service cannot do that just now. Try again in a moment.'
const gone = 'This animal is not in the store; somebody may have removed it.'
/** What the service tells programs, in words for staff. */
const words = {
  precondition_failed: 'It changed meanwhile, and stays as it is now.',
  pet_not_available: 'Somebody else was faster: this animal is not available now.',
  order_state_conflict: 'An order on this animal does not allow that.',
  pet_not_found: gone,
  unknown_pet: gone,
  insufficient_scope: 'This key does not allow that.',
  rate_limited: 'This key has made too many requests.',
  internal_error: unavailable,
  unavailable,
}

export class Failure extends Error {
  constructor(code, message, status = 0) {
    super(words[code] ?? message)
    this.code = code
    /** Whether the service has decided; otherwise the request may have been carried out, or may be sent again. */
    this.isFinal = status >= 400 && status < 500 && status !== 429 && code !== 'idempotency_in_progress'
  }
}

const int64Members = new Set(['id', 'petId', 'categoryId'])
const members = /"((?:[^"\\]|\\.)*)"(?:(\s*:\s*)(-?\d+)(?![\d.eE]))?/g

/** Ids are texts of digits in the page, since a number is rounded beyond 2⁵³. */
export const parse = (text) =>
  JSON.parse(
    text.replace(members, (token, name, colon, digits) =>
      digits !== undefined && int64Members.has(name) ? `"${name}"${colon}"${digits}"` : token,
    ),
  )

const stringify = (body) =>
  `{${Object.entries(body).map(([name, value]) => `"${name}":${int64Members.has(name) ? BigInt(value) : JSON.stringify(value)}`)}}`

export const isInt64 = (text) => /^-?\d{1,19}$/.test(text) && String(BigInt.asIntN(64, BigInt(text))) === text

/** Resolves with what the service sent: data, text, etag, and the query of the next page. */
export async function call(method, path, { as = key.value, body, headers } = {}) {
  const { response, text } = await send(path, {
    method,
    headers: {
      Authorization: `Bearer ${as}`,
      ...(body && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: stringify(body) }),
    signal: AbortSignal.timeout(timeoutMilliseconds),
  })
  const data = read(text)
  // Of a key that was replaced while the answer was under way, it says nothing.
  if (response.status === 401 && as === key.value) keepKey(null)
  if (!response.ok || data === null) throw failureOf(response, data)
  const [, link] = /<([^>]*)>; rel="next"/.exec(response.headers.get('Link') ?? '') ?? []
  return { data, text, etag: response.headers.get('ETag'), next: link && new URL(link).search }
}

async function send(path, options) {
  try {
    const response = await fetch(base + path, options)
    const text = await response.text()
    isOnline.value = true
    return { response, text }
  } catch {
    isOnline.value = false
    throw new Failure('offline', 'The service cannot be reached.')
  }
}

/** The blocks of an event stream as they arrive. */
export async function* blocksOf(path, signal) {
  const cut = new AbortController()
  let silence: ReturnType<typeof setTimeout> | undefined
  const inTime = (step) => {
    clearTimeout(silence)
    silence = setTimeout(() => cut.abort(), silenceMilliseconds)
    return step
  }
  try {
    const headers = { Authorization: `Bearer ${key.value}` }
    const response = await inTime(fetch(base + path, { headers, signal: AbortSignal.any([signal, cut.signal]) }))
    if (!response.ok) return
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (;;) {
      const { done, value } = await inTime(reader.read())
      if (done) return
      const blocks = (rest + value).split('\n\n')
      rest = blocks.pop()
      yield* blocks
    }
  } finally {
    clearTimeout(silence)
    cut.abort()
  }
}

/** Null for what is not JSON: a proxy or a Wi-Fi that asks for a login may answer in place of the service. */
function read(text) {
  try {
    return text === '' ? undefined : parse(text)
  } catch {
    return null
  }
}

function failureOf({ status, headers }, data) {
  const { code = 'unavailable', message } = data ?? {}
  const failure = new Failure(code, message, status)
  if (status === 429) failure.message += ` Try again in ${headers.get('Retry-After')} s.`
  return failure
}

export const newIdempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('')

/** Repeated with the same key, it is carried out once. */
export const callOnce = (idempotencyKey, path, body) =>
  call('POST', path, { body, headers: { 'Idempotency-Key': idempotencyKey } })
