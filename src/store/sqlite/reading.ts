/**
 * The reads of one callback of the event loop, which answers many requests, share one read transaction: taking its lock
 * costs more than most reads. It ends before the next callback reads, which may answer a client that knows of a newer write,
 * before every write of this process, and at the end of the turn at the latest, when the responses are on their way.
 *
 * First pages, which are requested again and again, are cached as they were rendered. Every commit of this process clears the
 * cache; commits of others are detected before the first page of each transaction, which shows nothing newer.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { Sample } from '../../observe/metrics.ts'
import type { Page } from '../store.ts'
import { prepare, unavailable } from './statement.ts'

export interface Reading {
  /** Runs a query; throws transient errors as StoreUnavailable. */
  read<T>(query: () => T): T
  /** The cached page, or the one that `query` returns, which is then cached. */
  readCached(key: string, query: () => Page): Page
  /** Called before each write. */
  end(): void
  /** Called after each commit of this process. */
  clearCache(): void
  samples(): Sample[]
}

/** Enough for about a thousand ordinary pages. */
export const cacheBytesMax = 8 * 1024 * 1024
/** Estimated overhead of the map entry, the page object, and its reply. */
const entryBytes = 1024
/** Two bytes per character; the key counts twice, as the reply's link has the same filters. */
const bytesOf = (key: string, { json }: Page): number => entryBytes + 2 * (2 * key.length + json.length)

export function createReading(db: DatabaseSync): Reading {
  const begin = db.prepare('BEGIN')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  // Changes with commits by other connections, not with our own.
  const dataVersion = prepare<[version: number]>(db, 'PRAGMA data_version')
  const done = Promise.resolve()
  let isOpen = false
  /** Whether the callback that began the transaction is over. */
  let isOver = false
  let version: number | undefined
  /** Whether the version is that of the transaction. */
  let isChecked = false
  const pages = new Map<string, Page>()
  let [bytes, hits, misses] = [0, 0, 0]

  function end(): void {
    if (!isOpen) return
    isOpen = false
    // A failed read may have ended the transaction.
    if (!db.isTransaction) return
    try {
      commit.run()
    } catch {
      // A damaged file. The read itself has reported the error; there is nothing to commit.
      if (db.isTransaction) rollback.run()
    }
  }

  function endCallback(): void {
    isOver = true
  }

  function clearCache(): void {
    if (bytes === 0) return
    pages.clear()
    bytes = 0
  }

  function read<T>(query: () => T): T {
    try {
      if (isOver) end()
      // A read inside a write is already in a transaction.
      if (!isOpen && !db.isTransaction) {
        begin.run()
        isOpen = true
        isOver = false
        isChecked = false
        done.then(endCallback)
        setImmediate(end)
      }
      return query()
    } catch (error) {
      throw unavailable(error) ?? error
    }
  }

  function cached(key: string, query: () => Page): Page {
    if (!isChecked) {
      isChecked = true
      const [now] = dataVersion.get() ?? []
      if (now !== version) clearCache()
      version = now
    }
    const known = pages.get(key)
    if (known) {
      hits++
      return known
    }
    misses++
    const page = query()
    pages.set(key, page)
    bytes += bytesOf(key, page)
    for (const [oldestKey, oldest] of pages) {
      if (bytes <= cacheBytesMax) break
      pages.delete(oldestKey)
      bytes -= bytesOf(oldestKey, oldest)
    }
    return page
  }

  return {
    read,
    readCached: (key, query) => read(() => cached(key, query)),
    end,
    clearCache,
    samples: () => [
      ['petstore_page_cache_requests_total', hits, 'hit'],
      ['petstore_page_cache_requests_total', misses, 'miss'],
      ['petstore_page_cache_bytes', bytes],
    ],
  }
}
