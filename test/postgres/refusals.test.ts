/** Mistakes of an operator on PostgreSQL. Every command says in one line what is wrong and what to do. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import postgres from 'postgres'
import { type PostgresServer, putFile, startPostgres } from '../../harness/postgres.ts'
import { command, done } from '../../harness/process.ts'
import { after, before, some, test, testInFull } from '../../harness/scope.ts'
import { assertFit } from '../../src/store/postgres/refusals.ts'

test('A server older than PostgreSQL 14 is refused with the version that is needed, and 14 is accepted [decision 23]', async () => {
  const answer = (version: string) => ({
    query: async <Row>() => [{ version, encoding: 'UTF8', schema: 'public', path: 'public' } as Row],
  })
  for (const version of ['13.22', '9.6.24', '13.4 (Debian 13.4-1)'])
    await assert.rejects(assertFit(answer(version)), {
      name: 'DatabaseUnusable',
      message: `The server is PostgreSQL ${version}. Upgrade it: petstore needs version 14 or newer.`,
    })
  for (const version of ['14.0', '15.4 (Debian 15.4-1)', '18beta1']) await assertFit(answer(version))
})

describe('a mistake on PostgreSQL', () => {
  let server: PostgresServer
  let admin: postgres.Sql
  before(async () => {
    server = await startPostgres({ settings: ['fsync=off', 'max_connections=12'] })
    admin = postgres(server.url, { max: 1, onnotice: () => {} })
  })
  after(async () => {
    await admin?.end()
    await server?.stop()
  })

  const urlOf = (database: string, user = 'petstore') =>
    server.url.replace('petstore@', `${user}@`).replace(/postgres$/, database)
  const envOf = (url: string) => ({ DATABASE_URL: url, DATABASE_TIMEOUT: '30000', DATABASE_POOL: '1' })
  /** Creates a database, and runs statements on it. With `isOurs`, it already has our tables. */
  async function database(name: string, statements: string, isOurs = false, options = ''): Promise<string> {
    await admin.unsafe(`CREATE DATABASE ${name} ${options}`)
    if (isOurs) await done(['migrate'], envOf(urlOf(name)))
    const sql = postgres(urlOf(name), { max: 1, onnotice: () => {} })
    await sql.unsafe(statements)
    await sql.end()
    return urlOf(name)
  }
  async function isRefused(
    url: string,
    said: string,
    commands = [['migrate'], ['keys', 'list'], ['keys', 'create', '--name', 'a'], ['check'], ['export', '-']],
  ): Promise<void> {
    for (const args of commands) {
      const { code, stdout, stderr } = await command(args, envOf(url))
      assert.deepEqual([code, stdout, stderr], [1, '', `petstore: ${said}\n`], args.join(' '))
    }
  }
  const unusable = (reason: string) => `The database cannot be used: ${reason}`

  for (const encoding of some(['LATIN1', 'WIN1252', 'EUC_JP', 'SQL_ASCII']))
    test(`The encoding ${encoding} is refused, because it lacks characters that names may contain [decision 23]`, async () => {
      const options = `ENCODING '${encoding}' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'`
      await isRefused(
        await database(`in_${encoding}`.toLowerCase(), 'SELECT 1', false, options),
        `The database has the encoding ${encoding}, which lacks characters that names may have. ` +
          `Create one with ENCODING 'UTF8' TEMPLATE template0, and name it in DATABASE_URL.`,
      )
    })

  test('A search_path without a schema is refused in one line', async () => {
    const url = await database('pathless', `ALTER DATABASE pathless SET search_path = 'nowhere'`)
    await isRefused(
      url,
      'The search_path (nowhere) names no schema that exists and that the role may use. ' +
        'Create the schema, or change the search_path of the role or in DATABASE_URL.',
    )
  })

  test('A schema that lacks some of its parts is refused in one line [decision 23]', async () => {
    const lacks = (parts: string) =>
      `The database lacks parts of its schema: ${parts}. ` +
      'Restore it as a whole from a backup. If a development version of petstore made it, ' +
      'copy it into a new database with "petstore copy".'
    const version = 'CREATE TABLE schema_version AS SELECT 100 AS version'
    const bare = await database('bare', version)
    await isRefused(bare, lacks('pets, pet_ids, pet_words, orders, order_ids and 31 more'), [['migrate']])
    await isRefused(bare, lacks('api_keys, pets, orders, idempotency_records, imports and 6 more'), [['check']])
    await isRefused(await database('tableless', 'DROP TABLE api_keys', true), lacks('api_keys'))
    const columnless = await database('columnless', 'ALTER TABLE api_keys DROP COLUMN rate', true)
    await isRefused(columnless, lacks('api_keys.rate'))
    const triggerless = await database('triggerless', 'DROP TRIGGER pets_insert ON pets', true)
    const renameless = await database('renameless', 'DROP TRIGGER pet_words_rename ON pets', true)
    await isRefused(renameless, lacks('trigger pet_words_rename'), [['migrate']])
    const sellsTwice = await database('sells_twice', 'DROP INDEX orders_one_sale', true)
    await isRefused(sellsTwice, lacks('orders_one_sale'), [['migrate']])
    await isRefused(triggerless, lacks('trigger pets_insert'), [['migrate'], ['demo']])
    const wordless = await database('wordless', 'ALTER TABLE pets DROP COLUMN words CASCADE', true)
    await isRefused(wordless, lacks('pets.words, trigger pet_words_rename'), [['migrate']])
    for (const url of [triggerless, wordless])
      assert.equal((await command(['export', '-'], envOf(url))).code, 0, 'its rows can be saved')
  })

  test('A database without plpgsql is refused in one line', async () => {
    const url = await database('speechless', 'DROP EXTENSION plpgsql')
    const said = unusable('language "plpgsql" does not exist. Run CREATE EXTENSION plpgsql in it, as its owner.')
    await isRefused(url, said, [['migrate'], ['keys', 'create', '--name', 'a'], ['demo']])
  })

  test('A server that refuses the login is not reported as unreachable', async () => {
    for (const statement of [
      `CREATE ROLE guest LOGIN PASSWORD 'right'`,
      'CREATE ROLE nologin',
      'CREATE ROLE limited LOGIN CONNECTION LIMIT 0',
      'CREATE ROLE stranger LOGIN',
      'CREATE DATABASE closed ALLOW_CONNECTIONS false',
      'CREATE DATABASE private',
      'REVOKE CONNECT ON DATABASE private FROM PUBLIC',
    ])
      await admin.unsafe(statement)
    const entries = [
      'all guest all scram-sha-256',
      'private all all trust',
      'all stranger all reject',
      'all all all trust',
    ]
    putFile(server.folder, 'pg_hba.conf', entries.map((entry) => `host ${entry}\n`).join(''))
    await admin`SELECT pg_reload_conf()`
    const login = 'Check the user and the password in DATABASE_URL, and pg_hba.conf of the server.'
    for (const [url, said] of [
      [
        urlOf('nowhere'),
        'database "nowhere" does not exist. Create the database, or correct its name in DATABASE_URL.',
      ],
      [urlOf('postgres', 'nobody'), `role "nobody" does not exist. ${login}`],
      [urlOf('postgres', 'nologin'), `role "nologin" is not permitted to log in. ${login}`],
      [urlOf('postgres', 'guest:wrong'), `password authentication failed for user "guest". ${login}`],
      [
        urlOf('closed'),
        'database "closed" is not currently accepting connections. ' +
          'Allow connections to the database, or name another in DATABASE_URL.',
      ],
      [
        urlOf('private', 'stranger'),
        'permission denied for database "private". Grant the role in DATABASE_URL this right.',
      ],
      [
        urlOf('postgres', 'limited'),
        'too many connections for role "limited". Close other connections, lower DATABASE_POOL, or raise the limit.',
      ],
      [
        `${urlOf('postgres')}?no_such_setting=1`,
        'unrecognized configuration parameter "no_such_setting". Check DATABASE_URL, with its parameters.',
      ],
    ] as const)
      await isRefused(url, unusable(said), [['migrate'], ['keys', 'list']])
    const rejected = await command(['migrate'], envOf(urlOf('postgres', 'stranger')))
    assert.match(rejected.stderr, /^petstore: The database cannot be used: pg_hba\.conf rejects connection .+\n$/)
    await isRefused(urlOf('postgres', 'guest'), 'The server asks for a password. Put it into DATABASE_URL.', [
      ['migrate'],
    ])
    const tls = await command(['migrate'], envOf(`${urlOf('postgres')}?sslmode=require`))
    assert.match(
      tls.stderr,
      /^petstore: Cannot connect to the database securely: .+ Check sslmode and sslrootcert .+\n$/,
    )
  })

  test('A read-only database is refused in one line', async () => {
    const url = await database('readonly', 'ALTER DATABASE readonly SET default_transaction_read_only = on')
    const said = unusable(
      'cannot execute CREATE TABLE in a read-only transaction. It may be a standby: name the primary in DATABASE_URL.',
    )
    await isRefused(url, said, [['migrate']])
  })

  testInFull(
    'Without a synchronous standby, a new database is created, and creating a key ends with one line',
    async (t) => {
      const setStandbys = async (names: string) => {
        await admin.unsafe(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
        await admin`SELECT pg_reload_conf()`
      }
      const url = await database('alone', 'SELECT 1')
      await setStandbys('nobody')
      t.after(() => setStandbys(''))
      const env = { ...envOf(url), DATABASE_TIMEOUT: '1000' }
      assert.equal(await done(['migrate'], env), 'The database is up to date.\n')
      const { code, stdout, stderr } = await command(['keys', 'create', '--name', 'a'], env)
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(
        stderr,
        /^petstore: PostgreSQL: .+\. Run the command again when the database works\. Part of the work may already be done\.\n$/,
      )
    },
  )
})
