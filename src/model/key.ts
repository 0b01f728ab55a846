/** What an API key is: its form, its scopes, and what the store keeps of it. */
import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

export const scopes = ['pets:read', 'pets:write', 'orders:read', 'orders:write', 'metrics:read'] as const
export type Scope = (typeof scopes)[number]
/** What a key may do unless told otherwise: all a client of the published interface needs. */
export const defaultScopes: readonly Scope[] = ['pets:read', 'pets:write', 'orders:read', 'orders:write']

/** A key as the store keeps it; the secret itself is kept nowhere. Times are milliseconds since 1970. */
export interface Key {
  readonly id: number
  readonly name: string
  /** The first characters of the key, to recognise it by. */
  readonly prefix: string
  readonly hash: string
  readonly scopes: readonly Scope[]
  readonly createdAt: number
  /** How long it was made for, which rotating it does not change; undefined: without end. */
  readonly lifetime: number | undefined
  readonly expiresAt: number | undefined
  readonly revokedAt: number | undefined
  readonly lastUsedAt: number | undefined
}

/** A key that is to be made. */
export type NewKey = Omit<Key, 'id' | 'lifetime' | 'revokedAt' | 'lastUsedAt'>

/** As stores keep it: 0 for one without end. A row that an older program has made has none, and says it by its end. */
export const storedLifetime = ({ createdAt, expiresAt }: NewKey): number =>
  expiresAt === undefined ? 0 : expiresAt - createdAt

export function lifetimeOf(stored: number | undefined, key: NewKey): number | undefined {
  return (stored ?? storedLifetime(key)) || undefined
}

export function isLive(key: Key, now: number): boolean {
  return key.revokedAt === undefined && (key.expiresAt === undefined || now < key.expiresAt)
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const marker = 'pst_'
const secretLength = 30
const checkLength = 6
const form = new RegExp(`^${marker}[0-9A-Za-z]{${secretLength + checkLength}}$`)

export const prefixOf = (token: string): string => token.slice(0, marker.length + 4)
export const hashOf = (token: string): string => hash('sha256', token, 'hex')

/** A new secret: 30 random base62 characters (178 bits), and six that catch a typing error without a look at the store. */
export function newToken(): string {
  let secret = marker
  for (let i = 0; i < secretLength; i++) secret += alphabet[randomInt(alphabet.length)]
  return secret + checksum(secret)
}

export function isToken(text: string): boolean {
  return form.test(text) && checksum(text.slice(0, -checkLength)) === text.slice(-checkLength)
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < checkLength; i++) {
    digits = alphabet[rest % alphabet.length] + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}
