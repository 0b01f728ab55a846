/** Events in SQLite, which triggers write (see migrations.ts). Commits are one after another, so ids become visible in order. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { type EventRow, eventPageOf, lookedAtMax } from '../events.ts'
import type { EventTable } from '../store.ts'
import type { Writer } from './commit.ts'
import type { Snapshot } from './snapshot.ts'
import { prepare, type Statement } from './statement.ts'

/** Takes 1 to 2 ms, during which no request is answered. */
const purgeRows = 1_000

/** How often another process is looked for that has committed; each time costs two system calls. */
const othersMilliseconds = 50

export function createEvents(db: DatabaseSync, writer: Writer, snapshot: Snapshot): EventTable {
  const state = prepare<[purgedTo: number, last: number]>(
    db,
    `SELECT coalesce((SELECT purged_to FROM events_purged), 0), coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0)`,
  )
  const stateOf = () => snapshot.read(() => state.get() as [number, number])
  // Changes with commits by other connections, not with our own.
  const dataVersion = prepare<[version: number]>(db, 'PRAGMA data_version')
  function versionOf(): number | undefined {
    try {
      return dataVersion.get()?.[0]
    } catch {
      // Whoever reads will find out why.
      return undefined
    }
  }
  const pages = new Map<string, Statement<EventRow>>()

  function pageStatement(conditions: string): Statement<EventRow> {
    let statement = pages.get(conditions)
    if (!statement) {
      statement = prepare<EventRow>(
        db,
        `SELECT id, type, pet_id, at, data FROM events WHERE id > ? AND id <= ?${conditions} ORDER BY id LIMIT ? + 0`,
      )
      pages.set(conditions, statement)
    }
    return statement
  }

  // Only what comes before every event that is kept: of times that are not in order, the later ones keep the earlier.
  const portion = prepare<[last: number | null]>(
    db,
    `SELECT coalesce(min(id) FILTER (WHERE at >= ?) - 1, max(id))
     FROM (SELECT id, at FROM events ORDER BY id LIMIT ${purgeRows})`,
  )
  const remove = db.prepare('DELETE FROM events WHERE id <= ?')
  const note = db.prepare(
    'INSERT INTO events_purged VALUES (1, ?) ON CONFLICT DO UPDATE SET purged_to = excluded.purged_to',
  )

  /** True if there may be more. */
  function purgeSome(before: number): boolean {
    const [last] = portion.get(before) as [number | null]
    if (last === null) return false
    const { changes } = remove.run(last)
    if (changes > 0) note.run(last)
    return changes === purgeRows
  }

  return {
    present: () => stateOf()[1],
    oldest: () => stateOf()[0],
    page: (query) =>
      snapshot.readTogether(() => {
        const { after, limit, types, petId } = query
        const [purgedTo, last] = stateOf()
        if (after < purgedTo || after > last) return 'events_expired'
        const values: SQLInputValue[] = []
        let conditions = ''
        if (types) {
          conditions += ' AND type IN (SELECT value FROM json_each(?))'
          values.push(JSON.stringify(types))
        }
        if (petId !== undefined) {
          conditions += ' AND pet_id = ?'
          values.push(petId)
        }
        const bound = Math.min(last, after + lookedAtMax)
        return eventPageOf(pageStatement(conditions).all(after, bound, ...values, limit), query, bound)
      }),
    watch(onChange) {
      const stop = writer.watch(onChange)
      let version = versionOf()
      const timer = setInterval(() => {
        const now = versionOf()
        if (now !== undefined && now === version) return
        version = now
        onChange()
      }, othersMilliseconds)
      return () => {
        stop()
        clearInterval(timer)
      }
    },
    async purge(before) {
      // In portions, so that requests are answered in between.
      while (await writer.write(() => purgeSome(before), true));
    },
  }
}
