/** The store through a real pgbouncer whose connections to the server change hands with each transaction. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { petsOf, rex, rowOf } from '../store/subject.ts'
import { freePort, postgresDatabase, releasePostgres } from '../support/postgres.ts'
import { Folder, testWith } from '../support/process.ts'

after(releasePostgres)

/** It refuses to run as root. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/** In front of a database, with fewer connections to it than clients ask for. */
async function startPgbouncer(database: string, folder: string): Promise<{ url: string } & AsyncDisposable> {
  const { hostname, port, pathname, username } = new URL(database)
  const ownPort = await freePort()
  const settings = `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
`
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'pgbouncer.ini'), settings.replace('* =', `${pathname.slice(1)} = user=${username}`))
  const program = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], {
    ...unprivileged,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(program, 'exit')
  await new Promise<void>((resolve, reject) => {
    let log = ''
    program.stderr.on('data', (chunk) => {
      log += chunk
      if (log.includes('process up')) resolve()
    })
    exited.then(() => reject(new Error(`pgbouncer did not start:\n${log}`)), reject)
  })
  const url = new URL(database)
  url.port = String(ownPort)
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      program.kill('SIGINT')
      await exited
    },
  }
}

testWith(
  ['pgbouncer'],
  'in transaction mode serves two instances with more connections than it has itself',
  async () => {
    using folder = new Folder()
    const database = await postgresDatabase()
    await using bouncer = await startPgbouncer(database.url, folder.path)
    const open = () => openPostgres({ url: bouncer.url, connections: 10, timeoutMilliseconds: 20_000, prepare: false })
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
            const [found] = await Promise.all([store.keys.findByHash(name), store.ready()])
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
      rows += chunk.rows.length
    })
    assert.equal(rows, 2 * names.size)
    await Promise.all(stores.map((store) => store.close()))
    await database.remove()
  },
)
