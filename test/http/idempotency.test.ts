/** Idempotency-Key on POST /pets: a repeated request adds one animal, for a day, and for its own key only. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { expectError, freshCategory, idsOf } from '../support/expect.ts'
import { onEveryTarget } from '../support/service.ts'

const day = 24 * 60 * 60 * 1000

onEveryTarget('Idempotency-Key', (service) => {
  const post = (idempotencyKey: string, body: unknown, key?: string) =>
    service().call('POST', '/pets', { body, headers: { 'Idempotency-Key': idempotencyKey }, ...(key && { key }) })
  const freshBody = () => ({ name: 'Rex', categoryId: freshCategory() })
  const countOf = async ({ categoryId }: { categoryId: number }) =>
    idsOf(await service().call('GET', `/pets?categoryId=${categoryId}&limit=100`)).length
  afterEach(() => service().setClock(null))

  test('adds one animal when many requests with one key run at once', async () => {
    const [key, body] = [randomUUID(), freshBody()]
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(key, body)))
    for (const answer of answers)
      if (answer.status !== 201) {
        expectError(answer, 409, 'idempotency_in_progress')
        assert.equal(answer.headers.get('retry-after'), '1')
      }
    const added = answers.filter(({ status }) => status === 201)
    assert.equal(new Set(added.map(({ text }) => text)).size, 1)
    assert.equal(added.filter(({ headers }) => headers.get('idempotency-replayed') === null).length, 1)
    assert.equal(await countOf(body), 1)
  })

  test('applies to the API key it was sent with, not to another [D48]', async () => {
    const [key, body, other] = [randomUUID(), freshBody(), await service().makeKey()]
    await post(key, body)
    const elsewhere = await post(key, body, other)
    assert.equal(elsewhere.status, 201)
    assert.equal(elsewhere.headers.get('idempotency-replayed'), null)
    assert.equal(await countOf(body), 2)
  })

  test('is kept for 24 hours and then forgotten [D48]', async () => {
    const [key, body, start] = [randomUUID(), freshBody(), Date.now()]
    await service().setClock(start)
    const first = await post(key, body)
    await service().setClock(start + day - 1)
    assert.equal((await post(key, body)).text, first.text)
    await service().setClock(start + day)
    const later = await post(key, body)
    assert.equal(later.status, 201)
    assert.equal(later.headers.get('idempotency-replayed'), null)
    assert.notEqual(later.json.id, first.json.id)
    await service().setClock(start + 2 * day - 1)
    assert.equal((await post(key, body)).text, later.text, 'the day begins anew')
  })

  test('takes another body once the day is over', async () => {
    const [key, body, start] = [randomUUID(), freshBody(), Date.now()]
    await service().setClock(start)
    await post(key, body)
    await service().setClock(start + day)
    assert.equal((await post(key, { ...body, name: 'Ada' })).status, 201)
  })

  test('does not store errors: the corrected request goes through [D48]', async () => {
    const [key, body] = [randomUUID(), freshBody()]
    expectError(await post(key, '{'), 400, 'malformed_json')
    expectError(await post(key, { ...body, status: 'lost' }), 400, 'invalid_field')
    expectError(await post(key, body, await service().makeKey({ scopes: ['pets:read'] })), 403, 'insufficient_scope')
    const answer = await post(key, body)
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.get('idempotency-replayed'), null)
  })
})
