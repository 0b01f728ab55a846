/** Animals over HTTP, beyond the rules in src/conform: walks over pages, races, and what depends on a setting. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPet, addPets, cursorOf, expectError, freshCategory, idsOf, nextPage } from '../support/expect.ts'
import { type Answer, onEveryTarget } from '../support/service.ts'

onEveryTarget('Animals', (service) => {
  test('searches the words of names, whatever the case and the accents, from page to page [D29]', async () => {
    const categoryId = freshCategory()
    for (const name of ['Žofie & Co 100%', 'Rex', 'zofie 猫', 'Co Zofie']) await addPet(service(), { name, categoryId })
    const found = async (search: string) => {
      const names: string[] = []
      let path: string | undefined = `/pets?categoryId=${categoryId}&limit=1&search=${encodeURIComponent(search)}`
      while (path) {
        const answer = await service().call('GET', path)
        assert.equal(answer.status, 200, answer.text)
        names.push(...answer.json.map(({ name }: { name: string }) => name))
        path = nextPage(answer)
      }
      return names
    }
    assert.deepEqual(await found('ZÖFIE'), ['Žofie & Co 100%', 'zofie 猫', 'Co Zofie'])
    assert.deepEqual(await found('c & žof'), ['Žofie & Co 100%', 'Co Zofie'])
    assert.deepEqual(await found('猫'), ['zofie 猫'])
    assert.deepEqual(await found('ｚｏｆ'), ['Žofie & Co 100%', 'zofie 猫', 'Co Zofie'])
    // Nothing in it is syntax: what is no letter or digit only parts words.
    for (const search of ['"zofie co"', 'co* -zofie', 'c%zof', '(co) | zofie:*', '10_CO'])
      assert.deepEqual(
        await found(search),
        ['Žofie & Co 100%', 'Co Zofie'].slice(0, search === '10_CO' ? 1 : 2),
        search,
      )
    for (const search of ["rex' OR", 'NEAR(zofie co)', 'rex NOT co', 'ofie', '00%'])
      assert.deepEqual(await found(search), [], search)
  })

  test('answers the newest first with order=desc, from page to page, with every filter [D18]', async () => {
    const categoryId = freshCategory()
    const ids = await addPets(service(), 5, { categoryId })
    const [, sold] = [await addPet(service()), await addPet(service(), { categoryId, name: 'Max', status: 'sold' })]
    const newest = [sold.id, ...ids.toReversed()]
    for (const [filters, expected] of [
      [`categoryId=${categoryId}`, newest],
      [`categoryId=${categoryId}&status=available`, newest.slice(1)],
      [`id=${ids}`, newest.slice(1)],
      [`categoryId=${categoryId}&search=re`, newest.slice(1)],
      [`id=${ids},${sold.id}&search=max`, [sold.id]],
    ] as const) {
      assert.deepEqual(await walk(`/pets?${filters}&limit=2&order=desc`), expected, filters)
      assert.deepEqual(await walk(`/pets?${filters}&limit=2&order=asc`), expected.toReversed(), filters)
    }
    const all = await walk('/pets?limit=100&order=desc')
    assert.deepEqual(all.slice(0, 1), [sold.id])
    assert.deepEqual(all, (await walk('/pets?limit=100')).reverse())
    assert.deepEqual(await walk('/pets?limit=100&order=desc&status=sold'), await soldAmong(all))
  })

  async function walk(path: string): Promise<number[]> {
    const ids: number[] = []
    for (let next: string | undefined = path; next; ) {
      const answer: Answer = await service().call('GET', next)
      assert.equal(answer.status, 200, answer.text)
      ids.push(...idsOf(answer))
      next = nextPage(answer)
    }
    return ids
  }

  async function soldAmong(ids: readonly number[]): Promise<number[]> {
    const sold = new Set(await walk('/pets?limit=100&status=sold'))
    return ids.filter((id) => sold.has(id))
  }

  test('begins above the id of after, with order=desc below it, and goes on from there [D19]', async () => {
    const categoryId = freshCategory()
    const ids = await addPets(service(), 6, { categoryId })
    const [, second, , , fifth] = ids
    for (const filters of [`categoryId=${categoryId}`, `categoryId=${categoryId}&search=rex`, `id=${ids}`]) {
      assert.deepEqual(await walk(`/pets?${filters}&limit=2&after=${second}`), ids.slice(2), filters)
      const below = await walk(`/pets?${filters}&limit=2&after=${fifth}&order=desc`)
      assert.deepEqual(below, ids.slice(0, 4).reverse(), filters)
    }
    const page = await service().call('GET', `/pets?categoryId=${categoryId}&after=${second}&limit=2`)
    const usual = await service().call('GET', `/pets?categoryId=${categoryId}&limit=2`)
    assert.match(nextPage(page) ?? '', new RegExp(`^/pets\\?categoryId=${categoryId}&limit=2&cursor=\\w+`))
    assert.equal((await service().call('GET', nextPage(usual) ?? '')).text, page.text)
  })

  test('takes every int64 as after, and none that no animal has is in its way [D19]', async () => {
    const categoryId = freshCategory()
    const [a, b, c] = await addPets(service(), 3, { categoryId })
    const from = (after: unknown, more = '') => walk(`/pets?categoryId=${categoryId}&limit=2&after=${after}${more}`)
    await service().call('DELETE', `/pets/${b}`)
    assert.deepEqual([await from(b), await from(b, '&order=desc')], [[c], [a]])
    for (const [after, isAbove] of [
      ['-9223372036854775808', false],
      ['-1', false],
      ['0', false],
      ['9007199254740993', true],
      ['9223372036854775807', true],
    ] as const) {
      assert.deepEqual(await from(after), isAbove ? [] : [a, c], after)
      assert.deepEqual(await from(after, '&order=desc'), isAbove ? [c, a] : [], after)
      assert.deepEqual(await from(after, '&search=rex&order=desc'), isAbove ? [c, a] : [], after)
    }
  })

  test('refuses a cursor with its own seal after an id that no animal has [D21]', async () => {
    const categoryId = freshCategory()
    await addPets(service(), 2, { categoryId })
    const cursor = cursorOf(await service().call('GET', `/pets?categoryId=${categoryId}&limit=1`))
    const after = (id: bigint) =>
      service().call('GET', `/pets?categoryId=${categoryId}&cursor=${cursor.slice(0, 8)}${id.toString(36)}`)
    for (const id of [-1n, 0n, 2n ** 53n, 2n ** 63n, 2n ** 64n]) expectError(await after(id), 400, 'invalid_cursor')
    for (const id of [1n, 2n ** 53n - 1n]) assert.equal((await after(id)).status, 200)
  })

  const post = (body: unknown) => service().call('POST', '/pets', { body })

  test('answers in well-formed text where the names of members are not, or are cut', async () => {
    const unpaired = expectError(await post('{"name":"Rex","categoryId":1,"\\ud800":1}'), 400, 'unknown_field')
    assert.equal(unpaired, '\ufffd: is not a known field')
    for (const start of ['', 'x']) {
      const name = start + '🐕'.repeat(2000)
      const message = expectError(await post({ name: 'Rex', categoryId: 1, [name]: 1 }), 400, 'unknown_field')
      assert.match(message, /^x?(?:🐕)+\ufffd?…$/u)
      assert.equal(message.length, 2001)
    }
  })

  test('refuses brackets in a message of bounded length', async () => {
    for (const query of [`id[${'x'.repeat(8000)}]=1`, 'id[1]=1&'.repeat(1000)])
      assert.ok(expectError(await service().call('GET', `/pets?${query}`), 400, 'invalid_parameter').length < 100)
  })

  test('lets one of many changes to the same version win', async () => {
    const created = await post({ name: 'Rex', categoryId: 1 })
    const path = `/pets/${created.json.id}`
    const headers = { 'If-Match': created.headers.get('etag') ?? '' }
    const names = Array.from({ length: 8 }, (_, i) => `name ${i}`)
    const answers = await Promise.all(names.map((name) => service().call('PATCH', path, { body: { name }, headers })))
    const won = answers.filter(({ status }) => status === 200)
    assert.equal(won.length, 1)
    for (const answer of answers) if (answer !== won[0]) expectError(answer, 412, 'precondition_failed')
    assert.equal((await service().call('GET', path)).text, won[0]?.text)
  })
})

onEveryTarget(
  'Behind another address',
  (service) => {
    test('Location, and the link to the next page, are under PUBLIC_URL, and ids rise from 1 [D39 D47]', async () => {
      const { headers, json } = await service().call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } })
      assert.deepEqual([headers.get('location'), json.id], ['https://shop.example/api/v1/pets/1', 1])
      await addPet(service())
      const link = (await service().call('GET', '/pets?limit=1')).headers.get('link') ?? ''
      assert.match(link, /^<https:\/\/shop\.example\/api\/v1\/pets\?limit=1&cursor=[\w-]+>; rel="next"$/)
    })
  },
  { PUBLIC_URL: 'https://shop.example/api/v1' },
)
