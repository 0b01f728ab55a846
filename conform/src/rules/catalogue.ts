/** Level `store`: names of categories, counts, sales, the key itself, and what needs no key. */
import { expectItems, Mismatch } from '../expect.ts'
import {
  all,
  atLeast,
  exactly,
  ids,
  including,
  listOf,
  members,
  not,
  optional,
  risingIds,
  text,
  without,
} from '../pattern.ts'
import { DELETE, GET, HEAD, noKey, POST, PUT } from '../request.ts'
import { each, from } from '../rule.ts'
import { Category, Day, jsonInUtf8, refused } from '../shapes.ts'

const named = (id: bigint | string, name = 'conform') => PUT(`/categories/${id}`, { name })
const noCategory = refused(404, 'category_not_found')
const badCursor = refused(400, 'invalid_cursor')
const outdated = refused(412, 'precondition_failed')
const badName = refused(400, 'invalid_field')

const categories = from(
  'store',
  'Decision: PUT /categories/{categoryId} gives a category a name: 201 the first time, then 200. GET lists the ' +
    'categories that have one. DELETE removes the name and leaves the animals.',
  [
    {
      id: 'category.name',
      title: 'a category gets a name, and then another one',
      needs: ['tags', 'putCategory'],
      async run({ category, check }) {
        const id = category()
        const name = ' 𝔇𝔬𝔤𝔰 "\\ '
        const first = await check(named(id, name), { status: 201, body: all(Category, exactly({ id, name })) })
        const renamed = { status: 200, headers: { ETag: not(first.etag) }, body: { name: 'conform' } }
        const second = await check(PUT(`/categories/${id}`, { id: 'any', name: 'conform' }), renamed)
        await check(named(id), { status: 200, headers: { ETag: second.etag } })
      },
    },
    {
      id: 'category.int64',
      title: 'any int64 can be given a name, digit for digit',
      needs: ['putCategory'],
      steps: [-9223372036854775807n, 9223372036854775806n, 9007199254740993n].flatMap((id) => [
        { send: named(id), expect: { status: [200, 201], body: { id } } },
        { send: DELETE(`/categories/${id}`), expect: { status: 204 } },
      ]),
    },
    {
      id: 'category.unknown',
      title: 'an id that is not an int64 is answered with 404, and so is removing a name that does not exist',
      needs: ['putCategory'],
      async run({ category, check }) {
        for (const id of ['abc', '007', '+5', '5.0', '9223372036854775808']) {
          await check(named(id), noCategory)
          await check(DELETE(`/categories/${id}`), noCategory)
        }
        await check(DELETE(`/categories/${category()}`), noCategory)
      },
    },
    {
      id: 'category.refused',
      title: 'the name of a category follows the rules for names of animals',
      needs: ['putCategory'],
      async run({ category, check }) {
        const path = `/categories/${category()}`
        for (const name of ['', ' ', 'a\nb', null, 'x'.repeat(1025)]) await check(PUT(path, { name }), badName)
        await check(PUT(path, {}), refused(400, 'missing_field'))
        await check(PUT(path, { name: 'a', colour: 1 }), refused(400, 'unknown_field'))
      },
    },
    {
      id: 'category.remove',
      title: 'the name is removed, and the animals stay',
      needs: ['createPet', 'categoryId', 'putCategory'],
      async run({ category, add, check }) {
        const id = category()
        const added = await add(1, { categoryId: id })
        await check(named(id), { status: 201 })
        await check(DELETE(`/categories/${id}`), { status: 204, text: '' })
        await check(DELETE(`/categories/${id}`), noCategory)
        await check(GET(`/pets?categoryId=${id}`), { status: 200, body: ids(...added) })
      },
    },
    {
      id: 'category.list',
      title: 'named categories are listed by id, in pages',
      needs: ['tags', 'putCategory', 'listCategories', 'getInventory'],
      async run({ category, check, checkPages }) {
        const [one, two] = [-category(), category()]
        await check(named(one), { status: 201 })
        await check(named(two), { status: 201 })
        const body = all(listOf(Category), risingIds, including({ id: one }), including({ id: two }))
        await checkPages(GET('/categories?limit=100'), body)
        const first = GET('/categories?limit=1')
        const { cursor, etag, next } = await check(first, { status: 200, body: listOf(Category, { length: 1 }) })
        await check({ ...first, headers: { 'If-None-Match': etag } }, { status: 304 })
        await check(GET(next), { status: 200, body: listOf(Category) })
        for (const other of [`A${cursor}`, 'x']) await check(GET(`/categories?cursor=${other}`), badCursor)
        await check(GET(`/store/inventory?by=category&cursor=${cursor}`), badCursor)
      },
    },
    {
      id: 'category.match',
      title: 'If-Match works for names of categories as well',
      needs: ['tags', 'putCategory'],
      async run({ category, check }) {
        const id = category()
        const put = (name: string, tag: string) => PUT(`/categories/${id}`, { name }, { 'If-Match': tag })
        for (const tag of ['*', '"x"']) await check(put('conform', tag), outdated)
        const { etag: old } = await check(named(id), { status: 201 })
        const { etag } = await check(put('conform 2', `"x", ${old}`), { status: 200 })
        for (const tag of [old, `W/${etag}`]) await check(put('conform 3', tag), outdated)
        await check(DELETE(`/categories/${id}`, { 'If-Match': old }), outdated)
        await check(DELETE(`/categories/${id}`, { 'If-Match': etag }), { status: 204 })
      },
    },
    {
      id: 'category.methods',
      title: 'other methods are refused',
      needs: ['listCategories'],
      steps: [
        {
          send: PUT('/categories', {}),
          expect: { ...refused(405, 'method_not_allowed'), headers: { Allow: 'GET, HEAD, POST, OPTIONS' } },
        },
        {
          send: POST('/categories/1', {}),
          expect: { ...refused(405, 'method_not_allowed'), headers: { Allow: 'PUT, DELETE, OPTIONS' } },
        },
      ],
    },
  ],
)

