/** Authentication by bearer key (401), a limit on failures of it (429), and authorization by scope (403). */
import type { Clock } from '../clock.ts'
import { clientOf, type TrustedProxies } from '../config/network.ts'
import { refuse } from '../errors.ts'
import { type Bucket, Buckets, decide, limitOf, nanoseconds } from '../keys/rate-limits.ts'
import type { Verify } from '../keys/verify.ts'
import { limits } from '../limits.ts'
import { isToken, type Key, type Scope } from '../model/key.ts'
import type { Incoming } from './message.ts'

const limitedMax = 10_000
const challenge = 'Bearer realm="petstore"'

export type Authenticate = (incoming: Incoming) => Promise<Key>

/** A valid key is accepted whatever other clients of its address have sent; that address is looked up for invalid ones only. */
export function createAuthenticate(verify: Verify, proxies: TrustedProxies, clock: Clock): Authenticate {
  const limit = limitOf(limits.failedAuthentications)
  const failures = new Buckets<string, Bucket>(limits.remembered)
  /** Keys that got 429. They are not looked up again until their address may fail again: most are one wrong key, sent over and over. */
  const limited = new Set<string>()

  function countFailure(incoming: Incoming, token: string): void {
    const client = clientOf(incoming.address(), incoming.header('x-forwarded-for'), proxies)
    const now = nanoseconds(clock())
    const { isAllowed, seconds } = decide(failures.get(client) ?? failures.add(client, { tat: 0 }, now), limit, now)
    if (isAllowed) return
    if (limited.size >= limitedMax) limited.clear()
    if (isToken(token)) limited.add(token)
    refuse('rate_limited', 'Too many requests with invalid API keys come from this address; check the key.', [
      'Retry-After',
      String(seconds),
    ])
  }

  return async (incoming) => {
    const [, token] = /^bearer +(.+)$/i.exec(incoming.header('authorization') ?? '') ?? []
    // Nobody guesses without a key, so this is not counted.
    if (token === undefined) refuse('missing_api_key', undefined, ['WWW-Authenticate', challenge])
    const isLimited = limited.has(token)
    if (isLimited) {
      countFailure(incoming, token)
      limited.delete(token)
    }
    const key = await verify(token)
    if (key) return key
    if (!isLimited) countFailure(incoming, token)
    return refuse('invalid_api_key', undefined, ['WWW-Authenticate', `${challenge}, error="invalid_token"`])
  }
}

export function authorize(key: Key, scope: Scope): void {
  if (key.scopes.includes(scope)) return
  refuse('insufficient_scope', `This operation needs an API key with the scope ${scope}.`, [
    'WWW-Authenticate',
    `${challenge}, error="insufficient_scope", scope="${scope}"`,
  ])
}
