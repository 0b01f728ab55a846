/** `petstore import`: adds the animals of a file, straight into the database, also while the service runs. */
import { statSync } from 'node:fs'
import { constants } from 'node:os'
import { categoriesTarget, importRows, type Target } from '../catalogue/import.ts'
import { type CategoryOf, createRows, type Kind, type Rows } from '../catalogue/rows.ts'
import { openSource, type Source } from '../catalogue/source.ts'
import { nameCategories, type Survey, surveyOf } from '../catalogue/survey.ts'
import { systemClock } from '../clock.ts'
import { loadConfig } from '../config/config.ts'
import { CommandFailed, UsageError } from '../errors.ts'
import { type ImportState, type ImportTable, openStore, type Store, StoreUnavailable } from '../store/store.ts'
import { type Command, type Output, readArgs } from './command.ts'
import { type OutputFile, openOutputFile } from './output-file.ts'
import { count, counted, createProgress } from './progress.ts'

const examplesMax = 10
/** Of an earlier file of rejected rows, which a spreadsheet may have saved since. No other file is replaced by one. */
const rejectsStart = /^\ufeff?(?:"?line"?[,;\t]|\{"line":\d+,)"?reason\b/
/** From a terminal that is closed, too. */
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
  async run(args, { env, stdin = noInput(), stdout, stderr }) {
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
    const [from, to] = [path, flags.rejects ?? ''].map((path) => statSync(path, { throwIfNoEntry: false }))
    if (from?.isFile() && from.ino === to?.ino && from.dev === to.dev)
      throw new UsageError('--rejects names the file that is imported.')
    const kind = flags.categories ? 'categories' : 'animals'
    // Refuses a file without its columns before a database is made.
    createRows(source.name, source.start, kind, anyCategory)
    const rejects =
      flags.rejects === undefined ? undefined : openOutputFile(flags.rejects, database.url, stdout, rejectsStart)
    let store: Store | undefined
    try {
      // How far it has come must not be read from a replica that is behind.
      if (!flags['dry-run']) store = await openStore({ ...database, readUrl: undefined })
      return await execute(source, await planOf(source, kind, store, flags.again, stderr), kind, rejects, stderr)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      throw new CommandFailed(`${error.message}. What was added stays; run the same command again to go on.`)
    } finally {
      rejects?.abort()
      await store?.close()
    }
  },
}

async function* noInput(): AsyncGenerator<Uint8Array> {}

/** While no store is asked which it has. */
const anyCategory: CategoryOf = () => 0n

interface Plan {
  readonly rows: Rows
  /** Without one, rows are only checked. */
  readonly target: Target | undefined
}

/** Where to go on, and the categories of the file; says what is not as usual. */
async function planOf(
  source: Source,
  kind: Kind,
  store: Store | undefined,
  again: boolean,
  stderr: Output,
): Promise<Plan> {
  const rowsOf = (categoryOf = anyCategory) => createRows(source.name, source.start, kind, categoryOf)
  if (kind === 'categories') return { rows: rowsOf(), target: store && categoriesTarget(store.categories, systemClock) }
  const survey = await look(source, rowsOf(), (await store?.imports.isNew()) ?? false, stderr)
  if (!store) {
    if (survey.categories.length > 0) stderr.write(`It names ${categoryList(survey.categories)}.\n`)
    return { rows: rowsOf(), target: undefined }
  }
  const state = await begin(source, store.imports, again, survey.lastId)
  if (state.rowsDone > 0) stderr.write(`Going on after row ${count(state.rowsDone)}.\n`)
  else if (state.keepsIds) stderr.write('The animals keep the ids of the file.\n')
  const target = { table: store.imports, state, clock: systemClock }
  if (survey.categories.length === 0) return { rows: rowsOf(), target }
  const [added, categoryOf] = await nameCategories(store, survey)
  if (added.length > 0) stderr.write(`Added ${categoryList(added)}.\n`)
  return { rows: rowsOf(categoryOf), target }
}

/** Ids matter only to a store that never had an animal. */
async function look(source: Source, rows: Rows, wantsIds: boolean, stderr: Output): Promise<Survey> {
  if (!wantsIds && !rows.namesCategories) return { lastId: undefined, categories: [], highest: 0n }
  const progress = createProgress(stderr, 'Looking through the file: ', source.bytes)
  try {
    return await surveyOf(source, rows, progress.show)
  } finally {
    progress.end()
  }
}

const categoryList = (names: readonly string[]): string =>
  `${counted(names.length, 'category', 'categories')}: ${names.slice(0, examplesMax).join(', ')}${names.length > examplesMax ? ', …' : ''}`

/** The state from which to go on. */
async function begin(
  source: Source,
  table: ImportTable,
  again: boolean,
  lastId: number | undefined,
): Promise<ImportState> {
  const state = await table.begin(source.hash, again, lastId)
  if (state.finishedAt === undefined) return state
  const time = new Date(state.finishedAt).toISOString()
  throw new CommandFailed(`${source.name} was imported at ${time}. To add its animals once more, use --again.`)
}

/** Reads the whole file; returns the exit code. */
async function execute(
  source: Source,
  { rows, target }: Plan,
  kind: Kind,
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
    const counts = await importRows(source, rows, target, {
      onReject({ line, reason, text }) {
        if (++rejected <= examplesMax && !rejects) examples += `line ${line}: ${reason}\n`
        rejects?.write(`${rejected === 1 ? rows.rejectsHead : ''}${text}`)
      },
      onProgress: progress.show,
      isStopped: () => stopCode !== 0,
    })
    if (counts.isWhole) rejects?.end()
    progress.end()
    stderr.write(`${examples}${rows.note}${summary(counts, target && kind, progress.seconds())}`)
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

/** Ctrl-Z. A transaction on SQLite, which would keep the write lock from others, is run through first, as no signal is handled in it. */
const suspend = (): void => void process.kill(process.pid, 'SIGSTOP')

type Counts = Awaited<ReturnType<typeof importRows>>

function summary({ valid, before, rejected }: Counts, what: Kind | undefined, seconds: number): string {
  const added = valid - before
  const counts = what
    ? `Added ${counted(added, what === 'animals' ? 'animal' : 'category', what)} in ${seconds.toFixed(1)} s (${count(added / seconds)} per second)`
    : counted(valid, 'row is valid', 'rows are valid')
  return `${counts}${before > 0 ? `, and ${count(before)} before` : ''}; ${counted(rejected, 'row was', 'rows were')} rejected.\n`
}
