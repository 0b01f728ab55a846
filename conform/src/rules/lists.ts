/** Level `full`: the order, pages, filters and search of the list, where the interface leaves them open. */
import { all, ids, listOf, risingIds } from '../pattern.ts'
import { GET, POST } from '../request.ts'
import { each, from, type Shop } from '../rule.ts'
import { Pet, refused } from '../shapes.ts'

const badParameter = refused(400, 'invalid_parameter')
const badCursor = refused(400, 'invalid_cursor')
const repeated = (text: string, times: number, between = '') => Array(times).fill(text).join(between)
const upTo = (most: number, between: string) => Array.from({ length: most }, (_, i) => i + 1).join(between)

/** New animals in their own category, and the path of the list that contains only them. */
async function shelf({ category, add }: Shop, count: number, members: object = {}) {
  const categoryId = category()
  return { categoryId, list: `/pets?categoryId=${categoryId}`, added: await add(count, { categoryId, ...members }) }
}

const pages = from(
  'full',
  'Decision: The list is ordered by id, and its body stays a bare array. A Link with rel="next" leads to the ' +
    'next page, and is sent only if more animals exist.',
  [
    {
      id: 'list.order',
      title: 'animals come in ascending order of id',
      needs: ['createPet', 'categoryId'],
      async run(shop) {
        const { list, added } = await shelf(shop, 3)
        await shop.check(GET(list), { status: 200, body: ids(...added) })
      },
    },
    {
      id: 'list.order.all',
      title: 'without any filter, animals also come in ascending order of id',
      needs: ['createPet'],
      have: 21,
      steps: [{ send: GET('/pets?limit=100'), expect: { status: 200, body: all(listOf(Pet), risingIds) } }],
    },
    {
      id: 'list.empty',
      title: 'a list without a match is an empty array without a Link',
      needs: ['categoryId'],
      run: ({ category, check }) =>
        check(GET(`/pets?categoryId=${category()}`), { status: 200, headers: { Link: undefined }, text: '[]' }),
    },
    {
      id: 'list.next',
      title: 'Link leads to the rest of the list',
      needs: ['createPet', 'categoryId'],
      async run(shop) {
        const { list, added } = await shelf(shop, 3)
        const page = await shop.check(GET(`${list}&limit=2`), {
          status: 200,
          headers: { Link: /^<[^>]+\/pets\?[^>]*cursor=[\w-]+>; rel="next"$/ },
          body: ids(...added.slice(0, 2)),
        })
        await shop.check(GET(page.next), { status: 200, headers: { Link: undefined }, body: ids(added[2]) })
      },
    },
    {
      id: 'list.next.end',
      title: 'the last page has no Link, even if it is full',
      needs: ['createPet', 'categoryId'],
      async run(shop) {
        const { list, added } = await shelf(shop, 2)
        await shop.check(GET(`${list}&limit=2`), { status: 200, headers: { Link: undefined }, body: ids(...added) })
      },
    },
    {
      id: 'list.next.filters',
      title: 'Link keeps the filters and the limit',
      needs: ['createPet', 'categoryId', 'pages'],
      async run(shop) {
        const { categoryId } = await shelf(shop, 2, { status: 'pending' })
        const Link = new RegExp(`(?=.*[?&]status=pending&)(?=.*[?&]categoryId=${categoryId}&).*[?&]limit=1&`)
        const list = `/pets?limit=1&categoryId=${categoryId}&status=pending`
        await shop.check(GET(list), { status: 200, headers: { Link } })
      },
    },
    {
      id: 'list.next.default',
      title: 'Link says limit=20 if no limit was given',
      needs: ['createPet'],
      have: 21,
      steps: [{ send: GET('/pets'), expect: { status: 200, headers: { Link: /[?&]limit=20&/ } } }],
    },
  ],
)

