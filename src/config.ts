/** Reads the environment once at startup: returns a frozen Config, or reports every invalid setting at once. */
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { Rate } from './model/key.ts'
import type { Network, TrustedProxies } from './network.ts'
import {
  type LogLevel,
  logLevels,
  readBaseUrl,
  readDatabaseUrl,
  readLogLevel,
  readNetworks,
  readNumber,
  readOrigins,
  readPart,
  readProxies,
  readRateLimit,
  readSwitch,
  readTracing,
} from './setting-values.ts'

export interface DatabaseConfig {
  readonly url: string
  /** PostgreSQL only, like those below. */
  readonly connections: number
  readonly timeoutMilliseconds: number
  /** Whether to use named prepared statements and session settings. */
  readonly prepare: boolean
  /** A replica that lists and gets may be read from. */
  readonly readUrl: string | undefined
}

export interface Config {
  readonly host: string
  readonly port: number
  readonly database: DatabaseConfig
  /** When undefined, built from the host and the bound port. */
  readonly publicUrl: string | undefined
  readonly stagingUrl: string | undefined
  readonly logLevel: LogLevel
  /** The part of ordinary requests that are logged. */
  readonly logSample: number
  /** How many requests a process works on at a time. */
  readonly requestsMax: number
  readonly corsOrigins: readonly string[]
  /** For keys without a rate of their own; undefined for no limit. */
  readonly rateLimit: Rate | undefined
  readonly trustedProxies: TrustedProxies
  /** Networks that webhooks may be sent to besides public addresses. */
  readonly webhooksAllow: readonly Network[]
  /** How long the service keeps answering, with /readyz at 503, between the stop signal and closing the port. */
  readonly drainSeconds: number
  /** How long events are kept. */
  readonly eventsDays: number
  /** Undefined if requests are not traced. */
  readonly tracing: { url: string; headers: Record<string, string>; serviceName: string; ratio: number } | undefined
}

