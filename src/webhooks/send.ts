/**
 * Sends one signed message to a receiver. The name is resolved once, its addresses are checked, and the connection is made to
 * a checked address, so that DNS rebinding cannot lead it elsewhere. An HTTP client is not used, as it would resolve the name
 * again and follow redirects and proxies; of the response only the status is read.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Clock } from '../clock.ts'
import type { Network } from '../config/network.ts'
import type { DeliveryFault, messageHeaders } from '../model/webhook.ts'
import { addressesOf, literalOf, mayReach, urlFault } from './address.ts'

/** The result of a try: what the receiver answered, or why there is no answer. */
export interface TryResult {
  readonly status?: number
  readonly fault?: DeliveryFault
}
export const isDelivered = ({ status = 0 }: TryResult): boolean => status >= 200 && status < 300

interface WebhookMessage {
  readonly url: string
  /** The same at every try. */
  readonly id: string
  readonly body: string
  readonly secrets: readonly string[]
  /** How often it was tried before. */
  readonly tries: number
  readonly signal?: AbortSignal
}

export interface WebhookSender {
  /** What is wrong with a URL, before its name is resolved. */
  faultOf(url: string): string | undefined
  send(message: WebhookMessage): Promise<TryResult>
  /** Sends a message whose result a client waits for; undefined if `testsMax` are under way. */
  test(message: WebhookMessage): Promise<TryResult> | undefined
}

interface SenderOptions {
  readonly clock: Clock
  /** Networks that may be reached besides public addresses. */
  readonly allowed: readonly Network[]
  /** The addresses of a name; aborted when the try is over. */
  readonly resolve?: (name: string, signal: AbortSignal) => Promise<readonly string[]>
  /** For the whole try: resolving the name, connecting, and the head of the response. */
  readonly timeoutMilliseconds?: number
  /** Certificate authorities to trust instead of those of the runtime. */
  readonly ca?: string
}

export const tryMilliseconds = 20_000
/** Without this bound, tests of receivers that hang could be all the requests that the service accepts at a time. */
const testsMax = 64
const responseBytesMax = 16 * 1024

export function createSender(options: SenderOptions): WebhookSender {
  const { clock, allowed, resolve = addressesOf, timeoutMilliseconds = tryMilliseconds, ca } = options
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
    // Each try goes to the next address: one may be down.
    return { address: addresses[tries % addresses.length] as string }
  }

  function open(url: URL, host: string): Socket {
    const isTls = url.protocol === 'https:'
    const port = Number(url.port || (isTls ? 443 : 80))
    if (!isTls) return connect({ host, port })
    // For an address in place of a name, the certificate must have the address.
    const name = literalOf(url) ? {} : { servername: url.hostname.replace(/\.$/, '') }
    return connectTls({ host, port, ...name, ...(ca !== undefined && { ca }) })
  }

  const sender: WebhookSender = {
    faultOf(text) {
      const url = URL.parse(text)
      return url ? urlFault(url, allowed) : 'must be a URL'
    },

    send: ({ url: text, signal, ...message }) =>
      new Promise<TryResult>((resolve) => {
        const url = new URL(text)
        const over = new AbortController()
        let socket: Socket | undefined
        const end = (result: TryResult): void => {
          over.abort()
          clearTimeout(timer)
          signal?.removeEventListener('abort', onAbort)
          socket?.destroy()
          resolve(result)
        }
        const onAbort = () => end({ fault: 'aborted' })
        const timer = setTimeout(() => end({ fault: 'timeout' }), timeoutMilliseconds)
        signal?.addEventListener('abort', onAbort)
        addressOf(url, message.tries, over.signal)
          .then((found) => {
            if (over.signal.aborted) return
            if ('fault' in found) return end(found)
            socket = open(url, found.address)
            exchange(socket, url, requestOf(url, message, clock()), end)
          })
          // `connect` throws for an address that the system cannot use at all.
          .catch(() => end({ fault: 'connection_failed' }))
      }),

    test(message) {
      if (tests >= testsMax) return undefined
      tests++
      return sender.send(message).finally(() => tests--)
    },
  }
  return sender
}

function requestOf(url: URL, { id, body, secrets }: Omit<WebhookMessage, 'url'>, now: number): string {
  const headers = [
    ['Host', url.host],
    ['User-Agent', 'petstore'],
    ['Content-Type', 'application/json'],
    ['Content-Length', Buffer.byteLength(body)],
    ['Connection', 'close'],
    ...Object.entries(signedHeaders(id, body, secrets, now)),
  ]
  const lines = [`POST ${url.pathname}${url.search} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Sends the request, and reads the response up to the end of its head; interim responses (1xx) are skipped. */
function exchange(socket: Socket, url: URL, request: string, end: (result: TryResult) => void): void {
  let fault: DeliveryFault = 'connection_failed'
  let received = 0
  let text = ''
  const isTls = url.protocol === 'https:'
  socket.on('connect', () => {
    if (fault === 'connection_failed') fault = isTls ? 'tls_failed' : 'no_response'
  })
  socket.on(isTls ? 'secureConnect' : 'connect', () => {
    fault = 'no_response'
    socket.write(request)
  })
  socket.on('data', (chunk) => {
    received += chunk.length
    text += chunk.toString('latin1')
    for (let head = headIn(text); head; head = headIn(text)) {
      const [, status] = /^HTTP\/1\.[01] ([1-5][0-9]{2})(?: |\r\n)/.exec(head) ?? []
      if (!status) return end({ fault: 'invalid_response' })
      if (!status.startsWith('1')) return end({ status: Number(status) })
      text = text.slice(head.length)
    }
    if (received > responseBytesMax) end({ fault: 'invalid_response' })
  })
  socket.on('error', () => end({ fault }))
  socket.on('close', () => end({ fault }))
}

function headIn(text: string): string | undefined {
  const at = text.indexOf('\r\n\r\n')
  return at < 0 ? undefined : text.slice(0, at + 4)
}

const secretPrefix = 'whsec_'

export const newSecret = (): string => secretPrefix + randomBytes(32).toString('base64')

/** Signed as in Standard Webhooks 1.0, once with each secret: while one is being replaced, a receiver may know either. */
function signedHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  now: number,
): Record<keyof typeof messageHeaders, string> {
  const seconds = Math.floor(now / 1000)
  const sign = (secret: string): string =>
    createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
      .update(`${id}.${seconds}.${body}`)
      .digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  }
}