const cursors = from(
  'full',
  'Decision: A cursor is opaque and belongs to the filters that it was made with; only limit may change. Any ' +
    'other cursor is refused with 400 invalid_cursor.',
  [
    {
      id: 'list.cursor.limit',
      title: 'the limit may change from page to page',
      needs: ['createPet', 'categoryId', 'pages'],
      async run(shop) {
        const { list, added } = await shelf(shop, 4)
        const { cursor } = await shop.check(GET(`${list}&limit=1`), { status: 200 })
        await shop.check(GET(`${list}&limit=2&cursor=${cursor}`), { status: 200, body: ids(added[1], added[2]) })
      },
    },
    {
      id: 'list.cursor.filters',
      title: 'a cursor with other filters is refused',
      needs: ['createPet', 'categoryId', 'id', 'search', 'pages'],
      async run(shop) {
        const { list, added } = await shelf(shop, 2)
        const { cursor } = await shop.check(GET(`${list}&limit=1`), { status: 200 })
        const others = ['/pets?', '/pets?categoryId=1&', '/pets?status=available&', `/pets?id=${added}&`]
        for (const other of [...others, `${list}&status=available&`, `${list}&search=conform&`])
          await shop.check(GET(`${other}cursor=${cursor}`), badCursor)
      },
    },
    {
      id: 'list.cursor.altered',
      title: 'a cursor that was altered is refused',
      needs: ['createPet', 'categoryId', 'pages'],
      async run(shop) {
        const { list } = await shelf(shop, 2)
        const { cursor } = await shop.check(GET(`${list}&limit=1`), { status: 200 })
        for (const altered of [`A${cursor}`, `${cursor}=`, `%20${cursor}`, `${cursor}-`])
          await shop.check(GET(`${list}&cursor=${altered}`), badCursor)
      },
    },
    {
      id: 'list.cursor.unknown',
      title: 'a cursor that was never issued is refused',
      needs: ['pages'],
      steps: each(
        ['', '1', 'abc', '%00', '%C3%BC', repeated('A', 5000)].map((cursor) => GET(`/pets?cursor=${cursor}`)),
        badCursor,
      ),
    },
    {
      id: 'list.cursor.twice',
      title: 'a cursor given twice is refused',
      needs: ['createPet', 'categoryId', 'pages'],
      async run(shop) {
        const { list } = await shelf(shop, 2)
        const { cursor } = await shop.check(GET(`${list}&limit=1`), { status: 200 })
        await shop.check(GET(`${list}&cursor=${cursor}&cursor=${cursor}`), badParameter)
      },
    },
    {
      id: 'list.cursor.last',
      title: 'a bad cursor is reported only if all other parameters are valid',
      needs: ['pages'],
      steps: [{ send: GET('/pets?cursor=nope&limit=0'), expect: refused(400, 'invalid_parameter', /limit/) }],
    },
  ],
)

const badLimits = ['0', '101', '1e1', '+5', '%2B5', '05', '', '20.0', '-1', '0x10', '%205', '5%00', '%D9%A3']
const badStatuses = ['', 'Available', 'SOLD', 'available%20', 'lost', 'available,sold', 'null']
const brackets = [
  'id[0]=1',
  'id%5B0%5D=1',
  'id[=1',
  'id[]x=1',
  'id[][]=1',
  'id=1&id[a]=2',
  'status[]=sold',
  'limit[]=5',
]

const parameters = from(
  'full',
  'Decision: A parameter that is out of range is refused with 400, and never clamped or coerced. A known ' +
    'parameter that is given twice is refused as well. Unknown parameters are ignored.',
  [
    {
      id: 'list.limit.refused',
      title: 'a limit that is not a number from 1 to 100, written in digits, is refused',
      steps: each(
        [...badLimits, repeated('9', 40)].map((limit) => GET(`/pets?limit=${limit}`)),
        refused(400, 'invalid_parameter', /limit/),
      ),
    },
    {
      id: 'list.status.refused',
      title: 'an unknown status is refused',
      steps: each(
        badStatuses.map((status) => GET(`/pets?status=${status}`)),
        refused(400, 'invalid_parameter', /status/),
      ),
    },
    {
      id: 'list.twice',
      title: 'a parameter given twice is refused',
      needs: ['categoryId', 'after', 'order'],
      steps: ['limit=1', 'status=sold', 'categoryId=1', 'after=1', 'order=asc'].map((parameter) => ({
        send: GET(`/pets?${parameter}&${parameter}`),
        expect: refused(400, 'invalid_parameter', new RegExp(parameter.replace(/=.*/, ''))),
      })),
    },
    {
      id: 'list.unknown',
      title: 'unknown parameters are ignored',
      needs: ['createPet'],
      have: 2,
      steps: [
        {
          send: GET('/pets?offset=1&Limit=0&x&x=&__proto__=1&limit=2&foo[]=1&x[id]=2&%ff=%'),
          expect: { status: 200, body: listOf(Pet, { length: 2 }) },
        },
      ],
    },
    {
      id: 'list.faults',
      title: 'the message names every bad parameter',
      needs: ['id'],
      steps: [
        {
          send: GET('/pets?id=z&status=x&limit=0'),
          expect: refused(400, 'invalid_parameter', /(?=.*limit)(?=.*status).*\bid\b/s),
        },
      ],
    },
    {
      id: 'list.brackets',
      title: 'a known parameter with brackets is refused',
      needs: ['categoryId', 'id', 'pages'],
      steps: each(
        [...brackets, 'cursor[]=x', 'categoryId[]=1', 'status[a][b]=sold'].map((query) => GET(`/pets?${query}`)),
        badParameter,
      ),
    },
  ],
)

