/** The signature of messages to a webhook, as Standard Webhooks 1.0 defines it. */
import { InvalidWebhookError } from './errors.ts'
import { positionOf } from './events.ts'
import { parseJson, stringifyJson } from './json.ts'
import type { Event, TestEvent } from './types.ts'

type WebhookHeaders = Headers | { readonly [name: string]: string | readonly string[] | undefined }

const toleranceSeconds = 300

/**
 * Returns the event in a request to a webhook. Throws an `InvalidWebhookError` if the service has not signed the request
 * with this secret within the last 5 minutes. `headers` and `body` are those of the request; the body must be as it
 * arrived, not parsed. An event can arrive more than once: then the header `webhook-id` is the same.
 */
export async function verifyWebhook(
  secret: string,
  headers: WebhookHeaders,
  body: string | Uint8Array,
  now = Date.now(),
): Promise<Event | TestEvent> {
  const header = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name]
    if (typeof value === 'string') return value
    throw new InvalidWebhookError(`The request has no header ${name}.`)
  }
  const [id, timestamp, signatures] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')]
  // A text that is not a number is outside the tolerance, too.
  if (!(Math.abs(now / 1_000 - Number(timestamp)) <= toleranceSeconds))
    throw new InvalidWebhookError('The request was not signed within the last 5 minutes.')
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const key = await keyOf(secret)
  for (const signature of signatures.split(' ')) {
    const [, digest] = /^v1,(.*)/.exec(signature) ?? []
    const bytes = bytesOf(digest ?? '')
    // This compares in constant time.
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return parseJson(text) as Event | TestEvent
  }
  throw new InvalidWebhookError('The request is not signed with this secret.')
}

/**
 * Returns the headers and the body with which the service would send this event now. Use them to test a receiver: pass
 * them to `fetch` as they are.
 */
export async function signWebhook(secret: string, event: Event | TestEvent, now = Date.now()) {
  const id = `msg_0_${positionOf(event)}`
  const timestamp = String(Math.floor(now / 1_000))
  const body = stringifyJson(event)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const digest = await crypto.subtle.sign('HMAC', await keyOf(secret), signed)
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(digest)))}`,
  }
  return { method: 'POST', headers, body }
}

async function keyOf(secret: string) {
  const raw = bytesOf(secret.replace(/^whsec_/, ''))
  if (!raw?.length) throw new TypeError('secret: not that of a webhook, such as whsec_…')
  return crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
