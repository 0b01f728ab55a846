/**
 * Databases of released versions, which `npm run build:databases` keeps in contracts/. The current version reads and
 * changes them.
 */
import assert from 'node:assert/strict'
import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { execute, postgresDatabase, releasePostgres } from '../harness/postgres.ts'
import { done, Folder } from '../harness/process.ts'
import { projectFile, root } from '../harness/project.ts'
import { after, some, test } from '../harness/scope.ts'
import { TestService } from '../harness/service.ts'
import { runSql } from '../harness/sql.ts'

interface Recorded {
  readonly key: string
  /** The responses of the version of the database, by path. */
  readonly answers: Readonly<Record<string, unknown>>
}

after(releasePostgres)

const contracts = join(root, 'contracts')
const versions = readdirSync(contracts).flatMap((name) => /^database-(.+)\.json$/.exec(name)?.[1] ?? [])
const isReleased = (version: string) => projectFile('CHANGELOG.md').includes(`## ${version} (20`)

/** Copies the SQLite file of a version. */
async function sqliteOf(version: string) {
  const folder = new Folder()
  copyFileSync(join(contracts, `database-${version}.db`), folder.database)
  return { url: folder.url, remove: async () => folder[Symbol.dispose]() }
}

/** Makes a database from the dump of a version. */
async function postgresOf(version: string) {
  const database = await postgresDatabase()
  await execute(database.url, projectFile(`contracts/database-${version}.sql`))
  return database
}

/** Returns every table with its columns, and every index, trigger and function. */
const schemaOf = (url: string): Promise<string[]> =>
  runSql(
    url,
    url.startsWith('sqlite:')
      ? 'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name'
      : `SELECT concat_ws(' ', relname, attname, atttypid::regtype, attnotnull) AS item FROM pg_attribute
         JOIN pg_class ON pg_class.oid = attrelid
         WHERE relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped
         UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
         UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
         UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1`,
  )

for (const version of versions)
  for (const [name, kind, open] of some([
    ['SQLite', 'sqlite', sqliteOf],
    ['PostgreSQL', 'postgres', postgresOf],
  ] as const))
    describe(`A database of petstore ${version} on ${name}`, () => {
      const recorded: Recorded = JSON.parse(projectFile(`contracts/database-${version}.json`))[kind]

      test(`A database of petstore ${version} on ${name} is read correctly, accepts all writes, and passes petstore check`, async () => {
        const { url, remove } = await open(version)
        // The events are old, but are kept.
        const service = await TestService.start({ DATABASE_URL: url, EVENTS_DAYS: '3650', LOG_LEVEL: 'error' })
        const call = async (method: string, path: string, body?: object) => {
          const { status, json } = await service.call(method, path, { key: recorded.key, ...(body && { body }) })
          assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(json)}`)
          return json
        }
        try {
          for (const [path, answer] of Object.entries(recorded.answers))
            assert.partialDeepStrictEqual(await call('GET', path), answer, path)
          const lastEvent = (await call('GET', '/events?limit=100')).at(-1).id
          const { id } = await call('POST', '/pets', { name: 'Ada', categoryId: 7 })
          assert.equal(id, 7, 'the id of the removed animal is not given again')
          await call('PATCH', '/pets/4', { name: 'Max the new' })
          assert.deepEqual(
            (await call('GET', '/pets?search=new')).map((pet: { id: number }) => pet.id),
            [4],
          )
          await call('POST', '/store/orders/3/complete')
          await call('POST', '/store/orders/1/return')
          assert.equal((await call('POST', '/store/orders', { petId: id })).id, 4)
          await call('PUT', '/categories/7', { name: 'Dogs' })
          await call('DELETE', '/webhooks/1')
          const events = await call('GET', `/events?limit=100`)
          const types = events
            .filter((event: { id: number }) => event.id > lastEvent)
            .map(({ type }: { type: string }) => type)
          // Events about animals that an order has changed are left out.
          assert.deepEqual(
            types.filter((type: string) => type !== 'pet.updated'),
            ['pet.created', 'order.completed', 'order.returned', 'order.placed', 'category.named'],
          )
        } finally {
          await service.stop()
        }
        await done(['check'], { DATABASE_URL: url })
        await remove()
      })

      test(`A database of petstore ${version} on ${name} has the current schema until that version is released`, {
        skip: isReleased(version) && 'it is released',
      }, async () => {
        const [kept, fresh] = [await open(version), kind === 'sqlite' ? new Folder() : await postgresDatabase()]
        await done(['migrate'], { DATABASE_URL: fresh.url })
        assert.deepEqual(
          await schemaOf(kept.url),
          await schemaOf(fresh.url),
          `${version} is not released, and its schema has changed in place: run \`npm run build:databases\` and commit contracts/`,
        )
        await kept.remove()
        if ('remove' in fresh) await fresh.remove()
        else fresh[Symbol.dispose]()
      })
    })
