/** Events in SQLite: commits come one after another, so ids become visible in order. */
import type { DatabaseSync } from 'node:sqlite'
import { every, type Time } from '../../time.ts'
import type { EventSource } from '../events.ts'
import type { Writer } from './group-commit.ts'
import type { Reader } from './reader.ts'
import { now, prepare } from './statement.ts'

/** Rows that a purge deletes at a time: 1 to 2 ms, during which no request is answered. */
const purgeRows = 1_000

/** The interval of looking for commits of other processes; each look costs two system calls. */
const othersMilliseconds = 50

export function createEventSource(db: DatabaseSync, writer: Writer, { read }: Reader, time: Time): EventSource {
  const last = prepare<[id: number | null]>(db, 'SELECT max(id) FROM events')
  // Its value changes with the commits of other connections only.
  const dataVersion = prepare<[version: number]>(db, 'PRAGMA data_version')
  function versionOf(): number | undefined {
    try {
      return dataVersion.get()?.[0]
    } catch {
      // The next read reports the error.
      return undefined
    }
  }

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

  /** True if there may be more. */
  function purgeSome(olderThanMilliseconds: number): boolean {
    const [end] = portion.get(olderThanMilliseconds) as [number | null]
    if (end === null) return false
    note.run({ end })
    return remove.run(end).changes === purgeRows
  }

  return {
    horizon: async () => read(() => last.get()?.[0] ?? 0),
    watch(onChange) {
      const stop = writer.watch(onChange)
      let version = versionOf()
      const stopLooking = every(time, othersMilliseconds, () => {
        const now = versionOf()
        if (now !== undefined && now === version) return
        version = now
        onChange()
      })
      return () => {
        stop()
        stopLooking()
      }
    },
    async purge(olderThanMilliseconds) {
      while (await writer.write(() => purgeSome(olderThanMilliseconds), true));
    },
  }
}
