/** The names of categories: PUT, GET of the list, and DELETE. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '../../src/model/key.ts'
import { scopes } from '../../src/model/key.ts'
import { cursorOf, expectError, freshCategory, nextPage } from '../support/expect.ts'
import { type Answer, onOneTarget, type TestService } from '../support/service.ts'

const put = (service: TestService, id: number | string, body: unknown, headers: Record<string, string> = {}) =>
  service.call('PUT', `/categories/${id}`, { body, headers })
const tagOf = ({ headers }: Answer): string => headers.get('etag') ?? assert.fail('no ETag')

onOneTarget('Categories', (service) => {
  test('are listed by id, negative ones first, a page at a time [D88]', async () => {
    const ids = ['-9223372036854775808', '-7', '0', '7', '9223372036854775807']
    for (const id of ids) await put(service(), id, { name: 'Dogs' })
    const found: string[] = []
    for (let path: string | undefined = '/categories?limit=1'; path; ) {
      const page: Answer = await service().call('GET', path)
      found.push(...[...page.text.matchAll(/"id":(-?\d+)/g)].map(([, id]) => id as string))
      path = nextPage(page)
    }
    assert.deepEqual(
      found.filter((id) => ids.includes(id)),
      ids,
    )
    const page = await service().call('GET', '/categories?limit=1')
    assert.equal(
      (await service().call('GET', '/categories?limit=1', { headers: { 'If-None-Match': tagOf(page) } })).status,
      304,
    )
    const cursor = cursorOf(page)
    const seal = cursor.slice(0, 8)
    for (const other of [`${cursor}0`, `${seal}+1`, `${seal}9223372036854775807`, seal, `x${cursor.slice(1)}`])
      expectError(await service().call('GET', `/categories?cursor=${encodeURIComponent(other)}`), 400, 'invalid_cursor')
    expectError(await service().call('GET', `/store/inventory?by=category&cursor=${cursor}`), 400, 'invalid_cursor')
    for (const id of ids) await service().call('DELETE', `/categories/${id}`)
  })

  test('are not named anew with If-Match: * when the name goes at the same moment [D90]', async () => {
    const id = freshCategory()
    for (let round = 0; round < 50; round++) {
      await put(service(), id, { name: 'Dogs' })
      const [changed] = await Promise.all([
        put(service(), id, { name: 'Cats' }, { 'If-Match': '*' }),
        service().call('DELETE', `/categories/${id}`),
      ])
      assert.ok(changed.status === 200 || changed.status === 412, changed.text)
    }
  })

  test('ask for the scopes of animals, and answer no other method [D86]', async () => {
    const calls: [string, string, Scope][] = [
      ['GET', '/categories', 'pets:read'],
      ['PUT', '/categories/1', 'pets:write'],
      ['DELETE', '/categories/1', 'pets:write'],
    ]
    for (const [method, path, scope] of calls) {
      const key = await service().makeKey({ scopes: scopes.filter((each) => each !== scope) })
      expectError(await service().call(method, path, { key }), 403, 'insufficient_scope')
      const only = await service().makeKey({ scopes: [scope] })
      assert.notEqual((await service().call(method, path, { key: only })).status, 403)
    }
    for (const [path, allow] of [
      ['/categories', 'GET, HEAD, OPTIONS'],
      ['/categories/1', 'PUT, DELETE, OPTIONS'],
    ] as const) {
      const answer = await service().call('POST', path, { body: {} })
      expectError(answer, 405, 'method_not_allowed')
      assert.equal(answer.headers.get('allow'), allow)
    }
  })
})
