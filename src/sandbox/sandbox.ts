/** The running sandbox: one port, and behind it a shop for every key of the form `test_…`. */
import { healthChecks } from '../app.ts'
import { type Config, defaultPublicUrl } from '../config/config.ts'
import { createAdmission } from '../http/admission.ts'
import { createAuthenticate } from '../http/auth.ts'
import { createHandler } from '../http/handler.ts'
import { type Handler, jsonType } from '../http/message.ts'
import { createRateLimits } from '../http/rate-limits.ts'
import type { SiteReply } from '../http/site-route.ts'
import { pathPrefixOf, siteUrl } from '../http/urls.ts'
import type { Log } from '../observe/log.ts'
import { RequestMetrics } from '../observe/metrics.ts'
import { createOpenApiPage } from '../reference/openapi.ts'
import { createFiles } from '../reference/pages.ts'
import { createReference } from '../reference/site.ts'
import { defaultTimeouts } from '../server/listener.ts'
import { bind, graceMilliseconds } from '../server/service.ts'
import type { Time } from '../time.ts'
import { controlOperations } from './operations.ts'
import type { ShopOptions } from './service.ts'
import { createShop } from './shop.ts'
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

const groups = [{ id: 'testing', title: 'A shop of your own', description: about.tags.testing, paths: ['/sandbox'] }]

export async function runSandbox(config: Config, time: Time, log: Log) {
  // Nothing is lost by a short end: what is here is nowhere else.
  const listener = await bind(config, time, { ...defaultTimeouts, linger: 0 })
  const publicUrl = config.publicUrl ?? defaultPublicUrl(config.host, listener.port)
  const { handle, shops, lobby } = createFront({ config, publicUrl, time, log })
  listener.serve(handle, healthChecks)
  return {
    publicUrl,
    async close(): Promise<void> {
      // Delays and streams end with their shops; requests that come meanwhile may make shops again.
      await Promise.all([shops.close(), listener.close(graceMilliseconds)])
      await Promise.all([shops.close(), lobby.end()])
    },
  }
}

function createFront(options: ShopOptions) {
  /** Answers requests without the key of a shop: pages, health checks, and 401. */
  const lobby = createShop(options)
  const shops = createShops(options)
  const control = createControl(options, shops)
  const handle: Handler = (incoming) => {
    const [, token = ''] = /^bearer +(.+)$/i.exec(incoming.header('authorization') ?? '') ?? []
    const shop = keyForm.test(token) ? shops.of(token) : lobby
    return /^\/sandbox(?:[/?]|$)/.test(incoming.target) ? control(incoming, shop.key) : shop.handle(incoming)
  }
  return { handle, shops, lobby }
}

function createControl({ config, publicUrl, time, log }: ShopOptions, shops: Shops): Handler {
  const servers = [{ url: siteUrl(publicUrl), description: 'Local' }]
  const prefix = pathPrefixOf(publicUrl)
  const files = createFiles('/sandbox/docs', prefix, ['docs.css', 'docs.js', 'favicon.svg'])
  const routes: [string, SiteReply][] = [
    ...files.routes,
    ...createReference({
      operations: controlOperations,
      servers,
      publicUrl,
      time,
      path: '/sandbox/docs',
      others: groups.map(({ id }) => `/${id}`),
      about,
      groups,
      guides: () => '',
      files,
      links: [
        { title: 'OpenAPI 3.1', href: `${prefix}/sandbox/openapi.json`, rel: 'service-desc', type: jsonType },
        { title: 'Pet Store API', href: `${prefix}/docs` },
      ],
    }),
    ['/sandbox/openapi.json', createOpenApiPage(controlOperations, { time, servers, about })],
  ]
  return createHandler({
    operations: controlOperations,
    basePath: '',
    siteRoutes: new Map(routes.map(([path, reply]) => [path, { reply }])),
    services: { time, publicUrl, shopOf: ({ prefix }) => shops.of(prefix) },
    authenticate: createAuthenticate(() => undefined, config.trustedProxies, time),
    rates: createRateLimits({ fallback: undefined, time, log, share: undefined }),
    deprecatedCalls: { note() {} },
    admission: createAdmission(config.requestsMax),
    cors: config.corsOrigins,
    log,
    logSample: config.logSample,
    metrics: new RequestMetrics(new Set()),
  })
}
