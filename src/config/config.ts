/**
 * The settings, each declared once, with its name, default, meaning and reader. The Config, its check, the help of
 * `petstore serve` and the table in docs/operating.md are derived from these declarations.
 */
import {
  logLevels,
  optional,
  type Reader,
  readBaseUrl,
  readDatabaseUrl,
  readLogLevel,
  readNetworks,
  readOrigins,
  readPart,
  readProxies,
  readRateLimit,
  readSwitch,
  readText,
  wholeNumber,
} from './setting-values.ts'

interface Setting<T> {
  readonly name: string
  /** The text that is used if the environment contains no value. */
  readonly fallback: string
  readonly meaning: string
  readonly read: Reader<T>
}

interface Settings {
  readonly [member: string]: Setting<unknown> | Settings
}

const setting = <T>(name: string, fallback: string, meaning: string, read: Reader<T>): Setting<T> => ({
  name,
  fallback,
  meaning,
  read,
})

const declarations = {
  port: setting('PORT', '8080', 'port to listen on; 0 picks a free one', wholeNumber(0, 65535)),
  host: setting('HOST', '127.0.0.1', 'address to listen on; 0.0.0.0 for all interfaces', readText),
  database: {
    url: setting(
      'DATABASE_URL',
      'sqlite:petstore.db',
      'database to use: sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/NAME',
      readDatabaseUrl,
    ),
    connections: setting('DATABASE_POOL', '10', 'maximum PostgreSQL connections per process', wholeNumber(1, 1000)),
    timeoutMilliseconds: setting(
      'DATABASE_TIMEOUT',
      '5000',
      'milliseconds a PostgreSQL statement may take before the client gets 503',
      wholeNumber(100, 600_000),
    ),
    prepare: setting(
      'DATABASE_PREPARE',
      'true',
      'use named prepared statements; false if pgbouncer in transaction mode lacks max_prepared_statements',
      readSwitch,
    ),
  },
  publicUrl: setting(
    'PUBLIC_URL',
    '',
    'base URL in Link and Location headers, ending in /v1; http://HOST:PORT/v1 if empty',
    optional(readBaseUrl),
  ),
  stagingUrl: setting(
    'STAGING_URL',
    '',
    'base URL of the staging service, listed in the OpenAPI document',
    optional(readBaseUrl),
  ),
  logLevel: setting('LOG_LEVEL', 'info', `minimum level to log: ${logLevels.join(', ')}`, readLogLevel),
  logSample: setting(
    'LOG_SAMPLE',
    '1',
    'share of ordinary requests to log, such as 0.01; failed and slow requests are always logged',
    readPart,
  ),
  requestsMax: setting(
    'REQUESTS_MAX',
    '10000',
    'requests that a process handles at the same time; further ones get 503 immediately',
    wholeNumber(1, 1_000_000),
  ),
  drainSeconds: setting(
    'DRAIN_SECONDS',
    '0',
    'seconds to keep serving after SIGTERM with /readyz at 503, so that load balancers notice',
    wholeNumber(0, 300),
  ),
  eventsDays: setting(
    'EVENTS_DAYS',
    '30',
    'days after which events are deleted; a client that follows them may be away for that long',
    wholeNumber(1, 3650),
  ),
  holdHours: setting(
    'HOLD_HOURS',
    '',
    'hours after which an order without heldUntil expires; if empty, such an order never expires',
    optional(wholeNumber(1, 8784)),
  ),
  corsOrigins: setting(
    'CORS_ORIGINS',
    '',
    'origins whose web pages may call the service, separated by commas; * for any',
    readOrigins,
  ),
  rateLimit: setting(
    'RATE_LIMIT',
    '',
    'requests that each API key may send in a number of seconds, such as 600/60; unlimited if empty',
    optional(readRateLimit),
  ),
  trustedProxies: setting(
    'TRUST_PROXY',
    '',
    'proxies that set X-Forwarded-For: addresses and networks separated by commas, or their number',
    readProxies,
  ),
  webhooksAllow: setting(
    'WEBHOOKS_ALLOW',
    '',
    'private addresses and networks that webhooks may be sent to, also over http, separated by commas',
    readNetworks,
  ),
}

type Values<S> = S extends Setting<infer T> ? T : { readonly [member in keyof S]: Values<S[member]> }
export type Config = Values<typeof declarations>
export type Environment = Readonly<Record<string, string | undefined>>

const isSetting = (one: Setting<unknown> | Settings): one is Setting<unknown> => typeof one.read === 'function'
const listOf = (declared: Settings): Setting<unknown>[] =>
  Object.values(declared).flatMap((one) => (isSetting(one) ? one : listOf(one)))

export const settings: Readonly<Record<string, Setting<unknown>>> = Object.fromEntries(
  listOf(declarations).map((one) => [one.name, one]),
)

export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.name = 'ConfigError'
    this.faults = faults
  }
}

/** Throws one error that names every fault. Values in `given` override the environment. */
export function loadConfig(environment: Environment, given: Environment = {}): Config {
  const env = { ...environment, ...given }
  const faults: string[] = []
  const valuesOf = <S extends Settings>(declared: S): Values<S> =>
    Object.fromEntries(
      Object.entries(declared).map(([member, one]) => [
        member,
        isSetting(one)
          ? one.read(env[one.name] || one.fallback, (what) => faults.push(`${one.name} ${what}.`))
          : valuesOf(one),
      ]),
    ) as Values<S>
  const config = valuesOf(declarations)
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze(config)
}

/** The base URL when PUBLIC_URL is not set. */
export function defaultPublicUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}/v1`
}

/**
 * The base URLs in the OpenAPI document: the ones that are set, or otherwise `baseUrl`, at which this service is
 * reached.
 */
export function serversOf({ publicUrl, stagingUrl }: Config, baseUrl: string) {
  const production = { url: publicUrl ?? baseUrl, description: publicUrl ? 'Production' : 'Local' }
  return stagingUrl ? [production, { url: stagingUrl, description: 'Staging' }] : [production]
}
