/** GET /pets: order, pages, filters and everything it refuses. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPet, addPets, cursorOf, expectError, freshCategory, idsOf, nextPage } from '../support/expect.ts'
import { type Answer, onEveryTarget } from '../support/service.ts'

onEveryTarget('listPets', (service) => {
  test('answers a bare array of animals in ascending order of id', async () => {
    const categoryId = freshCategory()
    const ids = await addPets(service(), 3, { categoryId })
    const answer = await service().call('GET', `/pets?categoryId=${categoryId}`)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.deepEqual(
      answer.json,
      ids.map((id) => ({ id, name: 'Rex', categoryId, status: 'available' })),
    )
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    )
  })

  test('searches the words of names, whatever the case and the accents, from page to page', async () => {
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

  for (const search of ['', '%20', '%21%3F', '%F0%9F%90%B6', 'x'.repeat(129), 'a&search=b'])
    test(`refuses the search ${search.slice(0, 20) || 'of nothing'}`, async () => {
      expectError(await service().call('GET', `/pets?search=${search}`), 400, 'invalid_parameter')
    })

  test('takes a search of 128 characters, also of those that are two units', async () => {
    for (const character of ['x', '𐐀'])
      assert.equal(
        (await service().call('GET', `/pets?search=${encodeURIComponent(character.repeat(128))}`)).status,
        200,
      )
  })

  test('answers the newest first with order=desc, from page to page, with every filter', async () => {
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

  test('begins above the id of after, with order=desc below it, and goes on from there', async () => {
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

  test('takes every int64 as after, and none that no animal has is in its way', async () => {
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

  test('refuses after together with a cursor, whatever the cursor', async () => {
    const categoryId = freshCategory()
    const [first] = await addPets(service(), 2, { categoryId })
    const cursor = cursorOf(await service().call('GET', `/pets?categoryId=${categoryId}&limit=1`))
    for (const each of [cursor, 'nope']) {
      const answer = await service().call('GET', `/pets?categoryId=${categoryId}&after=${first}&cursor=${each}`)
      assert.equal(expectError(answer, 400, 'invalid_parameter'), 'after, cursor: only one of them may be given')
    }
  })

  for (const order of ['', 'ASC', 'descending', 'asc,desc', '-id'])
    test(`refuses the order "${order}"`, async () => {
      const message = expectError(await service().call('GET', `/pets?order=${order}`), 400, 'invalid_parameter')
      assert.equal(message, 'order: must be one of asc, desc')
    })

  test('gives cursors that are good for their order only, and order=asc is the usual one', async () => {
    const categoryId = freshCategory()
    const ids = await addPets(service(), 3, { categoryId })
    const list = (query: string) => service().call('GET', `/pets?categoryId=${categoryId}&limit=1${query}`)
    const [usual, ascending, descending] = [await list(''), await list('&order=asc'), await list('&order=desc')]
    assert.equal(nextPage(ascending), nextPage(usual))
    assert.match(nextPage(descending) ?? '', /&order=desc&limit=1&cursor=/)
    assert.deepEqual(idsOf(await list(`&order=asc&cursor=${cursorOf(usual)}`)), [ids[1]])
    expectError(await list(`&order=desc&cursor=${cursorOf(usual)}`), 400, 'invalid_cursor')
    for (const order of ['', '&order=asc'])
      expectError(await list(`${order}&cursor=${cursorOf(descending)}`), 400, 'invalid_cursor')
  })

  test('gives cursors that are good for their search only', async () => {
    const categoryId = freshCategory()
    await addPets(service(), 2, { categoryId })
    const first = await service().call('GET', `/pets?categoryId=${categoryId}&limit=1&search=rex`)
    const cursor = cursorOf(first)
    for (const search of ['', '&search=re', '&search=Rex'])
      expectError(
        await service().call('GET', `/pets?categoryId=${categoryId}${search}&limit=1&cursor=${cursor}`),
        400,
        'invalid_cursor',
      )
    // A search for what is also the name of an order.
    await addPets(service(), 2, { categoryId, name: 'Asc' })
    const named = cursorOf(await service().call('GET', `/pets?categoryId=${categoryId}&limit=1&search=asc`))
    expectError(await service().call('GET', `/pets?categoryId=${categoryId}&cursor=${named}`), 400, 'invalid_cursor')
  })

  test('answers an empty array without a link where no animal matches', async () => {
    const answer = await service().call('GET', `/pets?categoryId=${freshCategory()}`)
    assert.equal(answer.text, '[]')
    assert.equal(answer.headers.get('link'), null)
  })

  test('returns 20 animals unless told otherwise', async () => {
    const categoryId = freshCategory()
    await addPets(service(), 21, { categoryId })
    assert.equal((await service().call('GET', '/pets')).json.length, 20)
    const filtered = await service().call('GET', `/pets?categoryId=${categoryId}`)
    assert.equal(filtered.json.length, 20)
    assert.match(nextPage(filtered) ?? '', /limit=20&/)
  })

  test('takes every limit from 1 to 100', async () => {
    for (const limit of [1, 2, 99, 100])
      assert.equal((await service().call('GET', `/pets?limit=${limit}`)).status, 200, `limit=${limit}`)
    assert.equal((await service().call('GET', '/pets?limit=1')).json.length, 1)
  })

  for (const limit of [
    '0',
    '101',
    '1e1',
    '+5',
    '%2B5',
    '05',
    '',
    '20.0',
    '-1',
    '0x10',
    ' 5',
    '5%00',
    '٣',
    '9'.repeat(40),
  ])
    test(`refuses the limit "${limit}" instead of clamping or coercing it`, async () => {
      const message = expectError(await service().call('GET', `/pets?limit=${limit}`), 400, 'invalid_parameter')
      assert.match(message, /^limit: /)
    })

  test('links to the next page in the form the interface of pages has', async () => {
    const categoryId = freshCategory()
    await addPets(service(), 2, { categoryId, status: 'pending' })
    const answer = await service().call('GET', `/pets?limit=1&categoryId=${categoryId}&status=pending`)
    const link = new RegExp(
      `^<${service().url}/v1/pets\\?status=pending&categoryId=${categoryId}&limit=1&cursor=[\\w-]+>; rel="next"$`,
    )
    assert.match(answer.headers.get('link') ?? '', link)
  })

  test('links to a next page only when more rows exist', async () => {
    const categoryId = freshCategory()
    const ids = await addPets(service(), 4, { categoryId })
    const first = await service().call('GET', `/pets?categoryId=${categoryId}&limit=2`)
    assert.deepEqual(idsOf(first), ids.slice(0, 2))
    const second = await service().call('GET', nextPage(first) ?? '')
    assert.deepEqual(idsOf(second), ids.slice(2))
    assert.equal(second.headers.get('link'), null)
    const whole = await service().call('GET', `/pets?categoryId=${categoryId}&limit=4`)
    assert.equal(whole.headers.get('link'), null)
  })

  test('lets the limit change from page to page', async () => {
    const categoryId = freshCategory()
    const ids = await addPets(service(), 6, { categoryId })
    const first = await service().call('GET', `/pets?categoryId=${categoryId}&limit=1`)
    const rest = await service().call('GET', `/pets?categoryId=${categoryId}&limit=4&cursor=${cursorOf(first)}`)
    assert.deepEqual(idsOf(rest), ids.slice(1, 5))
    const last = await service().call('GET', `/pets?categoryId=${categoryId}&cursor=${cursorOf(rest)}`)
    assert.deepEqual(idsOf(last), ids.slice(5))
  })

  test('refuses a cursor made for other filters', async () => {
    const categoryId = freshCategory()
    const ids = await addPets(service(), 2, { categoryId })
    const cursor = cursorOf(await service().call('GET', `/pets?categoryId=${categoryId}&limit=1`))
    for (const filters of [
      '',
      `categoryId=${categoryId + 1}&`,
      `categoryId=${categoryId}&status=available&`,
      `status=available&`,
      `id=${ids.join()}&`,
    ])
      expectError(await service().call('GET', `/pets?${filters}cursor=${cursor}`), 400, 'invalid_cursor')
  })

  test('refuses a cursor it did not issue, however similar the text', async () => {
    const categoryId = freshCategory()
    await addPets(service(), 2, { categoryId })
    const cursor = cursorOf(await service().call('GET', `/pets?categoryId=${categoryId}&limit=1`))
    for (const text of ['', '1', 'abc', '%00', `${cursor}A`, `${cursor}=`, `%20${cursor}`, cursor.slice(1), 'ü'])
      expectError(await service().call('GET', `/pets?categoryId=${categoryId}&cursor=${text}`), 400, 'invalid_cursor')
    expectError(await service().call('GET', `/pets?cursor=${'A'.repeat(5000)}`), 400, 'invalid_cursor')
  })

  test('refuses a cursor with its own seal after an id that no animal has', async () => {
    const categoryId = freshCategory()
    await addPets(service(), 2, { categoryId })
    const cursor = cursorOf(await service().call('GET', `/pets?categoryId=${categoryId}&limit=1`))
    const after = (id: bigint) =>
      service().call('GET', `/pets?categoryId=${categoryId}&cursor=${cursor.slice(0, 8)}${id.toString(36)}`)
    for (const id of [-1n, 0n, 2n ** 53n, 2n ** 63n, 2n ** 64n]) expectError(await after(id), 400, 'invalid_cursor')
    for (const id of [1n, 2n ** 53n - 1n]) assert.equal((await after(id)).status, 200)
  })

  for (const status of ['available', 'pending', 'sold'])
    test(`filters by the status ${status}`, async () => {
      const categoryId = freshCategory()
      for (const each of ['available', 'pending', 'sold']) await addPet(service(), { categoryId, status: each })
      const { json } = await service().call('GET', `/pets?categoryId=${categoryId}&status=${status}`)
      assert.deepEqual(
        json.map((pet: { status: string }) => pet.status),
        [status],
      )
    })

  for (const status of ['', 'Available', 'SOLD', 'available%20', 'lost', 'available,sold', 'null'])
    test(`refuses the status "${status}"`, async () => {
      const message = expectError(await service().call('GET', `/pets?status=${status}`), 400, 'invalid_parameter')
      assert.match(message, /^status: must be one of available, pending, sold$/)
    })

  for (const query of [
    'limit=1&limit=1',
    'status=sold&status=sold',
    'categoryId=1&categoryId=1',
    'after=1&after=1',
    'order=asc&order=asc',
  ])
    test(`refuses a known parameter given twice: ${query}`, async () => {
      const message = expectError(await service().call('GET', `/pets?${query}`), 400, 'invalid_parameter')
      assert.match(message, /given more than once/)
    })

  test('refuses a cursor given twice', async () => {
    const categoryId = freshCategory()
    await addPets(service(), 2, { categoryId })
    const next = nextPage(await service().call('GET', `/pets?categoryId=${categoryId}&limit=1`)) ?? ''
    expectError(await service().call('GET', `${next}&${next.split('&').at(-1)}`), 400, 'invalid_parameter')
  })

  test('ignores unknown parameters, also when given twice', async () => {
    const categoryId = freshCategory()
    const ids = await addPets(service(), 2, { categoryId })
    const answer = await service().call('GET', `/pets?offset=1&Limit=0&x&x=&__proto__=1&categoryId=${categoryId}&%ff=%`)
    assert.deepEqual(idsOf(answer), ids)
  })

  test('names every bad parameter, not just the first', async () => {
    const answer = await service().call('GET', '/pets?id=z&status=x&limit=0&categoryId=1&categoryId=1')
    assert.equal(
      expectError(answer, 400, 'invalid_parameter'),
      'limit: must be a whole number from 1 to 100; status: must be one of available, pending, sold; ' +
        'categoryId: given more than once; id: must be 1 to 100 int64 integers, written as id=1,2 or id=1&id=2',
    )
  })

  test('checks the cursor only if all other parameters are valid', async () => {
    const answer = await service().call('GET', '/pets?cursor=nope&limit=0')
    assert.match(expectError(answer, 400, 'invalid_parameter'), /^limit: must be [^;]*$/)
    expectError(await service().call('GET', '/pets?cursor=nope&limit=1'), 400, 'invalid_cursor')
  })

  test('filters by categoryId over the whole range of int64, exactly', async () => {
    for (const categoryId of ['9223372036854775807', '-9223372036854775808', '9007199254740993', '0']) {
      const body = `{"name":"Rex","categoryId":${categoryId}}`
      assert.equal((await service().call('POST', '/pets', { body })).status, 201)
      const { text, json } = await service().call('GET', `/pets?categoryId=${categoryId}&limit=100`)
      assert.ok(json.length >= 1)
      for (const [, digits] of text.matchAll(/"categoryId":(-?\d+)/g)) assert.equal(digits, categoryId)
    }
    const near = await service().call('GET', '/pets?categoryId=9007199254740992')
    assert.doesNotMatch(near.text, /9007199254740993/)
  })

  for (const text of ['', 'abc', '007', '+5', '5.0', '-0', '1e3', '9223372036854775808', '-9223372036854775809'])
    test(`refuses "${text}" as categoryId, as id and as after`, async () => {
      for (const name of ['categoryId', 'id', 'after'])
        expectError(await service().call('GET', `/pets?${name}=${encodeURIComponent(text)}`), 400, 'invalid_parameter')
    })

  test('filters by id, in ascending order and whatever the order asked for', async () => {
    const ids = await addPets(service(), 3)
    const [a, b, c] = ids
    assert.deepEqual(idsOf(await service().call('GET', `/pets?id=${b}`)), [b])
    assert.deepEqual(idsOf(await service().call('GET', `/pets?id=${c},${a},${a}`)), [a, c])
    const bounds = `-9223372036854775808,9223372036854775807,0,-1`
    assert.deepEqual(idsOf(await service().call('GET', `/pets?id=${bounds},${b}`)), [b])
    assert.deepEqual(idsOf(await service().call('GET', `/pets?id=${bounds}`)), [])
  })

  test('combines filters: an animal must match each', async () => {
    const categoryId = freshCategory()
    const [a, b] = [await addPet(service(), { categoryId }), await addPet(service(), { categoryId, status: 'sold' })]
    const query = `/pets?id=${a.id},${b.id}&status=sold&categoryId=${categoryId}`
    assert.deepEqual(idsOf(await service().call('GET', query)), [b.id])
  })

  test('takes up to 100 ids and pages through them', async () => {
    const ids = await addPets(service(), 100)
    const first = await service().call('GET', `/pets?id=${ids.join()}&limit=60`)
    const second = await service().call('GET', nextPage(first) ?? '')
    assert.deepEqual([...idsOf(first), ...idsOf(second)], ids)
    assert.equal(second.headers.get('link'), null)
  })

  test('refuses 101 ids, and a gap between commas', async () => {
    const many = Array.from({ length: 101 }, (_, i) => i + 1).join()
    for (const id of [many, '1,,2', ',', '1,', ',1', '1, 2', '1;2'])
      expectError(await service().call('GET', `/pets?id=${id}`), 400, 'invalid_parameter')
  })
})

onEveryTarget(
  'listPets behind another address',
  (service) => {
    test('links to the next page under PUBLIC_URL', async () => {
      await addPets(service(), 2)
      const answer = await service().call('GET', '/pets?limit=1')
      assert.match(
        answer.headers.get('link') ?? '',
        /^<https:\/\/shop\.example\/api\/v1\/pets\?limit=1&cursor=[\w-]+>; rel="next"$/,
      )
    })
  },
  { PUBLIC_URL: 'https://shop.example/api/v1' },
)
