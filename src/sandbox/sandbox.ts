/** The running sandbox: one port, and behind it a shop for every key of the form `test_…`. */
import { healthChecks } from '../app.ts'
import { type Config, defaultPublicUrl } from '../config/config.ts'
import { createAdmission } from '../http/admission.ts'
import { createAuthenticate, createVerify } from '../http/auth.ts'
import { createDeprecatedCalls } from '../http/deprecation.ts'
import { createHandler } from '../http/handler.ts'
import type { Handler, Incoming } from '../http/message.ts'
import { createPaging } from '../http/paging.ts'
import { createRateLimits } from '../http/rate-limits.ts'
import { pathPrefixOf, siteUrl } from '../http/urls.ts'
import type { Key } from '../model/key.ts'
import type { Log } from '../observe/log.ts'
import { RequestMetrics } from '../observe/metrics.ts'
import { guidesFile } from '../reference/docs.ts'
import { createOpenApiPage } from '../reference/openapi.ts'
import { createPage } from '../reference/pages.ts'
import { defaultTimeouts } from '../server/listener.ts'
import { bind, graceMilliseconds } from '../server/service.ts'
import type { Time } from '../time.ts'
import { createClock } from './clock.ts'
import { createPlan } from './failures.ts'
import { controlOperations } from './operations.ts'
import { createTemplate, openShop, type ShopOptions, type ShopService } from './service.ts'
import type { Shop } from './shop.ts'
import { createShops, type Shops } from './shops.ts'

export const keyForm = /^test_[\w-]{1,64}$/

const about = {
  title: 'Pet Store Sandbox',
  summary: 'What a test tells the shop that it tests against.',
  description: `Every key of the form \`${keyForm.source}\` is a shop of its own, empty at first. These operations set
its clock, say what is to fail in it, and make it as new; all others are those of the Pet Store API at \`/v1\`.`,
  tags: { testing: 'A shop of your own.' },
  key: { form: keyForm, description: 'Any key of this form; each is a shop of its own.' },
  hasWebhooks: false,
}

interface RunningSandbox {
  readonly publicUrl: string
  readonly shops: Shops
  close(): Promise<void>
}

export async function runSandbox(config: Config, time: Time, log: Log): Promise<RunningSandbox> {
  // Nothing is lost by a short end: what is here is nowhere else.
  const listener = await bind(config, time, { ...defaultTimeouts, linger: 0 })
  const publicUrl = config.publicUrl ?? defaultPublicUrl(config.host, listener.port)
  const made = createTemplate(time).then((template) => createFront({ config, publicUrl, time, log, ...template }))
  listener.serve(async (incoming) => (await made).handle(incoming), healthChecks)
  const { shops, close } = await made
  return {
    publicUrl,
    shops,
    async close() {
      await listener.close(graceMilliseconds)
      await close()
    },
  }
}

async function createFront(options: ShopOptions) {
  /** Answers whoever has no shop: pages, health checks, and 401. */
  const lobby = await openShop(options, options.template, createClock(options.time), createPlan())
  const shops = createShops(options)
  const shopOf = new WeakMap<Key, Shop>()
  const control = createControl(options, lobby, (key) => shopOf.get(key) as Shop)
  const handle: Handler = (incoming) => {
    const path = pathOf(incoming)
    const [, token = ''] = /^bearer +(.+)$/i.exec(incoming.header('authorization') ?? '') ?? []
    const shop = keyForm.test(token) && isOfShop.test(path) ? shops.of(token) : undefined
    if (shop) shopOf.set(shop.key, shop)
    if (/^\/sandbox(?:\/|$)/.test(path)) return control(incoming, shop?.key)
    return shop ? shop.handle(incoming) : lobby.handler(incoming)
  }
  return { handle, shops, close: () => Promise.all([shops.close(), lobby.end()]) }
}

const pathOf = ({ target }: Incoming): string => target.split('?', 1)[0] as string
/** Pages and health checks are those of the lobby. */
const isOfShop = /^\/(?:v1|sandbox|mcp|metrics)(?:\/|$)/

function createControl(
  { config, publicUrl, time, log }: ShopOptions,
  { store }: ShopService,
  shopOf: (key: Key) => Shop,
): Handler {
  const origin = siteUrl(publicUrl)
  const metrics = new RequestMetrics()
  const pages = createPage('docs', pathPrefixOf(publicUrl), guidesFile, '/sandbox')
  const document = createOpenApiPage(controlOperations, {
    time,
    servers: [{ url: origin, description: 'Local' }],
    about,
  })
  return createHandler({
    operations: controlOperations,
    basePath: '',
    siteRoutes: new Map(
      [...pages, ['/sandbox/openapi.json', document] as const].map(([path, reply]) => [path, { reply }]),
    ),
    services: {
      ...{ store, time, publicUrl, shopOf, sales: metrics.sales, paging: createPaging(publicUrl) },
      ...{ holdMilliseconds: undefined, rateOf: () => undefined },
    },
    authenticate: createAuthenticate(createVerify(store.keys, time), config.trustedProxies, time),
    rates: createRateLimits({ fallback: undefined, time, log, share: undefined }),
    deprecatedCalls: createDeprecatedCalls(store.keys, time),
    admission: createAdmission(config.requestsMax),
    cors: config.corsOrigins,
    ...{ log, logSample: config.logSample, metrics },
  })
}
