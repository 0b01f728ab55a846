/** Being ready on PostgreSQL: a write succeeds, also for a role with few rights; a server that cannot write is noticed. */
import assert from 'node:assert/strict'
import { chownSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import postgres from 'postgres'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { StoreUnavailable } from '../../src/store/store.ts'
import { rex } from '../store/subject.ts'
import { type PostgresServer, postgresDatabase, startPostgres } from '../support/postgres.ts'
import { testOnSmallDisk } from '../support/small-disk.ts'

const timeout = { timeout: 60_000 }
let server: PostgresServer
before(async () => {
  server = await startPostgres()
})
after(() => server?.stop())

const open = (url: string, timeoutMilliseconds = 5_000) =>
  openPostgres({ url, connections: 3, timeoutMilliseconds, endMilliseconds: 1_000 })

testOnSmallDisk('is denied on a full disk, and given again when there is room [D208]', 64 * 1024, async (disk) => {
  if (process.getuid?.() === 0) chownSync(disk.path, 65534, 65534)
  const admin = postgres(server.url, { max: 1, onnotice: () => {} })
  await admin.unsafe(`CREATE TABLESPACE small LOCATION '${disk.path}'`)
  await admin.unsafe('CREATE DATABASE small TABLESPACE small')
  const store = await open(server.url.replace(/postgres$/, 'small'))
  const ballast = join(disk.path, 'ballast')
  assert.throws(() => writeFileSync(ballast, Buffer.alloc(64 * 1024 * 1024)))
  // Until no page has room for another.
  await assert.rejects(async () => {
    for (;;) await store.pets.insert(rex, undefined)
  }, StoreUnavailable)
  await assert.rejects(
    store.ready(),
    (error) => error instanceof StoreUnavailable && /No space left on device/.test(error.message),
  )
  rmSync(ballast)
  await store.ready()
  await store.close()
  await admin.unsafe('DROP DATABASE small WITH (FORCE)')
  await admin.unsafe('DROP TABLESPACE small')
  await admin.end()
})

test('is denied while the server hangs, long before a statement would be given up', timeout, async () => {
  const { url } = await postgresDatabase(server.url)
  const store = await open(url, 3_600_000)
  server.freeze()
  try {
    await assert.rejects(store.ready(), /a write does not end/)
  } finally {
    server.thaw()
  }
  await store.close()
})

test('needs no more of a role than to read and write the tables', timeout, async () => {
  const { url, connect } = await postgresDatabase(server.url)
  await (await open(url)).close()
  const sql = connect()
  await sql.unsafe(`CREATE ROLE writer LOGIN;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO writer`)
  const store = await open(url.replace('petstore@', 'writer@'))
  await store.ready()
  await store.close()
  await sql.end()
})
