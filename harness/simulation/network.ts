/** Requests and answers on their way, and which client may send how many requests. */

import type { Incoming, Outgoing } from '../../src/http/message.ts'
import type { Key } from '../../src/model/key.ts'
import { parse, stringify } from './exact-json.ts'
import type { Answer, Request } from './requests.ts'
import { Violation, type World } from './world.ts'

/** How long a revoked key may still be trusted, in milliseconds. */
const trustMax = 5_000

export interface Client {
  readonly name: string
  readonly token: string
  readonly key: Key
  /** When the key of the client was revoked, in ticks. */
  revokedAt?: number
  /** Whether its revocation was requested. A crash may leave open whether it has happened. */
  isRevoking?: boolean
  /** The time until which the quota is used up, as in the generic cell rate algorithm. */
  usedUntil?: number
}

/** The answer to a request, or `lost` if no answer arrived. */
export type Result = Answer | 'lost'

/** Makes a request in the form in which a listener passes it on. The body of some requests arrives slowly. */
export function incomingOf(
  world: World,
  client: Client,
  { method, path, body, headers = {} }: Request,
  id: number,
): Incoming {
  const bytes = Buffer.from(body === undefined ? '' : stringify(body))
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const lines: Record<string, string> = {
    authorization: `Bearer ${client.token}`,
    'x-request-id': String(id),
    'content-length': String(bytes.length),
    ...(body !== undefined && { 'content-type': type }),
    ...headers,
  }
  const isSlow = bytes.length > 0 && world.chance(0.1)
  return {
    method,
    target: path.startsWith('//') ? path.slice(1) : `/v1${path}`,
    header: (name: string) => lines[name],
    address: () => '192.0.2.1',
    body: async () => {
      if (isSlow) await world.sleep(world.between(1, 5_000))
      return bytes
    },
  }
}

/** Returns for how many milliseconds a key has been revoked or expired. The number is negative if it is neither. */
export function endedFor(
  { revokedAt, key: { expiresAt } }: Client,
  { ticks, now }: Pick<World, 'ticks' | 'now'>,
): number {
  return Math.max(revokedAt === undefined ? -1 : ticks - revokedAt, expiresAt === undefined ? -1 : now() - expiresAt)
}

/**
 * Checks that a key that has ended is refused, that other keys are not, and that a quota is used up exactly. If a
 * request takes time, its key may have ended before it was answered.
 */
export function checkAccess(
  client: Client,
  { status }: Answer,
  arrivedAt: number,
  endedFor: number,
  endedAtAnswer = endedFor,
): void {
  // An expired key is refused immediately.
  const trust = client.revokedAt === undefined ? 0 : trustMax
  const isRefused = status === 401 || status === 429
  if (status === 401 ? endedAtAnswer < 0 && !client.isRevoking : !isRefused && endedFor > trust)
    throw new Violation('a key that has ended is refused', `${client.name} got ${status} ${endedFor} ms after its end`)
  const { rate } = client.key
  if (!rate) return
  const interval = (rate.seconds * 1000) / rate.requests
  const used = Math.max(client.usedUntil ?? 0, arrivedAt) + interval
  const isAllowed = used <= arrivedAt + rate.seconds * 1000 + 1e-6
  if (isAllowed) client.usedUntil = used
  if (isAllowed !== (status !== 429)) throw new Violation('a quota holds', `${client.name} got ${status}`)
}

export const isProbe = (path: string): boolean => path === '//livez' || path === '//readyz'

export function answerOf({ status, headers: pairs, body }: Outgoing): Answer {
  const headers = new Map<string, string>()
  for (let i = 0; i < pairs.length; i += 2) headers.set((pairs[i] as string).toLowerCase(), pairs[i + 1] as string)
  const text = typeof body === 'string' ? body : Buffer.from(body as Uint8Array).toString()
  return { status, text, headers, code: status >= 400 ? parse(text).code : undefined }
}

/** Removes secrets from a text, because they are truly random. */
export const withoutSecret = (text: string): string => text.replace(/"secret":"[^"]*"/, '"secret":""')
