/**
 * A second system that follows the events over HTTP, as a process of its own that may be killed at any moment. What it has
 * copied and where it is are one transaction. Arguments: the base address, the key, its file, and `end` to stop at the end.
 */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

const [url = '', key = '', file = '', mode = ''] = process.argv.slice(2)
const db = new DatabaseSync(file)
db.exec(`PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000;
  CREATE TABLE IF NOT EXISTS copy (kind TEXT, id TEXT, data TEXT, PRIMARY KEY (kind, id)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS place (only INTEGER PRIMARY KEY, path TEXT, last INTEGER, events INTEGER);
  INSERT OR IGNORE INTO place VALUES (1, '/events?limit=100', 0, 0)`)
const place = db.prepare('SELECT path, last, events FROM place')
const keep = db.prepare('INSERT OR REPLACE INTO copy VALUES (?, ?, ?)')
const drop = db.prepare('DELETE FROM copy WHERE kind = ? AND id = ?')
const move = db.prepare('UPDATE place SET path = ?, last = ?, events = ?')

for (;;) {
  let { path, last, events } = place.get() as { path: string; last: number; events: number }
  const response = await fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${key}` } }).catch(() => undefined)
  const text = await response?.text().catch(() => undefined)
  if (response === undefined || text === undefined || response.status === 503) {
    await sleep(20)
    continue
  }
  const [, next] = /\/v1(\/[^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? []
  if (response.status !== 200 || next === undefined) throw new Error(`${response.status} ${text}`)
  db.exec('BEGIN IMMEDIATE')
  // Each event ends with the brace of its data and its own.
  for (const event of text === '[]' ? [] : text.slice(1, -1).split(/(?<=\}\}),(?=\{)/)) {
    const [, id, kind = '', what, data = ''] =
      /^\{"id":(\d+),"type":"(\w+)\.(\w+)","at":"[^"]+","data":(\{.*\})\}$/.exec(event) ?? []
    if (!(Number(id) > last)) throw new Error(`out of order after ${last}: ${event}`)
    last = Number(id)
    events++
    const [, thing = ''] = /^\{"id":(-?\d+)/.exec(data) ?? []
    if (what === 'deleted' || what === 'unnamed') drop.run(kind, thing)
    else keep.run(kind, thing, data)
  }
  move.run(next, last, events)
  db.exec('COMMIT')
  if (next !== path) continue
  if (mode === 'end') break
  await sleep(20)
}
db.close()
