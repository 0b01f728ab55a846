/** `petstore demo`: fills a store with a shop to look around in. */
import { loadConfig } from '../config/config.ts'
import { openStore } from '../store/open.ts'
import { systemTime } from '../time.ts'
import { type Command, readArgs } from './command.ts'
import { fillDemo, stock } from './demo-shop.ts'

export const demo: Command = {
  help: `Usage: petstore demo

Fills the empty database that DATABASE_URL names with ${stock}, and with
orders and events of the last four weeks, which are the same each time. A database that contains anything except API
keys is refused. "petstore serve --demo" fills a temporary database and runs the service on it.

Example: DATABASE_URL=sqlite:demo.db petstore demo
`,
  async run(args, { env, stderr }) {
    readArgs(args, {})
    const store = await openStore({ time: systemTime, ...loadConfig(env).database, schema: 'create' })
    try {
      stderr.write(`${await fillDemo(store, systemTime.now())} were added.\n`)
    } finally {
      await store.close()
    }
    return 0
  },
}
