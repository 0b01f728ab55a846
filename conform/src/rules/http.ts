/** Level `full`: keys, errors, headers and revalidation, where the interface leaves them open. */
import { all, listOf, members, not } from '../pattern.ts'
import { DELETE, GET, HEAD, noKey, OPTIONS, PATCH, POST, PUT } from '../request.ts'
import { each, from } from '../rule.ts'
import { failed, json, jsonInUtf8, Pet, refused } from '../shapes.ts'

const rex = { name: 'conform-rex', categoryId: 1 }
const ofError = members('code', 'message', 'status')

const keys = from(
  'full',
  'Decision: A 401 says whether the key is missing or invalid. It comes before every other error, even on paths ' +
    'that do not exist. The scheme may be written in any case.',
  [
    {
      id: 'auth.code.missing',
      title: 'the code for a request without a key is missing_api_key',
      about: 'codes',
      steps: [undefined, 'Basic dXNlcjpwYXNz', 'Bearer'].map((Authorization) => ({
        send: GET('/pets', { Authorization }),
        expect: { ...refused(401, 'missing_api_key'), headers: { 'WWW-Authenticate': 'Bearer realm="petstore"' } },
      })),
    },
    {
      id: 'auth.code.invalid',
      title: 'the code for an unknown key is invalid_api_key',
      about: 'codes',
      steps: [
        {
          send: GET('/pets', { Authorization: 'bearer conform-is-no-key' }),
          expect: {
            ...refused(401, 'invalid_api_key'),
            headers: { 'WWW-Authenticate': 'Bearer realm="petstore", error="invalid_token"' },
          },
        },
      ],
    },
    {
      id: 'auth.scheme',
      title: 'the scheme may be written in any case',
      async run({ key, check }) {
        for (const scheme of ['bearer', 'BEARER', 'bEaReR'])
          await check(GET('/pets?limit=1', { Authorization: `${scheme} ${key}` }), { status: 200 })
      },
    },
    {
      id: 'auth.twice',
      title: 'two Authorization headers are refused',
      async run({ key, check }) {
        const twice = [`Bearer ${key}`, `Bearer ${key}`]
        await check(GET('/pets', { Authorization: twice }), refused(401, 'invalid_api_key'))
      },
    },
    {
      id: 'auth.unknown-path',
      title: 'without a key an unknown path is answered with 401, so nobody learns which paths exist',
      steps: each(
        ['/nope', '/pets/1/2', '/pets/', '/'].map((path) => GET(path, noKey)),
        refused(401, 'missing_api_key'),
      ),
    },
    {
      id: 'auth.first',
      title: '401 comes before every other error',
      needs: ['createPet'],
      steps: each(
        [DELETE('/pets', noKey), POST('/pets', '{', noKey), GET('/pets?limit=0', noKey)],
        refused(401, 'missing_api_key'),
      ),
    },
  ],
)

const errors = from(
  'full',
  'Decision: An Error has exactly three members and one of the documented codes. It is not cached, and reveals ' +
    'nothing about the program.',
  [
    {
      id: 'error.members',
      title: 'errors have these three members and no others',
      needs: ['createPet'],
      steps: [
        { send: GET('/nope'), expect: { status: 404, body: ofError } },
        { send: GET('/pets?status=x'), expect: { status: 400, body: ofError } },
        { send: GET('/pets?limit=0'), expect: { status: 400, body: ofError } },
        { send: POST('/pets', {}), expect: { status: 400, body: ofError } },
      ],
    },
    {
      id: 'error.members.401',
      title: 'a 401 has these three members and no others',
      steps: [{ send: GET('/pets', noKey), expect: { status: 401, body: ofError } }],
    },
    {
      id: 'error.codes',
      title: 'each error has its documented code',
      needs: ['createPet'],
      about: 'codes',
      steps: [
        { send: GET('/nope'), expect: refused(404, 'route_not_found') },
        { send: POST('/pets', {}), expect: refused(400, 'missing_field') },
      ],
    },
    {
      id: 'error.type',
      title: 'errors are JSON in UTF-8, and not cached',
      steps: [GET('/nope'), GET('/pets?limit=0')].map((send, i) => ({
        send,
        expect: {
          status: i === 0 ? 404 : 400,
          headers: { ...jsonInUtf8, 'Cache-Control': 'no-store', ETag: undefined },
        },
      })),
    },
    {
      id: 'error.discreet',
      title: 'no error shows a stack, a statement or a file',
      needs: ['createPet', 'pages'],
      steps: each([POST('/pets', '{'), GET('/pets?cursor=%00'), GET('/nope%00')], {
        status: [400, 404],
        body: { message: not(/\n| at |SELECT|INSERT|node:|\.ts\b/) },
      }),
    },
  ],
)