/** Makes a name without letters and digits from a number. */
const signs = (number: bigint): string => String(number).replace(/\d/g, (digit) => '♠♣♥♦☀☁☂☃★☎'.charAt(Number(digit)))

const make = (name: string) => POST('/categories', { name })

const madeByName = from(
  'store',
  'Decision: POST /categories returns the category that has the name (200), compared as search folds it, or ' +
    'makes one with a number that no animal and no category uses (201). Of several that have the name, it returns ' +
    'the one that is written exactly so, or else the one with the lowest number.',
  [
    {
      id: 'category.create',
      title: 'a new name gets a number, and a known one returns its category',
      needs: ['tags', 'createCategory'],
      async run({ name, check }) {
        const made = `${name()} Žofie & Co`
        const first = await check(make(made), {
          status: 201,
          body: all(Category, members('id', 'name'), { name: made }),
        })
        first.header('Location', new RegExp(`^https?://.*/categories/${first.id}$`))
        const known = { status: 200, headers: { ETag: first.etag, Location: undefined }, text: first.text }
        for (const alike of [made, ` ${made.toUpperCase()} `, made.replace('Ž', 'z').replaceAll(' ', '-')])
          await check(make(alike), known)
        await check(make(`${made} KG`), { status: 201, body: { name: `${made} KG` } })
      },
    },
    {
      id: 'category.create.number',
      title: 'the number is one that no animal and no category uses',
      needs: ['createPet', 'categoryId', 'putCategory', 'createCategory'],
      async run({ name, add, check }) {
        const { id } = await check(make(name()), { status: 201 })
        await add(1, { categoryId: id + 1n })
        await check(named(id + 2n), { status: [200, 201] })
        const { id: next } = await check(make(name()), { status: 201 })
        await check(GET(`/pets?categoryId=${next}`), { status: 200, text: '[]' })
        if ([id, id + 2n].includes(next)) throw new Mismatch('body', 'body.id: a number without a name', String(next))
      },
    },
    {
      id: 'category.create.signs',
      title: 'names without letters and digits must be exactly equal',
      needs: ['createCategory'],
      async run({ category, check }) {
        const name = signs(category())
        const { text } = await check(make(name), { status: 201 })
        await check(make(name), { status: 200, text })
        await check(make(`${name}!`), { status: 201, body: { name: `${name}!` } })
      },
    },
    {
      id: 'category.create.several',
      title:
        'if several categories have the name, the one that is written exactly so comes first, then the one with the ' +
        'lowest number',
      needs: ['putCategory', 'createCategory'],
      async run({ name, category, check }) {
        const [word, low, high] = [name(), -category(), category()]
        await check(named(high, word), { status: 201 })
        await check(named(low, word.toUpperCase()), { status: 201 })
        await check(make(word), { status: 200, body: { id: high } })
        await check(make(`${word}!`), { status: 200, body: { id: low } })
      },
    },
    {
      id: 'category.create.at-once',
      title: 'of several requests for one name at the same moment, only one makes the category',
      needs: ['createCategory'],
      async run({ name, check }) {
        const made = name()
        const spellings = [made, made.toUpperCase(), `${made} `, `${made}!`]
        const answers = await Promise.all(spellings.map((each) => check(make(each), { status: [200, 201] })))
        for (const { text } of answers) await check(make(made), { status: 200, text })
      },
    },
    {
      id: 'category.create.refused',
      title: 'a new name follows the rules for names of animals',
      needs: ['createCategory'],
      async run({ check }) {
        for (const name of ['', ' ', 'a\nb', null, 'x'.repeat(1025)])
          await check(POST('/categories', { name }), badName)
        await check(POST('/categories', {}), refused(400, 'missing_field'))
        await check(POST('/categories', { name: 'a', colour: 1 }), refused(400, 'unknown_field'))
      },
    },
  ],
)

