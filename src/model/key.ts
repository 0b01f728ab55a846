/** An API key: its format, its scopes, its rate limit, its stored form, and the form that its owner sees. */
import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { limits } from '../limits.ts'
import { Choice, Timestamp } from '../schema/schema.ts'
import { Type } from '../schema/type.ts'

export const scopes = [
  'pets:read',
  'pets:write',
  'orders:read',
  'orders:write',
  'events:read',
  'webhooks:write',
  'metrics:read',
] as const
export type Scope = (typeof scopes)[number]
/** The default scopes: all that a client of the published interface needs. */
export const defaultScopes: readonly Scope[] = ['pets:read', 'pets:write', 'orders:read', 'orders:write']

/**
 * The scopes of keys for certain users. With `events:read`, the page for staff shows the changes of others without a
 * reload.
 */
export const scopesFor = {
  staff: [...defaultScopes, 'events:read'] as readonly Scope[],
  reader: ['pets:read', 'orders:read'],
} as const satisfies Record<string, readonly Scope[]>

/** A rate limit; operators write it as REQUESTS/SECONDS. */
export interface Rate {
  readonly requests: number
  readonly seconds: number
}

const { requestsMax, secondsMax } = limits.rate
const rateRange = `1 to ${requestsMax} requests in 1 to ${secondsMax} seconds`
export const rateForm = `REQUESTS/SECONDS such as 600/60, with ${rateRange}`

export function readRate(text: string): Rate | undefined {
  const [, requests, seconds] = /^([1-9][0-9]{0,6})\/([1-9][0-9]{0,3})$/.exec(text) ?? []
  const rate = { requests: Number(requests), seconds: Number(seconds) }
  return rate.requests <= requestsMax && rate.seconds <= secondsMax ? rate : undefined
}

export const rateText = ({ requests, seconds }: Rate): string => `${requests}/${seconds}`

/** A key in its stored form. The secret itself is not stored. Times are milliseconds since 1970. */
export interface Key {
  readonly id: number
  readonly name: string
  /** The first characters of the key, to identify it in lists. */
  readonly prefix: string
  readonly hash: string
  readonly scopes: readonly Scope[]
  readonly createdAt: number
  /** The lifetime it was created with, which rotation does not change; undefined if it never expires. */
  readonly lifetime: number | undefined
  readonly expiresAt: number | undefined
  readonly revokedAt: number | undefined
  readonly lastUsedAt: number | undefined
  /** The rate limit of the key, which replaces the limit of the service. */
  readonly rate: Rate | undefined
}

/** Milliseconds between two writes of when a key was last used. */
export const lastUsedPrecision = 60_000

export type NewKey = Omit<Key, 'id' | 'lifetime' | 'revokedAt' | 'lastUsedAt' | 'rate'> & {
  readonly rate?: Rate | undefined
}

export function isLive(key: Key, now: number): boolean {
  return key.revokedAt === undefined && (key.expiresAt === undefined || now < key.expiresAt)
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const marker = 'pst_'
const secretLength = 30
const checksumLength = 6
/** The format of a key, including the checksum. */
export const tokenForm = new RegExp(`^${marker}[0-9A-Za-z]{${secretLength + checksumLength}}$`)

export const prefixOf = (token: string): string => token.slice(0, marker.length + 4)
export const hashOf = (token: string): string => hash('sha256', token, 'hex')

/**
 * A new key: 30 random base62 characters (178 bits), and a checksum of 6 that catches typos without a database read.
 */
export function newToken(): string {
  let secret = marker
  for (let i = 0; i < secretLength; i++) secret += alphabet[randomInt(alphabet.length)]
  return secret + checksum(secret)
}

export function isToken(text: string): boolean {
  return tokenForm.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet[rest % alphabet.length] + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}

export const nameLengthMax = 100
export const KeyName = (description: string) => Type.String({ description, maxLength: nameLengthMax })

const KeyScope = Choice(scopes, { $id: 'KeyScope', description: 'A permission of an API key.' })

const Positive = (maximum: number, description: string) =>
  Type.Integer({ format: 'int32', minimum: 1, maximum, description })

export const Me = Type.Object(
  {
    name: KeyName('The name that the operator gave to the key.'),
    scopes: Type.Array(KeyScope, { description: 'The scopes of the key.', maxItems: scopes.length }),
    expiresAt: Type.Optional(Timestamp('When the key expires. Absent if it never expires.')),
    rate: Type.Optional(
      Type.Object(
        {
          requests: Positive(requestsMax, 'The number of requests that can be made in the period.'),
          seconds: Positive(secondsMax, 'The length of the period in seconds.'),
        },
        { description: 'The rate limit of the key. Absent if it has none.' },
      ),
    ),
  },
  { $id: 'Me', description: 'The API key that the request was made with.' },
)
