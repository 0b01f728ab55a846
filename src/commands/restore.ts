/** `petstore restore`: puts a backup in the place of the SQLite file while the service is stopped. */
import { systemClock } from '../clock.ts'
import { datedName, sqlitePath } from './backup.ts'
import { type Command, readArgs } from './command.ts'
import { counted } from './progress.ts'

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
    if (stderr.isTTY) stderr.write('Copying the backup, and checking the copy…\n')
    const now = systemClock()
    const { path, animals, old } = restoreFrom(file, database, (path) => datedName(path, now, '-replaced'))
    stderr.write(`${path}: ${counted(animals, 'animal')}, checked.\n`)
    stderr.write('API keys that were revoked after the backup work again: revoke them before you start the service.\n')
    stderr.write(
      'Whoever has followed the events beyond the backup gets 410 and starts over; webhooks send again what was due when it was made.\n',
    )
    if (old) stderr.write(`The database it replaced is now ${old}.\n`)
    return 0
  },
}
