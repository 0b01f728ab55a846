/** Which server a DATABASE_URL leads to: several hosts, a standby among them, IPv6, Unix sockets and TLS. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { createPool, type Pool } from '../../src/store/postgres/pool.ts'
import { StoreUnavailable } from '../../src/store/store.ts'
import { systemTime } from '../../src/time.ts'
import { certify } from '../support/certificate.ts'
import { CutNetwork } from '../support/cut-network.ts'
import { becomes } from '../support/load.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { Folder, testWith } from '../support/process.ts'
import { after, before, describeInFull, test, testInFull } from '../support/scope.ts'

const hostOf = (url: string): string => new URL(url).host

async function onPool<T>(url: string, work: (pool: Pool) => Promise<T>, timeoutMilliseconds = 30_000): Promise<T> {
  const pool = createPool({ time: systemTime, url, connections: 2, timeoutMilliseconds })
  return work(pool).finally(() => pool.end())
}

/** What one statement over a pool of its own says of where it ran. */
const ask = <Row>(url: string, text: string): Promise<Row | undefined> =>
  onPool(url, async (pool) => (await pool.query<Row>(text))[0])

/** Whether the connections of a pool lead to a standby. */
const whereOf = (pool: Pool) => async () =>
  (await pool.query<{ is: boolean }>('SELECT pg_is_in_recovery() AS is'))[0]?.is

const inRecovery = (url: string, timeoutMilliseconds?: number) =>
  onPool(url, (pool) => whereOf(pool)(), timeoutMilliseconds)

describeInFull('several hosts', () => {
  let primary: PostgresServer
  let standby: PostgresServer
  const nobody = '127.0.0.1:1'
  before(async () => {
    ;[primary, standby] = await Promise.all([startPostgres(), startPostgres({ isStandby: true })])
  })
  after(() => Promise.all([primary?.stop(), standby?.stop()]))

  const urlOf = (hosts: readonly string[], search = '') => `postgres://petstore@${hosts.join()}/postgres${search}`

  for (const attribute of ['primary', 'read-write'])
    test(`target_session_attrs=${attribute} passes by a standby and a server that is down`, async () => {
      const search = `?target_session_attrs=${attribute}`
      const hosts = [nobody, hostOf(standby.url), hostOf(primary.url)]
      assert.equal(await inRecovery(urlOf(hosts, search)), false)
      assert.equal(await inRecovery(urlOf(hosts.toReversed(), search)), false)
      await assert.rejects(inRecovery(urlOf([hostOf(standby.url), nobody], search)), StoreUnavailable)
      await assert.rejects(inRecovery(urlOf([hostOf(standby.url)], search)), /the server is read-only/)
    })

  test('target_session_attrs=primary passes by a server that is set to read-only [D186]', async () => {
    await ask(primary.url, 'CREATE ROLE reader LOGIN')
    await ask(primary.url, 'ALTER ROLE reader SET default_transaction_read_only = on')
    const url = urlOf([hostOf(primary.url)], '?target_session_attrs=primary')
    assert.equal(await inRecovery(url), false)
    await assert.rejects(inRecovery(url.replace('petstore@', 'reader@')), /the server is read-only/)
  })

  test('the first that can be reached is taken where any will do', async () => {
    assert.equal(await inRecovery(urlOf([nobody, hostOf(standby.url), hostOf(primary.url)])), true)
    assert.equal(
      await inRecovery(urlOf([hostOf(primary.url), hostOf(standby.url)], '?target_session_attrs=any')),
      false,
    )
  })

  test('one that takes connections and says nothing is passed by [D186]', async () => {
    await using silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const url = urlOf([`127.0.0.1:${port}`, hostOf(primary.url)], '?target_session_attrs=primary')
    assert.equal(await inRecovery(url, 6_000), false)
  })

  test('when the one in use goes away, the next takes over [D186]', async () => {
    const network = await CutNetwork.to(primary.url)
    const url = urlOf([hostOf(network.through(primary.url)), hostOf(standby.url)])
    const pool = createPool({ time: systemTime, url, connections: 1, timeoutMilliseconds: 30_000 })
    const where = whereOf(pool)
    assert.equal(await where(), false)
    network.close()
    await where().catch((error) => assert.ok(error instanceof StoreUnavailable))
    assert.equal(await where(), true)
    await pool.end()
  })

  test('when the one in use freezes under load, the next takes over', async () => {
    const url = urlOf([hostOf(primary.url), hostOf(standby.url)])
    const pool = createPool({ time: systemTime, url, connections: 2, timeoutMilliseconds: 4_000 })
    const where = whereOf(pool)
    assert.deepEqual(await Promise.all([where(), where()]), [false, false])
    // The second connection may still be on its way; a server that freezes meanwhile would be passed by.
    await becomes<unknown>(async () => pool.stats.samples().find(([, , state]) => state === 'idle')?.[1], 2)
    primary.freeze()
    try {
      // More than may wait at a time.
      for (const { status } of await Promise.allSettled(Array.from({ length: 200 }, where)))
        assert.equal(status, 'rejected')
      await becomes(() => where().catch(() => undefined), true)
    } finally {
      primary.thaw()
    }
    await pool.end()
  })
})

