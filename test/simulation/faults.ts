/**
 * Faults that this project has had, each made again in a copy of src/, and the first seed that sees it:
 * node test/simulation/faults.ts [--seeds N] [--only PART]
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { root } from '../support/project.ts'

interface Fault {
  readonly what: string
  /** The commit that has cured it. */
  readonly cure: string
  readonly file: string
  readonly find: string
  readonly replace: string
}

const webhooks = 'store/webhooks.ts'
const schema = 'store/sqlite/schema.ts'
const reader = 'store/sqlite/reader.ts'
const dueAnew = "`UPDATE deliveries SET status = 'pending', tries = 0, next_try_at = ${sql.now}"

export const faults: readonly Fault[] = [
  {
    ...{ what: 'a redelivery asked for during a try is lost', cure: '24228af', file: webhooks },
    ...{ find: '`${due} WHERE webhook_id = $1 AND event_id = $2', replace: `${dueAnew} WHERE webhook_id = $1 AND event_id = $2` },
  },
  {
    ...{ what: 'a webhook enabled during the last try is disabled by it', cure: '409e191', file: webhooks },
    ...{ find: 'affected && `${due} WHERE', replace: `affected && ${dueAnew} WHERE` },
  },
  {
    ...{ what: 'the old receiver disables the new address', cure: 'ecbc780', file: webhooks },
    ...{ find: "undelivered ?? isPending, 'url <> $2'", replace: "undelivered, 'url <> $2'" },
  },
  {
    ...{ what: 'a try that ends late takes back what was delivered', cure: 'ca9ff06', file: webhooks },
    ...{ find: 'AND event_id = $2 AND locked_until = $3 RETURNING', replace: 'AND event_id = $2 RETURNING' },
  },
  {
    ...{ what: 'a clock that was ahead puts webhooks off', cure: '6d83d45', file: webhooks },
    ...{ find: '(next_try_at <= $2 OR next_try_at > $3)', replace: 'next_try_at <= $2' },
  },
  {
    ...{ what: 'a clock that was ahead keeps deliveries locked', cure: '18bfd76', file: webhooks },
    ...{ find: '(locked_until <= ${now} OR locked_until > ${now} + ${2 * lockMilliseconds})', replace: 'locked_until <= ${now}' },
  },
  {
    ...{ what: 'deliveries that have tries left are removed with old events', cure: '3539944', file: webhooks },
    ...{ find: "condition: `(status <> 'pending' OR webhook_id", replace: "condition: `(true OR webhook_id" },
  },
  {
    ...{ what: 'a receiver that hangs holds up the others', cure: 'b1145e5', file: 'webhooks/deliver.ts' },
    ...{ find: 'if (!serving.has(webhook.id))', replace: 'if (serving.size === 0)' },
  },
  {
    ...{ what: 'a stream whose client has read on stays stuck', cure: 'd6870d3', file: 'events/hub.ts' },
    ...{ find: 'stream.stuckSince = undefined\n            run()', replace: 'run()' },
  },
  {
    ...{ what: 'an order ends before it was placed', cure: '47fc893', file: 'store/sqlite/orders.ts' },
    ...{ find: 'updated_at = max(updated_at, ?2)', replace: 'updated_at = ?2' },
  },
  {
    ...{ what: 'sales are off after a return', cure: '37c3e8f', file: schema },
    ...{ find: "NEW.status = 'sold', OLD.status = 'sold'\n", replace: "(NEW.status = 'sold') - (OLD.status = 'sold'), 0\n" },
  },
  {
    ...{ what: 'counts keep categories that are empty', cure: '4ac8ee0', file: schema },
    ...{ find: 'DELETE FROM inventory WHERE category_id = OLD.category_id AND', replace: 'DELETE FROM inventory WHERE false AND' },
  },
  {
    ...{ what: 'a read is older than a write of another process', cure: '0399971', file: reader },
    ...{ find: 'end()\n        hasRead = true', replace: 'hasRead = true' },
  },
  {
    ...{ what: 'a cached page is older than a write of another process', cure: '0399971', file: reader },
    ...{ find: 'if (now !== version) clearCache()', replace: '' },
  },
  {
    ...{ what: 'If-Match: * names a category that had none', cure: 'ed8f2f9', file: 'categories/operations.ts' },
    ...{ find: 'writeIf(ifMatch, find, put, true)', replace: 'writeIf(ifMatch, find, put)' },
  },
  {
    ...{ what: 'a file imported twice at once is added twice', cure: 'c72ca44', file: 'store/bulk.ts' },
    ...{ find: 'AND rows_done = $2 AND finished_at IS NULL', replace: 'AND $2 >= 0 AND finished_at IS NULL' },
  },
  {
    ...{ what: 'Idempotency-Keys age by another clock', cure: '4c2f3eb', file: 'store/sqlite/group-commit.ts' },
    ...{ find: 'done.id, done.json, now)', replace: 'done.id, done.json, Date.now())' },
  },
  {
    ...{ what: 'a transaction that was rolled back is answered', cure: '317dd79', file: 'store/sqlite/group-commit.ts' },
    ...{ find: 'commit.run()\n    } catch', replace: '(Math.floor(time.ticks()) % 50 ? commit : rollback).run()\n    } catch' },
  },
  {
    ...{ what: 'events are removed before older ones', cure: '93d8aa6', file: 'store/sqlite/events.ts' },
    ...{ find: 'coalesce(min(id) FILTER (WHERE at >= ${now} - ?) - 1, max(id))', replace: 'max(id) FILTER (WHERE at < ${now} - ?)' },
  },
  {
    ...{ what: 'a page of some types goes beyond an event that it lacks', cure: '9f3d03e', file: 'store/events.ts' },
    ...{ find: 'events.length === limit ? events.at(-1) : rows.at(-1)', replace: 'rows.at(-1)' },
  },
  {
    ...{ what: 'a clock that is set back extends the trust in a key', cure: '702030c', file: 'http/auth.ts' },
    ...{ find: 'known && now >= known.since &&', replace: 'known &&' },
  },
  {
    ...{ what: 'a clock that is set back locks out a key with a limit', cure: 'fb846ad', file: 'http/rate-limits.ts' },
    ...{ find: 'time.ticks()', replace: 'time.now()' },
  },
]

