/** `petstore backup` copies the SQLite file while the service runs; `petstore restore` puts a backup in its place. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { format, join, parse } from 'node:path'
import { loadConfig } from '../config/config.ts'
import { CommandFailed, UsageError } from '../errors.ts'
import { systemTime } from '../time.ts'
import { type Command, type CommandContext, readArgs } from './command.ts'
import { counted } from './output.ts'

export const backup: Command = {
  help: `Usage: petstore backup FILE [--keep N]

Copies the SQLite database that DATABASE_URL names to FILE, also while the service runs: every write that was
acknowledged before is in the copy. It is checked, and takes the place of an earlier one, which stays if anything fails.

  --keep N  adds the time to the name of FILE, and removes all but the N latest copies named like this

Example: petstore backup backups/petstore.db --keep 7    (writes backups/petstore-2026-11-16T02-45-00-000Z.db)
`,
  async run(args, { env, stderr }) {
    const { flags, positionals } = readArgs(args, { keep: { type: 'string' } }, ['the FILE to write'])
    const [file] = positionals as [string]
    if (file === '-') throw new UsageError('A backup needs a file, not standard output.')
    const keep = flags.keep === undefined ? undefined : readKeep(flags.keep)
    const database = sqlitePath(env, `pg_dump --format=custom --file=${file} "$DATABASE_URL"`)
    if (existsSync(file) && statSync(file).isDirectory())
      throw new CommandFailed(`${file} is a folder. Name a file in it.`)
    const { backUp, isBackup } = await import('../store/sqlite/backup.ts')
    const { path, animals, bytes } = backUp(database, keep === undefined ? file : datedName(file, systemTime.now()))
    stderr.write(`${path}: ${counted(animals, 'animal')}, ${(bytes / 1e6).toFixed(1)} MB, checked.\n`)
    if (keep !== undefined)
      for (const old of earlierBackups(file, path)
        .filter(isBackup)
        .slice(keep - 1)
        // A later one is of a process that runs at the same time: each would remove the other's.
        .filter((old) => old < path))
        rmSync(old, { force: true })
    return 0
  },
}

export const restore: Command = {
  help: `Usage: petstore restore FILE

Puts a checked copy of the backup FILE in the place of the SQLite database that DATABASE_URL names. Stop the service
first: a database that any process has open is refused. The old database is kept beside it, under another name.
If it is interrupted, the database is the old one or the new one, whole. A backup of an older version is migrated when
the service starts. API keys are as they were: one that was revoked after the backup works again. So are
events: whoever has followed them beyond the backup gets 410, and starts over.

Example: petstore restore backups/petstore.db
`,
  async run(args, { env, stderr }) {
    const [file] = readArgs(args, {}, ['the FILE to restore']).positionals as [string]
    const database = sqlitePath(env, `pg_restore --no-owner --exit-on-error --dbname=URL_OF_A_NEW_DATABASE ${file}`)
    const { restoreFrom } = await import('../store/sqlite/backup.ts')
    const now = systemTime.now()
    const { path, animals, old } = restoreFrom(file, database, (path) => datedName(path, now, '-replaced'))
    stderr.write(
      `${path}: ${counted(animals, 'animal')}, checked.\n` +
        'API keys that were revoked after the backup work again: revoke them before you start the service.\n' +
        'Whoever has followed the events beyond the backup gets 410 and starts over; ' +
        'webhooks send again what was due when it was made.\n',
    )
    if (old) stderr.write(`The database it replaced is now ${old}.\n`)
    return 0
  },
}

function readKeep(text: string): number {
  if (!/^[1-9][0-9]{0,3}$/.test(text)) throw new UsageError(`--keep takes a number from 1 to 9999, not "${text}".`)
  return Number(text)
}

/** The path of the SQLite file; for PostgreSQL, says what to run instead. */
function sqlitePath(env: CommandContext['env'], instead: string): string {
  const { url } = loadConfig(env).database
  if (!url.startsWith('sqlite:')) throw new CommandFailed(`This command is for SQLite. For PostgreSQL, run: ${instead}`)
  if (url === 'sqlite::memory:') throw new CommandFailed('A database in memory has no file.')
  return url.slice('sqlite:'.length)
}

/** `petstore.db` as `petstore-2026-11-16T02-45-00-000Z.db`: sorted by name, such files are in the order of time. */
function datedName(file: string, now: number, mark = ''): string {
  const { dir, name, ext } = parse(file)
  return format({ dir, name: `${name}${mark}-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`, ext })
}

/** The dated backups named after `file`, the latest first, without `written`, the one of this run. */
function earlierBackups(file: string, written: string): string[] {
  const { dir, base, ext } = parse(written)
  const { name: stem } = parse(file)
  const isDate = (text: string): boolean => /^-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/.test(text)
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== base && entry.name.startsWith(stem) && entry.name.endsWith(ext))
    .map(({ name }) => name)
    .filter((name) => isDate(name.slice(stem.length, name.length - ext.length)))
    .sort()
    .reverse()
    .map((name) => join(dir, name))
}
