/**
 * What the running service does besides answering: it removes old idempotency records and events, stops in time, and
 * leaves nothing open.
 */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe, type TestContext, test } from 'node:test'
import { silentLog as log, logInto } from '../../harness/log.ts'
import { Folder } from '../../harness/process.ts'
import { RawConnection, request } from '../../harness/raw.ts'
import { runSql } from '../../harness/sql.ts'
import { loadConfig } from '../../src/config/config.ts'
import { CommandFailed } from '../../src/errors.ts'
import { issueKey } from '../../src/keys/keys.ts'
import { defaultScopes } from '../../src/model/key.ts'
import { graceMilliseconds, type Service, startService } from '../../src/server/service.ts'
import { systemTime } from '../../src/time.ts'
import { rex } from '../store/subject.ts'

const hour = 3_600_000

/** Starts a service in this process with timers of the test. */
async function start(t: TestContext, folder: Folder): Promise<Service> {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  return startService(loadConfig({ ...folder.env, PORT: '0' }), systemTime, log)
}

test('Old idempotency records and events are removed at the start and then every hour [decision 15]', async (t) => {
  using folder = new Folder()
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let passed = 0
  const time = { ...systemTime, now: () => Date.now() + passed, ticks: () => performance.now() + passed }
  const pass = (milliseconds: number) => {
    passed += milliseconds
    t.mock.timers.tick(milliseconds)
  }
  const start = () => startService(loadConfig({ ...folder.env, PORT: '0', EVENTS_DAYS: '2' }), time, log)
  const passHours = (count: number) =>
    runSql(
      `sqlite:${folder.database}`,
      `UPDATE idempotency_records SET created_at = created_at - ${count * hour};
       UPDATE events SET at = at - ${count * hour}`,
    )
  /** Returns the records and the oldest event that exist once another write has followed the removal. */
  const left = async ({ store }: Service) => {
    await new Promise(setImmediate)
    await store.pets.insert(rex, undefined)
    return [(await store.bulk.counts()).idempotency_records, (await store.events.oldest()).id]
  }
  let service = await start()
  t.after(() => service.stop())
  const claim = { keyId: 1, route: 'POST /pets', idempotencyKey: 'a', fingerprint: 'body' }
  await service.store.pets.insert(rex, claim)
  await passHours(22)
  pass(hour)
  assert.deepEqual(await left(service), [1, 0])
  await passHours(1)
  pass(hour - 1)
  assert.deepEqual(await left(service), [1, 0], 'before the hour')
  pass(1)
  assert.deepEqual(await left(service), [0, 0])
  await passHours(24)
  pass(hour)
  assert.deepEqual(await left(service), [0, 1], 'each look has added one: the second is of the 24th hour')
  const purged = await service.store.events.oldest()
  await service.store.pets.insert(rex, claim)
  await passHours(25)
  await service.stop()
  service = await start()
  assert.deepEqual(await left(service), [0, 4])
  assert.equal(await service.store.events.page({ after: purged, limit: 1 }), 'events_expired')
})

test('A health check is answered before all waiting requests, also under the prefix of PUBLIC_URL [decision 21]', async (t) => {
  const lines: { route?: string }[] = []
  const env = { DATABASE_URL: 'sqlite::memory:', PORT: '0', PUBLIC_URL: 'https://shop.example/api/v1' }
  const service = await startService(loadConfig(env), systemTime, logInto(lines))
  t.after(() => service.stop())
  const [busy, probe] = [await RawConnection.open(service.port), await RawConnection.open(service.port)]
  const ask = async (path: string) => {
    lines.length = 0
    // Both requests have arrived before the service reads them.
    busy.send(request('GET /api/v1/pets HTTP/1.1', ['Host: localhost']))
    probe.send(request(`GET ${path} HTTP/1.1`, ['Host: localhost']))
    const statuses = [(await busy.answer())?.status, (await probe.answer())?.status]
    return [...statuses, ...lines.map(({ route }) => route)]
  }
  await ask('/livez')
  for (const path of ['/livez', '/api/livez', '/api/livez?from=proxy'])
    assert.deepEqual(await ask(path), [401, 200, '/livez', '/v1/pets'], path)
  for (const connection of [busy, probe]) connection.close()
})

describe('stopping', () => {
  test('Stopping the service gives requests in progress 9 s, then cuts them off, so that it stops within 10 s [decision 27]', async (t) => {
    using folder = new Folder()
    const service = await start(t, folder)
    const connection = await RawConnection.open(service.port)
    t.after(() => connection.close())
    const { token } = await issueKey(service.store.keys, {
      name: 'test',
      scopes: defaultScopes,
      now: Date.now(),
      expiresAt: undefined,
    })
    const key = `Authorization: Bearer ${token}`
    const body = ['Content-Type: application/json', 'Content-Length: 9', 'Expect: 100-continue']
    connection.send(request('POST /v1/pets HTTP/1.1', ['Host: localhost', key, ...body]))
    assert.equal((await connection.answer())?.status, 100)
    let isOver = false
    const stopped = service.stop().then(() => {
      isOver = true
    })
    t.mock.timers.tick(8_999)
    await new Promise(setImmediate)
    assert.equal(isOver, false)
    t.mock.timers.tick(1)
    await stopped
    assert.deepEqual(await connection.answers(), [])
    assert.equal(graceMilliseconds, 9_000)
  })

  test('Stopping the service does not wait for a database that never closes', async (t) => {
    using folder = new Folder()
    const service = await start(t, folder)
    const { close } = service.store
    t.after(() => close())
    t.mock.method(performance, 'now', () => 0)
    const closing = Promise.withResolvers<void>()
    Object.assign(service.store, {
      close() {
        closing.resolve()
        return new Promise(() => {})
      },
    })
    let isOver = false
    const stopped = service.stop().then(() => {
      isOver = true
    })
    await closing.promise
    t.mock.timers.tick(8_999)
    await new Promise(setImmediate)
    assert.equal(isOver, false, 'it has what the requests have left of their time')
    t.mock.timers.tick(1)
    await stopped
  })
})

test('If its port is taken, the service does not open the database', async () => {
  using folder = new Folder()
  const taken = await startService(loadConfig({ DATABASE_URL: 'sqlite::memory:', PORT: '0' }), systemTime, log)
  const config = loadConfig({ ...folder.env, PORT: String(taken.port) })
  await assert.rejects(startService(config, systemTime, log), CommandFailed)
  // SQLite removes its log together with the last connection.
  assert.deepEqual(readdirSync(folder.path), ['test.db'])
  await taken.stop()
})
