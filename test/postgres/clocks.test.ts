/** Instances on one PostgreSQL whose clocks differ. The clock of the database measures every age. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { call } from '../../harness/call.ts'
import { addWebhook } from '../../harness/courier.ts'
import { nextPage } from '../../harness/expect.ts'
import { InProcess } from '../../harness/in-process.ts'
import { logInto, silentLog } from '../../harness/log.ts'
import { eventually } from '../../harness/patience.ts'
import { pgbouncerSettings } from '../../harness/pgbouncer.ts'
import { databasePerTest, releasePostgres } from '../../harness/postgres.ts'
import { patientTimeout, TestService } from '../../harness/service.ts'
import { openAt, patient } from '../../harness/stores.ts'
import { TestTime } from '../../harness/time.ts'
import { loadConfig } from '../../src/config/config.ts'
import { defaultScopes } from '../../src/model/key.ts'
import { startService } from '../../src/server/service.ts'
import { compareClocks } from '../../src/store/postgres/clock.ts'
import type { Pool } from '../../src/store/postgres/pool.ts'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { systemTime, type Time } from '../../src/time.ts'

after(releasePostgres)
const given = databasePerTest()
const day = 86_400_000
const minute = 60_000

test('A difference of exactly a minute between the clocks is tolerated, and one millisecond more is logged [decision 24]', async () => {
  for (const sign of [1, -1])
    for (const [apart, warnings] of [
      [minute, 0],
      [minute + 1, 1],
    ] as const) {
      const warned: string[] = []
      const query = async () => [{ now: '0' }]
      const time = { ...systemTime, now: () => sign * apart }
      await compareClocks({ query, time } as unknown as Pool, (message) => warned.push(message))
      assert.equal(warned.length, warnings, `${sign * apart} ms`)
    }
})

for (const ahead of [31 * day, -31 * day])
  test(`An instance whose clock is ${ahead / day} days ahead decides like the others, and warns once [decision 24]`, async (t) => {
    const env = { DATABASE_URL: given.url, DATABASE_TIMEOUT: patientTimeout, ...pgbouncerSettings, PORT: '0' }
    await using right = await TestService.inProcess(env)
    const key = await right.makeKey({ scopes: ['pets:write', 'events:read'] })
    const post = async (at: string) => {
      const options = { body: { name: 'Rex', categoryId: 1 }, headers: { 'Idempotency-Key': 'one' }, key }
      const answer = await call(at, 'POST', '/pets', options)
      return [answer.json.id, answer.headers.get('idempotency-replayed')]
    }
    const base = `${right.url}/v1`
    const [id] = await post(base)
    const follow = nextPage(await call(base, 'GET', '/events?from=now', { key })) ?? assert.fail('no next page')
    await right.call('POST', '/pets', { body: { name: 'Ada', categoryId: 1 } })

    const lines: Record<string, unknown>[] = []
    const seconds = new TestTime()
    const time: Time = {
      ...systemTime,
      now: () => Date.now() + ahead,
      after: (milliseconds, run) => (milliseconds === 1_000 ? seconds : systemTime).after(milliseconds, run),
    }
    const wrong = await startService(loadConfig(env), time, logInto(lines))
    t.after(() => wrong.stop())
    const wrongBase = `http://127.0.0.1:${wrong.port}/v1`
    for (const each of [base, wrongBase, base]) {
      assert.deepEqual(await post(each), [id, 'true'])
      const page = await call(each, 'GET', follow, { key })
      assert.deepEqual([page.status, page.json?.length], [200, 1])
    }

    await right.stop()
    const webhook = await addWebhook(wrong.store)
    await call(wrongBase, 'POST', '/pets', { body: { name: 'Max', categoryId: 1 }, key })
    const [delivery] = await eventually(
      async () => {
        seconds.advance(1_000)
        return wrong.store.webhooks.deliveries(BigInt(webhook.id), Number.MAX_SAFE_INTEGER, 1)
      },
      ([first]) => first?.tries === 1,
    )
    const { nextTryAt = 0 } = delivery ?? {}
    assert.ok(
      Math.abs(nextTryAt - Date.now()) < day,
      'the next try is a few seconds ahead, by the clock of the database',
    )
    const messages = lines.map(({ msg }) => String(msg)).filter((text) => text.includes('clocks'))
    assert.equal(messages.length, 1, messages.join())
    assert.match(messages[0] ?? '', /differ by 26784\d\d s: let NTP set both/)
  })

test('Clocks that differ by at most a minute cause no warning [decision 24]', async () => {
  for (const [aheadSeconds, count] of [
    [0, 0],
    [59, 0],
    [-59, 0],
    [75, 1],
    [-75, 1],
  ] as const) {
    const messages: string[] = []
    const time = { ...systemTime, now: () => Date.now() + aheadSeconds * 1_000 }
    const store = await openPostgres({
      ...patient,
      time,
      url: given.url,
      connections: 1,
      warn: (text) => messages.push(text),
    })
    await store.close()
    assert.equal(messages.length, count, `${aheadSeconds} s: ${messages}`)
  }
})

test('The clock of the database decides for each order whether heldUntil is in the future [decision 12]', async (t) => {
  const store = await openAt(given.url)
  t.after(() => store.close())
  const service = await InProcess.on(store)
  const addPet = async () => (await service.call('POST', '/pets', { name: 'Rex', categoryId: 1 })).json.id
  const textIn = (minutes: number) => new Date(Date.now() + minutes * minute).toISOString()
  const place = async (heldUntil?: string, on = service) =>
    on.call('POST', '/store/orders', { petId: await addPet(), heldUntil })

  for (const [ahead, held, status] of [
    [-2, -1, 400],
    [2, 1, 201],
  ] as const) {
    service.now = Date.now() + ahead * minute
    const placed = await place()
    const petIds = await Promise.all(Array.from({ length: 6 }, addPet))
    const replies = await Promise.all(
      petIds.map((petId, i) =>
        service.call('POST', '/store/orders', { petId, heldUntil: i === 3 ? textIn(held) : textIn(60) }),
      ),
    )
    assert.deepEqual(
      replies.map((reply) => reply.status),
      [201, 201, 201, status, 201, 201],
    )
    const changed = await service.call('PATCH', `/store/orders/${placed.json.id}`, { heldUntil: textIn(held) })
    assert.equal(changed.status, status === 201 ? 200 : 400)
    if (status === 400) assert.equal(changed.json.code, 'invalid_field')
  }

  const holding = await InProcess.on(store, silentLog, defaultScopes, 1)
  holding.now = Date.now() - 120 * minute
  const { status, json } = await place(undefined, holding)
  assert.deepEqual([status, Date.parse(json.heldUntil) - Date.parse(json.createdAt)], [201, 60 * minute])
  assert.ok(Math.abs(Date.parse(json.createdAt) - Date.now()) < 60 * minute, 'also the default counts from now')
})
