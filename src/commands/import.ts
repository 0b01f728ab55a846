/** `petstore import` adds the animals of a file directly to the database, even while the service runs. */
import { addCategories, categoryDestination, type Destination, importRows, scanFile } from '../catalogue/import.ts'
import { type CategoryOf, createRowReader, type RowKind, type RowReader } from '../catalogue/row-reader.ts'
import { openSource, type Source } from '../catalogue/source.ts'
import { loadConfig } from '../config/config.ts'
import { CommandFailed } from '../errors.ts'
import { openStore } from '../store/open.ts'
import { type Store, StoreDamaged, StoreUnavailable } from '../store/store.ts'
import { systemTime, timeText } from '../time.ts'
import { type Command, readArgs } from './command.ts'
import { counted, createProgress, numberText, type Output, onStopSignal } from './output.ts'

const reasonsMax = 100
const categoriesMax = 10
const goOn = 'The rows that were added stay. Run the same command again to continue.'

export const importFile: Command = {
  help: `Usage: petstore import FILE|- [--categories] [--dry-run] [--again]

Adds the animals of a file to the database that DATABASE_URL names. The service may run meanwhile. - is standard input.
The file is CSV with a header, as spreadsheets save it, or NDJSON (one object per line), in UTF-8.
Each row is checked like the body of POST /v1/pets. Invalid rows are rejected and do not stop the import; the first
${reasonsMax} of them are listed with their line and the reason.
If the import is interrupted, run it again: it continues after the last row that it added, and adds nothing twice.
A file that was imported completely is refused the second time, whatever its name is.

  --categories    import names of categories instead of animals: rows of id and name, as "petstore export --categories"
                  writes them. A category that already has a name gets the new one.
  --dry-run       check all rows and add nothing; needs no database
  --again         add the animals once more, although the file was imported before

CSV needs the columns name and category, in any order and case. The column status is optional, and other columns are
ignored. A category is a name or a number; a name that the store does not know is added with the next number. A column
called categoryId may contain only numbers. Each animal gets a new id. To move a store with its ids and orders, use
"petstore copy".

Example: petstore import animals.csv --dry-run
`,
  async run(args, { env, stdin, stderr }) {
    const { flags, positionals } = readArgs(
      args,
      {
        categories: { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
        again: { type: 'boolean', default: false },
      },
      ['a FILE to import, or - for standard input'],
    )
    const { database } = loadConfig(env)
    await using source = await openSource(positionals[0] as string, stdin)
    const kind = flags.categories ? 'categories' : 'animals'
    // Rejects a file that lacks a column, before a database is created.
    createRowReader(source.name, source.start, kind, anyCategory)
    // This may end the process at any time, because the database undoes an incomplete transaction.
    using _stop = onStopSignal(() => stderr.write(`\nInterrupted. ${goOn}\n`))
    let store: Store | undefined
    try {
      if (!flags['dry-run']) store = await openStore({ time: systemTime, ...database, schema: 'create' })
      return await runImport(source, await prepare(source, kind, store, flags.again, stderr), kind, stderr)
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || error instanceof StoreDamaged) throw error
      throw new CommandFailed(`${error.message}. ${goOn}`)
    } finally {
      await store?.close()
    }
  },
}

/** This is used until the categories of the store are known. */
const anyCategory: CategoryOf = () => 0n

interface PreparedImport {
  readonly reader: RowReader
  readonly destination: Destination | undefined
}

/** Adds the categories that the file names, and finds the row to continue from. */
async function prepare(
  source: Source,
  kind: RowKind,
  store: Store | undefined,
  again: boolean,
  stderr: Output,
): Promise<PreparedImport> {
  const readerOf = (categoryOf = anyCategory) => createRowReader(source.name, source.start, kind, categoryOf)
  if (kind === 'categories') return { reader: readerOf(), destination: store && categoryDestination(store.categories) }
  const scan = await scanFile(source, readerOf())
  if (!store) {
    if (scan.categories.length > 0) stderr.write(`The file names ${categoryList(scan.categories)}.\n`)
    return { reader: readerOf(), destination: undefined }
  }
  const { imports } = store
  const { rowsDone, finishedAt } = await imports.begin(source.hash, again)
  if (finishedAt !== undefined)
    throw new CommandFailed(
      `${source.name} was imported at ${timeText(finishedAt)}. To add its animals once more, use --again.`,
    )
  if (rowsDone > 0) stderr.write(`Continuing after row ${numberText(rowsDone)}.\n`)
  const { bytesAtOnce } = imports
  const destination: Destination = { rowsDone, bytesAtOnce, add: (...rows) => imports.add(source.hash, ...rows) }
  if (scan.categories.length === 0) return { reader: readerOf(), destination }
  const [added, categoryOf] = await addCategories(store, scan)
  if (added.length > 0) stderr.write(`Added ${categoryList(added)}.\n`)
  return { reader: readerOf(categoryOf), destination }
}

function categoryList(names: readonly string[]): string {
  const shown = names.slice(0, categoriesMax).join(', ')
  return `${counted(names.length, 'category', 'categories')}: ${shown}${names.length > categoriesMax ? ', …' : ''}`
}

async function runImport(
  source: Source,
  { reader, destination }: PreparedImport,
  kind: RowKind,
  stderr: Output,
): Promise<number> {
  const progress = createProgress(stderr, source.bytes)
  const reasons: string[] = []
  const counts = await importRows(source, reader, destination, systemTime, {
    onReject({ line, reason }) {
      if (reasons.length < reasonsMax) reasons.push(`line ${line}: ${reason}\n`)
    },
    onProgress: progress.show,
  }).finally(progress.end)
  stderr.write(`${reasons.join('')}${reader.note}${summary(counts, destination && kind)}`)
  if (counts.rejected === 0) return 0
  stderr.write(
    destination
      ? 'Copy the rejected rows and the header into a separate file, correct them there, and import that file.\n'
      : 'Mend them in the file before you import it.\n',
  )
  return 1
}

type Counts = Awaited<ReturnType<typeof importRows>>

function summary({ valid, before, rejected }: Counts, what: RowKind | undefined): string {
  const added = what === 'categories' ? counted(valid, 'category', 'categories') : counted(valid, 'animal')
  const counts = what ? `Added ${added}` : counted(valid, 'row is valid', 'rows are valid')
  const earlier = before > 0 ? `, and ${numberText(before)} before` : ''
  return `${counts}${earlier}; ${counted(rejected, 'row was', 'rows were')} rejected.\n`
}
