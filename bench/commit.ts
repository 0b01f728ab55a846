/** What one commit takes by itself: adds animals to a database one by one, and prints the median of the microseconds. Argument: the file. */
import { DatabaseSync } from 'node:sqlite'
import { median } from './load.ts'

const commits = 2_000

const [file = ''] = process.argv.slice(2)
using db = new DatabaseSync(file)
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
const insert = db.prepare(
  "INSERT INTO pets (name, words, category_id, status) VALUES ('Rex', 'rex', 9007199254740993, 'available')",
)
const times = Array.from({ length: commits }, () => {
  const started = performance.now()
  insert.run()
  return (performance.now() - started) * 1000
})
process.stdout.write(`${Math.round(median(times))}\n`)