/** Every setting with its default and meaning; the help text and the README's table are checked against this. */
export const settings = {
  PORT: ['8080', 'port to listen on; 0 picks a free one'],
  HOST: ['127.0.0.1', 'address to listen on; 0.0.0.0 for all interfaces'],
  DATABASE_URL: ['sqlite:petstore.db', 'database to use: sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/NAME'],
  DATABASE_READ_URL: ['', 'PostgreSQL replica to read from where it is up to date; the primary is asked otherwise'],
  DATABASE_POOL: ['10', 'maximum PostgreSQL connections per process'],
  DATABASE_TIMEOUT: ['5000', 'milliseconds a PostgreSQL statement may take before the client gets 503'],
  DATABASE_PREPARE: ['true', 'use named prepared statements; false behind pgbouncer in transaction mode'],
  PUBLIC_URL: ['http://HOST:PORT/v1', 'base URL that clients use, ending in /v1; used in Link and Location headers'],
  STAGING_URL: ['', 'base URL of the staging service, listed in the OpenAPI document'],
  LOG_LEVEL: ['info', `minimum level to log: ${logLevels.join(', ')}`],
  LOG_SAMPLE: ['1', 'share of ordinary requests to log, such as 0.01; failed and slow ones are always logged'],
  REQUESTS_MAX: ['4000', 'requests a process works on at a time; further ones get 503 at once'],
  DRAIN_SECONDS: ['0', 'seconds to keep serving after SIGTERM with /readyz at 503, so that load balancers notice'],
  EVENTS_DAYS: ['30', 'days for which events are kept; whoever follows them may be away for as long'],
  CORS_ORIGINS: ['', 'origins whose pages may call the service, separated by commas; * for any'],
  RATE_LIMIT: ['', 'how many requests each API key may make in how many seconds, such as 600/60; no limit if empty'],
  TRUST_PROXY: [
    '',
    'proxies whose X-Forwarded-For counts: addresses and networks separated by commas, or their number',
  ],
  WEBHOOKS_ALLOW: [
    '',
    'private addresses and networks that webhooks may be sent to, also over http, separated by commas',
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['', 'base URL of an OpenTelemetry collector to send traces to, as OTLP over HTTP'],
  OTEL_EXPORTER_OTLP_HEADERS: ['', 'headers for the collector: name=value, separated by commas, values URL-encoded'],
  OTEL_SERVICE_NAME: ['petstore', 'name of the service in traces'],
  OTEL_TRACES_SAMPLER_ARG: ['1', 'share of requests to trace, from 0 to 1, unless the caller has decided'],
} as const satisfies Record<string, readonly [fallback: string, meaning: string]>

/** Some settings are invalid; `faults` describes each. */
export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.name = 'ConfigError'
    this.faults = faults
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

/** The environment, and what it leaves out as a file of `NAME=value` lines says. */
export function withEnvFile(environment: Environment, path: string): Environment {
  try {
    const text = readFileSync(path, 'utf8')
    // Of such a file no setting would be found, and the service would run with the default of each.
    if (text.includes('\0')) throw new Error('it is not UTF-8')
    return { ...parseEnv(text.replace(/^\ufeff/, '')), ...environment }
  } catch (error) {
    throw new ConfigError([`--env-file ${path} cannot be read: ${(error as Error).message}`])
  }
}

/** Values in `given` override the environment. */
export function loadConfig(environment: Environment = process.env, given: Environment = {}): Config {
  const env: Environment = {
    ...environment,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  }
  const faults: string[] = []
  const read = (name: keyof typeof settings): string => env[name] || settings[name][0]
  const config: Config = {
    host: read('HOST'),
    port: readNumber('PORT', read('PORT'), [0, 65535], faults),
    database: {
      url: readDatabaseUrl(read('DATABASE_URL'), faults),
      connections: readNumber('DATABASE_POOL', read('DATABASE_POOL'), [1, 1000], faults),
      timeoutMilliseconds: readNumber('DATABASE_TIMEOUT', read('DATABASE_TIMEOUT'), [100, 600_000], faults),
      prepare: readSwitch('DATABASE_PREPARE', read('DATABASE_PREPARE'), faults),
      readUrl: env.DATABASE_READ_URL ? readDatabaseUrl(env.DATABASE_READ_URL, faults, 'DATABASE_READ_URL') : undefined,
    },
    publicUrl: env.PUBLIC_URL ? readBaseUrl('PUBLIC_URL', env.PUBLIC_URL, faults) : undefined,
    stagingUrl: env.STAGING_URL ? readBaseUrl('STAGING_URL', env.STAGING_URL, faults) : undefined,
    logLevel: readLogLevel(read('LOG_LEVEL'), faults),
    logSample: readPart('LOG_SAMPLE', read('LOG_SAMPLE'), faults),
    requestsMax: readNumber('REQUESTS_MAX', read('REQUESTS_MAX'), [1, 1_000_000], faults),
    corsOrigins: readOrigins(read('CORS_ORIGINS'), faults),
    rateLimit: readRateLimit(read('RATE_LIMIT'), faults),
    trustedProxies: readProxies(read('TRUST_PROXY'), faults),
    webhooksAllow: readNetworks('WEBHOOKS_ALLOW', read('WEBHOOKS_ALLOW'), faults),
    drainSeconds: readNumber('DRAIN_SECONDS', read('DRAIN_SECONDS'), [0, 300], faults),
    eventsDays: readNumber('EVENTS_DAYS', read('EVENTS_DAYS'), [1, 3650], faults),
    tracing: env.OTEL_EXPORTER_OTLP_ENDPOINT ? readTracing(env.OTEL_EXPORTER_OTLP_ENDPOINT, read, faults) : undefined,
  }
  if (env.WORKERS)
    faults.push('WORKERS is no setting: run several instances, each with its own PORT, behind a proxy; see deploy/.')
  if (
    config.database.readUrl &&
    [config.database.url, config.database.readUrl].some((url) => url.startsWith('sqlite:'))
  )
    faults.push('DATABASE_READ_URL names a replica of PostgreSQL; with sqlite: there is none.')
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze(config)
}

/** The base URL when PUBLIC_URL is not set. */
export function defaultPublicUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}/v1`
}

/** The base URLs in the OpenAPI document: those that are set, or else `baseUrl`, at which this service is reached. */
export function serversOf({ publicUrl, stagingUrl }: Config, baseUrl: string) {
  const production = { url: publicUrl ?? baseUrl, description: publicUrl ? 'Production' : 'Local' }
  return stagingUrl ? [production, { url: stagingUrl, description: 'Staging' }] : [production]
}
