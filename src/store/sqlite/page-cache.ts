/**
 * Caches rendered first pages, which are requested again and again. Every commit of this process clears the cache.
 * Commits of other processes are detected before the first page of each read transaction, which shows nothing newer.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { Sample } from '../../metrics.ts'
import type { Page } from '../store.ts'
import { prepare } from './statement.ts'

export interface PageCache {
  /** The cached page, or the one that `read` returns, which is then cached. */
  page(key: string, read: () => Page): Page
  /** Called after each commit of this process. */
  clear(): void
  /** Called when a read transaction begins. */
  forgetVersion(): void
  samples(): Sample[]
}

/** Enough for about a thousand ordinary pages. */
export const bytesMax = 8 * 1024 * 1024
/** Estimated overhead of the map entry, the page object, and its reply. */
const entryBytes = 1024
/** Two bytes per character; the key counts twice, as the reply's link has the same filters. */
const bytesOf = (key: string, { json }: Page): number => entryBytes + 2 * (2 * key.length + json.length)

export function createPageCache(db: DatabaseSync): PageCache {
  // Changes with commits by other connections, not with our own.
  const dataVersion = prepare<[version: number]>(db, 'PRAGMA data_version')
  const versionOf = () => dataVersion.get()?.[0]
  let version = versionOf()
  let isChecked = false
  let bytes = 0
  let hits = 0
  let misses = 0
  const pages = new Map<string, Page>()

  function clear(): void {
    if (bytes === 0) return
    pages.clear()
    bytes = 0
  }

  function check(): void {
    isChecked = true
    const now = versionOf()
    if (now === version) return
    version = now
    clear()
  }

  return {
    clear,
    forgetVersion() {
      isChecked = false
    },
    samples: () => [
      ['petstore_page_cache_requests_total', hits, 'hit'],
      ['petstore_page_cache_requests_total', misses, 'miss'],
      ['petstore_page_cache_bytes', bytes],
    ],
    page(key, read) {
      if (!isChecked) check()
      const kept = pages.get(key)
      if (kept) {
        hits++
        return kept
      }
      misses++
      const page = read()
      pages.set(key, page)
      bytes += bytesOf(key, page)
      for (const [oldestKey, oldest] of pages) {
        if (bytes <= bytesMax) break
        pages.delete(oldestKey)
        bytes -= bytesOf(oldestKey, oldest)
      }
      return page
    },
  }
}
