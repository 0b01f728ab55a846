/** The clock of a database that a test controls. */
import { systemTime, type Time } from '../src/time.ts'
import type { Database } from './databases.ts'
import type { PostgresDatabase } from './postgres.ts'
import { runSql } from './sql.ts'

/** PostgreSQL finds the function of this name before its own. */
const ownClock = `
  CREATE TABLE test_clock (now timestamptz);
  INSERT INTO test_clock VALUES (now());
  CREATE FUNCTION statement_timestamp() RETURNS timestamptz STABLE LANGUAGE sql AS 'SELECT now FROM test_clock';
  DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database()); END $$`

/**
 * Makes databases whose clock stands still until it is set. For SQLite, the clock is passed when a store opens the
 * file.
 */
export const withClock = (database: Database): Database => ({
  ...database,
  async open() {
    const opened = await database.open()
    if (opened.url.startsWith('sqlite:')) return opened
    const sql = (opened as PostgresDatabase).connect(1)
    await sql.unsafe(ownClock).finally(() => sql.end())
    return opened
  },
})

/**
 * The clock of a database. For SQLite it is `time`, which runs until it is set, and for PostgreSQL it is that of
 * `withClock`.
 */
export class DatabaseClock {
  readonly #url: string
  #now: number | undefined
  #settings = Promise.resolve()
  readonly time: Time = { ...systemTime, now: () => this.#now ?? Date.now() }

  constructor(url: string) {
    this.#url = url
  }

  pass(milliseconds: number): Promise<void> {
    return this.set(this.time.now() + milliseconds)
  }

  /** If several set it at the same time, the last one wins. */
  set(now: number): Promise<void> {
    this.#now = now
    this.#settings = this.#settings.then(async () => {
      if (!this.#url.startsWith('sqlite:'))
        await runSql(this.#url, `UPDATE test_clock SET now = to_timestamp(${now / 1000})`)
    })
    return this.#settings
  }
}
