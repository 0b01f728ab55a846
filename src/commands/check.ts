/** `petstore check`: whether the stored data is sound, also while the service runs. */
import { loadConfig } from '../config/config.ts'
import type { Counts } from '../store/bulk.ts'
import { runCheck } from '../store/checks.ts'
import { openStore, StoreUnavailable } from '../store/store.ts'
import { type Command, readArgs } from './command.ts'
import { counted } from './progress.ts'

export const check: Command = {
  help: `Usage: petstore check

Checks the database that DATABASE_URL names, also while the service runs: whether a SQLite file is intact, and whether
every animal agrees with its orders and the newest events, and the kept counts with a recount. Prints a line per fault
on standard output; exits with code 1 if there is any. It migrates the database of an older version first.

Example: DATABASE_URL=sqlite:petstore.db petstore check
`,
  async run(args, { env, stdout, stderr }) {
    readArgs(args, {})
    const store = await openStore({ ...loadConfig(env).database, mustExist: true })
    const show = (text: string) => stderr.isTTY && stderr.write(`\r${text.padEnd(60)}`)
    let faults = 0
    function report(fault: string): void {
      faults++
      show('')
      stdout.write(`${stderr.isTTY ? '\r' : ''}${fault}\n`)
    }
    try {
      async function attempt(name: string, work: () => Promise<void>): Promise<void> {
        show(name)
        try {
          await work()
        } catch (error) {
          // A damaged file cannot be read to its end; other checks may find more.
          if (!(error instanceof StoreUnavailable)) throw error
          report(`Cannot check whether ${name}: ${error.message}`)
        }
      }
      for (const one of store.inspection.checks)
        await attempt(one.name, () =>
          runCheck(store.inspection, one, report, (part) => show(`${one.name}: ${Math.floor(100 * part)} %`)),
        )
      const { pets, orders }: Partial<Counts> = faults > 0 ? {} : await store.bulk.counts()
      show('')
      const summary =
        faults > 0
          ? `Faults: ${faults}`
          : `No faults in ${counted(pets ?? 0, 'animal')} and ${counted(orders ?? 0, 'order')}`
      stderr.write(`${stderr.isTTY ? '\r' : ''}${summary}.\n`)
    } finally {
      await store.close()
    }
    return faults > 0 ? 1 : 0
  },
}
