/** Level `full`: the order, pages, filters and search of the list, where the interface leaves them open. */
import { all, ids, listOf, risingIds } from '../pattern.ts'
import { GET, POST } from '../request.ts'
import { each, from, type Shop } from '../rule.ts'
import { Pet, refused } from '../shapes.ts'

const badParameter = refused(400, 'invalid_parameter')
const badCursor = refused(400, 'invalid_cursor')
const repeated = (text: string, times: number, between = '') => Array(times).fill(text).join(between)
const upTo = (most: number, between: string) => Array.from({ length: most }, (_, i) => i + 1).join(between)

/** New animals in a category of their own, and the path of the list that has them alone. */
async function shelf({ category, add }: Shop, count: number, members: object = {}) {
  const categoryId = category()
  return { categoryId, list: `/pets?categoryId=${categoryId}`, added: await add(count, { categoryId, ...members }) }
}

const pages = from(
  'full',
  'Decision: the list is ordered by id; pages follow by keyset, with Link rel="next" only if more rows exist; the ' +
    'body stays a bare array.',
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
      title: 'also without a filter',
      needs: ['createPet'],
      have: 21,
      steps: [{ send: GET('/pets?limit=100'), expect: { status: 200, body: all(listOf(Pet), risingIds) } }],
    },
    {
      id: 'list.empty',
      title: 'no match is an empty array without a link',
      needs: ['categoryId'],
      run: ({ category, check }) =>
        check(GET(`/pets?categoryId=${category()}`), { status: 200, headers: { Link: undefined }, text: '[]' }),
    },
    {
      id: 'list.next',
      title: 'the link leads to the rest',
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
      title: 'a page that is full and the last has no link',
      needs: ['createPet', 'categoryId'],
      async run(shop) {
        const { list, added } = await shelf(shop, 2)
        await shop.check(GET(`${list}&limit=2`), { status: 200, headers: { Link: undefined }, body: ids(...added) })
      },
    },
    {
      id: 'list.next.filters',
      title: 'the link keeps filters and limit',
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
      title: 'without a limit the link says 20',
      needs: ['createPet'],
      have: 21,
      steps: [{ send: GET('/pets'), expect: { status: 200, headers: { Link: /[?&]limit=20&/ } } }],
    },
  ],
)

const cursors = from(
  'full',
  'Decision: a cursor is opaque and bound to the filters it was made with; limit may change; any other cursor is ' +
    '400 invalid_cursor.',
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
      title: 'a cursor is good for its filters only',
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
      title: 'a cursor that was changed is refused',
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
      title: 'a cursor counts only if all other parameters are valid',
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
  'Decision: a parameter that is out of range is 400, never clamped or coerced; a known one given twice is 400; ' +
    'unknown ones are ignored.',
  [
    {
      id: 'list.limit.refused',
      title: 'a limit that is not 1 to 100, as digits, is refused',
      steps: each(
        [...badLimits, repeated('9', 40)].map((limit) => GET(`/pets?limit=${limit}`)),
        refused(400, 'invalid_parameter', /limit/),
      ),
    },
    {
      id: 'list.status.refused',
      title: 'a status that is none is refused',
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
  'Decision: filters categoryId, and id with up to 100 identifiers, by commas or repeated: what the replacement of ' +
    'getPet needs.',
  [
    {
      id: 'list.category',
      title: 'every int64 is a filter, exactly',
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
      title: 'a neighbour beyond 2⁵³ is another one',
      needs: ['createPet', 'categoryId'],
      async run({ category, add, check }) {
        const categoryId = 2n ** 53n + 2n * category() + 1n
        await add(1, { categoryId })
        await check(GET(`/pets?categoryId=${categoryId - 1n}`), { status: 200, body: [] })
      },
    },
    {
      id: 'list.category.refused',
      title: 'what is no canonical int64 is refused',
      needs: ['categoryId', 'id'],
      steps: each(
        notInt64.flatMap((id) => [GET(`/pets?categoryId=${id}`), GET(`/pets?id=${id}`)]),
        badParameter,
      ),
    },
    {
      id: 'list.id',
      title: 'the filter id gives the animals in order, each once',
      needs: ['createPet'],
      async run({ add, check }) {
        const [a, b, c] = await add(3)
        await check(GET(`/pets?id=${c},${a},${a}`), { status: 200, body: ids(a, c) })
        await check(GET(`/pets?id=0,-1,9223372036854775807,${b}`), { status: 200, body: ids(b) })
      },
    },
    {
      id: 'list.id.repeated',
      title: 'ids may be given again and again',
      needs: ['createPet', 'id'],
      async run({ add, check }) {
        const [a, , c] = await add(3)
        for (const query of [`id=${a}&id=${c}`, `id=${c}&limit=5&id=${a}`, `id=${a},${a}&id=${c}`, `%69d=${a}&id=${c}`])
          await check(GET(`/pets?${query}`), { status: 200, body: ids(a, c) })
      },
    },
    {
      id: 'list.id.brackets',
      title: 'id[] is id, as many generated clients write it',
      needs: ['createPet', 'id'],
      async run({ add, check }) {
        const [a, , c] = await add(3)
        for (const query of [`id[]=${a}&id[]=${c}`, `id%5B%5D=${a}&id=${c}`, `id[]=${a},${c}`])
          await check(GET(`/pets?${query}`), { status: 200, body: ids(a, c) })
      },
    },
    {
      id: 'list.id.same',
      title: 'the answer is the same, however ids are given',
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
      title: '100 ids may be asked for',
      needs: ['id'],
      steps: each([GET(`/pets?id=${upTo(100, ',')}`), GET(`/pets?id=${upTo(100, '&id=')}`)], {
        status: 200,
        body: listOf(Pet),
      }),
    },
    {
      id: 'list.id.many',
      title: '101 ids are too many',
      needs: ['id'],
      steps: each(
        [upTo(101, ','), `${upTo(100, ',')}&id=1`, upTo(101, '&id=')].map((list) => GET(`/pets?id=${list}`)),
        badParameter,
      ),
    },
    {
      id: 'list.id.refused',
      title: 'a gap between commas is refused',
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
  'Decision: after=<id> gives only animals above it (with cursor: 400); order=asc|desc by id; with desc, after ' +
    'means below; a cursor is bound to its order.',
  [
    {
      id: 'list.after',
      title: 'after gives the animals above an id',
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
      title: 'after is followed by pages',
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
      title: 'what is no id is refused',
      needs: ['after'],
      steps: each(
        ['', 'abc', '007', '1.0', '9223372036854775808', '1&after=2'].map((after) => GET(`/pets?after=${after}`)),
        badParameter,
      ),
    },
    {
      id: 'list.desc',
      title: 'order=desc turns the list around',
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
      title: 'pages follow in that order',
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
      title: 'a cursor is bound to its order',
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
  'Decision: search finds animals whose name has, for each word, one that begins with it; case, accents and width ' +
    'are ignored.',
  [
    {
      id: 'list.search',
      title: 'words are found by their beginnings, in any case',
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
      title: 'a search has pages, and a cursor is good for its search only',
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
      title: 'a search for the name of an order is a search, and its cursor is bound to it',
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
      title: 'a search without a letter or digit, or too long, is refused',
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
