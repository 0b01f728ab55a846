/** The environment, checked once at the start: a frozen Config, or every fault at once. */
import { accessSync, constants, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export interface Config {
  readonly host: string
  readonly port: number
  readonly databaseUrl: string
  /** Undefined: made from the host and the port that was bound. */
  readonly publicUrl: string | undefined
  readonly stagingUrl: string
  readonly logLevel: LogLevel
  readonly corsOrigins: readonly string[]
}

/** Every setting with its default and what it means; the help text and the README's table say the same. */
export const settings = {
  PORT: ['8080', 'port to listen on; 0 takes a free one'],
  HOST: ['127.0.0.1', 'address to listen on; 0.0.0.0 for all'],
  DATABASE_URL: ['sqlite:petstore.db', 'where the data lives: sqlite:PATH'],
  PUBLIC_URL: [
    'http://HOST:PORT/v1',
    'base address clients use, ending in /v1; it stands in Link and Location headers',
  ],
  STAGING_URL: ['http://127.0.0.1:8081/v1', 'base address of the staging service, named in the OpenAPI document'],
  LOG_LEVEL: ['info', `how much to log: ${logLevels.join(', ')}`],
  CORS_ORIGINS: ['', 'origins whose pages may call the service, with commas between; * for any'],
} as const satisfies Record<string, readonly [fallback: string, meaning: string]>

/** The environment has faults; `faults` names each. */
export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.name = 'ConfigError'
    this.faults = faults
  }
}

export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const faults: string[] = []
  const read = (name: keyof typeof settings): string => env[name] || settings[name][0]
  const config: Config = {
    host: read('HOST'),
    port: readPort(read('PORT'), faults),
    databaseUrl: readDatabaseUrl(read('DATABASE_URL'), faults),
    publicUrl: env.PUBLIC_URL ? readBaseUrl('PUBLIC_URL', env.PUBLIC_URL, faults) : undefined,
    stagingUrl: readBaseUrl('STAGING_URL', read('STAGING_URL'), faults),
    logLevel: readLogLevel(read('LOG_LEVEL'), faults),
    corsOrigins: readOrigins(read('CORS_ORIGINS'), faults),
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze(config)
}

/** The base address a service bound to `host` and `port` has when none was set. */
export function defaultPublicUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}/v1`
}

function readPort(text: string, faults: string[]): number {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65535)) faults.push(`PORT must be a whole number from 0 to 65535, not "${text}".`)
  return port
}

function readDatabaseUrl(url: string, faults: string[]): string {
  if (!url.startsWith('sqlite:') || url === 'sqlite:') {
    faults.push(`DATABASE_URL must be sqlite:PATH, not "${redact(url)}".`)
    return url
  }
  const path = url.slice('sqlite:'.length)
  if (path === ':memory:') return url
  const folder = dirname(resolve(path))
  try {
    if (!statSync(folder).isDirectory()) throw new Error('not a folder')
    accessSync(folder, constants.W_OK)
  } catch {
    faults.push(`DATABASE_URL names a file in ${folder}, which is not a folder this user may write to.`)
  }
  return url
}

/** A URL without what may be a password. */
const redact = (url: string): string => url.replace(/\/\/[^/]*@/, '//…@')

function readBaseUrl(name: string, text: string, faults: string[]): string {
  const url = URL.parse(text)
  const isWhole = url && /^https?:$/.test(url.protocol) && url.pathname.endsWith('/v1') && !url.search && !url.hash
  if (!isWhole || url.username || url.password)
    faults.push(`${name} must be an http or https address that ends in /v1, not "${redact(text)}".`)
  return text
}

function readLogLevel(text: string, faults: string[]): LogLevel {
  const level = logLevels.find((known) => known === text)
  if (!level) faults.push(`LOG_LEVEL must be one of ${logLevels.join(', ')}, not "${text}".`)
  return level ?? 'info'
}

function readOrigins(text: string, faults: string[]): string[] {
  const origins = text
    .split(',')
    .map((origin) => origin.trim())
    .filter(Boolean)
  for (const origin of origins)
    if (origin !== '*' && URL.parse(origin)?.origin !== origin)
      faults.push(`CORS_ORIGINS must list origins such as https://shop.example, not "${origin}".`)
  return origins
}
