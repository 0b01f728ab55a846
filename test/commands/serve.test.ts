/** The service end to end, as the real program: start, use, kill, start again; and what keeps it from starting. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { bun, Folder, makeKey, node, petstore, runtimes, Served } from '../support/process.ts'
import { some, testInFull } from '../support/scope.ts'

const rex = { name: 'Rex', categoryId: 7, status: 'pending' }

for (const [name, runtime] of some(runtimes))
  describe(`petstore serve, on ${name}`, () => {
    test('a key made while it runs works at once', async () => {
      using folder = new Folder()
      await using served = await Served.start(folder.env, { runtime })
      assert.equal((await served.call('GET', '/pets')).status, 401)
      const key = await makeKey(folder.env)
      const { status, text } = await served.call('GET', '/pets', { key })
      assert.deepEqual([status, text], [200, '[]'])
    })

    test('a key revoked while it runs stops working, and another keeps working', async () => {
      using folder = new Folder()
      await using served = await Served.start(folder.env, { runtime })
      const [key, other] = [await makeKey(folder.env), await makeKey(folder.env)]
      assert.equal((await served.call('GET', '/pets', { key })).status, 200)
      assert.equal((await petstore(['keys', 'revoke', key], { env: folder.env })).code, 0)
      let answer = await served.call('GET', '/pets', { key })
      while (answer.status === 200) answer = await served.call('GET', '/pets', { key })
      assert.deepEqual([answer.status, answer.json.code], [401, 'invalid_api_key'])
      assert.equal((await served.call('GET', '/pets', { key: other })).status, 200)
    })

    testInFull('a key with one scope may do what it names, and no more', async () => {
      using folder = new Folder()
      await using served = await Served.start(folder.env, { runtime })
      const key = await makeKey(folder.env, '--scope', 'pets:read')
      assert.equal((await served.call('GET', '/pets', { key })).status, 200)
      assert.equal((await served.call('POST', '/pets', { key, body: rex })).status, 403)
    })

    testInFull('after kill -9 it starts again with all it had acknowledged, on either runtime', async () => {
      using folder = new Folder()
      let key: string
      const bodies: string[] = []
      {
        await using served = await Served.start(folder.env, { runtime })
        key = await makeKey(folder.env)
        const headers = { 'Idempotency-Key': 'once' }
        bodies.push((await served.call('POST', '/pets', { key, body: rex, headers })).text)
        bodies.push((await served.call('POST', '/pets', { key, body: { name: 'Größe 🐈', categoryId: -1 } })).text)
        assert.equal((await served.end('SIGKILL')).signal, 'SIGKILL')
      }
      for (const next of [runtime, runtime === node ? bun : node]) {
        await using served = await Served.start(folder.env, { runtime: next })
        assert.equal((await served.call('GET', '/pets', { key })).text, `[${bodies.join()}]`)
        const headers = { 'Idempotency-Key': 'once' }
        const again = await served.call('POST', '/pets', { key, body: rex, headers })
        assert.equal(again.text, bodies[0])
        assert.equal(again.headers.get('idempotency-replayed'), 'true')
        await served.end('SIGKILL')
      }
    })

    testInFull('two on one database see what the other adds', async () => {
      using folder = new Folder()
      await using first = await Served.start(folder.env, { runtime })
      await using second = await Served.start(folder.env, { runtime: node })
      const key = await makeKey(folder.env)
      const ids: number[] = []
      const add = async (served: Served) => ids.push((await served.call('POST', '/pets', { key, body: rex })).json.id)
      await Promise.all(Array.from({ length: 40 }, (_, i) => add(i % 2 ? first : second)))
      assert.equal(new Set(ids).size, 40)
      for (const served of [first, second]) {
        const { json } = await served.call('GET', '/pets?limit=100', { key })
        assert.deepEqual(
          json.map((pet: { id: number }) => pet.id),
          ids.toSorted((a, b) => a - b),
        )
      }
    })

    testInFull('its base address is that of PUBLIC_URL, where that is set', async () => {
      using folder = new Folder()
      const PUBLIC_URL = 'https://pets.example/shop/v1'
      await using served = await Served.start({ ...folder.env, PUBLIC_URL, PORT: '0', LOG_LEVEL: 'info' }, { runtime })
      assert.equal(served.url, PUBLIC_URL)
    })

    test('a port in use is one clear line with exit code 1', async () => {
      using folder = new Folder()
      await using served = await Served.start(folder.env)
      const env = { ...folder.env, PORT: String(served.port) }
      const { code, stdout, stderr } = await petstore(['serve'], { env, runtime })
      assert.deepEqual(
        [code, stdout, stderr],
        [
          1,
          '',
          `petstore: Port ${served.port} on 127.0.0.1 is in use. Stop the other program, or set PORT to another.\n`,
        ],
      )
    })

    /** Asserts that the service does not start on this file, says why in one line, and leaves it alone. */
    async function assertRefused(folder: Folder, reason: RegExp): Promise<void> {
      const before = readFileSync(folder.database)
      const { code, stdout, stderr } = await petstore(['serve'], { env: { ...folder.env, PORT: '0' }, runtime })
      assert.equal(code, 1)
      assert.equal(stdout, '')
      assert.match(stderr, /^petstore: [^\n]+\n$/)
      assert.match(stderr, reason)
      assert.ok(stderr.includes(folder.database))
      assert.ok(readFileSync(folder.database).equals(before), 'the file is untouched')
    }

    test('a file that is no database is one clear line with exit code 1', async () => {
      using folder = new Folder()
      writeFileSync(folder.database, 'this is somebody’s diary\n'.repeat(1000))
      await assertRefused(folder, /not a database/)
    })

    test('a database that is corrupt is one clear line with exit code 1', async () => {
      using folder = new Folder()
      await makeKey(folder.env)
      const bytes = readFileSync(folder.database)
      // The header stays, so that it looks like a database; the schema after it does not.
      writeFileSync(folder.database, bytes.fill(0xa5, 100))
      await assertRefused(folder, /corrupt/)
    })

    test('a database from a newer program is one clear line with exit code 1 [D232]', async () => {
      using folder = new Folder()
      await makeKey(folder.env)
      const db = new DatabaseSync(folder.database)
      db.exec('PRAGMA user_version = 9999')
      db.close()
      await assertRefused(folder, /was written by a newer petstore \(schema 9999, this program knows \d+\)/)
    })
  })
