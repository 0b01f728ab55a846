/** The store through a real pgbouncer whose connections to the server change hands with each transaction. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { systemTime } from '../../src/time.ts'
import { petsOf, rex, rowOf } from '../store/subject.ts'
import { untilReady } from '../support/load.ts'
import { startPgbouncer } from '../support/pgbouncer.ts'
import { freePort, postgresDatabase, releasePostgres } from '../support/postgres.ts'
import { testWith } from '../support/process.ts'

after(releasePostgres)

testWith(
  ['pgbouncer'],
  'in transaction mode serves two instances with more connections than it has itself [D191]',
  async () => {
    const database = await postgresDatabase()
    const bouncer = await startPgbouncer(database.url, await freePort())
    const url = bouncer.through(database.url)
    const open = () =>
      openPostgres({ time: systemTime, url, connections: 10, timeoutMilliseconds: 60_000, prepare: false })
    const stores = await Promise.all([open(), open()])
    const key = { prefix: 'p', scopes: [], createdAt: 1, expiresAt: undefined }
    const names = new Set<string>()
    for (let round = 0; round < 20; round++)
      await Promise.all(
        stores.flatMap((store, i) =>
          Array.from({ length: 10 }, async (_, j) => {
            const name = `${i}-${round}-${j}`
            names.add(name)
            const { id } = rowOf(await store.pets.insert({ ...rex, name }, undefined))
            await store.keys.insert({ ...key, name, hash: name })
            const [found] = await Promise.all([store.keys.findByHash(name), untilReady(store)])
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
    // An animal, its two events, and a key.
    assert.equal(rows, 4 * names.size)
    await Promise.all(stores.map((store) => store.close()))
    await bouncer.stop()
    await database.remove()
  },
)
