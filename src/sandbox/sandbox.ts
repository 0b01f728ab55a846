/** The running sandbox: one port, and behind it a shop for every key of the form `test_…`. */
import { healthChecks } from '../app.ts'
import { type Config, defaultPublicUrl } from '../config/config.ts'
import { AppError } from '../errors.ts'
import { createAdmission } from '../http/admission.ts'
import { challenge, createAuthenticate } from '../http/auth.ts'
import { createHandler } from '../http/handler.ts'
import { type Handler, type Incoming, jsonType } from '../http/message.ts'
import { createRateLimits } from '../http/rate-limits.ts'
import type { SiteReply } from '../http/site-route.ts'
import { pathPrefixOf, siteUrl } from '../http/urls.ts'
import type { Log } from '../observe/log.ts'
import { RequestMetrics } from '../observe/metrics.ts'
import { createOpenApiPage } from '../reference/openapi.ts'
import { createFiles } from '../reference/pages.ts'
import { createReference } from '../reference/site.ts'
import { defaultTimeouts } from '../server/listener.ts'
import { bind } from '../server/service.ts'
import type { Time } from '../time.ts'
import { changed } from './faults.ts'
import { createShopKeys, keyForm, keyForms, nameForm } from './keys.ts'
import { controlOperations } from './operations.ts'
import type { ShopOptions } from './service.ts'
import { createShop } from './shop.ts'
import { createShops, type Shops } from './shops.ts'

/** The hooks of test runners wait for 5 seconds. */
const graceMilliseconds = 2_000
/**
 * Web pages of this machine, such as those of a development server. Other pages could use the sandbox to reach this
 * machine.
 */
const pagesOfThisMachine = ['http://localhost', 'http://127.0.0.1', 'http://[::1]'].flatMap((origin) => [
  origin,
  `${origin}:*`,
])

const about = {
  title: 'Pet Store Sandbox',
  summary: 'The operations with which a test controls the shop that it tests against.',
  description: `Every key of the form \`${nameForm.source}\` opens its own shop, which is empty at first. These operations
set the clock of the shop, make its requests fail, and reset it. The shop offers the Pet Store API at \`/v1\`.`,
  tags: { testing: 'Operations with which a test controls its shop.' },
  key: { form: nameForm, description: 'Any key of this form. Each key opens its own shop.' },
  hasWebhooks: false,
}

const groups = [{ id: 'testing', title: 'Your own shop', description: about.tags.testing, paths: ['/sandbox'] }]

type Room = Parameters<typeof createShops>[1]

export async function runSandbox(given: Config, time: Time, log: Log, room?: Room) {
  const config = given.corsOrigins.length > 0 ? given : { ...given, corsOrigins: pagesOfThisMachine }
  // A short grace period loses nothing, because all data is in memory only.
  const listener = await bind(config, time, { ...defaultTimeouts, linger: 0 })
  const publicUrl = config.publicUrl ?? defaultPublicUrl(config.host, listener.port)
  const { handle, shops, lobby } = createFront({ config, publicUrl, time, log }, room)
  const prefix = pathPrefixOf(publicUrl)
  listener.serve(handle, new Set([...healthChecks].flatMap((path) => [path, prefix + path])))
  return {
    publicUrl,
    port: listener.port,
    async close(): Promise<void> {
      // Delays and streams end with their shops. Requests that arrive meanwhile may create shops again.
      await Promise.all([shops.close(), listener.close(graceMilliseconds)])
      await Promise.all([shops.close(), lobby.end()])
    },
  }
}

/** The paths that need a key. The documentation of the operations for tests does not need one. */
const keyed = /^\/(?:v1|mcp|metrics|sandbox(?!\/(?:docs|openapi\.json)))(?:[/?]|$)/
const own = /^\/(?:v1|mcp|metrics|sandbox)(?:[/?]|$)/

function createFront(options: ShopOptions, room: Room) {
  const prefix = pathPrefixOf(options.publicUrl)
  /** Answers requests without the key of a shop: pages, health checks, and 401. */
  const lobby = createShop(options)
  const shops = createShops(options, room)
  const control = createControl(options, shops)

  /** A proxy may leave the prefix of PUBLIC_URL in front of the path. */
  function withoutPrefix(incoming: Incoming): Incoming {
    const rest = incoming.target.slice(prefix.length)
    const isUnder = prefix !== '' && incoming.target.startsWith(prefix) && own.test(rest)
    return isUnder ? changed(incoming, { target: rest }) : incoming
  }

  function answerOf(incoming: Incoming) {
    const { target, fault, method } = incoming
    const isControl = /^\/sandbox(?:[/?]|$)/.test(target)
    const open: Handler = isControl ? control : (request) => lobby.handle(request)
    const token = tokenOf(incoming)
    if (fault || token === undefined || !keyed.test(target)) return open(incoming)
    try {
      const [, name = refuseKey(), parts = ''] = keyForm.exec(token) ?? []
      // The operation finds the shop itself, because it may request a new one.
      if (isControl) return control(incoming, createShopKeys(name, 0).of(parts) ?? refuseKey())
      const shop = shops.of(name)
      return shop.handle(incoming, shop.keyOf(parts) ?? refuseKey())
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return open(method === 'OPTIONS' ? incoming : changed(incoming, { fault: error }))
    }
  }

  const handle: Handler = async (incoming) => answerOf(withoutPrefix(incoming))
  return { handle, shops, lobby }
}

const tokenOf = (incoming: Incoming): string | undefined =>
  /^bearer +(.+)$/i.exec(incoming.header('authorization') ?? '')?.[1]

function refuseKey(): never {
  throw new AppError('invalid_api_key', `The API key is unknown. ${keyForms}`, [
    'WWW-Authenticate',
    `${challenge}, error="invalid_token"`,
  ])
}

function createControl({ config, publicUrl, time, log }: ShopOptions, shops: Shops): Handler {
  const servers = [{ url: siteUrl(publicUrl), description: 'Local' }]
  const prefix = pathPrefixOf(publicUrl)
  const files = createFiles('/sandbox/docs', prefix, ['docs.js', 'favicon.svg'])
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
    services: { time, publicUrl, shops },
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
