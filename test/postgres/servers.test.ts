/** Which server a DATABASE_URL leads to, through a Unix socket or with TLS. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { certify } from '../../harness/certificate.ts'
import { type PostgresServer, startPostgres } from '../../harness/postgres.ts'
import { Folder, testWith } from '../../harness/process.ts'
import { after, describeInFull, testInFull } from '../../harness/scope.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { StoreUnavailable } from '../../src/store/store.ts'
import { systemTime } from '../../src/time.ts'

/** Runs one statement over its own pool, and returns where it ran. */
async function ask<Row>(url: string, text: string): Promise<Row | undefined> {
  const pool = createPool({ time: systemTime, url, connections: 2, timeoutMilliseconds: 30_000 })
  return (await pool.query<Row>(text).finally(() => pool.end()))[0]
}

testInFull(
  'A Unix socket is given by its folder, in the query or instead of the host',
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

  testWith(['openssl'], 'Each sslmode encrypts and verifies exactly what its name promises [decision 23]', async () => {
    const own = certify(join(folder.path, 'own'), 'IP:127.0.0.1')
    const other = certify(join(folder.path, 'other'), 'IP:127.0.0.1')
    const tls = { key: readFileSync(`${own}.key`, 'utf8'), certificate: readFileSync(`${own}.crt`, 'utf8') }
    ;[server, plain] = await Promise.all([startPostgres({ tls }), startPostgres()])
    const byAddress = server.url
    const byName = server.url.replace('127.0.0.1', 'localhost')
    const trusting = `&sslrootcert=${own}.crt`

    assert.equal(await isEncrypted(byAddress), false)
    assert.equal(await isEncrypted(`${byAddress}?sslmode=disable`), false)
    assert.equal(await isEncrypted(`${byAddress}?sslmode=require`), true)
    await assert.rejects(isEncrypted(`${plain.url}?sslmode=require`), /does not support SSL/)
    for (const mode of ['require', 'verify-ca', 'verify-full']) {
      assert.equal(await isEncrypted(`${byAddress}?sslmode=${mode}${trusting}`), true, mode)
      await assert.rejects(isEncrypted(`${byAddress}?sslmode=${mode}&sslrootcert=${other}.crt`), StoreUnavailable, mode)
    }
    // The certificate is valid only for the address.
    assert.equal(await isEncrypted(`${byName}?sslmode=verify-ca${trusting}`), true)
    await assert.rejects(isEncrypted(`${byName}?sslmode=verify-full${trusting}`), /localhost/)
    await assert.rejects(isEncrypted(`${byAddress}?sslmode=verify-full`), StoreUnavailable, 'nobody vouches for it')
  })

  testWith(
    ['openssl'],
    'sslmode=verify-full refuses a certificate with another name if the server is given by its address [decision 23]',
    async () => {
      const file = certify(join(folder.path, 'name'), 'DNS:localhost')
      const tls = { key: readFileSync(`${file}.key`, 'utf8'), certificate: readFileSync(`${file}.crt`, 'utf8') }
      const named = await startPostgres({ tls })
      const search = `?sslmode=verify-full&sslrootcert=${file}.crt`
      await assert.rejects(isEncrypted(named.url + search), /127\.0\.0\.1/)
      assert.equal(await isEncrypted(named.url.replace('127.0.0.1', 'localhost') + search), true)
      await named.stop()
    },
  )
})
