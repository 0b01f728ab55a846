/** `petstore import`: adds the animals of a file, straight into the database, also while the service runs. */
import { constants } from 'node:os'
import {
  addCategories,
  categoryDestination,
  type Destination,
  type FileScan,
  importRows,
  scanFile,
} from '../catalogue/import.ts'
import { type CategoryOf, createRowReader, type RowKind, type RowReader } from '../catalogue/row-reader.ts'
import { openSource, type Source } from '../catalogue/source.ts'
import { systemClock, timeText } from '../clock.ts'
import { loadConfig } from '../config/config.ts'
import { CommandFailed, UsageError } from '../errors.ts'
import { openStore } from '../store/open.ts'
import { type Store, StoreUnavailable } from '../store/store.ts'
import { type Command, readArgs } from './command.ts'
import {
  counted,
  createProgress,
  isSameFile,
  numberText,
  type Output,
  type OutputFile,
  openOutputFile,
} from './output.ts'

const examplesMax = 10
/** Matches files of rejected rows, also after a spreadsheet has saved them. */
const rejectsFile = {
  name: 'a file of rejected rows',
  start: /^\ufeff?(?:"?line"?[,;\t]|\{"line":\d+,)"?reason\b/,
}
/** SIGHUP is sent when the terminal is closed. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export const importFile: Command = {
  help: `Usage: petstore import FILE|- [--categories] [--rejects FILE] [--dry-run] [--again]

Adds the animals of a file to the database that DATABASE_URL names, also while the service runs; - is standard input.
A file is CSV with a header, as spreadsheets save it, or NDJSON (one object per line); either in UTF-8.
Each row is checked as the body of POST /v1/pets is. Rows that are not valid are rejected and do not stop the import.
If it is interrupted, run it again: it goes on where it was, and adds nothing twice.
A file that was imported whole is refused the second time, whatever its name.

  --categories    names of categories instead of animals: rows of id and name, as "petstore export --categories" writes
                  them. A category that has a name gets the new one; importing them again changes nothing.
  --rejects FILE  write the rejected rows to FILE, each with its line and the reason; mend them and import FILE. Of
                  the files that are there, only one of rejected rows is replaced.
  --dry-run       check all rows, add nothing; needs no database
  --again         add the animals of a file that was imported before once more

CSV needs the columns name and category, in any order and case; status is optional, other columns are left out.
A category is its name or its number; a name that the store does not have is added, with the next number. In a column
categoryId only numbers count.
Into a database that never had an animal, the ids of an export are kept; otherwise each animal gets a new id.
Exit codes: 0 if all rows were added, 1 if any was rejected or the import failed, 130 after Ctrl-C.

Example: petstore import animals.csv --rejects rejected.csv
`,
  async run(args, { env, stdin, stdout, stderr }) {
    if (args.includes('--orders'))
      throw new UsageError(
        'Orders cannot be imported, only animals and the names of categories. "petstore copy" and "restore" bring a whole store.',
      )
    const { flags, positionals } = readArgs(
      args,
      {
        categories: { type: 'boolean', default: false },
        rejects: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        again: { type: 'boolean', default: false },
      },
      ['a FILE to import, or - for standard input'],
    )
    const [path] = positionals as [string]
    const { database } = loadConfig(env)
    await using source = await openSource(path, stdin)
    if (path !== '-' && flags.rejects !== undefined && isSameFile(path, flags.rejects))
      throw new UsageError('--rejects names the file that is imported.')
    const kind = flags.categories ? 'categories' : 'animals'
    // Rejects a file that lacks a column, before a database is created.
    createRowReader(source.name, source.start, kind, anyCategory)
    const rejects =
      flags.rejects === undefined ? undefined : openOutputFile(flags.rejects, database.url, stdout, rejectsFile)
    let store: Store | undefined
    try {
      // The replica is not read: it may be behind, and lack the latest progress of the import.
      if (!flags['dry-run']) store = await openStore({ ...database, readUrl: undefined, schema: 'create' })
      return await runImport(source, await prepare(source, kind, store, flags.again, stderr), kind, rejects, stderr)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      throw new CommandFailed(`${error.message}. What was added stays; run the same command again to go on.`)
    } finally {
      rejects?.abort()
      await store?.close()
    }
  },
}

/** Stands in until the categories of the store are known. */
const anyCategory: CategoryOf = () => 0n

interface PreparedImport {
  readonly reader: RowReader
  /** If undefined, rows are only checked. */
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
  if (kind === 'categories')
    return { reader: readerOf(), destination: store && categoryDestination(store.categories, systemClock) }
  // Ids are kept only in a store that never had an animal.
  const scan = await scanIfNeeded(source, readerOf(), (await store?.imports.isNew()) ?? false, stderr)
  if (!store) {
    if (scan.categories.length > 0) stderr.write(`It names ${categoryList(scan.categories)}.\n`)
    return { reader: readerOf(), destination: undefined }
  }
  const state = await store.imports.begin(source.hash, again, scan.lastId)
  if (state.finishedAt !== undefined)
    throw new CommandFailed(
      `${source.name} was imported at ${timeText(state.finishedAt)}. To add its animals once more, use --again.`,
    )
  if (state.rowsDone > 0) stderr.write(`Going on after row ${numberText(state.rowsDone)}.\n`)
  else if (state.keepsIds) stderr.write('The animals keep the ids of the file.\n')
  const destination = { table: store.imports, state, clock: systemClock }
  if (scan.categories.length === 0) return { reader: readerOf(), destination }
  const [added, categoryOf] = await addCategories(store, scan)
  if (added.length > 0) stderr.write(`Added ${categoryList(added)}.\n`)
  return { reader: readerOf(categoryOf), destination }
}

async function scanIfNeeded(source: Source, reader: RowReader, needsIds: boolean, stderr: Output): Promise<FileScan> {
  if (!needsIds && !reader.namesCategories) return { lastId: undefined, categories: [], highestCategory: 0n }
  const progress = createProgress(stderr, 'Looking through the file: ', source.bytes)
  try {
    return await scanFile(source, reader, progress.show)
  } finally {
    progress.end()
  }
}

const categoryList = (names: readonly string[]): string =>
  `${counted(names.length, 'category', 'categories')}: ${names.slice(0, examplesMax).join(', ')}${names.length > examplesMax ? ', …' : ''}`

/** Reads the whole file; returns the exit code. */
async function runImport(
  source: Source,
  { reader, destination }: PreparedImport,
  kind: RowKind,
  rejects: OutputFile | undefined,
  stderr: Output,
): Promise<number> {
  const progress = createProgress(stderr, '', source.bytes)
  let examples = ''
  let rejected = 0
  let stopCode = 0
  const onStop = (signal: NodeJS.Signals) => {
    stopCode ||= 128 + constants.signals[signal]
  }
  for (const signal of stopSignals) process.on(signal, onStop)
  process.on('SIGTSTP', suspend)
  try {
    const counts = await importRows(source, reader, destination, {
      onReject({ line, reason, text }) {
        if (++rejected <= examplesMax && !rejects) examples += `line ${line}: ${reason}\n`
        rejects?.write(`${rejected === 1 ? reader.rejectsHeader : ''}${text}`)
      },
      onProgress: progress.show,
      isStopped: () => stopCode !== 0,
    })
    if (counts.isWhole) rejects?.end()
    progress.end()
    stderr.write(`${examples}${reader.note}${summary(counts, destination && kind, progress.seconds())}`)
    if (!counts.isWhole) stderr.write('Interrupted. What was added stays; run the same command again to go on.\n')
    else if (rejects && rejected > 0)
      stderr.write(
        `Mend the rejected rows${rejects.path === '-' ? '' : ` in ${rejects.path}`}, and import that file.\n`,
      )
    else if (rejected > 0)
      stderr.write('Run it with --dry-run --rejects FILE to get them in a file; mend them there, and import FILE.\n')
    return counts.isWhole ? Math.min(rejected, 1) : stopCode
  } finally {
    progress.end()
    for (const signal of stopSignals) process.off(signal, onStop)
    process.off('SIGTSTP', suspend)
  }
}

/**
 * Handles Ctrl-Z. Node runs this between two transactions on SQLite; the system's default would also suspend the process
 * within one, while it holds the write lock.
 */
const suspend = (): void => void process.kill(process.pid, 'SIGSTOP')

type Counts = Awaited<ReturnType<typeof importRows>>

function summary({ valid, before, rejected }: Counts, what: RowKind | undefined, seconds: number): string {
  const added = valid - before
  const counts = what
    ? `Added ${counted(added, what === 'animals' ? 'animal' : 'category', what)} in ${seconds.toFixed(1)} s (${numberText(added / seconds)} per second)`
    : counted(valid, 'row is valid', 'rows are valid')
  return `${counts}${before > 0 ? `, and ${numberText(before)} before` : ''}; ${counted(rejected, 'row was', 'rows were')} rejected.\n`
}
