/** Authentication by bearer key (401), and authorization by scope (403). */
import { refuse } from '../errors.ts'
import type { Verify } from '../keys/verify.ts'
import type { Key, Scope } from '../model/key.ts'

const challenge = 'Bearer realm="petstore"'

export async function authenticate(authorization: string | undefined, verify: Verify): Promise<Key> {
  const [, token] = /^bearer +(.+)$/i.exec(authorization ?? '') ?? []
  if (token === undefined) refuse('missing_api_key', undefined, ['WWW-Authenticate', challenge])
  return (
    (await verify(token)) ??
    refuse('invalid_api_key', undefined, ['WWW-Authenticate', `${challenge}, error="invalid_token"`])
  )
}

export function authorize(key: Key, scope: Scope): void {
  if (key.scopes.includes(scope)) return
  refuse('insufficient_scope', `This operation needs an API key with the scope ${scope}.`, [
    'WWW-Authenticate',
    `${challenge}, error="insufficient_scope", scope="${scope}"`,
  ])
}