const int64s = [9223372036854775807n, -9223372036854775808n, 9007199254740993n, 0n]
const notInt64 = ['', 'abc', '007', '%2B5', '5.0', '-0', '1e3', '9223372036854775808', '-9223372036854775809']

const filters = from(
  'full',
  'Decision: GET /pets filters by categoryId and by id. The replacement of getPet needs this, because the ' +
    'status filter alone cannot find one animal. id takes up to 100 identifiers, with commas or repeated.',
  [
    {
      id: 'list.category',
      title: 'every int64 can be filtered by, exactly',
      needs: ['createPet'],
      steps: int64s.flatMap((categoryId) => [
        { send: POST('/pets', { name: 'conform-rex', categoryId }), expect: { status: 201 } },
        {
          send: GET(`/pets?categoryId=${categoryId}&limit=100`),
          expect: { status: 200, body: listOf({ ...Pet, categoryId }, { least: 1 }) },
        },
      ]),
    },
    {
      id: 'list.category.near',
      title: 'a category beyond 2⁵³ is not mistaken for its neighbour',
      needs: ['createPet', 'categoryId'],
      async run({ category, add, check }) {
        const categoryId = 2n ** 53n + 2n * category() + 1n
        await add(1, { categoryId })
        await check(GET(`/pets?categoryId=${categoryId - 1n}`), { status: 200, body: [] })
      },
    },
    {
      id: 'list.category.refused',
      title: 'a category that is not a canonical int64 is refused',
      needs: ['categoryId', 'id'],
      steps: each(
        notInt64.flatMap((id) => [GET(`/pets?categoryId=${id}`), GET(`/pets?id=${id}`)]),
        badParameter,
      ),
    },
    {
      id: 'list.id',
      title: 'the filter id returns the animals in order, each once',
      needs: ['createPet'],
      async run({ add, check }) {
        const [a, b, c] = await add(3)
        await check(GET(`/pets?id=${c},${a},${a}`), { status: 200, body: ids(a, c) })
        await check(GET(`/pets?id=0,-1,9223372036854775807,${b}`), { status: 200, body: ids(b) })
      },
    },
    {
      id: 'list.id.repeated',
      title: 'the parameter id may be repeated',
      needs: ['createPet', 'id'],
      async run({ add, check }) {
        const [a, , c] = await add(3)
        for (const query of [`id=${a}&id=${c}`, `id=${c}&limit=5&id=${a}`, `id=${a},${a}&id=${c}`, `%69d=${a}&id=${c}`])
          await check(GET(`/pets?${query}`), { status: 200, body: ids(a, c) })
      },
    },
    {
      id: 'list.id.brackets',
      title: 'id[] means id, because many generated clients write it so',
      needs: ['createPet', 'id'],
      async run({ add, check }) {
        const [a, , c] = await add(3)
        for (const query of [`id[]=${a}&id[]=${c}`, `id%5B%5D=${a}&id=${c}`, `id[]=${a},${c}`])
          await check(GET(`/pets?${query}`), { status: 200, body: ids(a, c) })
      },
    },
    {
      id: 'list.id.same',
      title: 'the response is the same whichever way the ids are written',
      needs: ['createPet', 'id', 'pages'],
      async run({ add, check }) {
        const [a, b, c] = await add(3)
        const page = await check(GET(`/pets?id=${a},${b},${c}&limit=2`), { status: 200 })
        const same = { headers: { Link: page.header('Link') }, text: page.text }
        await check(GET(`/pets?id=${a}&id=${b}&id=${c}&limit=2`), { status: 200, ...same })
      },
    },
    {
      id: 'list.id.max',
      title: '100 ids may be given',
      needs: ['id'],
      steps: each([GET(`/pets?id=${upTo(100, ',')}`), GET(`/pets?id=${upTo(100, '&id=')}`)], {
        status: 200,
        body: listOf(Pet),
      }),
    },
    {
      id: 'list.id.many',
      title: '101 ids are refused',
      needs: ['id'],
      steps: each(
        [upTo(101, ','), `${upTo(100, ',')}&id=1`, upTo(101, '&id=')].map((list) => GET(`/pets?id=${list}`)),
        badParameter,
      ),
    },
    {
      id: 'list.id.refused',
      title: 'an empty item between commas is refused',
      needs: ['id'],
      steps: each(
        ['1,,2', ',', '1,', ',1', '1,%202', '1;2', '1&id=x', 'x&id=1', '1&id=', '1&id=2,'].map((list) =>
          GET(`/pets?id=${list}`),
        ),
        badParameter,
      ),
    },
    {
      id: 'list.combined',
      title: 'an animal must match every filter',
      needs: ['createPet', 'categoryId', 'id'],
      async run(shop) {
        const { categoryId, added } = await shelf(shop, 1, { status: 'sold' })
        const [sold] = added
        const [available] = await shop.add(1, { categoryId })
        const query = `id=${sold},${available}&status=sold&categoryId=${categoryId}`
        await shop.check(GET(`/pets?${query}`), { status: 200, body: ids(sold) })
      },
    },
  ],
)

