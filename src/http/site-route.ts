/** A path outside `/v1`: a web page or one of its files, the OpenAPI document, a health check, the metrics, `/mcp`. */
import type { Key, Scope } from '../model/key.ts'
import type { Authenticate } from './auth.ts'
import type { Incoming, Reply } from './message.ts'

/** `key` is that of the request if the route needs one, `bytes` the body of a POST. */
export type SiteReply = (incoming: Incoming, key: Key | undefined, bytes: Uint8Array) => Reply | Promise<Reply>

export interface SiteRoute {
  readonly reply: SiteReply
  /** GET, with HEAD, unless given. */
  readonly method?: 'POST'
  /** The scope that a key needs for it, or any key; absent if no key is needed. */
  readonly needs?: Scope | 'key'
  /** How it authenticates, if not as all others do. */
  readonly authenticate?: Authenticate
}
