/**
 * Caches the replies of first pages, which most clients request, until the store changes. Requests that arrive while a
 * reply is being made, before the store changes, share that reply.
 */
import type { Sample } from '../observe/metrics.ts'
import type { Reply } from './message.ts'

export interface PageCache {
  /** The reply that is cached or being made under this key, or otherwise the reply that `make` returns. */
  reply(key: string, make: () => Promise<Reply>): Reply | Promise<Reply>
  samples(): Sample[]
}

/** This is enough for about a thousand ordinary pages. */
const bytesMax = 8 * 1024 * 1024
/** Estimated overhead of the map entry, the reply, and its headers. */
const entryBytes = 1024
/** Two bytes per character; the key counts twice, since the reply's link has the same filters. */
const bytesOf = (key: string, { body }: Reply): number => entryBytes + 2 * (2 * key.length + body.length)

/** `version` is that of the store. */
export function createPageCache(version: () => number): PageCache {
  const replies = new Map<string, Reply>()
  const making = new Map<string, Promise<Reply>>()
  let [keptVersion, bytes, hits, misses] = [0, 0, 0, 0]

  function drop(key: string): void {
    const reply = replies.get(key)
    if (reply && replies.delete(key)) bytes -= bytesOf(key, reply)
  }

  function keep(key: string, reply: Reply): void {
    replies.set(key, reply)
    bytes += bytesOf(key, reply)
    for (const oldest of replies.keys()) {
      if (bytes <= bytesMax) break
      drop(oldest)
    }
  }

  async function makeOne(key: string, make: () => Promise<Reply>): Promise<Reply> {
    const madeFor = keptVersion
    const reply = make()
    making.set(key, reply)
    try {
      const made = await reply
      // If the store has changed meanwhile, this reply may be older than the cached one.
      if (madeFor === keptVersion) keep(key, made)
      return made
    } finally {
      if (making.get(key) === reply) making.delete(key)
    }
  }

  return {
    reply(key, make) {
      const current = version()
      if (current !== keptVersion) {
        replies.clear()
        making.clear()
        bytes = 0
        keptVersion = current
      }
      const known = replies.get(key) ?? making.get(key)
      if (known) {
        hits++
        return known
      }
      misses++
      return makeOne(key, make)
    },
    samples: () => [
      ['petstore_page_cache_requests_total', hits, 'hit'],
      ['petstore_page_cache_requests_total', misses, 'miss'],
      ['petstore_page_cache_bytes', bytes],
    ],
  }
}
