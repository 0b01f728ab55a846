/** `petstore migrate`: brings the database up to date ahead of the instances that will use it. */
import { loadConfig } from '../config.ts'
import { openStore } from '../store/open.ts'
import { type Command, readArgs } from './command.ts'

export const migrate: Command = {
  help: `Usage: petstore migrate

Brings the database that DATABASE_URL names up to this program's schema, and makes it where it is new.
"petstore serve" does the same at its start; run this before, to see it done once and early.
It is safe to run at any time, and by several at once. A database of a newer program is refused.
`,
  async run(args, { env, stderr }) {
    readArgs(args, {})
    const store = await openStore(loadConfig(env).database)
    await store.close()
    stderr.write('The database is up to date.\n')
    return 0
  },
}
