/** `petstore copy` moves everything from one database to another, where it works, or it moves nothing. */

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { onStore } from '../../harness/catalogue.ts'
import { expectError } from '../../harness/expect.ts'
import { faultsIn } from '../../harness/faults.ts'
import { eventually } from '../../harness/patience.ts'
import { postgresDatabase, releasePostgres } from '../../harness/postgres.ts'
import { command, done, Folder, fails, node, Program, petstore } from '../../harness/process.ts'
import { testInFull } from '../../harness/scope.ts'
import { main, TestService } from '../../harness/service.ts'
import { tableNames } from '../../src/store/tables.ts'
import { int64Max, int64Min, petsOf, rex, rowOf } from '../store/subject.ts'

const animals = 3_000
const names = [
  '𝔊𝔯𝔦𝔰𝔲',
  'é',
  'e\u0301',
  '👩‍👩‍👧',
  '"\\',
  "'; DROP TABLE pets; --",
  ' Rex ',
  '\u{10ffff}',
  '\ufeff',
  '$1 %s ?',
]
const none = Object.fromEntries(tableNames.map((table) => [table, Number(table === 'events_purged')]))
const categories = [int64Min, int64Max, 2n ** 53n + 1n, 0n, -1n]

after(releasePostgres)

const copying = (from: string, to: string) => ['copy', '--from', from, '--to', to]

/** Returns everything that clients and operators can see. */
const contents = (url: string) =>
  onStore(url, async (store) => {
    const pets: string[] = []
    for (let next: number | undefined = 0; next !== undefined; ) {
      const page = await store.pets.page({ after: next, limit: 100 })
      pets.push(...petsOf(page.json).map(({ id, name, categoryId, status }) => `${id} ${categoryId} ${status} ${name}`))
      next = page.next
    }
    const orders = await store.orders.page({ after: 0, limit: 100 })
    const { keys, bulk, inventory } = store
    const named = (await store.categories.page({ after: undefined, limit: 100 })).json
    const counted = [await inventory.total(), (await inventory.page({ after: undefined, limit: 100 })).json]
    const sales = await inventory.sales('2026-01-01')
    assert.deepEqual(await faultsIn(store), [])
    const webhooks = [await store.webhooks.page(0, 100), await store.webhooks.deliveries(1n, 100, 100)]
    const events = await store.events.page({ after: start, limit: 10 })
    const shop = { named, counted, sales, webhooks, events }
    return { pets, orders: orders.json, keys: await keys.list(), shop, counts: await bulk.counts() }
  })

const countsOf = (url: string) => onStore(url, (store) => store.bulk.counts())

/** Fills a new database like its users would: with animals, two orders, keys, and a POST that may be repeated. */
async function fill(url: string): Promise<{ key: string; revoked: string }> {
  const service = await TestService.inProcess({ DATABASE_URL: url, LOG_LEVEL: 'warn' })
  const revoked = await service.makeKey({ scopes: ['pets:read'], expiresAt: Date.now() + 86_400_000 })
  await service.revokeKey(revoked)
  const answer = await service.call('POST', '/pets', { body: repeated, headers: repeatable })
  assert.equal(answer.status, 201, answer.text)
  await service.stop()
  await onStore(url, async ({ pets, orders, categories: named, webhooks }) => {
    // The webhook is disabled, so that a service on a copy sends nothing.
    const added = await webhooks.insert({ ...hook, types: ['pet.created'], position: start, createdAt: 1 }, 1)
    const id = added?.id ?? assert.fail('it was not added')
    const position = { id: 1, at: 1 }
    await webhooks.add(id, start, position, [{ eventId: 1, type: 'pet.created', subject: 'pet 1', at: 1, body: '{}' }])
    await webhooks.update(BigInt(id), { enabled: false })
    for (const id of [int64Min, 7n, int64Max]) await named.put(id, `Kind ${id} "\\`, undefined)
    const rows = await Promise.all(
      Array.from({ length: animals - 1 }, (_, i) => {
        const pet = { name: `${names[i % names.length]}${i}`, categoryId: categories[i % categories.length] as bigint }
        return pets.insert({ ...rex, ...pet }, undefined)
      }),
    )
    for (const row of rows.slice(0, 2)) rowOf(await orders.place({ petId: BigInt(rowOf(row).id), ...held }, undefined))
    for (const id of [1n, 2n]) await orders.move(id, 'completed')
    await orders.move(2n, 'returned')
    const last = rowOf(await pets.insert(rex, undefined))
    await pets.remove(BigInt(last.id), undefined)
  })
  return { key: service.key, revoked }
}
const start = { id: 0, at: 0 }
const held = { reference: 'Novak "\\', heldUntil: '2100-01-01T00:00:00.000Z' }
const hook = { url: 'https://shop.example/', secret: 'whsec_YQ==' }
const repeated = { name: 'Lady', categoryId: 7 }
const repeatable = { 'Idempotency-Key': 'made-before-the-move' }

/** Checks that a service on the new database continues where the old one stopped. */
async function expectToGoOn(url: string, { key, revoked }: { key: string; revoked: string }): Promise<void> {
  await using service = await TestService.inProcess({ DATABASE_URL: url, LOG_LEVEL: 'warn' })
  expectError(await service.call('GET', '/pets', { key: revoked }), 401, 'invalid_api_key')
  const again = await service.call('POST', '/pets', { key, body: repeated, headers: repeatable })
  assert.equal(again.status, 201, again.text)
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  const added = await service.call('POST', '/pets', { key, body: repeated })
  assert.ok(added.json.id > animals + 1, 'ids go on rising, above the last that was given')
  const order = await service.call('POST', '/store/orders', { key, body: { petId: added.json.id } })
  assert.equal(order.json.id, 3)
}

