/** Level `core`: what the interface itself says. */
import { Mismatch } from '../expect.ts'
import type { Json } from '../json.ts'
import { removal } from '../needs.ts'
import { all, distinctIds, exactly, including, listOf, not } from '../pattern.ts'
import { GET, noKey, POST } from '../request.ts'
import { each, from, type Shop } from '../rule.ts'
import { failed, json, Pet } from '../shapes.ts'

const rex = { name: 'conform-rex', categoryId: 1 }
/** The path of the sold animals in a category, as far as the service can filter by category. */
const soldIn = ({ has }: Shop, categoryId: bigint) =>
  GET(`/pets?status=sold&limit=100${has('categoryId') ? `&categoryId=${categoryId}` : ''}`)
/** Expects no animal in the category, however many animals the service has. */
const expectNoneIn = (shop: Shop, categoryId: bigint) =>
  shop.checkPages(soldIn(shop, categoryId), not(including({ categoryId })))

const wrongKey = { Authorization: 'Bearer conform-is-no-key' }

const authentication = [
  ...from('core', 'Authentication: “The client sends its API key as a bearer token in the Authorization header.”', [
    {
      id: 'auth.valid',
      title: 'a request with the key is answered',
      steps: [{ send: GET('/pets?limit=1'), expect: { status: 200 } }],
    },
    {
      id: 'auth.other-header',
      title: 'a key in another header does not count',
      run: ({ key, check }) => check(GET('/pets?limit=1', { ...noKey, 'X-Api-Key': key }), { status: 401 }),
    },
    {
      id: 'auth.no-scheme',
      title: 'a key without its scheme does not count',
      run: ({ key, check }) => check(GET('/pets?limit=1', { Authorization: key }), { status: 401 }),
    },
    {
      id: 'auth.other-scheme',
      title: 'a key under another scheme does not count',
      run: ({ key, check }) => check(GET('/pets?limit=1', { Authorization: `Basic ${key}` }), { status: 401 }),
    },
    {
      id: 'auth.empty',
      title: 'an empty bearer token does not count',
      steps: [{ send: GET('/pets?limit=1', { Authorization: 'Bearer' }), expect: { status: 401 } }],
    },
  ]),
  ...from(
    'core',
    'Authentication: “When the credential is missing or invalid, the service answers 401 with an Error body.”',
    [
      {
        id: 'auth.missing.list',
        title: 'listing animals without a key is refused',
        steps: [{ send: GET('/pets', noKey), expect: { status: 401 } }],
      },
      {
        id: 'auth.missing.create',
        title: 'adding an animal without a key is refused',
        needs: ['createPet'],
        steps: [{ send: POST('/pets', rex, noKey), expect: { status: 401 } }],
      },
      {
        id: 'auth.missing.get',
        title: 'fetching an animal without a key is refused',
        steps: [{ send: GET('/pets/1', noKey), expect: { status: 401 } }],
      },
      {
        id: 'auth.invalid.list',
        title: 'listing animals with an invalid key is refused',
        steps: [{ send: GET('/pets', wrongKey), expect: failed(401) }],
      },
      {
        id: 'auth.invalid.create',
        title: 'adding an animal with an invalid key is refused',
        needs: ['createPet'],
        steps: [{ send: POST('/pets', rex, wrongKey), expect: failed(401) }],
      },
      {
        id: 'auth.invalid.get',
        title: 'fetching an animal with an invalid key is refused',
        steps: [{ send: GET('/pets/1', wrongKey), expect: failed(401) }],
      },
      {
        id: 'auth.altered',
        title: 'the key with one character more or less is refused',
        needs: ['createPet'],
        async run(shop) {
          const { key, check } = shop
          // In a sandbox, most keys of this form are valid, and each opens its own shop.
          const isOfSandbox = key.startsWith('test_')
          const categoryId = shop.category()
          if (isOfSandbox) await shop.add(1, { categoryId, status: 'sold' })
          for (const altered of [key.slice(0, -1), `${key}0`])
            await check(
              { ...soldIn(shop, categoryId), headers: { Authorization: `Bearer ${altered}` } },
              isOfSandbox ? { status: [200, 401], body: not(including({ categoryId })) } : { status: 401 },
            )
        },
      },
      {
        id: 'auth.refused-adds-nothing',
        title: 'a request without a valid key adds no animal',
        needs: ['wholeList'],
        async run(shop) {
          const categoryId = shop.category()
          const pet = { name: shop.name(), categoryId, status: 'sold' }
          await shop.check(POST('/pets', pet, noKey), { status: 401 })
          await expectNoneIn(shop, categoryId)
        },
      },
    ],
  ),
]

