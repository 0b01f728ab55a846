/** `petstore copy`: copies all data from one database to another, for example from SQLite to PostgreSQL. */
import { ConfigError, loadConfig } from '../config/config.ts'
import { readDatabaseUrl } from '../config/setting-values.ts'
import { CommandFailed, UsageError } from '../errors.ts'
import { type Counts, isEmpty } from '../store/bulk.ts'
import { type TableName, tableNames } from '../store/sql.ts'
import { openStore } from '../store/store.ts'
import { type Command, type Output, readArgs } from './command.ts'
import { createProgress } from './progress.ts'

export const copy: Command = {
  help: `Usage: petstore copy --from URL --to URL

Copies everything (animals, orders, categories, keys, idempotency records, events, webhooks and their deliveries), with
all ids, into an empty database, in one transaction: if it is interrupted, nothing was copied and you can run it again.
A target database that has rows is refused. Whoever follows the events goes on with the same cursor.
While it runs, nobody can write to the source; what is written afterwards is not in the copy. So stop the service first,
and start it on the new database.

  --from URL  the database to read, such as sqlite:petstore.db
  --to URL    the empty database to fill, such as postgres://USER:PASSWORD@HOST:PORT/NAME

Example: petstore copy --from sqlite:petstore.db --to postgres://petstore@db.example/petstore
`,
  async run(args, { env, stderr }) {
    const { flags } = readArgs(args, { from: { type: 'string' }, to: { type: 'string' } })
    if (!flags.from || !flags.to) throw new UsageError('Give both --from URL and --to URL.')
    if (flags.from === flags.to) throw new UsageError('--from and --to name the same database.')
    const faults: string[] = []
    const read = (option: 'from' | 'to') =>
      readDatabaseUrl(flags[option] ?? '', (what) => faults.push(`--${option} ${what}.`))
    const urls = [read('from'), read('to')] as const
    if (faults.length > 0) throw new ConfigError(faults)

    const { database } = loadConfig(env)
    const from = await openStore({ ...database, url: urls[0], mustExist: true })
    const to = await openStore({ ...database, url: urls[1] }).catch(async (error) => {
      await from.close()
      throw error
    })
    try {
      const expected = await from.bulk.counts()
      // More likely a typo in the name than intended.
      if (isEmpty(expected)) throw new CommandFailed('The database to copy from is empty. Check the URL after --from.')
      const total = sumOf(expected)
      const copied = Object.fromEntries(tableNames.map((table) => [table, 0])) as Record<TableName, number>
      const progress = createProgress(stderr, '', total)
      await to.bulk.import((write) =>
        from.bulk.export(async ({ table, rows }) => {
          await write({ table, rows })
          copied[table] += rows.length
          progress.show(Math.min(sumOf(copied), total), sumOf(copied))
        }),
      )
      progress.end()
      compare(copied, await to.bulk.counts(), stderr)
      await to.close()
    } catch (error) {
      await to.discard()
      throw error
    } finally {
      await from.close()
    }
    return 0
  },
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
