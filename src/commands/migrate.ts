/** `petstore migrate`: migrates the database before the instances that use it are started. */
import { loadConfig } from '../config/config.ts'
import { openStore } from '../store/store.ts'
import { type Command, readArgs } from './command.ts'

export const migrate: Command = {
  help: `Usage: petstore migrate

Migrates the database that DATABASE_URL names to the schema of this version; a missing SQLite file is created.
"petstore serve" does the same at startup; run this first to migrate once, before any instance starts.
It is safe to run at any time, and several times at once. A database written by a newer version is refused.

Example: DATABASE_URL=postgres://petstore@db.example/petstore petstore migrate
`,
  async run(args, { env, stderr }) {
    readArgs(args, {})
    const store = await openStore(loadConfig(env).database)
    await store.close()
    stderr.write('The database is up to date.\n')
    return 0
  },
}