/** The text with the fault in it; throws if it has moved. */
export function planted(text: string, { what, find, replace }: Fault): string {
  if (!text.includes(find)) throw new Error(`"${what}" finds nothing to replace`)
  return text.replaceAll(find, () => replace)
}

/** A copy of the project with the fault in it, in which seeds run until one sees it. */
async function firstSeedOf(fault: Fault, seeds: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-fault-'))
  try {
    for (const name of readdirSync(root)) if (!['src', 'test', '.git'].includes(name)) symlinkSync(join(root, name), join(folder, name))
    for (const name of ['src', 'test']) cpSync(join(root, name), join(folder, name), { recursive: true })
    const file = join(folder, 'src', fault.file)
    writeFileSync(file, planted(readFileSync(file, 'utf8'), fault))
    const args = ['test/simulation/run.ts', '--seeds', String(seeds)]
    await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 1e8 })
    return '| not found | |'
  } catch (error) {
    const { stderr = String(error) } = error as { stderr?: string }
    const [, seed, what = ''] = /^seed (\d+) failed at step \d+: \w*: ?(.*)$/m.exec(stderr) ?? []
    if (seed === undefined) return `| ${stderr} | |`
    return `| ${seed} | ${what.split(':')[0]} |`
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { seeds: { type: 'string', default: '1000' }, only: { type: 'string', default: '' } },
  })
  process.stdout.write('| fault | cured by | seen at seed | by |\n|---|---|---|---|\n')
  for (const fault of faults.filter(({ what }) => what.includes(values.only)))
    process.stdout.write(`| ${fault.what} | ${fault.cure} ${await firstSeedOf(fault, Number(values.seeds))}\n`)
}
