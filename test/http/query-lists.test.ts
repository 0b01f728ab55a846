/** A list in a query string: with commas, as a parameter given again, with empty brackets, or all of them; never with other brackets. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPet, addPets, expectError, freshCategory, idsOf, nextPage } from '../support/expect.ts'
import { onOneTarget } from '../support/service.ts'

onOneTarget('A list in a query string', (service) => {
  const list = (query: string) => service().call('GET', `/pets?${query}`)

  test('may be given with commas, as a parameter given again, with empty brackets, or mixed', async () => {
    const [a, b, c] = await addPets(service(), 3)
    for (const query of [
      `id=${a}&id=${c}`,
      `id=${c}&limit=5&id=${a}`,
      `id=${a},${a}&id=${c}`,
      `%69d=${a}&id=${c}`,
      `id[]=${a}&id[]=${c}`,
      `id%5B%5D=${c}&limit=5&id%5b%5d=${a}`,
      `id=${a}&id[]=${c},${a}`,
    ])
      assert.deepEqual(idsOf(await list(query)), [a, c], query)
    assert.deepEqual(idsOf(await list(`id=${c}&id=${b},${a}`)), [a, b, c])
  })

  test('has the same answer and the same next page, however it is given', async () => {
    const ids = await addPets(service(), 3)
    const [a, b, c] = ids
    const commas = await list(`id=${ids}&limit=2`)
    for (const name of ['id', 'id[]']) {
      const again = await list(`${name}=${a}&${name}=${b}&${name}=${c}&limit=2`)
      assert.equal(again.text, commas.text)
      for (const header of ['link', 'etag']) assert.equal(again.headers.get(header), commas.headers.get(header), header)
    }
    const cursor = nextPage(commas)?.split('&').at(-1)
    for (const next of [
      nextPage(commas)?.slice('/pets?'.length) ?? '',
      `id=${a}&id=${b},${c}&${cursor}`,
      `id[]=${a}&id[]=${b}&id[]=${c}&${cursor}`,
    ]) {
      const rest = await list(next)
      assert.deepEqual(idsOf(rest), [c])
      assert.equal(rest.headers.get('link'), null)
    }
  })

  test('takes 100 items in all, and no more', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
    const again = (count: number) => ids(count).map((id) => `id=${id}`)
    for (const query of [again(100).join('&'), `id=${ids(99)}&id=1`]) assert.equal((await list(query)).status, 200)
    for (const query of [
      again(101).join('&'),
      `id=${ids(100)}&id=1`,
      `id=${ids(100)}&id[]=1`,
      `id=${ids(60)}&id=${ids(41)}`,
    ]) {
      const message = expectError(await list(query), 400, 'invalid_parameter')
      assert.equal(message, 'id: must be 1 to 100 int64 integers, written as id=1,2 or id=1&id=2')
    }
  })

  test('is refused where one of its items is bad', async () => {
    for (const query of [
      'id=1&id=x',
      'id=x&id=1',
      'id=1&id=',
      'id=&id=1',
      'id=&id=',
      'id=1&id',
      'id=1&id=2,',
      'id[]=',
      'id[]=x',
    ])
      assert.match(expectError(await list(query), 400, 'invalid_parameter'), /^id: must be 1 to 100 int64/, query)
  })

  for (const query of [
    'id[0]=1',
    'id%5B0%5D=1',
    'id[',
    'id[]x=1',
    'id[][]=1',
    'id[ ]=1',
    'id[0]=1&id[1]=2',
    'id=1&id[a]=2',
  ])
    test(`is refused with other brackets: ${query}`, async () => {
      const message = expectError(await list(query), 400, 'invalid_parameter')
      assert.equal(message, 'id: write it without brackets, as id=…')
    })

  test('may have empty brackets in the feed of events too', async () => {
    const [key, types] = [await service().makeKey({ scopes: ['events:read'] }), ['pet.deleted', 'pet.created']]
    const asked = (query: string) => service().call('GET', `/events?${query}`, { key })
    const feed = await asked(`type=${types}`)
    assert.equal(feed.status, 200)
    assert.equal((await asked(types.map((type) => `type[]=${type}`).join('&'))).text, feed.text)
  })

  test('with brackets is refused for every known parameter that is none, each named once', async () => {
    for (const query of [
      'status[]=sold',
      'limit[]=5',
      'cursor[]=x',
      'categoryId[]=1',
      'after[]=1',
      'status[a][b]=sold',
    ]) {
      const [name] = query.split('[')
      const message = expectError(await list(query), 400, 'invalid_parameter')
      assert.equal(message, `${name}: write it without brackets, as ${name}=…`)
    }
    const message = expectError(await list(`cursor[]=1&id[1]=2&limit=x&id[1]=3`), 400, 'invalid_parameter')
    for (const name of ['limit', 'id', 'cursor']) assert.equal(message.split(`${name}: `).length, 2, message)
    const orders = await service().call('GET', '/store/orders?petId[]=1')
    assert.match(expectError(orders, 400, 'invalid_parameter'), /^petId: write it without brackets/)
  })

  test('with other brackets is refused in a message of bounded length', async () => {
    for (const query of [`id[${'x'.repeat(8000)}]=1`, 'id[1]=1&'.repeat(1000)])
      assert.ok(expectError(await list(query), 400, 'invalid_parameter').length < 100)
  })

  test('with brackets is ignored for an unknown parameter', async () => {
    const categoryId = freshCategory()
    const { id } = await addPet(service(), { categoryId })
    for (const query of ['foo[]=1', 'foo%5B%5D=1', 'ids[]=2', '[]=1', 'Id[]=2', 'x[id]=2', 'xid[]=2'])
      assert.deepEqual(idsOf(await list(`categoryId=${categoryId}&${query}`)), [id], query)
  })
})