testInFull(
  'a Unix socket is found by its folder, in the query or in place of the host',
  { timeout: 300_000 },
  async () => {
    const server = await startPostgres({ onSocket: true })
    const { port } = new URL(server.url)
    for (const url of [
      `postgres://petstore@/postgres?host=${server.folder}&port=${port}`,
      `postgres://petstore@${encodeURIComponent(server.folder)}:${port}/postgres`,
    ])
      assert.equal((await ask<{ address: string | null }>(url, 'SELECT inet_server_addr() AS address'))?.address, null)
    await server.stop()
  },
)

describeInFull('TLS', () => {
  let server: PostgresServer | undefined
  let plain: PostgresServer | undefined
  const folder = new Folder()
  after(async () => {
    await Promise.all([server?.stop(), plain?.stop()])
    folder[Symbol.dispose]()
  })

  const isEncrypted = async (url: string) =>
    (await ask<{ ssl: boolean }>(url, 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'))?.ssl

  testWith(['openssl'], 'each sslmode encrypts and verifies as much as it says [D186]', async () => {
    const own = certify(join(folder.path, 'own'), 'IP:127.0.0.1')
    const other = certify(join(folder.path, 'other'), 'IP:127.0.0.1')
    const tls = { key: readFileSync(`${own}.key`, 'utf8'), certificate: readFileSync(`${own}.crt`, 'utf8') }
    ;[server, plain] = await Promise.all([startPostgres({ tls }), startPostgres()])
    const byAddress = server.url
    const byName = server.url.replace('127.0.0.1', 'localhost')
    const trusting = `&sslrootcert=${own}.crt`

    assert.equal(await isEncrypted(byAddress), false)
    assert.equal(await isEncrypted(`${byAddress}?sslmode=disable`), false)
    assert.equal(await isEncrypted(`${byAddress}?sslmode=prefer`), true)
    assert.equal(await isEncrypted(`${plain.url}?sslmode=prefer`), false)
    assert.equal(await isEncrypted(`${byAddress}?sslmode=require`), true)
    await assert.rejects(isEncrypted(`${plain.url}?sslmode=require`), /does not support SSL/)
    for (const mode of ['require', 'verify-ca', 'verify-full']) {
      assert.equal(await isEncrypted(`${byAddress}?sslmode=${mode}${trusting}`), true, mode)
      await assert.rejects(isEncrypted(`${byAddress}?sslmode=${mode}&sslrootcert=${other}.crt`), StoreUnavailable, mode)
    }
    // The certificate is for the address alone.
    assert.equal(await isEncrypted(`${byName}?sslmode=verify-ca${trusting}`), true)
    await assert.rejects(isEncrypted(`${byName}?sslmode=verify-full${trusting}`), /localhost/)
    for (const mode of ['verify-ca', 'verify-full'])
      await assert.rejects(isEncrypted(`${byAddress}?sslmode=${mode}`), StoreUnavailable, 'nobody vouches for it')
  })

  testWith(['openssl'], 'verify-full takes no other name for that of an address [D186]', async () => {
    const file = certify(join(folder.path, 'name'), 'DNS:localhost')
    const tls = { key: readFileSync(`${file}.key`, 'utf8'), certificate: readFileSync(`${file}.crt`, 'utf8') }
    const named = await startPostgres({ tls })
    const search = `?sslmode=verify-full&sslrootcert=${file}.crt`
    await assert.rejects(isEncrypted(named.url + search), /127\.0\.0\.1/)
    assert.equal(await isEncrypted(named.url.replace('127.0.0.1', 'localhost') + search), true)
    await named.stop()
  })
})
