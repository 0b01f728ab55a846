/** Reads the value of a setting from its text; a fault is described so that one can mend it, and no secret is shown. */
import { accessSync, constants, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { readTarget, type TargetFault } from './database-url.ts'
import { type Rate, rateForm, readRate } from './model/key.ts'
import { type Network, readNetwork, type TrustedProxies } from './network.ts'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

type TracingSetting = 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_SERVICE_NAME' | 'OTEL_TRACES_SAMPLER_ARG'

export function readNumber(
  name: string,
  text: string,
  [least, most]: readonly [number, number],
  faults: string[],
): number {
  const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= least && number <= most))
    faults.push(`${name} must be a whole number from ${least} to ${most}, not "${text}".`)
  return number
}

export function readPart(name: string, text: string, faults: string[]): number {
  if (!/^(?:1(?:\.0*)?|0(?:\.[0-9]*)?)$/.test(text))
    faults.push(`${name} must be a number from 0 to 1, such as 0.01, not "${text}".`)
  return Number(text)
}

export function readSwitch(name: string, text: string, faults: string[]): boolean {
  if (text !== 'true' && text !== 'false') faults.push(`${name} must be true or false, not "${text}".`)
  return text === 'true'
}

/** Also used for URLs given on the command line; `name` is what the fault message calls it. */
export function readDatabaseUrl(url: string, faults: string[], name = 'DATABASE_URL'): string {
  if (/^postgres(?:ql)?:\/\/./.test(url)) {
    try {
      readTarget(url)
    } catch (error) {
      faults.push(`${name} ${(error as TargetFault).message}.`)
    }
    return url
  }
  if (!url.startsWith('sqlite:') || url === 'sqlite:') {
    faults.push(`${name} must be sqlite:PATH or postgres://…, not "${redact(url)}".`)
    return url
  }
  const path = url.slice('sqlite:'.length)
  if (path === ':memory:') return url
  if (path.startsWith('file:'))
    faults.push(
      `${name} takes a path, and SQLite would take "file:" for the beginning of a URL. Leave it out, or write ./file:….`,
    )
  const folder = dirname(resolve(path))
  try {
    if (!statSync(folder).isDirectory()) throw new Error('not a folder')
    accessSync(folder, constants.W_OK)
  } catch {
    faults.push(`${name} names a file in ${folder}, which is not a folder this user can write to.`)
  }
  return url
}

/** A URL without anything that may be a password, which may contain any character and may be in the query. */
const redact = (url: string): string => url.replace(/^([\w+.-]*:)?.*@/s, '$1…@').replace(/\?.*/s, '?…')

export function readBaseUrl(name: string, text: string, faults: string[]): string {
  const url = /^https?:\/\/[^\s@?#<>]+\/v1$/.test(text) && URL.parse(text)
  if (!url) faults.push(`${name} must be an http or https URL that ends in /v1, not "${redact(text)}".`)
  // `href` is ASCII, as a header value must be.
  return url ? url.href : text
}

export function readTracing(endpoint: string, read: (name: TracingSetting) => string, faults: string[]) {
  if (!/^https?:\/\/[^\s@?#]+$/.test(endpoint) || !URL.canParse(endpoint))
    faults.push(`OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL without a query, not "${redact(endpoint)}".`)
  const ratio = readPart('OTEL_TRACES_SAMPLER_ARG', read('OTEL_TRACES_SAMPLER_ARG'), faults)
  let headers: Record<string, string> = {}
  try {
    const pairs = listed(read('OTEL_EXPORTER_OTLP_HEADERS')).map((item) => /^([^=]+)=(.*)$/s.exec(item)?.slice(1) ?? [])
    headers = Object.fromEntries(
      new Headers(pairs.map(([name = '', value = '']) => [name.trim(), decodeURIComponent(value.trim())])),
    )
  } catch {
    // Without the values, which may be secret.
    faults.push('OTEL_EXPORTER_OTLP_HEADERS must list name=value, separated by commas, with URL-encoded values.')
  }
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  return { url, headers, serviceName: read('OTEL_SERVICE_NAME'), ratio }
}

export function readLogLevel(text: string, faults: string[]): LogLevel {
  const level = logLevels.find((known) => known === text)
  if (!level) faults.push(`LOG_LEVEL must be one of ${logLevels.join(', ')}, not "${text}".`)
  return level ?? 'info'
}

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

export function readOrigins(text: string, faults: string[]): string[] {
  const origins = listed(text)
  for (const origin of origins)
    if (origin !== '*' && URL.parse(origin)?.origin !== origin)
      faults.push(`CORS_ORIGINS must list origins such as https://shop.example, not "${origin}".`)
  return origins
}

export function readRateLimit(text: string, faults: string[]): Rate | undefined {
  const rate = readRate(text)
  if (text && !rate) faults.push(`RATE_LIMIT must be ${rateForm}, not "${text}".`)
  return rate
}

const proxiesMax = 16

export function readProxies(text: string, faults: string[]): TrustedProxies {
  if (/^[0-9]+$/.test(text)) return readNumber('TRUST_PROXY', text, [1, proxiesMax], faults)
  return readNetworks('TRUST_PROXY', text, faults, ', or give a number')
}

export function readNetworks(name: string, text: string, faults: string[], otherwise = ''): Network[] {
  const networks: Network[] = []
  for (const item of listed(text)) {
    const network = readNetwork(item)
    if (network) networks.push(network)
    else faults.push(`${name} must list addresses and networks such as 10.0.0.0/8${otherwise}, not "${item}".`)
  }
  return networks
}