const order = from(
  'full',
  'Decision: order=asc or order=desc sorts by id. after=ID returns only the animals above that id, or below it ' +
    'with order=desc. after and cursor exclude each other. A cursor belongs to its order.',
  [
    {
      id: 'list.after',
      title: 'after=ID returns the animals above that id',
      needs: ['createPet', 'categoryId'],
      async run(shop) {
        const { list, added } = await shelf(shop, 3)
        await shop.check(GET(`${list}&after=${added[0]}`), { status: 200, body: ids(...added.slice(1)) })
        await shop.check(GET(`${list}&after=${added[2]}`), { status: 200, body: [] })
        await shop.check(GET(`${list}&after=0`), { status: 200, body: ids(...added) })
      },
    },
    {
      id: 'list.after.pages',
      title: 'the pages after an id follow one another',
      needs: ['createPet', 'categoryId', 'after', 'pages'],
      async run(shop) {
        const { list, added } = await shelf(shop, 4)
        const [a, b, c, d] = added
        const page = await shop.check(GET(`${list}&after=${a}&limit=2`), { status: 200, body: ids(b, c) })
        await shop.check(GET(page.next), { status: 200, headers: { Link: undefined }, body: ids(d) })
      },
    },
    {
      id: 'list.after.cursor',
      title: 'after and cursor together are refused',
      needs: ['createPet', 'categoryId', 'after', 'pages'],
      async run(shop) {
        const { list, added } = await shelf(shop, 2)
        const { cursor } = await shop.check(GET(`${list}&limit=1`), { status: 200 })
        await shop.check(GET(`${list}&after=${added[0]}&cursor=${cursor}`), badParameter)
      },
    },
    {
      id: 'list.after.refused',
      title: 'a value of after that is not an id is refused',
      needs: ['after'],
      steps: each(
        ['', 'abc', '007', '1.0', '9223372036854775808', '1&after=2'].map((after) => GET(`/pets?after=${after}`)),
        badParameter,
      ),
    },
    {
      id: 'list.desc',
      title: 'order=desc reverses the list',
      needs: ['createPet', 'categoryId'],
      async run(shop) {
        const { list, added } = await shelf(shop, 3)
        const [a, b, c] = added
        await shop.check(GET(`${list}&order=desc`), { status: 200, body: ids(c, b, a) })
        await shop.check(GET(`${list}&order=asc`), { status: 200, body: ids(a, b, c) })
      },
    },
    {
      id: 'list.desc.pages',
      title: 'pages follow one another in descending order',
      needs: ['createPet', 'categoryId', 'order', 'pages'],
      async run(shop) {
        const { list, added } = await shelf(shop, 3)
        const [a, b, c] = added
        const headers = { Link: /order=desc/ }
        const page = await shop.check(GET(`${list}&order=desc&limit=2`), { status: 200, headers, body: ids(c, b) })
        await shop.check(GET(page.next), { status: 200, headers: { Link: undefined }, body: ids(a) })
      },
    },
    {
      id: 'list.desc.after',
      title: 'with order=desc, after means below',
      needs: ['createPet', 'categoryId', 'after', 'order'],
      async run(shop) {
        const { list, added } = await shelf(shop, 3)
        const [a, b, c] = added
        await shop.check(GET(`${list}&order=desc&after=${c}`), { status: 200, body: ids(b, a) })
      },
    },
    {
      id: 'list.desc.cursor',
      title: 'a cursor with another order is refused',
      needs: ['createPet', 'categoryId', 'order', 'pages'],
      async run(shop) {
        const { list } = await shelf(shop, 2)
        const { cursor } = await shop.check(GET(`${list}&order=desc&limit=1`), { status: 200 })
        await shop.check(GET(`${list}&cursor=${cursor}`), badCursor)
      },
    },
    {
      id: 'list.desc.refused',
      title: 'another order is refused',
      needs: ['order'],
      steps: each(
        ['', 'DESC', 'up', 'asc,desc', 'asc&order=asc'].map((each) => GET(`/pets?order=${each}`)),
        badParameter,
      ),
    },
  ],
)

