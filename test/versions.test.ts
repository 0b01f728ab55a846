/**
 * Two versions of the program on one database. Only `serve` and `migrate` change its schema, and each version works
 * beside the other.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe } from 'node:test'
import { fileURLToPath } from 'node:url'
import { csvOf, fileIn, onStore, withDatabase } from '../harness/catalogue.ts'
import { databases } from '../harness/databases.ts'
import { faultsIn } from '../harness/faults.ts'
import { becomeNextVersion } from '../harness/next-version.ts'
import { postgresDatabase, releasePostgres } from '../harness/postgres.ts'
import { command, done, Folder, fails, node, Served } from '../harness/process.ts'
import { after, some, test, times } from '../harness/scope.ts'
import { main } from '../harness/service.ts'
import { runSql } from '../harness/sql.ts'
import { Trial } from '../harness/trial.ts'
import type { Store } from '../src/store/store.ts'
import { tableNames } from '../src/store/tables.ts'
import { ofNone, rex, rowOf, walk } from './store/subject.ts'

const nextVersion = fileURLToPath(new URL('../harness/next-version.ts', import.meta.url))
const [programBefore, programAfter] = [
  [node, main],
  [node, nextVersion],
] as const

after(releasePostgres)

const isSqlite = (url: string): boolean => url.startsWith('sqlite:')
const pathOf = (url: string): string => url.slice('sqlite:'.length)

async function versionOf(url: string): Promise<number> {
  const [version] = await runSql(
    url,
    isSqlite(url) ? 'SELECT user_version FROM pragma_user_version' : 'SELECT version FROM schema_version',
  )
  return Number(version)
}

/** Returns every table, column, index and trigger, without the tables of days, which the service creates over time. */
const schemaOf = (url: string): Promise<string[]> =>
  runSql(
    url,
    isSqlite(url)
      ? 'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name'
      : `SELECT concat_ws(' ', relname, attname, atttypid::regtype, attnotnull) AS item FROM pg_attribute
         JOIN pg_class ON pg_class.oid = attrelid
         WHERE relnamespace = 'public'::regnamespace AND attnum > 0 AND relname !~ '^events_2'
         UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename !~ '^events_2'
         UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1`,
  )

/** Returns every row. Of a SQLite file, it returns the bytes and the files beside it. */
async function contentOf(url: string): Promise<unknown> {
  if (isSqlite(url)) return [readFileSync(pathOf(url)), readdirSync(dirname(pathOf(url))).sort()]
  const rowsOf = (table: string) => `SELECT '${table} ' || each::text FROM ${table} AS each`
  return runSql(url, `${tableNames.map(rowsOf).join(' UNION ALL ')} ORDER BY 1`)
}

const stateOf = async (url: string): Promise<unknown[]> => [
  await versionOf(url),
  await schemaOf(url),
  await contentOf(url),
]

async function asNextVersion<T>(work: () => Promise<T>): Promise<T> {
  using _ = becomeNextVersion()
  return await work()
}

describe('a rolling upgrade', () => {
  const requests = times(30, 10)
  for (const database of some(databases, 0))
    test(`A rolling upgrade under load, and back, fails no request and loses nothing, on ${database.name} [decision 25]`, async () => {
      const { url, remove } = await database.open()
      const trial = await Trial.start({ DATABASE_URL: url }, 1)
      try {
        for (const program of [programAfter, programBefore]) {
          await trial.alongside(trial.load.more(requests))
          await trial.add(program)
          assert.equal(await versionOf(url), 102)
          // Both versions serve. The earlier one works on a schema that has changed under its open connections.
          await trial.alongside(trial.load.more(2 * requests))
          await trial.alongside(trial.rivals.more(requests / 5))
          await trial.retire()
        }
        const schema = await schemaOf(url)
        assert.ok(schema.some((item) => item.includes('pets_by_colour')))
        await trial.alongside(trial.load.more(requests))
        assert.deepEqual(await trial.faults(), [])
        assert.equal(trial.failures, 0)
        assert.deepEqual(await schemaOf(url), schema)
      } finally {
        await trial.stop()
        await remove()
      }
    })
})

