/** Who may call: beyond the rules in src/conform, keys that are revoked, too old or too weak, and what the log says. */
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { addPet, expectError } from '../support/expect.ts'
import { exchange, request } from '../support/raw.ts'
import { type Answer, onEveryTarget } from '../support/service.ts'

const challenge = 'Bearer realm="petstore"'

function expectInvalid(answer: Answer): void {
  expectError(answer, 401, 'invalid_api_key')
  assert.equal(answer.headers.get('www-authenticate'), `${challenge}, error="invalid_token"`)
}
function expectForbidden(answer: Answer, scope: string): void {
  expectError(answer, 403, 'insufficient_scope')
  assert.equal(answer.headers.get('www-authenticate'), `${challenge}, error="insufficient_scope", scope="${scope}"`)
}

onEveryTarget('Authentication', (service) => {
  const withHeader = (Authorization: string) => service().call('GET', '/pets?limit=1', { headers: { Authorization } })
  const status = async (key: string) => (await service().call('GET', '/pets?limit=1', { key })).status
  afterEach(() => service().setClock(null))

  test('refuses a well-formed key that was never issued', async () => {
    // Its last six characters are the right check of the rest, so that only the store can tell.
    expectInvalid(await withHeader('Bearer pst_0000000000000000000000000000001uhv1w'))
  })

  test('takes a key until it expires and refuses it from that instant on [D59]', async () => {
    const expiresAt = Date.now() + 60 * 60 * 1000
    const key = await service().makeKey({ expiresAt })
    assert.equal(await status(key), 200)
    await service().setClock(expiresAt - 1)
    assert.equal(await status(key), 200)
    await service().setClock(expiresAt)
    expectInvalid(await service().call('GET', '/pets', { key }))
  })

  test('refuses a revoked key with 401 within 5 s [D61]', async () => {
    const now = Date.now()
    await service().setClock(now)
    const key = await service().makeKey()
    assert.equal(await status(key), 200)
    await service().revokeKey(key)
    await service().setClock(now + 5000)
    expectInvalid(await service().call('GET', '/pets', { key }))
    await service().setClock(now)
    expectInvalid(await service().call('GET', '/pets', { key }))
    assert.equal(await status(service().key), 200, 'other keys go on')
  })

  test('refuses a revoked key that was not used before at once', async () => {
    const key = await service().makeKey()
    await service().revokeKey(key)
    expectInvalid(await service().call('GET', '/pets', { key }))
  })

  test('takes a new key at once', async () => {
    for (let i = 0; i < 5; i++) assert.equal(await status(await service().makeKey()), 200)
  })

  test('refuses two Authorization headers, even with the same key [D64]', async () => {
    const other = await service().makeKey()
    for (const [first, second] of [
      [service().key, service().key],
      [service().key, other],
      ['nope', service().key],
    ]) {
      const lines = ['Host: localhost', `Authorization: Bearer ${first}`, `Authorization: Bearer ${second}`]
      const [answer] = await exchange(service().port, request('GET /v1/pets HTTP/1.1', [...lines, 'Connection: close']))
      assert.ok(answer)
      expectInvalid(answer)
    }
  })

  test('lets a key read only where its scope says so', async () => {
    const key = await service().makeKey({ scopes: ['pets:read'] })
    const { id } = await addPet(service())
    assert.equal((await service().call('GET', '/pets', { key })).status, 200)
    assert.equal((await service().call('GET', `/pets/${id}`, { key })).status, 200)
    const body = { name: 'Rex', categoryId: 1 }
    expectForbidden(await service().call('POST', '/pets', { key, body }), 'pets:write')
  })

  test('lets a key write only where its scope says so', async () => {
    const key = await service().makeKey({ scopes: ['pets:write'] })
    assert.equal((await service().call('POST', '/pets', { key, body: { name: 'Rex', categoryId: 1 } })).status, 201)
    expectForbidden(await service().call('GET', '/pets', { key }), 'pets:read')
    expectForbidden(await service().call('GET', '/pets/1', { key }), 'pets:read')
  })

  test('lets a key of other scopes do nothing with animals', async () => {
    const key = await service().makeKey({ scopes: ['orders:read', 'orders:write', 'metrics:read'] })
    expectForbidden(await service().call('GET', '/pets', { key }), 'pets:read')
    expectForbidden(await service().call('POST', '/pets', { key, body: {} }), 'pets:write')
  })

  test('lets a key with the default scopes call every published operation [D60]', async () => {
    assert.equal(await status(service().key), 200)
    const { id } = await addPet(service())
    assert.equal((await service().call('GET', `/pets/${id}`)).status, 200)
  })

  test('never writes a key into its log or an answer', async () => {
    const bad = `${service().key.slice(0, -1)}!`
    const answers = [
      await service().call('GET', `/pets?api_key=${service().key}`),
      await service().call('GET', `/${service().key}`),
      await service().call('GET', '/pets', { key: bad }),
      await service().call('GET', '/pets', { key: await service().makeKey({ scopes: ['orders:read'] }) }),
      await service().call('GET', '/pets', { headers: { Authorization: `Basic ${service().key}` } }),
    ]
    for (const { text } of answers) assert.doesNotMatch(text, /pst_/)
    // Its line is after those of the requests above.
    await service().call('GET', '/pets', { headers: { 'X-Request-Id': 'the-last' } })
    await service().logged(/"status":401[\s\S]*"requestId":"the-last"/)
    assert.doesNotMatch(service().log, /pst_/)
  })
})
