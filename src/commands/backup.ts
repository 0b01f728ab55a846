/** `petstore backup` copies the SQLite file while the service runs; `petstore restore` puts a backup in its place. */
import { format, parse } from 'node:path'
import { loadConfig } from '../config/config.ts'
import { CommandFailed, UsageError } from '../errors.ts'
import { systemTime } from '../time.ts'
import { type Command, type CommandContext, readArgs } from './command.ts'
import { newFile, refuseDatabase } from './new-file.ts'
import { counted, ownDescriptor } from './output.ts'

const force = { force: { type: 'boolean', default: false } } as const
/** Both files contain the hashes of API keys. */
const mode = 0o600

export const backup: Command = {
  help: `Usage: petstore backup FILE [--force]

Copies the SQLite database that DATABASE_URL names to FILE. The service may run meanwhile. The copy contains every write
that was acknowledged before the command began. FILE appears when the copy is complete and checked.

  --force  replace FILE if it exists; the old file stays if anything fails

Example: petstore backup "backups/petstore-$(date +%F).db"
`,
  async run(args, { env, stderr }) {
    const { flags, positionals } = readArgs(args, force, ['the FILE to write'])
    const [file] = positionals as [string]
    if (file === '-' || ownDescriptor.test(file)) throw new UsageError('A backup needs a file, not standard output.')
    const database = sqlitePath(env, `pg_dump --format=custom --file=${file} "$DATABASE_URL"`)
    const { backUp } = await import('../store/sqlite/backup.ts')
    using target = newFile(file, { isForced: flags.force, mode, refuse: refuseDatabase(`sqlite:${database}`) })
    const { animals, bytes } = backUp(database, target)
    stderr.write(`${target.path}: ${counted(animals, 'animal')}, ${(bytes / 1e6).toFixed(1)} MB, checked.\n`)
    return 0
  },
}

export const restore: Command = {
  help: `Usage: petstore restore FILE [--force]

Puts the backup FILE in the place of the SQLite database that DATABASE_URL names. Stop the service first: a database
that a process has open is not replaced. If the command is interrupted, either the old or the new database is in place.
A backup of an older version is migrated when the service starts.
API keys that were revoked after the backup work again. A client that has read events that are newer than the backup
gets 410 and starts over.

  --force  replace a database that exists; the old one is kept beside it under another name

Example: petstore restore backups/petstore.db --force
`,
  async run(args, { env, stderr }) {
    const { flags, positionals } = readArgs(args, force, ['the FILE to restore'])
    const [file] = positionals as [string]
    const database = sqlitePath(env, `pg_restore --no-owner --exit-on-error --dbname=URL_OF_A_NEW_DATABASE ${file}`)
    const { assertRestorable, restoreFrom } = await import('../store/sqlite/backup.ts')
    assertRestorable(file, database)
    using target = newFile(database, { isForced: flags.force, mode })
    const old = datedName(target.path, systemTime.now())
    const { animals, isReplaced } = restoreFrom(file, target, old)
    stderr.write(
      `${target.path}: ${counted(animals, 'animal')}, checked.\n` +
        'API keys that were revoked after the backup work again: revoke them before you start the service.\n' +
        'Clients that have read events newer than the backup get 410 and start over. ' +
        'Webhooks send again what was due when the backup was made.\n',
    )
    if (isReplaced) stderr.write(`The database it replaced is now ${old}.\n`)
    return 0
  },
}

/** The path of the SQLite file. For PostgreSQL, the error says what to run instead. */
function sqlitePath(env: CommandContext['env'], instead: string): string {
  const { url } = loadConfig(env).database
  if (!url.startsWith('sqlite:')) throw new CommandFailed(`This command is for SQLite. For PostgreSQL, run: ${instead}`)
  if (url === 'sqlite::memory:') throw new CommandFailed('A database in memory has no file.')
  return url.slice('sqlite:'.length)
}

/** The path to which a replaced database is moved, such as `petstore-replaced-2026-11-16T02-45-00-000Z.db`. */
function datedName(file: string, now: number): string {
  const { dir, name, ext } = parse(file)
  return format({ dir, name: `${name}-replaced-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`, ext })
}
