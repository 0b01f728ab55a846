/** A path outside `/v1`: a web page or one of its files, the OpenAPI document, a health check, the metrics, `/mcp`. */
import type { Key, Scope } from '../model/key.ts'
import type { Authenticate } from './auth.ts'
import type { Incoming, Reply } from './message.ts'

/** `key` is the key of the request, if the route needs one. `bytes` is the body of a POST. */
export type SiteReply = (incoming: Incoming, key: Key | undefined, bytes: Uint8Array) => Reply | Promise<Reply>

export interface SiteRoute {
  readonly reply: SiteReply
  /** The default is GET, which includes HEAD. */
  readonly method?: 'POST'
  /** The scope that a key needs, or that any key is accepted. Absent if no key is needed. */
  readonly needs?: Scope | 'key'
  /** How the route authenticates, if it differs from the other routes. */
  readonly authenticate?: Authenticate
}