const paths = ['/nope', '/pets/', '/Pets', '/pet', '/pets%2F1', '/pets;x', '/pets/1/', '/']

const http = [
  ...from(
    'full',
    'Decision: Unknown paths are answered with 404, and wrong methods with 405 and Allow. HEAD works wherever GET ' +
      'does. OPTIONS needs no key. Accept is ignored.',
    [
      {
        id: 'http.unknown-path',
        title: 'an unknown path is answered with 404, and never redirected',
        needs: ['getPet'],
        steps: each(
          paths.map((path) => GET(path)),
          refused(404, 'route_not_found'),
        ),
      },
      {
        id: 'http.method',
        title: 'a method that a path does not have is refused, and Allow names those that it has',
        steps: each([PUT('/pets'), PATCH('/pets'), DELETE('/pets'), { method: 'PROPFIND', path: '/pets' }], {
          status: 405,
          code: 'method_not_allowed',
          body: all({ status: 405 }, ofError),
          headers: { Allow: 'GET, HEAD, POST, OPTIONS' },
        }),
      },
      {
        id: 'http.options',
        title: 'OPTIONS is answered without a key',
        // The request is also sent with a key, because in a sandbox only the key says which shop is meant.
        steps: each([OPTIONS('/pets', noKey), OPTIONS('/pets')], {
          status: 204,
          headers: { Allow: 'GET, HEAD, POST, OPTIONS' },
          text: '',
        }),
      },
      {
        id: 'http.head',
        title: 'HEAD is answered with the headers of GET and no body',
        needs: ['createPet', 'pages', 'tags'],
        async run({ add, check }) {
          await add(2)
          const page = await check(GET('/pets?limit=1'), { status: 200 })
          const same = ['ETag', 'Link', 'Content-Length', 'Content-Type'].map((name) => [name, page.header(name)])
          await check(HEAD('/pets?limit=1'), { status: 200, headers: Object.fromEntries(same), text: '' })
        },
      },
      {
        id: 'http.head.errors',
        title: 'HEAD is refused with the errors of GET',
        steps: [
          { send: HEAD('/pets?limit=0'), expect: { status: 400, text: '' } },
          { send: HEAD('/nope'), expect: { status: 404, text: '' } },
          { send: HEAD('/pets', noKey), expect: { status: 401, text: '' } },
        ],
      },
      {
        id: 'http.accept',
        title: 'Accept is ignored',
        steps: each(
          ['text/html', 'application/xml;q=1', 'nonsense', '*/*;q=0'].map((Accept) => GET('/pets?limit=1', { Accept })),
          { status: 200, headers: json, body: listOf(Pet) },
        ),
      },
      {
        id: 'http.charset',
        title: 'responses are JSON in UTF-8, and say so',
        needs: ['createPet'],
        steps: [
          { send: POST('/pets', rex), expect: { status: 201, headers: jsonInUtf8 } },
          { send: GET('/pets?limit=1'), expect: { status: 200, headers: jsonInUtf8 } },
        ],
      },
      {
        id: 'http.long',
        title: 'a request target above 8 KiB is refused',
        steps: [{ send: GET(`/pets?${'x'.repeat(9000)}`), expect: refused(414, 'uri_too_long') }],
      },
      {
        id: 'http.nosniff',
        title: 'every response forbids browsers to guess its type',
        steps: each([GET('/nope'), GET('/pets?limit=1')], {
          status: [404, 200],
          headers: { 'X-Content-Type-Options': 'nosniff' },
        }),
      },
    ],
  ),
  ...from(
    'full',
    'Decision: X-Request-Id is returned if it has 1 to 128 letters, digits, “_”, “.” or “-”. Otherwise the ' +
      'service makes one.',
    [
      {
        id: 'http.request-id',
        title: 'a request id is returned, on errors as well',
        steps: each(
          ['/nope', '/pets?limit=0', '/pets?limit=1'].map((path) => GET(path, { 'X-Request-Id': 'conform-A_b.9' })),
          { status: [404, 400, 200], headers: { 'X-Request-Id': 'conform-A_b.9' } },
        ),
      },
      {
        id: 'http.request-id.long',
        title: 'a request id may have 128 characters',
        needs: ['requestIds'],
        steps: ['x'.repeat(128)].map((id) => ({
          send: GET('/pets?limit=1', { 'X-Request-Id': id }),
          expect: { status: 200, headers: { 'X-Request-Id': id } },
        })),
      },
      {
        id: 'http.request-id.made',
        title: 'a malformed request id is replaced',
        needs: ['requestIds'],
        steps: each(
          ['', 'a b', 'x'.repeat(129), 'a,b', 'a/b', '"a"'].map((id) => GET('/pets?limit=1', { 'X-Request-Id': id })),
          { status: 200, headers: { 'X-Request-Id': /^[\w.-]{8,128}$/ } },
        ),
      },
      {
        id: 'http.request-id.new',
        title: 'each request without an id gets its own',
        needs: ['requestIds'],
        async run({ check }) {
          const first = await check(GET('/pets?limit=1'), { status: 200 })
          const headers = { 'X-Request-Id': not(first.header('X-Request-Id')) }
          await check(GET('/pets?limit=1'), { status: 200, headers })
        },
      },
    ],
  ),
]