describe('a store', () => {
  /** Uses each table of the store, and finds in it what was written. */
  async function use(store: Store, turn: number): Promise<void> {
    const { keys, pets, orders, categories, inventory, imports, webhooks, events } = store
    const now = Date.now()
    const newKey = {
      name: 'key',
      prefix: 'pst_abcd',
      scopes: ['pets:read' as const],
      createdAt: now,
      expiresAt: undefined,
    }
    const key = await keys.insert({ ...newKey, hash: `first ${turn}` })
    assert.deepEqual(await keys.find(key.id), key)
    assert.deepEqual(await keys.findAll([key.id]), [key])
    assert.deepEqual(await keys.findByHash(key.hash), key)
    assert.deepEqual((await keys.list()).at(-1), key)
    assert.equal((await keys.rotate(key.id, now, { ...newKey, hash: `second ${turn}` }))?.hash, `second ${turn}`)
    await keys.touch(key.id, now)

    const claim = { keyId: key.id, route: 'POST', idempotencyKey: 'first', fingerprint: 'a' }
    const pet = rowOf(await pets.insert({ ...rex, name: `Rex ${turn}` }, claim))
    assert.deepEqual(rowOf(await pets.insert(rex, claim)), { ...pet, replayed: true })
    const id = BigInt(pet.id)
    const changed = rowOf((await pets.update(id, { name: `Max ${turn}`, categoryId: 7n }, undefined)) ?? 'unknown_pet')
    assert.equal(await pets.find(id), changed.json)
    assert.deepEqual(
      (await walk(store, { search: ['max', `${turn}`] })).seen.map((each) => each.id),
      [id],
    )
    const order = rowOf(await orders.place({ petId: id }, { ...claim, idempotencyKey: 'second' }))
    assert.equal(await orders.find(BigInt(order.id)), order.json)
    await orders.move(BigInt(order.id), 'completed')
    await categories.put(7n, `Fish ${turn}`, undefined)
    assert.match((await inventory.page({ after: 6n, limit: 1 })).json, new RegExp(`"Fish ${turn}"`))
    assert.ok(((await inventory.sales('2000-01-01'))[0]?.sold ?? 0) > 0)

    const hash = `file ${turn}`
    const state = await imports.begin(hash, false)
    assert.equal(state.rowsDone, 0)
    assert.ok(await imports.add(hash, state, [['Lady', '1', 'available']], 1))
    assert.equal((await imports.begin(hash, false)).rowsDone, 1)

    const position = await events.present()
    const given = { url: 'https://shop.example', types: [], secret: 's', position, createdAt: now }
    const webhook = await webhooks.insert(given, 10)
    assert.ok(webhook)
    const hookId = BigInt(webhook.id)
    assert.deepEqual(await webhooks.find(hookId), webhook)
    assert.deepEqual((await webhooks.page(webhook.id - 1, 1))[0], webhook)
    const delivery = { eventId: turn, type: 'pet.created', subject: 'a', at: now, body: '{}' }
    assert.ok(await webhooks.add(webhook.id, position, position, [delivery]))
    assert.partialDeepStrictEqual(await webhooks.queues(webhook.id), [{ webhook, waiting: 1 }])
    const [claimed] = await webhooks.claim(webhook.id, now, 1)
    assert.ok(claimed && claimed.lockedUntil > 0)
    assert.equal(claimed.body, '{}')
    assert.ok(await webhooks.finish(webhook.id, { ...claimed, status: 'failed', tries: 1 }))
    assert.equal((await webhooks.deliveries(hookId, turn + 1, 1))[0]?.status, 'failed')
    assert.equal((await webhooks.redeliver(hookId, BigInt(turn)))?.status, 'pending')
    assert.equal((await webhooks.update(hookId, { url: 'https://new.example' }))?.url, 'https://new.example')
    assert.equal((await webhooks.rotate(hookId, 'new', now))?.oldSecret, 's')

    await store.shareRates?.([{ keyId: key.id, used: 5, ahead: 5, aheadMax: 9 }])
    await store.tryWrite()
    assert.ok((await inventory.sales('2000-01-01')).length > 0)
    await pets.remove(BigInt(rowOf(await pets.insert(rex, undefined)).id), undefined)
    await events.purge(ofNone)
    assert.deepEqual(await faultsIn(store), [])
  }

  for (const database of databases)
    test(`A store that is open while every table gets another column continues to work, on ${database.name} [decision 25]`, () =>
      withDatabase(database, async ({ DATABASE_URL: url }) => {
        await onStore(url, async (store) => {
          await use(store, 1)
          await asNextVersion(() => done(['migrate'], { DATABASE_URL: url }))
          await use(store, 2)
        })
        assert.equal(await versionOf(url), 102)
      }))
})

interface Use {
  readonly args: readonly string[]
  /** What the command does with the schema of the previous version, which most commands refuse. */
  readonly onOlder?: 'works' | 'migrates'
  /** What the command says if it refuses the schema of the next version, on which most commands work. */
  readonly onNewer?: RegExp
}

/**
 * Returns every command, to be run one after another on a database. `empty` is a second database, and the folder
 * contains a third one of this program's own version.
 */
