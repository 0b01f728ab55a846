/** `petstore import`: adds the animals of a file, straight into the database, also while the service runs. */
import { statSync } from 'node:fs'
import { constants } from 'node:os'
import { extname } from 'node:path'
import { categoriesTarget, importRows, lastIdOf, type Target } from '../catalogue/import.ts'
import { type Format, formats } from '../catalogue/records.ts'
import { createRows, type Kind, type Rows } from '../catalogue/rows.ts'
import { bytesOf, openSource, type Source } from '../catalogue/source.ts'
import { systemClock } from '../clock.ts'
import { loadConfig } from '../config.ts'
import { CommandFailed, UsageError } from '../failure.ts'
import { openStore } from '../store/open.ts'
import { type ImportState, type ImportTable, StoreUnavailable } from '../store/store.ts'
import { type Command, type Output, readArgs } from './command.ts'
import { type OutputFile, openOutputFile } from './output-file.ts'
import { count, counted, createProgress } from './progress.ts'

const examplesMax = 10
/** From a terminal that is closed, too. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export const importFile: Command = {
  help: `Usage: petstore import FILE|- [--format ${formats.join('|')}] [--categories] [--rejects FILE] [--dry-run] [--again]

Adds the animals of a file to the database that DATABASE_URL names, also while the service runs; - is standard input.
Each row is checked as the body of POST /v1/pets is. Rows that are not valid are rejected and do not stop the import.
If it is interrupted, run it again: it goes on where it was, and adds nothing twice.
A file that was imported whole is refused the second time, whatever its name.

  --format FORMAT  ndjson (one object per line), json (an array) or csv (with a header); default: by the file's name
  --categories     names of categories instead of animals: rows of id and name, as "petstore export --categories" writes
                   them. A category that has a name gets the new one; importing them again changes nothing.
  --rejects FILE   write the rejected rows to FILE, each with its line and the reason; mend them and import FILE
  --dry-run        check all rows, add nothing; needs no database
  --again          add the animals of a file that was imported before once more

CSV needs the columns name and categoryId, in any order; status is optional, other columns are left out.
Into a database that never had an animal, the ids of an export are kept; otherwise each animal gets a new id.
Exit codes: 0 if all rows were added, 1 if any was rejected or the import failed, 130 after Ctrl-C.

Example: petstore import animals.csv --rejects rejected.csv
`,
  async run(args, { env, stdin = noInput(), stdout, stderr }) {
    const { flags, positionals } = readArgs(
      args,
      {
        format: { type: 'string' },
        categories: { type: 'boolean', default: false },
        rejects: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        again: { type: 'boolean', default: false },
      },
      ['a FILE to import, or - for standard input'],
    )
    const [path] = positionals as [string]
    const format = readFormat(flags.format, path)
    const { database } = loadConfig(env)
    await using source = await openSource(path, stdin, format)
    const [from, to] = [path, flags.rejects ?? ''].map((path) => statSync(path, { throwIfNoEntry: false }))
    if (from?.isFile() && from.ino === to?.ino && from.dev === to.dev)
      throw new UsageError('--rejects names the file that is imported.')
    const store = flags['dry-run'] ? undefined : await openStore(database)
    try {
      const state = !flags.categories && store ? await begin(source, format, store.imports, flags.again) : undefined
      if (state && state.rowsDone > 0) stderr.write(`Going on after row ${count(state.rowsDone)}.\n`)
      else if (state?.keepsIds) stderr.write('The animals keep the ids of the file.\n')
      const target =
        store && state
          ? { table: store.imports, state, clock: systemClock }
          : store && categoriesTarget(store.categories, systemClock)
      const kind = flags.categories ? 'categories' : 'animals'
      const openRejects = flags.rejects
        ? () => openOutputFile(flags.rejects as string, database.url, stdout)
        : undefined
      return await execute(
        source,
        createRows(format, source.name, kind),
        target,
        flags.rejects,
        openRejects,
        stderr,
        kind,
      )
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      throw new CommandFailed(`${error.message}. What was added stays; run the same command again to go on.`)
    } finally {
      await store?.close()
    }
  },
}

async function* noInput(): AsyncGenerator<Uint8Array> {}

function readFormat(given: string | undefined, path: string): Format {
  const name = given ?? extname(path).slice(1).toLowerCase().replace('jsonl', 'ndjson')
  const format = formats.find((known) => known === name)
  if (!format) throw new UsageError(`Give --format, one of ${formats.join(', ')}.`)
  return format
}

/** The state from which to go on. */
async function begin(source: Source, format: Format, table: ImportTable, again: boolean): Promise<ImportState> {
  const lastId = (await table.isNew()) ? await lastIdOf(source, createRows(format, source.name, 'animals')) : undefined
  const state = await table.begin(source.hash, again, lastId)
  if (state.finishedAt === undefined) return state
  const time = new Date(state.finishedAt).toISOString()
  throw new CommandFailed(`${source.name} was imported at ${time}. To add its animals once more, use --again.`)
}

/** Reads the whole file; returns the exit code. */
async function execute(
  source: Source,
  rows: Rows,
  target: Target | undefined,
  rejectsPath: string | undefined,
  openRejects: (() => OutputFile) | undefined,
  stderr: Output,
  kind: Kind,
): Promise<number> {
  const rejects = openRejects?.()
  const progress = createProgress(stderr, source.bytes)
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
      onReject(row) {
        if (++rejected <= examplesMax && !rejects) examples += `line ${row.line}: ${row.reason}\n`
        rejects?.write(bytesOf(`${rejected === 1 ? rows.rejectsHead() : ''}${rows.reject(row)}`))
      },
      onProgress: (bytes, rows) => progress.show(bytes, rows),
      isStopped: () => stopCode !== 0,
    })
    if (counts.isWhole) rejects?.end()
    progress.end()
    stderr.write(`${examples}${rows.note()}${summary(counts, target && kind, progress.seconds())}`)
    if (!counts.isWhole) stderr.write('Interrupted. What was added stays; run the same command again to go on.\n')
    else if (rejectsPath && rejected > 0)
      stderr.write(`Mend the rejected rows in ${rejectsPath}, and import that file.\n`)
    else if (rejected > 0)
      stderr.write('Run it with --dry-run --rejects FILE to get them in a file; mend them there, and import FILE.\n')
    return counts.isWhole ? Math.min(rejected, 1) : stopCode
  } finally {
    progress.end()
    for (const signal of stopSignals) process.off(signal, onStop)
    process.off('SIGTSTP', suspend)
    rejects?.abort()
  }
}

/** Ctrl-Z. A transaction on SQLite, which would keep the write lock from others, is run through first, as no signal is handled in it. */
const suspend = (): void => void process.kill(process.pid, 'SIGSTOP')

type Counts = Awaited<ReturnType<typeof importRows>>

/** How long the slowest transactions took is how long a service that writes waited for them. */
function summary({ valid, before, rejected, milliseconds }: Counts, what: Kind | undefined, seconds: number): string {
  const slowest = milliseconds.sort((a, b) => a - b)[Math.ceil(0.99 * milliseconds.length) - 1] ?? 0
  const added = valid - before
  const details = `${seconds.toFixed(1)} s (${count(added / seconds)} per second, p99 of its transactions ${count(slowest)} ms)`
  const counts = what
    ? `Added ${counted(added, what === 'animals' ? 'animal' : 'category', what)} in ${details}`
    : counted(valid, 'row is valid', 'rows are valid')
  return `${counts}${before > 0 ? `, and ${count(before)} before` : ''}; ${counted(rejected, 'row was', 'rows were')} rejected.\n`
}
