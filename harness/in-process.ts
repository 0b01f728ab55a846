/**
 * The whole service without its socket. Requests go to the handler like a runtime would pass them on, and the test
 * controls the clock.
 */

import type { Sent } from '../conform/src/request.ts'
import { createApp } from '../src/app.ts'
import { networksOf } from '../src/config/network.ts'
import { createHub } from '../src/events/hub.ts'
import { createAdmission } from '../src/http/admission.ts'
import type { Handler } from '../src/http/message.ts'
import { createRateLimits } from '../src/http/rate-limits.ts'
import { issueKey } from '../src/keys/keys.ts'
import { defaultScopes, type Scope } from '../src/model/key.ts'
import type { Log } from '../src/observe/log.ts'
import type { Store } from '../src/store/store.ts'
import { systemTime } from '../src/time.ts'
import { createSender } from '../src/webhooks/send.ts'
import { DatabaseClock } from './database-clock.ts'
import type { Database } from './databases.ts'
import { silentLog } from './log.ts'
import { openAt } from './stores.ts'
import { timeAt } from './time.ts'

export interface Reply {
  readonly status: number
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look at bodies of every shape.
  readonly json: any
  /** The names are in lower case. */
  readonly headers: ReadonlyMap<string, string>
}

export class InProcess {
  /** The time that the service sees. */
  now = Date.UTC(2027, 0, 1)
  /** A test may replace it with a faulty handler. */
  handle: Handler
  readonly key: string

  private constructor(store: Store, key: string, log: Log, holdHours?: number) {
    this.key = key
    const time = timeAt(() => this.now)
    this.handle = createApp({
      store,
      time,
      log,
      holdHours,
      rates: createRateLimits({ fallback: undefined, time, log, share: undefined }),
      trustedProxies: 0,
      logSample: 1,
      publicUrl: 'http://shop.example/v1',
      servers: [],
      corsOrigins: [],
      admission: createAdmission(4_000),
      streams: createHub({ events: store.events, keys: store.keys, time, log }),
      webhooks: createSender({ time, allowed: networksOf() }),
      isDraining: () => false,
    })
  }

  static async on(
    store: Store,
    log = silentLog,
    scopes: readonly Scope[] = defaultScopes,
    holdHours?: number,
  ): Promise<InProcess> {
    const request = { name: 'test', scopes, now: 0, expiresAt: undefined }
    return new InProcess(store, (await issueKey(store.keys, request)).token, log, holdHours)
  }

  call(method: string, path: string, body?: unknown, sent: Record<string, string> = {}): Promise<Reply> {
    const headers: [string, string][] = Object.entries({ authorization: `Bearer ${this.key}`, ...sent })
    if (body !== undefined) headers.push(['content-type', 'application/json'])
    const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body))
    return this.send({ method, url: `http://shop.example/v1${path}`, headers, body: bytes })
  }

  /** Sends a request like a listener would: a repeated header is one value, joined by commas. */
  async send({ method, url, headers: sent, body: bytes = Buffer.alloc(0) }: Sent): Promise<Reply> {
    const lines = new Map<string, string>()
    for (const [name, value] of [...sent, ['content-length', String(bytes.length)] as const]) {
      const before = lines.get(name.toLowerCase())
      lines.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`)
    }
    const answer = await this.handle({
      method,
      target: url.slice(new URL(url).origin.length),
      header: (name) => lines.get(name),
      address: () => '127.0.0.1',
      body: async (bytesMax) => (bytes.length > bytesMax ? undefined : bytes),
    })
    const headers = new Map<string, string>()
    for (let i = 0; i < answer.headers.length; i += 2)
      headers.set((answer.headers[i] as string).toLowerCase(), answer.headers[i + 1] as string)
    const text = method === 'HEAD' ? '' : Buffer.from(answer.body as Uint8Array).toString()
    const isJson = headers.get('content-type')?.startsWith('application/json') && text !== ''
    return { status: answer.status, text, json: isJson ? JSON.parse(text) : undefined, headers }
  }
}

/** Opens several instances on one new database for as long as `work` takes. */
export async function withStores(
  database: Database,
  instances: number,
  work: (stores: readonly [Store, ...Store[]], url: string, clock: DatabaseClock) => Promise<void>,
): Promise<void> {
  const { url, remove } = await database.open()
  const clock = new DatabaseClock(url)
  const stores: Store[] = []
  try {
    while (stores.length < instances)
      stores.push(await openAt(url, 10, url.startsWith('sqlite:') ? clock.time : systemTime))
    await work(stores as [Store, ...Store[]], url, clock)
  } finally {
    await Promise.all(stores.map((store) => store.close()))
    await remove()
  }
}
