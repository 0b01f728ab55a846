/** Commands for a whole database: `petstore migrate`, `petstore check` and `petstore copy`. */

import { ConfigError, loadConfig } from '../config/config.ts'
import { readDatabaseUrl } from '../config/setting-values.ts'
import { CommandFailed, UsageError } from '../errors.ts'
import { isEmpty } from '../store/bulk.ts'
import { runCheck } from '../store/checks.ts'
import type { Counts } from '../store/maintenance.ts'
import { openStore } from '../store/open.ts'
import { DatabaseUnusable, type SchemaChange, type Store } from '../store/store.ts'
import { type TableName, tableNames } from '../store/tables.ts'
import { systemTime } from '../time.ts'
import { type Command, readArgs } from './command.ts'
import { isSameFile } from './new-file.ts'
import { counted, createProgress, type Output } from './output.ts'

export const migrate: Command = {
  help: `Usage: petstore migrate

Migrates the database that DATABASE_URL names to the schema of this version, and creates a SQLite file that is missing.
"petstore serve" does the same when it starts. Run this command first if one process should migrate before all others.
It is safe to run at any time, also several times concurrently. A newer database is refused unless this version can
use it.

Example: DATABASE_URL=postgres://petstore@db.example/petstore petstore migrate
`,
  async run(args, { env, stderr }) {
    readArgs(args, {})
    const store = await openStore({ time: systemTime, ...loadConfig(env).database, schema: 'migrate' })
    await store.close()
    stderr.write('The database is up to date.\n')
    return 0
  },
}

export const check: Command = {
  help: `Usage: petstore check

Checks the database that DATABASE_URL names. The service may run meanwhile. The command checks that a SQLite file is
intact, that every animal agrees with its orders and its newest event, and that the stored counts are right. It prints
one line for each fault on standard output, and exits with code 1 if there is a fault.

Example: DATABASE_URL=sqlite:petstore.db petstore check
`,
  async run(args, { env, stdout, stderr }) {
    readArgs(args, {})
    const store = await openStore({ time: systemTime, ...loadConfig(env).database, schema: 'read' })
    let faults = 0
    function report(fault: string): void {
      faults++
      stdout.write(`${fault}\n`)
    }
    try {
      for (const one of store.inspection.checks) {
        try {
          await runCheck(store.inspection, one, report)
        } catch (error) {
          // A damaged file cannot be read to its end, or a table is missing. Other checks may find more.
          report(`Cannot check whether ${one.name}: ${(error as Error).message}`)
        }
      }
      if (faults > 0) stderr.write(`Faults: ${faults}.\n`)
      else {
        const { pets, orders } = await store.bulk.counts()
        stderr.write(`No faults in ${counted(pets, 'animal')} and ${counted(orders, 'order')}.\n`)
      }
    } finally {
      await store.close()
    }
    return Math.min(faults, 1)
  },
}

export const copy: Command = {
  help: `Usage: petstore copy --from URL --to URL

Copies animals, orders, categories, keys, idempotency records, events, webhooks and their deliveries into an empty
database. All ids stay the same, so a client that follows events continues with the same cursor. The copy is made in
one transaction: if it is interrupted, nothing was copied and you can run the command again. A target database that
contains rows is refused. Later writes to the source are not copied, so stop the service first, and then start it on
the new database.

  --from URL  the database to read, such as sqlite:petstore.db
  --to URL    the empty database to fill, such as postgres://USER:PASSWORD@HOST:PORT/NAME

Example: petstore copy --from sqlite:petstore.db --to postgres://petstore@db.example/petstore
`,
  async run(args, { env, stderr }) {
    const { flags } = readArgs(args, { from: { type: 'string' }, to: { type: 'string' } })
    if (!flags.from || !flags.to) throw new UsageError('Give both --from URL and --to URL.')
    const faults: string[] = []
    const read = (option: 'from' | 'to') =>
      readDatabaseUrl(flags[option] ?? '', (what) => faults.push(`--${option} ${what}.`))
    const urls = [read('from'), read('to')] as const
    if (faults.length > 0) throw new ConfigError(faults)
    if (isSameDatabase(...urls)) throw new UsageError('--from and --to name the same database.')

    const { database } = loadConfig(env)
    const open = (option: string, url: string, schema: SchemaChange) =>
      openStore({ time: systemTime, ...database, url, schema }).catch((error) => {
        throw error instanceof DatabaseUnusable ? new CommandFailed(`${option}: ${error.message}`) : error
      })
    const from = await open('--from', urls[0], 'read')
    let to: Store | undefined
    try {
      const expected = await from.bulk.counts()
      // An empty source is probably a typo in its name.
      if (isEmpty(expected)) throw new CommandFailed('The database to copy from is empty. Check the URL after --from.')
      to = await open('--to', urls[1], 'create')
      const total = sumOf(expected)
      const copied = Object.fromEntries(tableNames.map((table) => [table, 0])) as Record<TableName, number>
      const progress = createProgress(stderr, total)
      await to.bulk.import((write) =>
        from.bulk.export(async ({ table, rows }) => {
          await write({ table, rows })
          copied[table] += rows.length
          progress.show(Math.min(sumOf(copied), total), sumOf(copied))
        }),
      )
      progress.end()
      compare(copied, await to.bulk.counts(), stderr)
    } finally {
      await to?.close()
      await from.close()
    }
    return 0
  },
}

function isSameDatabase(one: string, other: string): boolean {
  const [from, to] = [one, other].map((url) => /^sqlite:(.+)$/s.exec(url)?.[1])
  return from && to ? isSameFile(from, to) : one === other
}

const sumOf = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

function compare(copied: Counts, found: Counts, output: Output): void {
  for (const table of tableNames) {
    if (copied[table] !== found[table])
      throw new CommandFailed(`${table}: ${copied[table]} rows were copied, but the target has ${found[table]}.`)
    output.write(`${table}: ${found[table]} rows\n`)
  }
  output.write('Copied. Set DATABASE_URL to the new database and start the service.\n')
}
