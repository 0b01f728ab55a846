/**
 * Sends one signed message to a receiver. The name is resolved once, its addresses are checked, and the request goes to
 * a checked address, so that DNS rebinding cannot lead it elsewhere. It follows no redirect, uses no proxy, and reads
 * only the status of the response.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import type { RequestOptions } from 'node:https'
import type { BlockList } from 'node:net'
import type { DeliveryFault, messageHeaders } from '../model/webhook.ts'
import type { Time } from '../time.ts'
import { addressesOf, literalOf, mayReach, urlFault } from './address.ts'

/** The result of an attempt: the status of the response, or why there is no response. */
export interface TryResult {
  readonly status?: number
  readonly fault?: DeliveryFault
}
export const isDelivered = ({ status = 0 }: TryResult): boolean => status >= 200 && status < 300

interface WebhookMessage {
  readonly url: string
  /** The id is the same in every attempt. */
  readonly id: string
  readonly body: string
  readonly secrets: readonly string[]
  /** The number of earlier attempts. */
  readonly tries?: number
  readonly signal?: AbortSignal
}

export interface WebhookSender {
  /** Returns what is wrong with a URL, before its name is resolved. */
  faultOf(url: string): string | undefined
  send(message: WebhookMessage): Promise<TryResult>
  /** Sends a message whose result a client waits for. Undefined if `testsMax` such messages are under way. */
  test(message: WebhookMessage): Promise<TryResult> | undefined
}

interface SenderOptions {
  readonly time: Time
  /** Networks that may be reached besides public addresses. */
  readonly allowed: BlockList
  /** Finds the addresses of a name. It is aborted when the attempt is over. */
  readonly resolve?: (name: string, signal: AbortSignal) => Promise<readonly string[]>
  /** The time for the whole attempt: resolving the name, connecting, and receiving the head of the response. */
  readonly timeoutMilliseconds?: number
  /** Certificate authorities to trust instead of those of the runtime. */
  readonly ca?: string
}

export const tryMilliseconds = 20_000
/** Without this limit, tests of receivers that hang could occupy all requests that the service accepts concurrently. */
const testsMax = 64
const responseHeadBytesMax = 16 * 1024

export function createSender(options: SenderOptions): WebhookSender {
  const { time, allowed, resolve = addressesOf, timeoutMilliseconds = tryMilliseconds, ca } = options
  let tests = 0

  /** The address to connect to, if every address that the URL leads to may be reached. */
  async function addressOf(
    url: URL,
    tries: number,
    signal: AbortSignal,
  ): Promise<{ address: string } | { fault: DeliveryFault }> {
    const literal = literalOf(url)
    const addresses = literal ? [literal] : await resolve(url.hostname, signal).catch(() => [])
    if (addresses.length === 0) return { fault: 'name_not_resolved' }
    if (urlFault(url, allowed) || !addresses.every((address) => mayReach(url, address, allowed)))
      return { fault: 'address_not_allowed' }
    // Each attempt goes to the next address, because one of them may be down.
    return { address: addresses[tries % addresses.length] as string }
  }

  async function send(message: WebhookMessage): Promise<TryResult> {
    const url = new URL(message.url)
    const over = new AbortController()
    const end = (fault: DeliveryFault) => over.abort(fault)
    const onAbort = () => end('aborted')
    const cancelTimeout = time.after(timeoutMilliseconds, () => end('timeout'))
    message.signal?.addEventListener('abort', onAbort)
    try {
      const found = await addressOf(url, message.tries ?? 0, over.signal)
      over.signal.throwIfAborted()
      if ('fault' in found) return found
      const options = {
        headers: headersOf(url, message, time.now()),
        signal: over.signal,
        ...(ca !== undefined && { ca }),
      }
      return await exchange(url, found.address, options, message.body)
    } catch {
      // A request throws for an address that the system cannot use at all.
      return { fault: over.signal.aborted ? over.signal.reason : 'connection_failed' }
    } finally {
      cancelTimeout()
      message.signal?.removeEventListener('abort', onAbort)
    }
  }

  return {
    faultOf(text) {
      const url = URL.parse(text)
      return url ? urlFault(url, allowed) : 'must be a URL'
    },
    send,
    test(message) {
      if (tests >= testsMax) return undefined
      tests++
      return send(message).finally(() => tests--)
    },
  }
}

/** Sends the request, and ends the connection once the head of the response is there. Rejects if it is aborted. */
const exchange = (url: URL, host: string, options: RequestOptions, body: string): Promise<TryResult> =>
  new Promise((resolve, reject) => {
    const isTls = url.protocol === 'https:'
    let fault: DeliveryFault = 'connection_failed'
    // An import would load all of fetch, and TLS, at the start of the service.
    const { request: begin } = process.getBuiltinModule(isTls ? 'node:https' : 'node:http')
    const request = begin({
      ...options,
      method: 'POST',
      host,
      port: url.port,
      path: url.pathname + url.search,
      agent: false,
      // If the URL contains an address instead of a name, the certificate must name the address.
      ...(!literalOf(url) && { servername: url.hostname.replace(/\.$/, '') }),
      maxHeaderSize: responseHeadBytesMax,
    })
    request.on('socket', (socket) => {
      socket.on('connect', () => {
        fault = isTls ? 'tls_failed' : 'no_response'
      })
      socket.on('secureConnect', () => {
        fault = 'no_response'
      })
    })
    request.on('response', ({ statusCode: status = 0 }) => {
      resolve(status >= 200 && status <= 599 ? { status } : { fault: 'invalid_response' })
      request.destroy()
    })
    request.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
      if (options.signal?.aborted) reject()
      else resolve({ fault: code.startsWith('HPE_') ? 'invalid_response' : fault })
    })
    request.on('close', () => resolve({ fault }))
    request.end(body)
  })

const secretPrefix = 'whsec_'

export const newSecret = (): string => secretPrefix + randomBytes(32).toString('base64')

/**
 * Signs as Standard Webhooks 1.0 defines it, with each secret. While a secret is being replaced, a receiver may know
 * either.
 */
function headersOf({ host }: URL, { id, body, secrets }: WebhookMessage, now: number): OutgoingHttpHeaders {
  const seconds = Math.floor(now / 1000)
  const sign = (secret: string): string =>
    createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
      .update(`${id}.${seconds}.${body}`)
      .digest('base64')
  const signed: Record<keyof typeof messageHeaders, string> = {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  }
  return {
    Host: host,
    'User-Agent': 'petstore',
    Connection: 'close',
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...signed,
  }
}