const smallest = -9223372036854775808n

const counts = from(
  'store',
  'Decision: GET /store/inventory counts animals by status, or by category in pages. GET /store/sales has one ' +
    'entry per day in UTC, today last.',
  [
    {
      id: 'inventory.counts',
      title: 'every change is counted immediately',
      needs: ['createPet', 'tags', 'getInventory'],
      async run({ add, check }) {
        await add(1, { status: 'sold' })
        const counts = all(members('available', 'pending', 'sold'), { sold: atLeast(1) })
        const before = await check(GET('/store/inventory'), { status: 200, body: counts })
        const again = GET('/store/inventory', { 'If-None-Match': before.etag })
        await check(again, { status: 304 })
        await add(1, { status: 'sold' })
        await check(again, { status: 200, body: { sold: before.integer('sold') + 1n } })
      },
    },
    {
      id: 'inventory.category',
      title: 'a category is listed with its counts and its name',
      needs: ['createPet', 'putCategory', 'getInventory'],
      async run({ add, check }) {
        await add(2, { categoryId: smallest })
        await check(named(smallest), { status: [200, 201] })
        const counts = { categoryId: smallest, name: 'conform', available: atLeast(2) }
        await check(GET('/store/inventory?by=category&limit=1'), {
          status: 200,
          headers: { Link: /by=category/ },
          body: [all(counts, members('available', 'categoryId', 'name', 'pending', 'sold'))],
        })
      },
    },
    {
      id: 'inventory.refused',
      title: 'an unknown grouping is refused',
      needs: ['getInventory'],
      steps: [
        ...each(
          ['by=status', 'by=', 'by=category&by=category', 'by=category&limit=0'].map((query) =>
            GET(`/store/inventory?${query}`),
          ),
          refused(400, 'invalid_parameter'),
        ),
        { send: GET('/store/inventory?cursor=abc'), expect: badCursor },
      ],
    },
    {
      id: 'sales.days',
      title: 'without a number there are 30 days, and today is the last one',
      needs: ['createPet', 'getSales'],
      async run({ add, now, check }) {
        await add(1)
        // A day may end meanwhile, and the clock of the service decides. The answer shows it in its Date header, if
        // there is one.
        const before = await check(GET('/store/sales?days=1'), { status: 200 })
        const first = before.date ?? now()
        const sales = await check(GET('/store/sales'), { status: 200, body: listOf(Day, { length: 30 }) })
        const body = sales.body as { day: string; added: bigint }[]
        const days = body.map(({ day }) => day).join()
        const wanted = [first, sales.date ?? now()].map((last) => body.map((_, i) => dayOf(last, i + 1 - body.length)))
        if (!wanted.some((each) => each.join() === days))
          throw new Mismatch('body', `body: days up to ${wanted[0]?.at(-1)}`, `body: days up to ${body.at(-1)?.day}`)
        if (body.slice(-2).every(({ added }) => added < 1n))
          throw new Mismatch('body', 'body[29].added: at least 1', 'body[29].added: 0')
      },
    },
    {
      id: 'sales.number',
      title: '1 to 366 days may be asked for',
      needs: ['getSales'],
      steps: [1, 366].map((length) => ({
        send: GET(`/store/sales?days=${length}`),
        expect: { status: 200, body: listOf(Day, { length }) },
      })),
    },
    {
      id: 'sales.refused',
      title: 'any other number of days is refused',
      needs: ['getSales'],
      steps: each(
        ['0', '367', '1e1', '', '-1', '05'].map((days) => GET(`/store/sales?days=${days}`)),
        refused(400, 'invalid_parameter'),
      ),
    },
    {
      id: 'sales.returned',
      title: 'returned animals are counted separately',
      needs: ['createPet', 'listOrders', 'placeOrder', 'getSales'],
      async run({ add, check }) {
        const [petId] = await add(1)
        const none = { sold: 0n, returned: 0n }
        const today = async () => {
          const { body } = await check(GET('/store/sales?days=1'), { status: 200, body: [Day] })
          return (body as ({ day: string } & typeof none)[])[0] as { day: string } & typeof none
        }
        const { id } = await check(POST('/store/orders', { petId }), { status: 201 })
        // If a day ends meanwhile, the next one begins without sales.
        const step = async (before: typeof none & { day: string }, transition: string, more: typeof none) => {
          await check(POST(`/store/orders/${id}/${transition}`), { status: 200 })
          const after = await today()
          const { sold, returned } = after.day === before.day ? before : none
          const counts = { ...Day, sold: atLeast(sold + more.sold), returned: atLeast(returned + more.returned) }
          expectItems([after], [counts])
          return after
        }
        const sold = await step(await today(), 'complete', { sold: 1n, returned: 0n })
        await step(sold, 'return', { sold: 0n, returned: 1n })
      },
    },
  ],
)