const search = from(
  'full',
  'Decision: search finds the animals whose name contains, for each word of the search, a word that begins with ' +
    'it. Case, accents and width do not matter.',
  [
    {
      id: 'list.search',
      title: 'words are found by how they begin, in any case',
      needs: ['createPet', 'categoryId'],
      async run(shop) {
        const { categoryId, list } = await shelf(shop, 0)
        const [one] = await shop.add(1, { categoryId, name: `${shop.name()} Žofie & Co 100%` })
        const [two] = await shop.add(1, { categoryId, name: `${shop.name()} 猫 rex` })
        for (const [words, ...found] of [
          ['ZÖFIE', one],
          ['c & žof', one],
          ['猫', two],
          ['rex conf', two],
          ["rex' OR"],
          ['conform', one, two],
        ] as const) {
          await shop.checkPages(GET(`${list}&search=${encodeURIComponent(words)}`), ids(...found))
        }
      },
    },
    {
      id: 'list.search.pages',
      title: 'a search has pages, and a cursor with another search is refused',
      needs: ['createPet', 'categoryId', 'search', 'pages'],
      async run(shop) {
        const { list, added } = await shelf(shop, 2)
        const { last: page } = await shop.checkPages(GET(`${list}&search=conf&limit=1`), ids(added[0]), 1)
        await shop.checkPages(GET(`${list}&search=conf&cursor=${page.cursor}`), ids(added[1]))
        for (const other of ['', '&search=con', '&search=Conf'])
          await shop.check(GET(`${list}${other}&cursor=${page.cursor}`), badCursor)
      },
    },
    {
      id: 'list.search.order',
      title: 'a search for the word “asc” is not taken for an order, and its cursor belongs to it',
      needs: ['createPet', 'categoryId', 'search', 'pages'],
      async run(shop) {
        const { list, added } = await shelf(shop, 2, { name: 'asc conform' })
        const { last: page } = await shop.checkPages(GET(`${list}&search=asc&limit=1`), ids(added[0]), 1)
        await shop.check(GET(`${list}&cursor=${page.cursor}`), badCursor)
      },
    },
    {
      id: 'list.search.max',
      title: 'a search may have 128 characters',
      needs: ['search'],
      steps: each(
        [repeated('x', 128), repeated('%F0%90%90%80', 128)].map((words) => GET(`/pets?search=${words}`)),
        {
          status: 200,
          body: listOf(Pet),
        },
      ),
    },
    {
      id: 'list.search.refused',
      title: 'a search that is too long, or has no letter or digit, is refused',
      needs: ['search'],
      steps: each(
        ['', '%20', '%21%3F', '%F0%9F%90%B6', repeated('x', 129), 'a&search=b'].map((words) =>
          GET(`/pets?search=${words}`),
        ),
        badParameter,
      ),
    },
  ],
)

export const listRules = [...pages, ...cursors, ...parameters, ...filters, ...order, ...search]
