/** /readyz is 200 unless a read or a write has failed and no write has succeeded since. It makes no writes itself. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { call } from '../../harness/call.ts'
import { silentLog } from '../../harness/log.ts'
import { becomes } from '../../harness/patience.ts'
import { Folder } from '../../harness/process.ts'
import { TestTime } from '../../harness/time.ts'
import { loadConfig } from '../../src/config/config.ts'
import { issueKey } from '../../src/keys/keys.ts'
import { defaultScopes } from '../../src/model/key.ts'
import { startService } from '../../src/server/service.ts'
import { systemTime, type Time } from '../../src/time.ts'

test('/readyz is 503 from a write that found the lock taken until a later write succeeds [decision 26]', async (t) => {
  using folder = new Folder()
  const seconds = new TestTime()
  let passed = 0
  const time: Time = {
    ...systemTime,
    ticks: () => performance.now() + passed,
    after: (milliseconds, run) => (milliseconds === 1_000 ? seconds : systemTime).after(milliseconds, run),
  }
  const service = await startService(loadConfig({ ...folder.env, PORT: '0' }), time, silentLog)
  t.after(() => service.stop())
  const request = { name: 'k', scopes: defaultScopes, now: 0, expiresAt: undefined }
  const { token: key } = await issueKey(service.store.keys, request)
  const base = `http://127.0.0.1:${service.port}/v1`
  const post = async (path: string, body: unknown) => (await call(base, 'POST', path, { key, body })).status
  const addPet = () => post('/pets', { name: 'Rex', categoryId: 1 })
  const readiness = async () => (await call(base, 'GET', '//readyz', { key: null })).status
  using other = new DatabaseSync(folder.database)
  /** The version changes with each commit of the service. */
  const version = () => other.prepare('PRAGMA data_version').get()?.data_version
  const waiting = () => service.store.samples().find(([name]) => name === 'petstore_writes_waiting')?.[1]
  /** Returns whether the service is ready throughout some seconds, and whether it has written meanwhile. */
  const look = async () => {
    const before = version()
    const statuses = new Set<number>()
    for (let i = 0; i < 3; i++) {
      seconds.advance(1_000)
      statuses.add(await readiness())
    }
    return [[...statuses], version() !== before]
  }

  assert.equal(await addPet(), 201)
  assert.deepEqual(await look(), [[200], false])
  assert.deepEqual([await post('/pets', { name: '' }), await post('/store/orders', { petId: 9 })], [400, 422])
  assert.deepEqual(await look(), [[200], false], 'a request that is refused for what it asks does not count')

  other.exec('BEGIN IMMEDIATE')
  assert.deepEqual(await look(), [[200], false], 'nobody has written yet')
  const refused = addPet()
  await becomes(async () => waiting(), 1)
  passed += 5_000
  assert.equal(await refused, 503)
  assert.deepEqual([await readiness(), await readiness(), waiting()], [503, 503, 0], 'no request makes it write')
  for (let i = 0; i < 3; i++) {
    seconds.advance(1_000)
    assert.deepEqual([await readiness(), waiting()], [503, 1], 'one write is tried at a time')
  }
  passed += 5_000
  await becomes(async () => waiting(), 0)
  assert.deepEqual([await readiness(), waiting()], [503, 0], 'the first try has failed')

  other.exec('ROLLBACK')
  assert.equal(await readiness(), 503, 'until the next try')
  seconds.advance(1_000)
  await becomes(readiness, 200)
  assert.deepEqual(await look(), [[200], false])
  assert.equal(await addPet(), 201)
})
