/** Calls to the service: the key, exact integers, and every failure as a code and a message. */
import { signal } from '@preact/signals'

const base = new URL('v1', document.baseURI).href
const storedAs = 'petstore.key'
const timeoutMilliseconds = 15_000

/** The API key; kept for as long as the tab is open. */
export const key = signal(sessionStorage.getItem(storedAs))
export const isOnline = signal(true)

export function keepKey(value) {
  key.value = value
  if (value === null) sessionStorage.removeItem(storedAs)
  else sessionStorage.setItem(storedAs, value)
}

export class Failure extends Error {
  constructor(code, message, status = 0) {
    super(message)
    this.code = code
    /** Whether the service has decided; otherwise the same request may have been carried out. */
    this.isFinal = status >= 400 && status < 500 && code !== 'idempotency_in_progress'
  }
}

const int64Members = new Set(['id', 'petId', 'categoryId'])
const members = /"((?:[^"\\]|\\.)*)"(?:(\s*:\s*)(-?\d+)(?![\d.eE]))?/g

/** Ids are texts of digits in the page, since a number is rounded beyond 2⁵³. */
const parse = (text) =>
  JSON.parse(
    text.replace(members, (token, name, colon, digits) =>
      digits !== undefined && int64Members.has(name) ? `"${name}"${colon}"${digits}"` : token,
    ),
  )

const stringify = (body) =>
  `{${Object.entries(body).map(([name, value]) => `"${name}":${int64Members.has(name) ? BigInt(value) : JSON.stringify(value)}`)}}`

export const isInt64 = (text) => /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)

/** Resolves with what the service sent: data, text, etag, and the query of the next page. */
export async function call(method, path, { body, headers } = {}) {
  const { response, text } = await send(path, {
    method,
    headers: {
      Authorization: `Bearer ${key.value}`,
      ...(body && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: stringify(body) }),
    signal: AbortSignal.timeout(timeoutMilliseconds),
  })
  const data = read(text)
  if (response.status === 401) keepKey(null)
  if (!response.ok) throw new Failure(data.code, data.message, response.status)
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

/** A proxy may answer with something else than JSON. */
function read(text) {
  try {
    return text === '' ? undefined : parse(text)
  } catch {
    return { code: 'unavailable', message: 'The service cannot be reached just now.' }
  }
}

const pending = new Map()
const randomText = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('')

/** Sends a POST under one Idempotency-Key until the service has decided on it: repeated, it is carried out once. */
export async function callOnce(path, body) {
  const what = path + JSON.stringify(body)
  if (!pending.has(what)) pending.set(what, randomText())
  try {
    const answer = await call('POST', path, { body, headers: { 'Idempotency-Key': pending.get(what) } })
    pending.delete(what)
    return answer
  } catch (error) {
    if (error.isFinal) pending.delete(what)
    throw error
  }
}