const lists = [
  ...from('core', 'List animals: “200: Pets (array of Pet). A page of animals is returned.”', [
    {
      id: 'list.array',
      title: 'the list is a bare array of animals',
      needs: ['createPet'],
      have: 1,
      steps: [{ send: GET('/pets'), expect: { status: 200, body: listOf(Pet, { least: 1 }) } }],
    },
    {
      id: 'list.json',
      title: 'the list is JSON',
      steps: [{ send: GET('/pets'), expect: { status: 200, headers: json } }],
    },
    {
      id: 'list.ids',
      title: 'no animal appears twice on a page',
      needs: ['createPet'],
      have: 21,
      steps: [{ send: GET('/pets?limit=100'), expect: { status: 200, body: all(listOf(Pet), distinctIds) } }],
    },
    {
      id: 'list.same',
      title: 'an animal has the same members in the list as alone',
      needs: ['getPet', 'createPet'],
      async run({ add, check }) {
        await add(1)
        const page = await check(GET('/pets?limit=1'), { status: 200, body: listOf(Pet, { length: 1 }) })
        const [pet] = page.body as { id: bigint }[]
        await check(GET(`/pets/${pet?.id}`), { status: 200, body: exactly(pet as Json) })
      },
    },
  ]),
  ...from('core', 'Limits: “limit minimum 1, limit maximum 100, limit default 20.”', [
    {
      id: 'list.limit.default',
      title: 'a page has 20 animals if no limit is given',
      needs: ['createPet'],
      have: 21,
      steps: [{ send: GET('/pets'), expect: { status: 200, body: listOf(Pet, { length: 20 }) } }],
    },
    {
      id: 'list.limit.min',
      title: 'a page may have one animal',
      needs: ['createPet'],
      have: 2,
      steps: [{ send: GET('/pets?limit=1'), expect: { status: 200, body: listOf(Pet, { length: 1 }) } }],
    },
    {
      id: 'list.limit.max',
      title: 'a page may have 100 animals',
      needs: ['createPet'],
      have: 101,
      steps: [{ send: GET('/pets?limit=100'), expect: { status: 200, body: listOf(Pet, { length: 100 }) } }],
    },
    {
      id: 'list.limit.between',
      title: 'every limit from 1 to 100 returns that many animals',
      needs: ['createPet'],
      have: 101,
      steps: [2, 19, 21, 99].map((length) => ({
        send: GET(`/pets?limit=${length}`),
        expect: { status: 200, body: listOf(Pet, { length }) },
      })),
    },
  ]),
  ...from('core', 'List animals: “status: one of available, pending, sold. Return only animals with this status.”', [
    ...(
      [
        ['available', 'sold'],
        ['pending', 'sold'],
        ['sold', 'pending'],
      ] as const
    ).map(([status, other]) => ({
      id: `list.status.${status}`,
      title: `the filter ${status} gives only animals that are ${status}`,
      needs: ['createPet'] as const,
      steps: [
        ...each([POST('/pets', { ...rex, status }), POST('/pets', { ...rex, status: other })], { status: 201 }),
        {
          send: GET(`/pets?status=${status}&limit=100`),
          expect: { status: 200, body: listOf({ ...Pet, status }, { least: 1 }) },
        },
      ],
    })),
    {
      id: 'list.status.limit',
      title: 'status and limit apply together',
      needs: ['createPet'],
      steps: [
        ...each([POST('/pets', { ...rex, status: 'pending' }), POST('/pets', { ...rex, status: 'pending' })], {
          status: 201,
        }),
        {
          send: GET('/pets?status=pending&limit=1'),
          expect: { status: 200, body: [{ ...Pet, status: 'pending' }] },
        },
      ],
    },
  ]),
]

