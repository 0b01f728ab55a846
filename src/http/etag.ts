/** Versions of a body: the tag it carries, and whether a client's tag means it. */
import { hash } from 'node:crypto'

export const etagOf = (body: string | Uint8Array): string => `"${hash('sha256', body, 'base64url').slice(0, 22)}"`

/** If-None-Match compares weakly (RFC 9110): does a client's copy still hold? */
export function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return isAny(ifNoneMatch) || tagsIn(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === etag)
}

/** If-Match compares strongly: is this the version the client means to change? */
export const isMeant = (ifMatch: string, etag: string): boolean => isAny(ifMatch) || tagsIn(ifMatch).includes(etag)

const isAny = (condition: string): boolean => condition.trim() === '*'
const tagsIn = (condition: string): string[] => condition.split(',').map((tag) => tag.trim())
