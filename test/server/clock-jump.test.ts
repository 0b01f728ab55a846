/** A clock that is set while the service runs on SQLite, where it alone tells how old something is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '../../src/config/config.ts'
import { issueKey } from '../../src/keys/keys.ts'
import { startService } from '../../src/server/service.ts'
import { systemTime, type Time } from '../../src/time.ts'
import { call } from '../support/call.ts'
import { logInto } from '../support/log.ts'
import { Folder } from '../support/process.ts'
import { TestTime } from '../support/time.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

test('a clock that jumps removes nothing, and frees no key, until it has stood for an hour [D426]', async (t) => {
  const folder = new Folder()
  const passing = new TestTime(0)
  let ahead = 0
  const time: Time = {
    ...systemTime,
    now: () => Date.now() + passing.ticks() + ahead,
    ticks: () => performance.now() + passing.ticks(),
    after: (milliseconds, run) =>
      ([minute, hour].includes(milliseconds) ? passing : systemTime).after(milliseconds, run),
  }
  const lines: Record<string, unknown>[] = []
  const env = { DATABASE_URL: `sqlite:${folder.database}`, PORT: '0' }
  const service = await startService(loadConfig(env), time, logInto(lines))
  t.after(async () => {
    await service.stop()
    folder[Symbol.dispose]()
  })
  const base = `http://127.0.0.1:${service.port}/v1`
  const request = { name: 'k', scopes: ['pets:write'] as const, now: 0, expiresAt: undefined }
  const { token: key } = await issueKey(service.store.keys, request)
  const isReplayed = async (name: string) => {
    const options = { body: { name: 'Rex', categoryId: 1 }, headers: { 'Idempotency-Key': name }, key }
    return (await call(base, 'POST', '/pets', options)).headers.get('idempotency-replayed') === 'true'
  }
  const isPurged = async () => (await service.store.events.oldest()).id > 0
  assert.equal(await isReplayed('one'), false)

  ahead = 31 * day
  for (let minutes = 0; minutes < 59; minutes++) passing.advance(minute)
  assert.deepEqual([await isReplayed('one'), await isReplayed('two'), await isPurged()], [true, false, false])
  ahead = -2 * day
  assert.equal(await isReplayed('behind'), false)
  ahead = 0
  assert.equal(await isReplayed('behind'), true)
  ahead = -day
  for (let minutes = 0; minutes < 180; minutes++) passing.advance(minute)
  assert.deepEqual([await isReplayed('one'), await isReplayed('two'), await isPurged()], [true, true, false])
  ahead = 31 * day
  assert.equal(await isReplayed('three'), false)
  for (let minutes = 0; minutes < 121; minutes++) passing.advance(minute)
  // The purge has its turn first.
  assert.deepEqual([await isReplayed('three'), await isReplayed('one'), await isPurged()], [true, false, true])
  assert.equal(lines.filter(({ msg }) => String(msg).includes('has jumped')).length, 5)
})
