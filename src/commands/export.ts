/** `petstore export` writes all animals, orders or names of categories as of one moment. */

import { extname } from 'node:path'
import { cellText } from '../catalogue/csv.ts'
import { loadConfig } from '../config/config.ts'
import { UsageError } from '../errors.ts'
import { withoutFormulas } from '../model/text.ts'
import type { Chunk } from '../store/maintenance.ts'
import { openStore } from '../store/open.ts'
import { systemTime } from '../time.ts'
import { type Command, readArgs } from './command.ts'
import { counted, openOutputFile } from './output.ts'

/** What can be exported; `columns` are those of a CSV file, each with its column in the database. */
const kinds = {
  animals: {
    one: 'animal',
    table: 'pets',
    columns: { id: 'id', name: 'name', categoryId: 'category_id', status: 'status' },
  },
  orders: {
    one: 'order',
    table: 'orders',
    columns: {
      id: 'id',
      petId: 'pet_id',
      status: 'status',
      reference: 'reference',
      heldUntil: 'held_until',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
      completedAt: 'completed_at',
    },
  },
  categories: { one: 'category', table: 'categories', columns: { id: 'id', name: 'name' } },
} as const

export const exportRows: Command = {
  help: `Usage: petstore export [FILE] [--force] [--format ndjson|csv] [--orders|--categories] [--for-spreadsheets]

Writes all animals of the database that DATABASE_URL names in ascending order of id, as they are when the command
starts. The service may run meanwhile. FILE appears when everything is written. Without FILE, or with -, the animals are
written to standard output. "petstore import" reads the file again, and "petstore import --categories" reads categories.

  --force             replace FILE if it exists; the old file stays if anything fails
  --format FORMAT     ndjson (one object per line) or csv; default: what the name of FILE ends in, otherwise ndjson
  --orders            write orders instead of animals
  --categories        write the names of categories instead of animals
  --for-spreadsheets  write CSV that Excel and others open safely: it begins with a byte order mark, and text that a
                      spreadsheet would run as a formula gets an apostrophe in front. Remove the apostrophes before
                      you import the file.

Example: petstore export animals.csv
`,
  async run(args, { env, stdout, stderr }) {
    const { flags, positionals } = readArgs(
      args,
      {
        force: { type: 'boolean', default: false },
        format: { type: 'string' },
        orders: { type: 'boolean', default: false },
        categories: { type: 'boolean', default: false },
        'for-spreadsheets': { type: 'boolean', default: false },
      },
      [],
      1,
    )
    const [path = '-'] = positionals
    if (flags.orders && flags.categories) throw new UsageError('Give --orders or --categories, not both.')
    const name = flags.orders ? 'orders' : flags.categories ? 'categories' : 'animals'
    const { one, table, columns } = kinds[name]
    const forSpreadsheets = flags['for-spreadsheets']
    const format = flags.format ?? (forSpreadsheets ? 'csv' : formatOf(path))
    if (format !== 'csv' && format !== 'ndjson') throw new UsageError('--format must be ndjson or csv.')
    if (forSpreadsheets && format !== 'csv') throw new UsageError('--for-spreadsheets needs --format csv.')

    const { database } = loadConfig(env)
    const store = await openStore({ time: systemTime, ...database, schema: 'read' })
    let written = 0
    try {
      using file = openOutputFile(path, { isForced: flags.force, databaseUrl: database.url, stdout })
      const { write } = file
      if (format === 'csv') await write(`${forSpreadsheets ? '\ufeff' : ''}${Object.keys(columns).join()}\r\n`)
      const selected = format === 'csv' ? Object.values(columns) : ['doc']
      await store.bulk.read(table, selected, async (rows) => {
        written += rows.length
        await write(format === 'csv' ? csvOf(rows, forSpreadsheets) : rows.map(([doc]) => `${doc}\n`).join(''))
      })
      file.end()
    } finally {
      await store.close()
    }
    stderr.write(`Exported ${counted(written, one, name)}${path === '-' ? '' : ` to ${path}`}.\n`)
    if (name === 'animals') stderr.write('To write the names of their categories: petstore export --categories\n')
    return 0
  },
}

function formatOf(path: string): 'csv' | 'ndjson' {
  const ending = extname(path).toLowerCase()
  if (ending === '.csv') return 'csv'
  if (['', '.ndjson', '.jsonl'].includes(ending)) return 'ndjson'
  throw new UsageError(
    `There is no format for ${ending}. Name a file that ends in .csv, which spreadsheets open, or in .ndjson.`,
  )
}

function csvOf(rows: Chunk['rows'], forSpreadsheets: boolean): string {
  const mark = forSpreadsheets ? withoutFormulas : String
  return rows.map((row) => `${row.map((cell) => cellText(mark(cell ?? ''))).join()}\r\n`).join('')
}
