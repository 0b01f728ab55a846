/** Reads the value of a setting from its text. */
import { BlockList } from 'node:net'
import { type Rate, rateForm, readRate } from '../model/key.ts'
import { type DatabaseUrlFault, readPostgresUrl } from './database-url.ts'
import { addNetwork, type TrustedProxies } from './network.ts'

/**
 * Reports what is wrong with a value, without showing a secret; `what` continues a sentence that begins with the name
 * of the setting.
 */
type ReportFault = (what: string) => void
export interface Reader<T> {
  (text: string, fault: ReportFault): T
  /** The smallest and the largest value, if the setting is a number. */
  readonly bounds?: readonly [least: number, most: number]
}

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export const readText = (text: string): string => text

export function optional<T>(read: Reader<T>): Reader<T | undefined> {
  const readOptional = (text: string, fault: ReportFault) => (text ? read(text, fault) : undefined)
  return Object.assign(readOptional, read.bounds && { bounds: read.bounds })
}

export function wholeNumber(least: number, most: number): Reader<number> {
  const read = (text: string, fault: ReportFault) => {
    const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (!(number >= least && number <= most)) fault(`must be a whole number from ${least} to ${most}, not "${text}"`)
    return number
  }
  return Object.assign(read, { bounds: [least, most] as const })
}

export function readPart(text: string, fault: ReportFault): number {
  if (!/^(?:1(?:\.0*)?|0(?:\.[0-9]*)?)$/.test(text)) fault(`must be a number from 0 to 1, such as 0.01, not "${text}"`)
  return Number(text)
}

export function readSwitch(text: string, fault: ReportFault): boolean {
  if (text !== 'true' && text !== 'false') fault(`must be true or false, not "${text}"`)
  return text === 'true'
}

export function readLogLevel(text: string, fault: ReportFault): LogLevel {
  const level = logLevels.find((known) => known === text)
  if (!level) fault(`must be one of ${logLevels.join(', ')}, not "${text}"`)
  return level ?? 'info'
}

export function readDatabaseUrl(url: string, fault: ReportFault): string {
  if (/^postgres(?:ql)?:\/\/./.test(url)) {
    try {
      readPostgresUrl(url)
    } catch (error) {
      fault((error as DatabaseUrlFault).message)
    }
    return url
  }
  if (!url.startsWith('sqlite:') || url === 'sqlite:') {
    fault(`must be sqlite:PATH or postgres://…, not "${redact(url)}"`)
    return url
  }
  if (url.startsWith('sqlite:file:'))
    fault('must contain a path after sqlite:, but SQLite reads "file:" as a URL. Leave it out, or write ./file:…')
  return url
}

/** A URL without its password, which may contain any character and may be in the query. */
const redact = (url: string): string => url.replace(/^([\w+.-]*:)?.*@/s, '$1…@').replace(/\?.*/s, '?…')

export function readBaseUrl(text: string, fault: ReportFault): string {
  const url = /^https?:\/\/[^\s@?#<>]+\/v1$/.test(text) && URL.parse(text)
  // A redirect to `//docs` would lead to another host.
  if (url && /^(?:\/[^/]+)*\/v1$/.test(url.pathname)) return url.href // ASCII, as a header value must be.
  fault(`must be an http or https URL that ends in /v1, not "${redact(text)}"`)
  return text
}

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

export function readOrigins(text: string, fault: ReportFault): readonly string[] {
  const origins = listed(text)
  for (const origin of origins)
    if (origin !== '*' && URL.parse(origin)?.origin !== origin)
      fault(`must list origins such as https://shop.example, not "${origin}"`)
  return origins
}

export function readRateLimit(text: string, fault: ReportFault): Rate | undefined {
  const rate = readRate(text)
  if (!rate) fault(`must be ${rateForm}, not "${text}"`)
  return rate
}

const proxiesMax = 16

export function readProxies(text: string, fault: ReportFault): TrustedProxies {
  if (/^[0-9]+$/.test(text)) return wholeNumber(1, proxiesMax)(text, fault)
  return readNetworks(text, fault, ', or give a number')
}

export function readNetworks(text: string, fault: ReportFault, otherwise = ''): BlockList {
  const networks = new BlockList()
  for (const item of listed(text))
    if (!addNetwork(networks, item))
      fault(`must list addresses and networks such as 10.0.0.0/8${otherwise}, not "${item}"`)
  return networks
}