describe('petstore copy', () => {
  const source = new Folder()
  let keys: { key: string; revoked: string }
  let everything: Awaited<ReturnType<typeof contents>>
  before(async () => {
    keys = await fill(source.url)
    everything = await contents(source.url)
    assert.deepEqual(everything.counts, {
      api_keys: 2,
      pets: animals,
      orders: 2,
      idempotency_records: 1,
      imports: 0,
      categories: 3,
      // There is one row for each day, and midnight may have made two of them.
      sales: everything.shop.sales.length,
      events: animals + 15,
      events_purged: 1,
      webhooks: 1,
      deliveries: 1,
    })
    const sum = (what: 'added' | 'sold' | 'returned') =>
      everything.shop.sales.reduce((all, each) => all + each[what], 0)
    assert.deepEqual([sum('added'), sum('sold'), sum('returned')], [animals + 1, 2, 1])
  })
  after(() => source[Symbol.dispose]())

  test('petstore copy copies everything to PostgreSQL and back, and the service works on each copy [decision 28]', async () => {
    const { url, remove } = await postgresDatabase()

    const said = await done(copying(source.url, url))
    // On a busy machine, the command has reported its progress.
    assert.deepEqual(said.replace(/^\d+ %.*\n/gm, '').split('\n'), [
      ...Object.entries(everything.counts).map(([table, count]) => `${table}: ${count} rows`),
      'Copied. Set DATABASE_URL to the new database and start the service.',
      '',
    ])
    assert.deepEqual(await contents(url), everything)

    using second = new Folder()
    const back = await petstore(copying(url, second.url))
    assert.equal(back.code, 0, back.stderr)
    assert.deepEqual(await contents(second.url), everything)

    await Promise.all([expectToGoOn(url, keys), expectToGoOn(second.url, keys)])

    for (const to of [url, second.url])
      await fails(copying(source.url, to), {}, 'The database to fill is not empty. Name a new one.')
    await remove()
  })

  testInFull('petstore copy that was killed leaves nothing in PostgreSQL, and can be run again', async () => {
    const { url, connect, remove } = await postgresDatabase()
    await command(['migrate'], { DATABASE_URL: url })
    const sql = connect()
    // The last table is blocked until the test releases it. At that moment the animals are copied, but the copy is not
    // complete.
    await sql.unsafe(`SELECT pg_advisory_lock(1);
      CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END $$;
      CREATE TRIGGER hold BEFORE INSERT ON idempotency_records FOR EACH STATEMENT EXECUTE FUNCTION hold()`)
    const killed = new Program([node, main, ...copying(source.url, url)])
    const isHeld = () => sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (
      SELECT oid FROM pg_database WHERE datname = current_database())`
    await eventually(isHeld, ({ length }) => length > 0)
    await killed.end('SIGKILL')
    await sql`SELECT pg_advisory_unlock(1)`
    await sql.end()
    assert.deepEqual(await countsOf(url), none)

    await done(copying(source.url, url))
    assert.deepEqual(await contents(url), everything)
    await remove()
  })

  testInFull('petstore copy has no timeout on PostgreSQL, and fails if a row is missing at the end', async () => {
    const { url, connect, remove } = await postgresDatabase()
    const env = { DATABASE_URL: url }
    await command(['migrate'], env)
    const sql = connect()
    // The copy must have no time limit, and one animal gets lost.
    await sql.unsafe(`
      CREATE FUNCTION check_timeouts() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        ASSERT current_setting('statement_timeout') = '0' AND current_setting('lock_timeout') = '0'
          AND current_setting('idle_in_transaction_session_timeout') = '0';
        RETURN NULL;
      END $$;
      CREATE TRIGGER check_timeouts BEFORE INSERT ON idempotency_records
        FOR EACH STATEMENT EXECUTE FUNCTION check_timeouts();
      CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
      CREATE TRIGGER lose BEFORE INSERT ON pets FOR EACH ROW WHEN (NEW.id = 1000) EXECUTE FUNCTION lose()`)
    await sql.end()
    const said = /^(?:\d+ %.*\n)*api_keys: 2 rows\npetstore: pets: 3000 rows were copied, but the target has 2999\.\n$/
    await fails(copying(source.url, url), env, said)
    await remove()
  })

  test('petstore copy refuses an empty or misspelled source before it creates the target', async () => {
    using folder = new Folder()
    await command(['migrate'], folder.env)
    const other = `sqlite:${folder.path}/other.db`
    const empty = 'The database to copy from is empty. Check the URL after --from.'
    await fails(copying(folder.url, other), {}, empty)
    assert.deepEqual(readdirSync(folder.path), ['test.db'])
    const typo = /^petstore: --from: There is no database at .*typo\.db\. Check the name; .*\n$/
    await fails(copying(`sqlite:${folder.path}/typo.db`, other), {}, typo)
    assert.deepEqual(readdirSync(folder.path), ['test.db'])
    const { code, stderr } = await command(copying(folder.url, `sqlite:${folder.path}//test.db`))
    assert.deepEqual([code, stderr.split('\n')[0]], [2, 'petstore: --from and --to name the same database.'])
  })
})