const cache = from(
  'full',
  'Decision: A response to GET has an ETag. If-None-Match is answered with 304 as long as nothing has changed.',
  [
    {
      id: 'cache.etag',
      title: 'the ETag of a list changes with the list',
      needs: ['createPet', 'categoryId'],
      async run({ category, add, check }) {
        const categoryId = category()
        await add(1, { categoryId })
        const list = `/pets?categoryId=${categoryId}`
        const headers = { ETag: /^"[\w-]+"$/, 'Cache-Control': 'private, no-cache' }
        const { etag } = await check(GET(list), { status: 200, headers })
        await check(GET(list), { status: 200, headers: { ETag: etag } })
        await add(1, { categoryId })
        await check(GET(list, { 'If-None-Match': etag }), { status: 200, headers: { ETag: not(etag) } })
      },
    },
    {
      id: 'cache.304',
      title: 'a copy that is current is not sent again',
      needs: ['createPet', 'categoryId', 'tags'],
      async run({ category, add, check }) {
        const categoryId = category()
        await add(1, { categoryId })
        const list = `/pets?categoryId=${categoryId}`
        const { etag } = await check(GET(list), { status: 200 })
        for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
          for (const method of [GET, HEAD])
            await check(method(list, { 'If-None-Match': tags }), { status: 304, headers: { ETag: etag }, text: '' })
      },
    },
    {
      id: 'cache.other',
      title: 'another ETag does not count as a current copy',
      needs: ['createPet', 'tags'],
      have: 1,
      steps: each(
        ['"other"', 'W/"other"', '"*"', '', 'other'].map((tag) => GET('/pets?limit=1', { 'If-None-Match': tag })),
        { status: 200, body: listOf(Pet, { length: 1 }) },
      ),
    },
    {
      id: 'cache.get',
      title: 'a single animal has an ETag as well',
      needs: ['getPet', 'createPet', 'tags'],
      async run({ add, check }) {
        const [id] = await add(1)
        const { etag } = await check(GET(`/pets/${id}`), { status: 200 })
        const headers = { 'Cache-Control': 'private, no-cache' }
        await check(GET(`/pets/${id}`, { 'If-None-Match': etag }), { status: 304, headers })
      },
    },
    {
      id: 'cache.refused',
      title: 'If-None-Match has no effect on errors, and on methods other than GET',
      needs: ['createPet', 'tags'],
      steps: [
        { send: POST('/pets', rex, { 'If-None-Match': '*' }), expect: { status: 201 } },
        { send: GET('/pets?limit=0', { 'If-None-Match': '*' }), expect: failed(400) },
      ],
    },
    {
      id: 'cache.created',
      title: 'a new animal has the ETag that it has in the list',
      needs: ['createPet', 'id', 'tags'],
      async run({ check }) {
        const { id, etag } = await check(POST('/pets', rex), { status: 201 })
        await check(GET(`/pets?id=${id}`), { status: 200, headers: { ETag: etag } })
      },
    },
  ],
)

export const httpRules = [...keys, ...errors, ...http, ...cache]
