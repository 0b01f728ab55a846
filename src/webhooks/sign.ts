/** Signatures after Standard Webhooks 1.0, with which a receiver verifies who has sent a message, and when. */
import { createHmac, randomBytes } from 'node:crypto'

const marker = 'whsec_'

export const newSecret = (): string => marker + randomBytes(32).toString('base64')

/** The headers of a message, with a signature for each secret: while one is replaced, receivers may know either. */
export function signedHeaders(id: string, body: string, secrets: readonly string[], now: number): string[][] {
  const seconds = Math.floor(now / 1000)
  const sign = (secret: string): string =>
    createHmac('sha256', Buffer.from(secret.slice(marker.length), 'base64'))
      .update(`${id}.${seconds}.${body}`)
      .digest('base64')
  return [
    ['webhook-id', id],
    ['webhook-timestamp', String(seconds)],
    ['webhook-signature', secrets.map((secret) => `v1,${sign(secret)}`).join(' ')],
  ]
}