const creating = [
  ...from('core', 'Add an animal: “201: Pet. Animal added; body carries the assigned id.”', [
    {
      id: 'create.created',
      title: 'adding an animal is answered with 201',
      needs: ['createPet'],
      steps: [{ send: POST('/pets', rex), expect: { status: 201, body: Pet } }],
    },
    {
      id: 'create.json',
      title: 'the answer is JSON',
      needs: ['createPet'],
      steps: [{ send: POST('/pets', rex), expect: { status: 201, headers: json } }],
    },
    {
      id: 'create.ids',
      title: 'each animal gets its own identifier',
      needs: ['createPet'],
      async run({ check }) {
        const { id } = await check(POST('/pets', rex), { status: 201, body: Pet })
        await check(POST('/pets', rex), { status: 201, body: { ...Pet, id: not(id) } })
      },
    },
    {
      id: 'create.stored',
      title: 'an animal that was added can be fetched, with the same members',
      needs: ['getPet', 'createPet'],
      async run({ check }) {
        const pet = { name: 'conform-rex', categoryId: 7, status: 'sold' }
        const { id, body } = await check(POST('/pets', pet), { status: 201, body: Pet })
        await check(GET(`/pets/${id}`), { status: 200, body: exactly(body) })
      },
    },
  ]),
  ...from(
    'core',
    'NewPet: “name: string, required. categoryId: integer, int64, required. status: string, enum PetStatus.”',
    [
      {
        id: 'create.name',
        title: 'the name is the one that was sent',
        needs: ['createPet'],
        steps: ['conform José 犬 🐕'].map((name) => ({
          send: POST('/pets', { name, categoryId: 1 }),
          expect: { status: 201, body: { ...Pet, name } },
        })),
      },
      {
        id: 'create.category',
        title: 'the category is the one that was sent',
        needs: ['createPet'],
        steps: [
          {
            send: POST('/pets', { name: 'conform-rex', categoryId: 42 }),
            expect: { status: 201, body: { ...Pet, categoryId: 42 } },
          },
        ],
      },
      {
        id: 'create.category.large',
        title: 'a category may be beyond 32 bits, or negative',
        needs: ['createPet'],
        steps: [4294967297n, -4294967297n, 0n].map((categoryId) => ({
          send: POST('/pets', { name: 'conform-rex', categoryId }),
          expect: { status: 201, body: { ...Pet, categoryId } },
        })),
      },
      {
        id: 'create.category.exact',
        title: 'a category beyond 2⁵³ keeps every digit, also when the animal is fetched later',
        needs: ['getPet', 'createPet'],
        async run({ check }) {
          for (const categoryId of [9007199254740993n, 9223372036854775807n, -9223372036854775808n]) {
            const expected = { ...Pet, categoryId }
            const { id } = await check(POST('/pets', { ...rex, categoryId }), { status: 201, body: expected })
            await check(GET(`/pets/${id}`), { status: 200, body: expected })
          }
        },
      },
      {
        id: 'create.status',
        title: 'the status is the one that was sent',
        needs: ['createPet'],
        steps: ['available', 'pending', 'sold'].map((status) => ({
          send: POST('/pets', { ...rex, status }),
          expect: { status: 201, body: { ...Pet, status } },
        })),
      },
      {
        id: 'create.status.optional',
        title: 'the status may be left out',
        needs: ['createPet'],
        steps: [{ send: POST('/pets', rex), expect: { status: 201, body: Pet } }],
      },
    ],
  ),
  ...from(
    'core',
    'Add an animal: “400: Error. Body is missing required fields (name, categoryId) or contains invalid values.”',
    [
      {
        id: 'create.missing.name',
        title: 'an animal without a name is refused',
        needs: ['createPet'],
        steps: [{ send: POST('/pets', { categoryId: 1 }), expect: { status: 400 } }],
      },
      {
        id: 'create.missing.category',
        title: 'an animal without a category is refused',
        needs: ['createPet'],
        steps: [{ send: POST('/pets', { name: 'conform-rex' }), expect: { status: 400 } }],
      },
      {
        id: 'create.missing.both',
        title: 'an empty object is refused',
        needs: ['createPet'],
        steps: [{ send: POST('/pets', {}), expect: { status: 400 } }],
      },
      {
        id: 'create.missing.body',
        title: 'a request without a body is refused',
        needs: ['createPet'],
        steps: [{ send: POST('/pets', undefined, { 'Content-Type': 'application/json' }), expect: { status: 400 } }],
      },
      {
        id: 'create.invalid.name',
        title: 'a name that is not a string is refused',
        needs: ['createPet'],
        steps: [5, true, null, ['conform-rex'], {}].map((name) => ({
          send: POST('/pets', { name, categoryId: 1 }),
          expect: { status: 400 },
        })),
      },
      {
        id: 'create.invalid.category',
        title: 'a category that is not a number is refused',
        needs: ['createPet'],
        steps: ['five', true, null, [1], {}].map((categoryId) => ({
          send: POST('/pets', { name: 'conform-rex', categoryId }),
          expect: { status: 400 },
        })),
      },
      {
        id: 'create.invalid.fraction',
        title: 'a category that is not an integer is refused',
        needs: ['createPet'],
        steps: [{ send: POST('/pets', { name: 'conform-rex', categoryId: 1.5 }), expect: { status: 400 } }],
      },
      {
        id: 'create.invalid.status',
        title: 'a status that is not one of the three is refused',
        needs: ['createPet'],
        steps: ['lost', '', 5, ['sold']].map((status) => ({
          send: POST('/pets', { ...rex, status }),
          expect: { status: 400 },
        })),
      },
      {
        id: 'create.invalid.json',
        title: 'a body that is not JSON is refused',
        needs: ['createPet'],
        steps: [{ send: POST('/pets', '{"name":"conform-rex",'), expect: { status: 400 } }],
      },
      {
        id: 'create.invalid.array',
        title: 'a body that is not an object is refused',
        needs: ['createPet'],
        steps: [{ send: POST('/pets', [rex]), expect: { status: 400 } }],
      },
      {
        id: 'create.refused-adds-nothing',
        title: 'a refused request adds no animal',
        needs: ['createPet', 'wholeList'],
        async run(shop) {
          const categoryId = shop.category()
          await shop.check(POST('/pets', { categoryId, status: 'sold' }), { status: 400 })
          await expectNoneIn(shop, categoryId)
        },
      },
    ],
  ),
]

