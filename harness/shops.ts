/** Shops of a sandbox without its socket. Requests go to their handlers like a runtime would pass them on. */
import type { Received } from '../conform/src/expect.ts'
import type { Sent } from '../conform/src/request.ts'
import { loadConfig } from '../src/config/config.ts'
import { withLoopback } from '../src/config/network.ts'
import type { Shop } from '../src/sandbox/shop.ts'
import { createShops, type Shops } from '../src/sandbox/shops.ts'
import type { Time } from '../src/time.ts'
import { silentLog } from './log.ts'

export const publicUrl = 'http://shop.example/v1'

export const shopsOn = (time: Time, limits?: Parameters<typeof createShops>[1], log = silentLog): Shops =>
  createShops({ config: loadConfig({ WEBHOOKS_ALLOW: withLoopback() }), publicUrl, time, log }, limits)

/** Sends a request. The text of an answer that is cut off is `cut`. */
export async function sendTo(shop: Shop, { method, url, headers, body = Buffer.alloc(0) }: Sent): Promise<Received> {
  const lines = new Map<string, string>()
  for (const [name, value] of headers) {
    const before = lines.get(name.toLowerCase())
    lines.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`)
  }
  const answer = await shop.handle({
    method,
    target: url.slice(new URL(url).origin.length),
    header: (name) => lines.get(name),
    address: () => '127.0.0.1',
    body: (bytesMax) => (body.length > bytesMax ? undefined : body),
  })
  const received = new Map<string, string>()
  for (let i = 0; i < answer.headers.length; i += 2)
    received.set((answer.headers[i] as string).toLowerCase(), answer.headers[i + 1] as string)
  const text = typeof answer.body === 'function' ? 'cut' : Buffer.from(answer.body as Uint8Array).toString()
  return { status: answer.status, headers: received, text: method === 'HEAD' ? '' : text }
}
