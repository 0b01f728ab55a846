/** Events in SQLite: commits come one after another, so ids become visible in order. */
import type { DatabaseSync } from 'node:sqlite'
import type { EventSource } from '../events.ts'
import type { Writer } from './group-commit.ts'
import type { Reader } from './reader.ts'
import { now, prepare } from './statement.ts'

/** The rows that a purge deletes in one transaction. It takes 1 to 2 ms, during which no request is answered. */
const purgeRows = 1_000

export function createEventSource(db: DatabaseSync, writer: Writer, { read }: Reader, isPrivate: boolean): EventSource {
  const last = prepare<[id: number]>(db, 'SELECT coalesce(max(id), (SELECT id FROM events_purged)) FROM events')

  // Events are removed only up to the first that is kept, also where times are not in order.
  const portion = prepare<[end: number | null]>(
    db,
    `SELECT coalesce(min(id) FILTER (WHERE at >= ${now} - ?) - 1, max(id)) ` +
      `FROM (SELECT id, at FROM events ORDER BY id LIMIT ${purgeRows})`,
  )
  const note = db.prepare(
    `UPDATE events_purged SET (id, at) = (SELECT id, at FROM events WHERE id <= :end ORDER BY id DESC LIMIT 1)
     WHERE EXISTS (SELECT 1 FROM events WHERE id <= :end)`,
  )
  const remove = db.prepare('DELETE FROM events WHERE id <= ?')

  /** True if there may be more events to remove. */
  function purgeSome(olderThanMilliseconds: number): boolean {
    const [end] = portion.get(olderThanMilliseconds) as [number | null]
    if (end === null) return false
    note.run({ end })
    return remove.run(end).changes === purgeRows
  }

  return {
    horizon: async () => read(() => last.get()?.[0] ?? 0),
    commits: writer.commits,
    isPrivate,
    async purge(olderThanMilliseconds) {
      while (await writer.write(() => purgeSome(olderThanMilliseconds), true));
    },
  }
}