const dayOf = (time: number, days: number) => new Date(time + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)

const me = from(
  'store',
  'Decision: GET /me describes the key that asks: its name and scopes, and expiresAt and rate if they are set. ' +
    'It needs no particular scope.',
  [
    {
      id: 'me.key',
      title: 'GET /me returns the name and the scopes of the key',
      needs: ['getMe'],
      async run({ key, check }) {
        await check(GET('/me'), {
          status: 200,
          headers: { 'Cache-Control': 'private, no-cache' },
          body: all({ name: /./, scopes: listOf(text, { least: 1 }) }, without(key)),
        })
        await check(GET('/me', noKey), refused(401, 'missing_api_key'))
      },
    },
  ],
)

const pages = ['//openapi.json', '//livez', '//readyz']
const operations = { '/pets': { get: { operationId: 'listPets' }, post: { operationId: 'createPet' } } }

const open = from('store', 'Decision: The OpenAPI document and the health pages need no key.', [
  {
    id: 'open.pages',
    title: 'the OpenAPI document and the health pages need no key',
    steps: pages.flatMap((path) => [
      { send: GET(path, noKey), expect: { status: 200, headers: jsonInUtf8 } },
      { send: HEAD(path, noKey), expect: { status: 200, text: '' } },
      {
        send: POST(path, {}),
        expect: { ...refused(405, 'method_not_allowed'), headers: { Allow: 'GET, HEAD, OPTIONS' } },
      },
    ]),
  },
  {
    id: 'open.document',
    title: 'the document contains the interface’s operations, version and deprecation',
    needs: ['tags'],
    async run({ check }) {
      const getPet = { get: optional({ deprecated: true }) }
      const { etag } = await check(GET('//openapi.json'), {
        status: 200,
        headers: { 'Cache-Control': 'public, no-cache' },
        body: { info: { version: '1.0.0' }, paths: { ...operations, '/pets/{petId}': getPet } },
      })
      await check(GET('//openapi.json', { 'If-None-Match': etag }), { status: 304 })
    },
  },
  {
    id: 'open.unknown',
    title: 'other paths outside of /v1 are answered with 404',
    steps: each(
      ['//nope', '//pets', '//v2/pets', '//livez/'].map((path) => GET(path, noKey)),
      refused(404, 'route_not_found'),
    ),
  },
])

export const catalogueRules = [...categories, ...madeByName, ...counts, ...me]
export const openRules = open
