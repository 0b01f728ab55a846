/** The store through a real pgbouncer whose connections to the server change hands with each transaction. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { startPgbouncer } from '../../harness/pgbouncer.ts'
import { freePort, postgresDatabase, releasePostgres } from '../../harness/postgres.ts'
import { testWith } from '../../harness/process.ts'
import { times } from '../../harness/scope.ts'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { systemTime } from '../../src/time.ts'
import { petsOf, rex, rowOf } from '../store/subject.ts'

after(releasePostgres)

testWith(
  ['pgbouncer'],
  'PgBouncer in transaction mode serves two instances that use more connections than it has [decision 23]',
  async () => {
    const database = await postgresDatabase()
    const bouncer = await startPgbouncer(database.url, await freePort())
    const url = bouncer.through(database.url)
    const open = () =>
      openPostgres({ time: systemTime, url, connections: 10, timeoutMilliseconds: 60_000, prepare: false })
    const stores = await Promise.all([open(), open()])
    const key = { prefix: 'p', scopes: [], createdAt: 1, expiresAt: undefined }
    const names = new Set<string>()
    for (let round = 0; round < times(20, 4); round++)
      await Promise.all(
        stores.flatMap((store, i) =>
          Array.from({ length: 10 }, async (_, j) => {
            const name = `${i}-${round}-${j}`
            names.add(name)
            const { id } = rowOf(await store.pets.insert({ ...rex, name }, undefined))
            await store.keys.insert({ ...key, name, hash: name })
            const [found] = await Promise.all([store.keys.findByHash(name), store.tryWrite()])
            assert.equal(found?.name, name)
            await store.pets.update(BigInt(id), { status: 'pending' }, undefined)
            await store.pets.page({ after: id - 1, limit: 1 })
          }),
        ),
      )
    const page = await stores[0].pets.page({ after: 0, limit: 1_000 })
    assert.deepEqual(new Set(petsOf(page.json).map(({ name }) => name)), names)
    let rows = 0
    await stores[1].bulk.export(async (chunk) => {
      if (!['sales', 'events_purged'].includes(chunk.table)) rows += chunk.rows.length
    })
    // Each animal has two events, and there is a key.
    assert.equal(rows, 4 * names.size)
    await Promise.all(stores.map((store) => store.close()))
    await bouncer.stop()
    await database.remove()
  },
)

testWith(
  ['pgbouncer'],
  'A PgBouncer that refuses a setting at login is not reported as unreachable [decision 23]',
  async () => {
    const database = await postgresDatabase()
    const bouncer = await startPgbouncer(database.url, await freePort())
    const url = bouncer.through(database.url)
    await assert.rejects(
      openPostgres({ time: systemTime, url, connections: 1, timeoutMilliseconds: 60_000 }),
      /unsupported startup parameter: statement_timeout.+Set DATABASE_PREPARE=false, or ignore_startup_parameters/,
    )
    await bouncer.stop()
    await database.remove()
  },
)

testWith(
  ['pgbouncer'],
  'The service notices an unannounced PgBouncer in transaction mode, reports it once, and works with it [decision 23]',
  async () => {
    const database = await postgresDatabase()
    const bouncer = await startPgbouncer(
      database.url,
      await freePort(),
      'statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
    )
    const warnings: string[] = []
    const url = bouncer.through(database.url)
    const options = { time: systemTime, url, connections: 10, timeoutMilliseconds: 60_000 }
    const store = await openPostgres({ ...options, warn: (message) => warnings.push(message) })
    await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const { id } = rowOf(await store.pets.insert({ ...rex, name: `${i}` }, undefined))
        await Promise.all([store.pets.find(BigInt(id)), store.keys.findByHash(`${i}`), store.tryWrite()])
        await store.pets.update(BigInt(id), { status: 'pending' }, undefined)
      }),
    )
    const page = await store.pets.page({ after: 0, limit: 1_000, status: 'pending' })
    assert.equal(petsOf(page.json).length, 200)
    assert.equal(warnings.length, 1, warnings.join('\n'))
    assert.match(String(warnings), /set DATABASE_PREPARE=false/)
    await store.close()
    await bouncer.stop()
    await database.remove()
  },
)
