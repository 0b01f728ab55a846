/**
 * First pages read lately, kept as they were rendered: those are asked for again and again. Every commit of this
 * process drops them at once. Those of another are looked for before the first page of each turn of the event loop:
 * what a turn serves was asked for before it began.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { Page } from '../store.ts'
import { prepare } from './statement.ts'

export interface PageCache {
  /** The page under a key, or the one `read` gives, which is kept. */
  page(key: string, read: () => Page): Page
  /** Called after each commit of this process. */
  clear(): void
}

/** Room for some thousand ordinary pages. */
export const bytesMax = 8 * 1024 * 1024
/** An entry of the map, the page, and the reply that is made of it. */
const entryBytes = 1024
/** Two bytes for each character; the key stands twice, as the reply's link names the same filters. */
const bytesOf = (key: string, { json }: Page): number => entryBytes + 2 * (2 * key.length + json.length)

export function createPageCache(db: DatabaseSync): PageCache {
  // Tells of commits by other connections; it says nothing of our own.
  const dataVersion = prepare<[version: number]>(db, 'PRAGMA data_version')
  const versionOf = () => dataVersion.get()?.[0]
  let version = versionOf()
  let isChecked = false
  let bytes = 0
  const pages = new Map<string, Page>()

  function clear(): void {
    if (bytes === 0) return
    pages.clear()
    bytes = 0
  }

  /** Costs two system calls for the lock of the log, so once a turn must do. */
  function check(): void {
    isChecked = true
    setImmediate(() => {
      isChecked = false
    })
    const now = versionOf()
    if (now === version) return
    version = now
    clear()
  }

  return {
    clear,
    page(key, read) {
      if (!isChecked) check()
      const kept = pages.get(key)
      if (kept) return kept
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
