/** The clock of a database in a test's hands. */
import type { Database } from './databases.ts'
import type { PostgresDatabase } from './postgres.ts'
import { runSql } from './sql.ts'

/** Its name is found before that of the system's function. */
const ownClock = `
  CREATE TABLE test_clock (now timestamptz);
  INSERT INTO test_clock VALUES (now());
  CREATE FUNCTION statement_timestamp() RETURNS timestamptz STABLE LANGUAGE sql AS 'SELECT now FROM test_clock';
  DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database()); END $$`

/** Databases whose clock stands until it is set. SQLite has none: it goes by that of the service. */
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

export async function setClock(url: string, now: number): Promise<void> {
  if (!url.startsWith('sqlite:')) await runSql(url, `UPDATE test_clock SET now = to_timestamp(${now / 1000})`)
}
