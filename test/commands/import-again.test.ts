/** `petstore import`, interrupted and run again. On both databases nothing is added twice, and nothing is missing. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { animalsOf, csvOf, fileIn, onStore, withDatabase } from '../../harness/catalogue.ts'
import { databases } from '../../harness/databases.ts'
import { eventually } from '../../harness/patience.ts'
import { releasePostgres } from '../../harness/postgres.ts'
import { command, done, fails, node, Program } from '../../harness/process.ts'
import { after, some, test } from '../../harness/scope.ts'
import { main } from '../../harness/service.ts'
import { runSql } from '../../harness/sql.ts'

after(releasePostgres)

const rows = 60_000
const wanted = Array.from({ length: rows }, (_, i) => `Rex ${i}`)
const namesOf = (animals: readonly string[]) => animals.map((animal) => animal.replace(/^\d+ \d+ \w+ /, ''))

/**
 * One animal in the middle takes long to add, so that a signal arrives before the end. On PostgreSQL it takes until
 * there is a table `go_on`, because the time of a statement differs between machines.
 */
const slowAnimal = (url: string): string =>
  url.startsWith('sqlite:')
    ? `CREATE VIEW slow_view AS
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000000) SELECT max(i) FROM n;
       CREATE TRIGGER slow AFTER INSERT ON pets WHEN NEW.name = 'Rex 30000' BEGIN SELECT * FROM slow_view; END`
    : `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN
           WHILE NOT EXISTS (SELECT FROM pg_class WHERE relname = 'go_on') LOOP PERFORM pg_sleep(0.01); END LOOP;
           RETURN NULL;
         END $$;
       CREATE TRIGGER slow AFTER INSERT ON pets FOR EACH ROW WHEN (NEW.name = 'Rex 30000') EXECUTE FUNCTION slow()`

for (const database of some(databases))
  describe(`petstore import into ${database.name}`, () => {
    test(`An interrupted import into ${database.name} resumes when it is run again, and says so [decision 28]`, () =>
      withDatabase(database, async (env, folder) => {
        const file = fileIn(folder, 'a.csv', `${csvOf(rows)}Lady,x\n`)
        await command(['migrate'], env)
        await runSql(env.DATABASE_URL, slowAnimal(env.DATABASE_URL))
        await using importing = new Program([node, main, 'import', file], { env })
        await onStore(env.DATABASE_URL, ({ bulk }) =>
          eventually(
            () => bulk.counts(),
            ({ pets }) => pets > 0,
          ),
        )
        importing.signal('SIGINT')
        const { code, stderr } = await importing.ended
        assert.equal(code, 130)
        assert.match(
          stderr,
          /\nInterrupted\. The rows that were added stay\. Run the same command again to continue\.\n$/,
        )
        if (database.name === 'PostgreSQL') await runSql(env.DATABASE_URL, 'CREATE TABLE go_on (x integer)')
        const { pets } = await onStore(env.DATABASE_URL, (store) => store.bulk.counts())
        assert.ok(pets > 0 && pets < rows, `${pets} were in when it ended`)

        const ofTable = env.DATABASE_URL.startsWith('sqlite:') ? '' : ' ON pets'
        await runSql(env.DATABASE_URL, `DROP TRIGGER slow${ofTable}`)
        // PostgreSQL may still run the last statement of a process that was killed.
        const again = await eventually(
          () => command(['import', file], env),
          ({ stderr }) => !stderr.includes('Another process'),
        )
        assert.equal(again.code, 1)
        assert.match(again.stderr, /^Continuing after row [\d,]+\.\nline 60002: /)
        assert.match(again.stderr, /Added [\d,]+ animals, and [\d,]+ before; 1 row was rejected\./)
        assert.deepEqual(namesOf(await animalsOf(env.DATABASE_URL)), wanted)
      }))

    test('Two concurrent imports of one file add every animal once, and the later one says so [decision 28]', () =>
      withDatabase(database, async (env, folder) => {
        // The file has more than one batch.
        const file = fileIn(folder, 'a.csv', csvOf(24_000))
        await command(['migrate'], env)
        const ends = await Promise.all([1, 2].map(() => command(['import', file], env)))
        assert.deepEqual(ends.map(({ code }) => code).sort(), [0, 1], ends.map(({ stderr }) => stderr).join())
        const told = ends.find(({ code }) => code === 1)?.stderr ?? ''
        assert.match(told, /petstore: Another process is importing the same file\. .*\n$|was imported at/)
        assert.deepEqual(namesOf(await animalsOf(env.DATABASE_URL)), wanted.slice(0, 24_000))
      }))

    test(`An import into ${database.name} refuses a file that was imported before, even under another name, without --again [decision 28]`, () =>
      withDatabase(database, async (env, folder) => {
        const file = fileIn(folder, 'a.csv', csvOf(2))
        await done(['import', file], env)
        const said = /csv was imported at \d{4}-.*Z\. To add its animals once more, use --again\.\n$/
        await fails(['import', fileIn(folder, 'b.csv', csvOf(2))], env, said)
        await done(['import', file, '--again'], env)
        assert.deepEqual(namesOf(await animalsOf(env.DATABASE_URL)), ['Rex 0', 'Rex 1', 'Rex 0', 'Rex 1'])
        await fails(['import', file], env, said)
      }))
  })
