/** The names of categories: PUT, GET of the list, and DELETE. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '../../src/model/key.ts'
import { scopes } from '../../src/model/key.ts'
import { addPet, cursorOf, expectError, freshCategory, idsOf, nextPage } from '../support/expect.ts'
import { type Answer, onOneTarget, type TestService } from '../support/service.ts'

const put = (service: TestService, id: number | string, body: unknown, headers: Record<string, string> = {}) =>
  service.call('PUT', `/categories/${id}`, { body, headers })
const tagOf = ({ headers }: Answer): string => headers.get('etag') ?? assert.fail('no ETag')

onOneTarget('Categories', (service) => {
  test('are named with 201, then renamed with 200, exactly as sent', async () => {
    const id = freshCategory()
    const first = await put(service(), id, { name: ' 𝔇𝔬𝔤𝔰 "\\ ' })
    assert.deepEqual([first.status, first.json], [201, { id, name: ' 𝔇𝔬𝔤𝔰 "\\ ' }])
    const again = await put(service(), id, { id: 'anything', name: 'Dogs' })
    assert.deepEqual([again.status, again.json], [200, { id, name: 'Dogs' }])
    assert.notEqual(tagOf(first), tagOf(again))
    assert.equal(tagOf(await put(service(), id, { name: 'Dogs' })), tagOf(again), 'repeating it changes nothing')
  })

  test('are any int64, digit for digit; other paths are not found', async () => {
    for (const id of ['-9223372036854775808', '9223372036854775807', '9007199254740993', '0']) {
      assert.equal((await put(service(), id, { name: 'Dogs' })).text, `{"id":${id},"name":"Dogs"}`)
      assert.equal((await service().call('DELETE', `/categories/${id}`)).status, 204)
    }
    for (const id of ['abc', '007', '+5', '5.0', '9223372036854775808']) {
      expectError(await put(service(), id, { name: 'Dogs' }), 404, 'category_not_found')
      expectError(await service().call('DELETE', `/categories/${id}`), 404, 'category_not_found')
    }
  })

  test('follow the rules of names', async () => {
    for (const body of [{ name: '' }, { name: ' ' }, { name: 'a\nb' }, { name: null }, { name: 'x'.repeat(1025) }])
      expectError(await put(service(), 1, body), 400, 'invalid_field')
    expectError(await put(service(), 1, {}), 400, 'missing_field')
    expectError(await put(service(), 1, { name: 'Dogs', colour: 'red' }), 400, 'unknown_field')
  })

  test('lose their name and keep their animals', async () => {
    const id = freshCategory()
    const pet = await addPet(service(), { categoryId: id })
    expectError(await service().call('DELETE', `/categories/${id}`), 404, 'category_not_found')
    await put(service(), id, { name: 'Dogs' })
    assert.equal((await service().call('DELETE', `/categories/${id}`)).status, 204)
    expectError(await service().call('DELETE', `/categories/${id}`), 404, 'category_not_found')
    assert.deepEqual(idsOf(await service().call('GET', `/pets?categoryId=${id}`)), [pet.id])
  })

  test('are listed by id, negative ones first, a page at a time', async () => {
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

  test('are changed and unnamed only while If-Match names the current version', async () => {
    const id = freshCategory()
    for (const tag of ['*', '"other"'])
      expectError(await put(service(), id, { name: 'Dogs' }, { 'If-Match': tag }), 412, 'precondition_failed')
    expectError(
      await service().call('DELETE', `/categories/${id}`, { headers: { 'If-Match': '*' } }),
      404,
      'category_not_found',
    )
    const old = tagOf(await put(service(), id, { name: 'Dogs' }))
    const changed = await put(service(), id, { name: 'Cats' }, { 'If-Match': `"other", ${old}` })
    assert.deepEqual([changed.status, changed.json.name], [200, 'Cats'])
    assert.match(
      expectError(await put(service(), id, { name: 'Birds' }, { 'If-Match': `W/${old}` }), 412, 'precondition_failed'),
      /weak/,
    )
    expectError(await put(service(), id, { name: 'Birds' }, { 'If-Match': old }), 412, 'precondition_failed')
    const remove = (tag: string) => service().call('DELETE', `/categories/${id}`, { headers: { 'If-Match': tag } })
    expectError(await remove(old), 412, 'precondition_failed')
    assert.equal((await remove(tagOf(changed))).status, 204)
  })

  test('are not named anew with If-Match: * when the name goes at the same moment', async () => {
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

  test('ask for the scopes of animals, and answer no other method', async () => {
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
