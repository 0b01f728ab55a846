/** `petstore import`, interrupted and run again: on both databases nothing is added twice, and nothing is missing. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { constants, openSync, readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { rex } from '../store/subject.ts'
import { animalsOf, csvOf, fileIn, onStore, withDatabase } from '../support/catalogue.ts'
import { databases } from '../support/databases.ts'
import { eventually } from '../support/load.ts'
import { postgresDatabase, releasePostgres } from '../support/postgres.ts'
import { command, done, Folder, fails, node, Program } from '../support/process.ts'
import { some, testInFull } from '../support/scope.ts'
import { main } from '../support/service.ts'
import { change } from '../support/sqlite.ts'

after(releasePostgres)

const rows = 40_000
const wanted = Array.from({ length: rows }, (_, i) => `Rex ${i}`)
const namesOf = (animals: readonly string[]) => animals.map((animal) => animal.replace(/^\d+ \d+ \w+ /, ''))

for (const database of some(databases))
  describe(`petstore import into ${database.name}`, () => {
    for (const signal of some(['SIGKILL', 'SIGINT', 'SIGTERM'] as const))
      test(`ended by ${signal} and run again, goes on where it was [D244]`, () =>
        withDatabase(database, async (env, folder) => {
          // In the middle it rejects more than a pipe holds, and so waits for its reader.
          const long = `${'x'.repeat(60_000)},1\n`.repeat(40)
          const file = fileIn(folder, 'a.csv', `${csvOf(rows).replace('Rex 20000,', `${long}Rex 20000,`)}Lady,x\n`)
          await command(['migrate'], env)
          const path = join(folder.path, 'pipe')
          execFileSync('mkfifo', [path])
          await using reader = new Socket({
            fd: openSync(path, constants.O_RDWR | constants.O_NONBLOCK),
            writable: false,
          })
          await using importing = new Program([node, main, 'import', file, '--rejects', path], { env })
          await onStore(env.DATABASE_URL, ({ bulk }) =>
            eventually(
              () => bulk.counts(),
              ({ pets }) => pets > 0,
            ),
          )
          importing.signal(signal)
          reader.resume()
          const { code, stderr } = await importing.ended
          const { pets } = await onStore(env.DATABASE_URL, (store) => store.bulk.counts())
          assert.ok(pets > 0 && pets < rows, `${pets} were in when it ended`)
          if (signal !== 'SIGKILL') {
            assert.equal(code, signal === 'SIGINT' ? 130 : 143)
            assert.match(stderr, /\nInterrupted\. What was added stays; run the same command again to go on\.\n$/)
          }

          const args = ['import', file, '--rejects', join(folder.path, 'rejected.csv')]
          // PostgreSQL may still be at the last statement of a process that was killed.
          const again = await eventually(
            () => command(args, env),
            ({ stderr }) => !stderr.includes('Another process'),
          )
          assert.equal(again.code, 1)
          assert.match(again.stderr, /^Going on after row [\d,]+\.\n/)
          assert.match(again.stderr, /Added [\d,]+ animals in .*, and [\d,]+ before; 41 rows were rejected\./)
          assert.deepEqual(namesOf(await animalsOf(env.DATABASE_URL)), wanted)
          assert.match(
            readFileSync(join(folder.path, 'rejected.csv'), 'utf8'),
            /^line,.*\n(?:.*,x+,1\n){40}40042,.*,Lady,x\n$/,
          )
        }))

    test('two at once add every animal once; the later one is told [D244]', () =>
      withDatabase(database, async (env, folder) => {
        // More than one batch.
        const file = fileIn(folder, 'a.csv', csvOf(11_000))
        await command(['migrate'], env)
        const ends = await Promise.all([1, 2].map(() => command(['import', file], env)))
        assert.deepEqual(ends.map(({ code }) => code).sort(), [0, 1], ends.map(({ stderr }) => stderr).join())
        const told = ends.find(({ code }) => code === 1)?.stderr ?? ''
        assert.match(told, /petstore: Another process is importing the same file\. .*\n$|was imported at/)
        assert.deepEqual(namesOf(await animalsOf(env.DATABASE_URL)), wanted.slice(0, 11_000))
      }))

    test('refuses a file that was imported whole, under another name too, unless --again says so [D244]', () =>
      withDatabase(database, async (env, folder) => {
        const file = fileIn(folder, 'a.csv', csvOf(2))
        await done(['import', file], env)
        const said = /csv was imported at \d{4}-.*Z\. To add its animals once more, use --again\.\n$/
        await fails(['import', fileIn(folder, 'b.csv', csvOf(2))], env, said)
        await done(['import', file, '--again'], env)
        assert.deepEqual(namesOf(await animalsOf(env.DATABASE_URL)), ['Rex 0', 'Rex 1', 'Rex 0', 'Rex 1'])
        await fails(['import', file], env, said)
      }))

    test('keeps the ids of an export in a database that never had an animal; gives new ones where they do not ascend, would leave few for others, or there was one [D248]', async () => {
      for (const [rows, expected] of [
        ['3,Rex\n7,\n4503599627370496,Lady', ['3 Rex', '4503599627370496 Lady']],
        ['5,Rex\n4,Lady', ['1 Rex', '2 Lady']],
        ['3,Rex\n4503599627370497,Lady', ['1 Rex', '2 Lady']],
      ] as const)
        await withDatabase(database, async (env, folder) => {
          const file = fileIn(folder, 'a.csv', `id,name,categoryId\n${rows.replaceAll(/$/gm, ',1')}\n`)
          const { stderr } = await command(['import', file], env)
          assert.equal(/^The animals keep the ids of the file\.\n/.test(stderr), expected[0] === '3 Rex', stderr)
          const found = async () => (await animalsOf(env.DATABASE_URL)).map((each) => each.replace(' 1 available', ''))
          assert.deepEqual(await found(), expected)
          const next = Number(expected[1].split(' ')[0]) + 1
          const later = fileIn(folder, 'b.csv', 'id,name,categoryId\n50,Max,1\n')
          await done(['import', later], env)
          assert.deepEqual((await found()).at(-1), `${next} Max`)
        })
    })
  })

test('petstore import that is told to stop while its last animals are added has ended, and does not ask to be run again', async () => {
  using folder = new Folder()
  const { url, connect, remove } = await postgresDatabase()
  const env = { DATABASE_URL: url, DATABASE_TIMEOUT: '60000' }
  await command(['migrate'], env)
  const sql = connect(2)
  try {
    const rejects = join(folder.path, 'rejected.csv')
    let importing = Promise.resolve({ code: -1 as number | null, stderr: '' })
    await sql.begin(async (held) => {
      await held`LOCK TABLE pets`
      importing = command(['import', fileIn(folder, 'a.csv', `${csvOf(2)}Lady,x\n`), '--rejects', rejects], env)
      const waiting = () => sql`SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'pets'::regclass`
      await eventually(waiting, ({ length }) => length > 0)
      process.emit('SIGHUP', 'SIGHUP')
    })
    const { code, stderr } = await importing
    assert.equal(code, 1)
    assert.match(stderr, /^Added 2 animals in .*; 1 row was rejected\.\nMend the rejected rows in .*\n$/)
    assert.match(readFileSync(rejects, 'utf8'), /Lady,x\n$/)
  } finally {
    await sql.end()
    await remove()
  }
})

/** Whether another process is in a write transaction. */
function isLocked({ database }: Folder): boolean {
  using db = new DatabaseSync(database)
  try {
    db.exec('BEGIN IMMEDIATE')
    return false
  } catch {
    return true
  }
}

