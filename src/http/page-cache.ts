/** Keeps the replies of first pages, which most clients ask for, until the store changes. */
import type { Sample } from '../observe/metrics.ts'
import type { Reply } from './message.ts'

export interface PageCache {
  /** The reply that was kept under this key, or else the one that `make` returns. */
  reply(key: string, make: () => Promise<Reply>): Reply | Promise<Reply>
  samples(): Sample[]
}

/** Enough for about a thousand ordinary pages. */
const bytesMax = 8 * 1024 * 1024
/** Estimated overhead of the map entry, the reply, and its headers. */
const entryBytes = 1024
/** Two bytes per character; the key counts twice, since the reply's link has the same filters. */
const bytesOf = (key: string, { body }: Reply): number => entryBytes + 2 * (2 * key.length + body.length)

/** `version` is that of the store; nothing is kept without one. */
export function createPageCache(version: (() => number) | undefined): PageCache {
  const replies = new Map<string, Reply>()
  let [keptVersion, bytes, hits, misses] = [0, 0, 0, 0]

  function drop(key: string): void {
    const reply = replies.get(key)
    if (reply && replies.delete(key)) bytes -= bytesOf(key, reply)
  }

  function keep(key: string, reply: Reply): void {
    // Two requests may have made it at the same time.
    drop(key)
    replies.set(key, reply)
    bytes += bytesOf(key, reply)
    for (const oldest of replies.keys()) {
      if (bytes <= bytesMax) break
      drop(oldest)
    }
  }

  return {
    reply(key, make) {
      if (!version) return make()
      const current = version()
      if (current !== keptVersion) {
        replies.clear()
        bytes = 0
        keptVersion = current
      }
      const known = replies.get(key)
      if (known) {
        hits++
        return known
      }
      misses++
      return make().then((reply) => {
        // Meanwhile the store may have changed: then the reply may be older than what is kept now.
        if (current === keptVersion) keep(key, reply)
        return reply
      })
    },
    samples: () =>
      version
        ? [
            ['petstore_page_cache_requests_total', hits, 'hit'],
            ['petstore_page_cache_requests_total', misses, 'miss'],
            ['petstore_page_cache_bytes', bytes],
          ]
        : [],
  }
}
