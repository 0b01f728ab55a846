/** ETags: making one, and checking the conditions If-None-Match and If-Match against it. */
import { hash } from 'node:crypto'

export const etagOf = (body: string | Uint8Array): string => `"${hash('sha256', body, 'base64url').slice(0, 22)}"`

/** If-None-Match compares weakly (RFC 9110, 13.1.2). */
export function matchesIfNoneMatch(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false
  return isAny(condition) || tagsIn(condition).some((tag) => tag.replace(/^W\//, '') === etag)
}

/** If-Match compares strongly (RFC 9110, 13.1.1): a weak tag never matches. */
export const matchesIfMatch = (condition: string, etag: string): boolean => tagsIn(condition).includes(etag)
export const hasWeakTag = (condition: string): boolean => tagsIn(condition).some((tag) => tag.startsWith('W/'))

/** Whether any existing version meets the condition. */
export const isAny = (condition: string): boolean => condition.trim() === '*'
const tagsIn = (condition: string): string[] => condition.split(',').map((tag) => tag.trim())