testInFull('petstore import that is suspended by Ctrl-Z holds no lock of a SQLite file, and goes on', async () => {
  using folder = new Folder()
  await command(['migrate'], folder.env)
  // One of its transactions takes seconds, so that the test meets it.
  change(
    folder.database,
    `CREATE VIEW long AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000000) SELECT max(i) FROM n;
     CREATE TRIGGER long AFTER INSERT ON pets WHEN NEW.name = 'Rex 7000' BEGIN SELECT * FROM long; END`,
  )
  await onStore(folder.url, async ({ pets, imports }) => {
    await using importing = new Program([node, main, 'import', fileIn(folder, 'a.csv', csvOf(rows))], {
      env: folder.env,
    })
    while (await imports.isNew()) await nextTurn()
    while (!isLocked(folder)) await nextTurn()
    importing.signal('SIGTSTP')
    const stateOf = () => readFileSync(`/proc/${importing.pid}/stat`, 'utf8').replace(/^.*\) /s, '')[0]
    await eventually(
      async () => stateOf(),
      (state) => state === 'T',
    )
    await pets.insert(rex, undefined)
    importing.signal('SIGCONT')
    const { code, stderr } = await importing.ended
    assert.equal(code, 0, stderr)
  })
  const imported = namesOf(await animalsOf(folder.url)).filter((name) => name !== rex.name)
  assert.deepEqual(imported, wanted)
})