function usesOf(url: string, empty: string, folder: Folder): readonly Use[] {
  const at = (name: string) => `${folder.path}/${name}`
  const onlyOnSqlite: readonly Use[] = [
    { args: ['backup', at('backup.db')], onOlder: 'works' },
    {
      args: ['restore', at('backup.db'), '--force'],
      onOlder: 'works',
      onNewer: /only that one can tell what it has added/,
    },
  ]
  return [
    { args: ['demo'] },
    { args: ['keys', 'create', '--name', 'shop'] },
    { args: ['keys', 'list'] },
    { args: ['keys', 'rotate', '1'] },
    { args: ['keys', 'revoke', '1'] },
    { args: ['import', fileIn(folder, 'in.csv', csvOf(3))] },
    { args: ['export', at('out.csv')] },
    { args: ['export', '--orders'] },
    { args: ['export', '--categories'] },
    { args: ['copy', '--from', url, '--to', `sqlite:${at('copy.db')}`], onNewer: /would leave out what was added/ },
    { args: ['copy', '--from', folder.url, '--to', empty] },
    ...(isSqlite(url) ? onlyOnSqlite : []),
    { args: ['check'] },
    { args: ['conform', '--list'], onOlder: 'works' },
    { args: ['openapi', '--output', '-'], onOlder: 'works' },
    { args: ['serve'], onOlder: 'migrates' },
    { args: ['migrate'], onOlder: 'migrates' },
  ]
}

const older =
  /^petstore: (?:--(?:from|to): )?(?:\S+\.db|The database) has the schema of an older petstore \(schema 100, .+ Run/

describe('the commands', () => {
  test('Every command is tested on the database of another version', async () => {
    const { stdout } = await command(['--help'])
    const named = [...stdout.matchAll(/^ {2}(\w+) +\S/gm)].map(([, name]) => name)
    using folder = new Folder()
    // The sandbox has no database.
    const tried = ['sandbox', ...usesOf('sqlite:', '', folder).map(({ args }) => args[0])]
    assert.deepEqual([...new Set(tried)].sort(), named.sort())
  })

  /** Runs the service for a moment, and any other command to its end. */
  async function run(program: readonly string[], args: readonly string[], env: { DATABASE_URL: string }) {
    if (args[0] !== 'serve') return command(args, env)
    await using served = await Served.start(env, { program })
    return await served.end('SIGTERM')
  }

  for (const database of some(databases)) {
    /** Provides a database, an empty one beside it, and a folder. */
    const withTwo = (
      work: (env: { DATABASE_URL: string }, empty: { DATABASE_URL: string }, folder: Folder) => Promise<void>,
    ) => withDatabase(database, (env, folder) => withDatabase(database, (empty) => work(env, empty, folder)))

    test(`Commands do not change an older schema and say what to run, on ${database.name} [decision 25]`, () =>
      withTwo(async (env, empty, folder) => {
        for (const each of [env, empty]) await done(['migrate'], each)
        await done(['demo'], env)
        using _ = becomeNextVersion()
        await done(['demo'], folder.env)
        const [url, emptyUrl] = [env.DATABASE_URL, empty.DATABASE_URL]
        let before = [await stateOf(url), await stateOf(emptyUrl)]
        for (const { args, onOlder } of usesOf(url, emptyUrl, folder)) {
          if (onOlder === 'migrates') continue
          const { code, stderr } = await run(programAfter, args, env)
          const line = args.join(' ')
          if (onOlder) assert.equal(code, 0, `${line}: ${stderr}`)
          else {
            assert.equal(code, 1, line)
            assert.match(stderr, older, line)
          }
          const found = [await stateOf(url), await stateOf(emptyUrl)]
          // A restored database has the same rows in other pages.
          if (args[0] === 'restore') before = [[...(before[0]?.slice(0, 2) ?? []), found[0]?.at(-1)], before[1] ?? []]
          assert.deepEqual(found, before, line)
        }
        await run(programAfter, ['serve'], env)
        await run(programAfter, ['migrate'], empty)
        assert.deepEqual([await versionOf(url), await versionOf(emptyUrl)], [102, 102])
      }))

    test(`Commands work on a newer schema of the same major version, or say why not, on ${database.name} [decision 25]`, () =>
      withTwo(async (env, empty, folder) => {
        await asNextVersion(async () => {
          for (const each of [env, empty]) await done(['migrate'], each)
        })
        await done(['demo'], folder.env)
        const schema = await schemaOf(env.DATABASE_URL)
        for (const { args, onNewer } of usesOf(env.DATABASE_URL, empty.DATABASE_URL, folder)) {
          const { code, stderr } = await run(programBefore, args, env)
          const line = args.join(' ')
          assert.equal(code, onNewer ? 1 : 0, `${line}: ${stderr}`)
          if (onNewer) assert.match(stderr, onNewer, line)
          for (const { DATABASE_URL } of [env, empty])
            assert.deepEqual([await versionOf(DATABASE_URL), await schemaOf(DATABASE_URL)], [102, schema], line)
        }
      }))
  }
})

test('A command that reads a database creates no tables in an empty one [decision 27]', async () => {
  using folder = new Folder()
  fileIn(folder, 'test.db', '')
  const { url, remove } = await postgresDatabase()
  const said = /^petstore: (?:\S+\.db|The database) is empty\. Check the name; "petstore serve" or .+\.\n$/
  for (const DATABASE_URL of [folder.url, url])
    for (const line of ['keys list', 'check', 'export']) await fails(line.split(' '), { DATABASE_URL }, said)
  assert.equal(statSync(folder.database).size, 0)
  assert.deepEqual(await runSql(url, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`), [])
  await remove()
})