const getting = from(
  'core',
  'Get an animal: “200: Pet. The animal exists. 404: Error. No animal with that identifier.”',
  [
    {
      id: 'get.found',
      title: 'an animal is found by its identifier',
      needs: ['getPet', 'createPet'],
      async run({ name, check }) {
        const pet = { name: name(), categoryId: 1 }
        const { id } = await check(POST('/pets', pet), { status: 201 })
        await check(GET(`/pets/${id}`), { status: 200, body: { ...Pet, ...pet, id } })
      },
    },
    {
      id: 'get.json',
      title: 'the animal is JSON',
      needs: ['getPet', 'createPet'],
      async run({ add, check }) {
        const [id] = await add(1)
        await check(GET(`/pets/${id}`), { status: 200, headers: json })
      },
    },
    {
      id: 'get.unknown',
      title: 'an identifier that no animal has is answered with 404',
      needs: ['getPet'],
      steps: each([GET('/pets/9223372036854775807'), GET('/pets/0'), GET('/pets/-1')], { status: 404 }),
    },
    {
      id: 'get.deprecated.document',
      title:
        '“It is marked deprecated, with a warning on its description”: the OpenAPI document says so, if there is one',
      needs: ['getPet', 'document'],
      steps: [
        {
          send: GET('//openapi.json'),
          expect: {
            status: 200,
            body: { paths: { '/pets/{petId}': { get: { deprecated: true, description: /./ } } } },
          },
        },
      ],
    },
    {
      id: 'get.removed',
      title: '“It remains available until then”: it is gone from 5 December 2030 on',
      since: removal,
      steps: [{ send: GET('/pets/1'), expect: { status: [404, 410] } }],
    },
  ],
)

const errors = from(
  'core',
  'Errors: “code: string, required. message: string, required. status: integer, required: the HTTP status code of ' +
    'the response.”',
  [
    {
      id: 'error.400',
      title: 'a 400 has a code, a message and its status',
      needs: ['createPet'],
      steps: each(
        [{}, '{', [], { name: 5, categoryId: 1 }].map((body) => POST('/pets', body)),
        failed(400),
      ),
    },
    {
      id: 'error.401',
      title: 'a 401 has a code, a message and its status',
      needs: ['createPet'],
      steps: each([GET('/pets', noKey), POST('/pets', {}, noKey)], failed(401)),
    },
    {
      id: 'error.404',
      title: 'a 404 has a code, a message and its status',
      needs: ['getPet'],
      steps: [{ send: GET('/pets/9223372036854775807'), expect: failed(404) }],
    },
    {
      id: 'error.json',
      title: 'errors are JSON',
      needs: ['createPet'],
      steps: [
        { send: GET('/pets', noKey), expect: { status: 401, headers: json } },
        { send: POST('/pets', {}), expect: { status: 400, headers: json } },
      ],
    },
  ],
)

const version = from('core', 'Versioning: “The version appears in the path prefix /v1 of both base addresses.”', [
  {
    id: 'version.prefix',
    title: 'the base address ends with /v1',
    async run({ base, check }) {
      await check(GET('/pets?limit=1'), { status: 200 })
      if (!base.endsWith('/v1')) throw new Mismatch('status', 'a base address that ends with /v1', base)
    },
  },
])

export const core = [...authentication, ...lists, ...creating, ...getting, ...errors, ...version]
