/** Instances on one PostgreSQL whose clocks differ: age is told by the clock of the database. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { loadConfig } from '../../src/config/config.ts'
import { defaultScopes } from '../../src/model/key.ts'
import { startService } from '../../src/server/service.ts'
import { systemTime, type Time } from '../../src/time.ts'
import { call } from '../support/call.ts'
import { addWebhook } from '../support/courier.ts'
import { nextPage } from '../support/expect.ts'
import { Exposition } from '../support/exposition.ts'
import { InProcess } from '../support/in-process.ts'
import { logInto, silentLog } from '../support/log.ts'
import { eventually } from '../support/patience.ts'
import { pgbouncerSettings } from '../support/pgbouncer.ts'
import { databasePerTest, releasePostgres } from '../support/postgres.ts'
import { patientTimeout, TestService } from '../support/service.ts'
import { openAt } from '../support/stores.ts'
import { TestTime } from '../support/time.ts'

after(releasePostgres)
const given = databasePerTest()
const day = 86_400_000
const minute = 60_000

test('an instance whose clock is wrong removes nothing, replays as others, and says so once [D360]', async (t) => {
  const env = { DATABASE_URL: given.url, DATABASE_TIMEOUT: patientTimeout, ...pgbouncerSettings, PORT: '0' }
  await using right = await TestService.inProcess(env)
  const key = await right.makeKey({ scopes: ['pets:write', 'events:read', 'metrics:read'] })
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
  let ahead = 31 * day
  const passing = new TestTime()
  const time: Time = {
    ...systemTime,
    now: () => Date.now() + ahead,
    after: (milliseconds, run) =>
      ([1_000, minute].includes(milliseconds) ? passing : systemTime).after(milliseconds, run),
  }
  const wrong = await startService(loadConfig(env), time, logInto(lines))
  t.after(() => wrong.stop())
  const messages = () => lines.map(({ msg }) => String(msg)).filter((text) => text.includes('clocks'))
  const wrongBase = `http://127.0.0.1:${wrong.port}/v1`
  const skew = async () => {
    const { text } = await call(wrongBase, 'GET', '//metrics', { key })
    return new Exposition(text).value('petstore_clock_skew_seconds') * 1000
  }
  const isAbout = (expected: number) => (found: number) => Math.abs(found - expected) < minute

  await eventually(async () => messages().length, Boolean)
  await eventually(skew, isAbout(31 * day))
  for (const each of [base, wrongBase, base]) {
    assert.deepEqual(await post(each), [id, 'true'])
    const page = await call(each, 'GET', follow, { key })
    assert.deepEqual([page.status, page.json?.length], [200, 1])
  }

  ahead = -day
  passing.advance(minute)
  await eventually(skew, isAbout(-day))
  await right.stop()
  const webhook = await addWebhook(wrong.store)
  await call(wrongBase, 'POST', '/pets', { body: { name: 'Max', categoryId: 1 }, key })
  const [delivery] = await eventually(
    async () => {
      passing.advance(1_000)
      return wrong.store.webhooks.deliveries(BigInt(webhook.id), Number.MAX_SAFE_INTEGER, 1)
    },
    ([first]) => first?.tries === 1,
  )
  assert.ok((delivery?.nextTryAt ?? 0) > Date.now() - day / 2, 'put off from now on, by the clock of the database')
  assert.equal(messages().length, 1)

  ahead = 0
  passing.advance(minute)
  await eventually(
    async () => messages().length,
    (count) => count > 1,
  )
  assert.deepEqual(
    messages().map((text) => /agree again|differ/.exec(text)?.[0]),
    ['differ', 'agree again'],
  )
  assert.ok(isAbout(0)(await skew()))
})

test('heldUntil is in the future by the clock of the database, for each order by itself [D363]', async (t) => {
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
