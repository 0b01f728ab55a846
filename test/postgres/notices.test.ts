/** Instances tell each other that there are new events; where they cannot, streams look once a second. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import type { Store } from '../../src/store/store.ts'
import { rex } from '../store/subject.ts'
import { EventStream } from '../support/event-stream.ts'
import { eventually } from '../support/load.ts'
import { databasePerTest } from '../support/postgres.ts'
import { bun, node } from '../support/runtimes.ts'
import { describeInFull, some } from '../support/scope.ts'
import { TestService } from '../support/service.ts'

describeInFull('several instances on one PostgreSQL', { timeout: 180_000 }, () => {
  const given = databasePerTest()
  let stores: Store[]
  beforeEach(() => {
    stores = []
  })
  afterEach(() => Promise.all(stores.map((store) => store.close())))
  async function open(prepare = true): Promise<Store> {
    const store = await openPostgres({ url: given.url, connections: 2, timeoutMilliseconds: 5_000, prepare })
    stores.push(store)
    return store
  }
  const listening = async () =>
    Number(
      (
        await given.sql`SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN %'
      AND datname = current_database()`
      )[0]?.count,
    )

  test('hear of each other’s commits while somebody watches, also after the connection was lost [D260]', async () => {
    const [writer, other] = [await open(), await open()]
    let hints = 0
    const stop = other.events.watch(() => hints++)
    const heard = () =>
      eventually(
        async () => {
          await writer.pets.insert(rex, undefined)
          return hints
        },
        (count) => count > 0,
      )
    await heard()
    assert.equal(await listening(), 1)
    await given.sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN %' AND datname = current_database()`
    await eventually(listening, (count) => count === 0)
    hints = 0
    await heard()

    stop()
    await eventually(listening, (count) => count === 0)
    hints = 0
    await writer.pets.insert(rex, undefined)
    await other.pets.insert(rex, undefined)
    assert.equal(hints, 0)
  })

  test('do not listen behind a pgbouncer in transaction mode', async () => {
    const store = await open(false)
    let hints = 0
    const stop = store.events.watch(() => hints++)
    await store.pets.insert(rex, undefined)
    assert.ok(hints > 0, 'of its own commits')
    assert.equal(await listening(), 0)
    stop()
  })

  for (const [how, prepare] of some([
    ['without', 'false'],
    ['with', 'true'],
  ] as const))
    test(`what one writes reaches the streams of the other, ${how} notices, in order and each once [D260]`, async () => {
      const env = { DATABASE_URL: given.url, LOG_LEVEL: 'warn', DATABASE_PREPARE: prepare }
      const instances = await Promise.all([node, bun].map((runtime) => TestService.start(runtime, env)))
      const [first, second] = instances as [TestService, TestService]
      try {
        const key = await first.makeKey({ scopes: ['events:read'] })
        await using stream = await EventStream.open(`${second.url}/v1`, { key })
        await using same = await EventStream.open(`${first.url}/v1`, { key })
        const add = (to: TestService) => to.call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } })
        for (let round = 0; round < 5; round++)
          await Promise.all(instances.flatMap((to) => [add(to), add(to), add(to)]))
        await Promise.all([stream, same].map((each) => each.until(({ ids }) => ids.length === 30)))
        // The other does not hear of its own commits now.
        await add(first)
        await Promise.all([stream, same].map((each) => each.until(({ ids }) => ids.length === 31)))
        assert.deepEqual(stream.ids, same.ids)
        assert.deepEqual(
          stream.ids,
          stream.ids.toSorted((a, b) => a - b),
        )
        assert.deepEqual([first.log, second.log], ['', ''])
      } finally {
        await Promise.all(instances.map((each) => each.stop()))
      }
    })
})
