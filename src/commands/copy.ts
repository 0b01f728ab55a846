/** `petstore copy`: copies all data from one database to another, for example from SQLite to PostgreSQL. */
import { ConfigError, loadConfig } from '../config.ts'
import { CommandFailed, UsageError } from '../failure.ts'
import { readDatabaseUrl } from '../setting-values.ts'
import { openStore } from '../store/open.ts'
import { type Counts, isEmpty, type TableName, tableNames } from '../store/tables.ts'
import { type Command, type Output, readArgs } from './command.ts'

export const copy: Command = {
  help: `Usage: petstore copy --from URL --to URL

Copies everything (animals, orders, categories, keys, idempotency records, events, webhooks and their deliveries), with
all ids, into an empty database, in one transaction: if it is interrupted, nothing was copied and you can run it again.
A target database that has rows is refused. Whoever follows the events goes on with the same cursor.
While it runs, nobody can write to the source. Stop the service first, and start it on the new database afterwards.

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
      const progress = new Progress(expected, stderr)
      await to.bulk.import((write) =>
        from.bulk.export(async (chunk) => {
          await write(chunk)
          progress.add(chunk.table, chunk.rows.length)
        }),
      )
      compare(progress.copied, await to.bulk.counts(), stderr)
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

/** A progress line: updated in place on a terminal, otherwise one line per 10 %. */
class Progress {
  readonly copied: Record<TableName, number>
  readonly #total: number
  readonly #output: Output
  #done = 0
  #shown = -1

  constructor(expected: Counts, output: Output) {
    this.#output = output
    this.copied = Object.fromEntries(tableNames.map((table) => [table, 0])) as Record<TableName, number>
    this.#total = Object.values(expected).reduce((sum, count) => sum + count, 0)
  }

  add(table: TableName, rows: number): void {
    this.copied[table] += rows
    this.#done += rows
    const percent = Math.floor((100 * this.#done) / Math.max(1, this.#total))
    const step = this.#output.isTTY ? percent : Math.floor(percent / 10) * 10
    if (step === this.#shown) return
    this.#shown = step
    const line = `${step} % (${this.#done} of ${this.#total} rows, ${table})`
    this.#output.write(this.#output.isTTY ? `\r${line.padEnd(60)}${percent >= 100 ? '\n' : ''}` : `${line}\n`)
  }
}

function compare(copied: Counts, found: Counts, output: Output): void {
  for (const table of tableNames) {
    if (copied[table] !== found[table])
      throw new CommandFailed(`${table}: ${copied[table]} rows were copied, but the target has ${found[table]}.`)
    output.write(`${table}: ${found[table]} rows\n`)
  }
  output.write('Copied. Set DATABASE_URL to the new database and start the service.\n')
}
