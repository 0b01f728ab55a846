/** Level `store`: changing and removing animals. */
import { atLeast, exactly, ids, not, without } from '../pattern.ts'
import { DELETE, GET, PATCH, POST } from '../request.ts'
import { each, from } from '../rule.ts'
import { Pet, refused } from '../shapes.ts'

const rex = { name: 'conform-rex', categoryId: 1 }
const unknownIds = ['0', '-1', '9223372036854775807', 'abc', '007', '5.0', '%31']
const notFound = refused(404, 'pet_not_found')
const outdated = refused(412, 'precondition_failed')
const conflict = refused(409, 'order_state_conflict')
const unsupported = refused(415, 'unsupported_media_type')

const changing = from(
  'store',
  'Decision: PATCH /pets/{petId} changes name, categoryId and status. Any member may be left out; null is ' +
    'refused with 400. The type application/merge-patch+json is accepted as well.',
  [
    {
      id: 'change.members',
      title: 'the members that are sent change, and the others stay',
      needs: ['createPet', 'id', 'tags', 'updatePet'],
      async run({ add, check }) {
        for (const change of [{ name: 'conform-new' }, { categoryId: -2 }, { status: 'sold' }]) {
          const [id] = await add(1)
          const { text, etag } = await check(PATCH(`/pets/${id}`, change), {
            status: 200,
            body: { ...Pet, id, ...change },
          })
          await check(GET(`/pets?id=${id}`), { status: 200, headers: { ETag: etag }, text: `[${text}]` })
        }
      },
    },
    {
      id: 'change.one',
      title: 'a PATCH of one member leaves the values of the others',
      needs: ['createPet', 'updatePet'],
      async run({ check }) {
        const pet = { name: 'conform-rex', categoryId: 5n, status: 'sold' }
        const { id } = await check(POST('/pets', pet), { status: 201 })
        const body = exactly({ id, ...pet, categoryId: 6n })
        await check(PATCH(`/pets/${id}`, { categoryId: 6 }), { status: 200, body })
      },
    },
    {
      id: 'change.nothing',
      title: 'an empty object changes nothing',
      needs: ['createPet', 'updatePet'],
      async run({ check }) {
        const { id, text } = await check(POST('/pets', rex), { status: 201 })
        await check(PATCH(`/pets/${id}`, {}), { status: 200, text })
      },
    },
    {
      id: 'change.id',
      title: 'an id in the body is ignored',
      needs: ['createPet', 'id', 'updatePet'],
      async run({ add, name, check }) {
        const [id, other] = await add(2)
        const change = { id: other, name: name() }
        await check(PATCH(`/pets/${id}`, change), { status: 200, body: { id } })
        await check(GET(`/pets?id=${other}`), { status: 200, body: without(change.name) })
      },
    },
    {
      id: 'change.exact',
      title: 'int64 and names are stored exactly',
      needs: ['createPet', 'updatePet'],
      async run({ add, check }) {
        const [id] = await add(1)
        const change = { categoryId: -9223372036854775808n, name: '  conform e\u0301 👩‍👩‍👧 ' }
        await check(PATCH(`/pets/${id}`, change), { status: 200, body: change })
      },
    },
    {
      id: 'change.lists',
      title: 'the animal moves from one filtered list to the other',
      needs: ['createPet', 'categoryId', 'updatePet'],
      async run({ add, category, check }) {
        const [before, after] = [category(), category()]
        const [id] = await add(1, { categoryId: before })
        await check(PATCH(`/pets/${id}`, { categoryId: after, status: 'sold' }), { status: 200 })
        await check(GET(`/pets?categoryId=${before}`), { status: 200, text: '[]' })
        await check(GET(`/pets?categoryId=${after}&status=sold`), { status: 200, body: ids(id) })
      },
    },
    {
      id: 'change.refused',
      title: 'an invalid member is refused, and nothing changes',
      needs: ['createPet', 'id', 'updatePet'],
      async run({ check }) {
        const { id, text } = await check(POST('/pets', rex), { status: 201 })
        const invalid = [
          '{"name":null}',
          '{"categoryId":null}',
          '{"status":null}',
          '{"name":" "}',
          '{"categoryId":"1"}',
        ]
        for (const [code, ...bodies] of [
          ['invalid_field', ...invalid, '{"status":"Sold"}', '[]'],
          ['unknown_field', '{"held":0}'],
          ['duplicate_field', '{"name":"a","name":"b"}'],
          ['malformed_json', '{'],
        ] as const)
          for (const body of bodies) await check(PATCH(`/pets/${id}`, body), refused(400, code))
        await check(GET(`/pets?id=${id}`), { status: 200, text: `[${text}]` })
      },
    },
    {
      id: 'change.unknown',
      title: 'an animal that does not exist is answered with 404',
      needs: ['updatePet'],
      steps: each(
        unknownIds.map((id) => PATCH(`/pets/${id}`, { name: 'conform-new' })),
        notFound,
      ),
    },
    {
      id: 'change.type',
      title: 'a merge patch is accepted',
      needs: ['createPet', 'updatePet'],
      async run({ add, name, check }) {
        const [id] = await add(1)
        const patch = 'application/merge-patch+json'
        for (const type of [
          patch,
          'Application/Merge-Patch+JSON; charset=utf-8',
          `${patch};charset="UTF-8"`,
          'application/json; charset=utf-8',
        ]) {
          const change = { name: name() }
          await check(PATCH(`/pets/${id}`, change, { 'Content-Type': type }), { status: 200, body: change })
        }
      },
    },
    {
      id: 'change.type.refused',
      title: 'another type is refused',
      needs: ['createPet', 'id', 'updatePet'],
      async run({ add, name, check }) {
        const [id] = await add(1)
        const change = { name: name() }
        const patch = 'application/merge-patch'
        for (const type of [
          `${patch}+json; charset=latin1`,
          `${patch}+json;`,
          patch,
          'application/json-patch+json',
          'application/xml',
          undefined,
        ])
          await check(PATCH(`/pets/${id}`, change, { 'Content-Type': type }), unsupported)
        await check(PATCH(`/pets/${id}`), refused(400, 'malformed_json'))
        await check(GET(`/pets?id=${id}`), { status: 200, body: without(change.name) })
      },
    },
  ],
)

const removing = from(
  'store',
  'Decision: DELETE /pets/{petId} is answered with 204. An animal that has orders is kept, and the answer is ' + '409.',
  [
    {
      id: 'remove.gone',
      title: 'an animal that was removed is gone',
      needs: ['createPet', 'categoryId', 'updatePet', 'deletePet'],
      async run({ add, category, check }) {
        const categoryId = category()
        const [id] = await add(1, { categoryId })
        await check(DELETE(`/pets/${id}`), { status: 204, headers: { 'Content-Type': undefined }, text: '' })
        await check(GET(`/pets?categoryId=${categoryId}`), { status: 200, text: '[]' })
        await check(DELETE(`/pets/${id}`), notFound)
        await check(PATCH(`/pets/${id}`, {}), notFound)
      },
    },
    {
      id: 'remove.id',
      title: 'the id of an animal that was removed is not used again',
      needs: ['createPet', 'deletePet'],
      async run({ add, check }) {
        const [id = 0n] = await add(1)
        await check(DELETE(`/pets/${id}`), { status: 204 })
        await check(POST('/pets', rex), { status: 201, body: { id: atLeast(id + 1n) } })
      },
    },
    {
      id: 'remove.status',
      title: 'an animal of any status may be removed',
      needs: ['createPet', 'deletePet'],
      async run({ add, check }) {
        for (const status of ['pending', 'sold'])
          for (const id of await add(1, { status })) await check(DELETE(`/pets/${id}`), { status: 204 })
      },
    },
    {
      id: 'remove.unknown',
      title: 'an animal that does not exist is answered with 404',
      needs: ['deletePet'],
      steps: each(
        unknownIds.map((id) => DELETE(`/pets/${id}`)),
        notFound,
      ),
    },
    {
      id: 'remove.ordered',
      title: 'an animal with an order is kept',
      needs: ['createPet', 'id', 'deletePet', 'listOrders', 'placeOrder'],
      async run({ add, check }) {
        const [petId] = await add(1)
        const { id } = await check(POST('/store/orders', { petId }), { status: 201 })
        await check(DELETE(`/pets/${petId}`), conflict)
        await check(POST(`/store/orders/${id}/cancel`), { status: 200 })
        await check(DELETE(`/pets/${petId}`), conflict)
        await check(GET(`/pets?id=${petId}`), { status: 200, body: [{ status: 'available' }] })
      },
    },
    {
      id: 'cache.link',
      title: 'the ETag of a page changes when its Link does',
      needs: ['createPet', 'categoryId', 'tags', 'deletePet'],
      async run({ add, category, check }) {
        const categoryId = category()
        const [, second] = await add(2, { categoryId })
        const list = `/pets?categoryId=${categoryId}&limit=1`
        const { etag, text } = await check(GET(list), { status: 200 })
        await check(DELETE(`/pets/${second}`), { status: 204 })
        const headers = { Link: undefined, ETag: not(etag) }
        await check(GET(list, { 'If-None-Match': etag }), { status: 200, headers, text })
      },
    },
  ],
)

const matching = from(
  'store',
  'Decision: PATCH and DELETE with If-Match are refused with 412 precondition_failed unless it names the ' +
    'current version; * names any version. 412 comes before 409.',
  [
    {
      id: 'match.current',
      title: 'the ETag of POST, GET and PATCH names the current version',
      needs: ['createPet', 'id', 'tags', 'updatePet', 'deletePet'],
      async run({ check }) {
        const { id, etag } = await check(POST('/pets', rex), { status: 201 })
        const change = PATCH(`/pets/${id}`, { name: 'conform-new' }, { 'If-Match': etag })
        const changed = await check(change, { status: 200, headers: { ETag: not(etag) } })
        await check(PATCH(`/pets/${id}`, { categoryId: 2 }, { 'If-Match': changed.etag }), { status: 200 })
        const last = await check(GET(`/pets?id=${id}`), { status: 200 })
        await check(DELETE(`/pets/${id}`, { 'If-Match': last.etag }), { status: 204 })
      },
    },
    {
      id: 'match.stale',
      title: 'an ETag of another version is refused, and nothing changes',
      needs: ['createPet', 'id', 'tags', 'updatePet', 'deletePet'],
      async run({ check }) {
        const { id, etag: old } = await check(POST('/pets', rex), { status: 201 })
        const { etag } = await check(PATCH(`/pets/${id}`, { categoryId: 2 }), { status: 200 })
        for (const tag of [old, `W/${etag}`, '"x"', '"*"', '']) {
          await check(PATCH(`/pets/${id}`, { categoryId: 3 }, { 'If-Match': tag }), outdated)
          await check(DELETE(`/pets/${id}`, { 'If-Match': tag }), outdated)
        }
        await check(GET(`/pets?id=${id}`), { status: 200, body: [{ categoryId: 2 }] })
      },
    },
    {
      id: 'match.list',
      title: 'of several ETags one must match, and * matches any version',
      needs: ['createPet', 'tags', 'updatePet'],
      async run({ check }) {
        const { id, etag } = await check(POST('/pets', rex), { status: 201 })
        for (const tags of [`"x", ${etag} , W/"y"`, '*'])
          await check(PATCH(`/pets/${id}`, { categoryId: 2 }, { 'If-Match': tags }), { status: 200 })
      },
    },
    {
      id: 'match.page',
      title: 'the ETag of a list is accepted only if the list was asked for by the id of this animal alone',
      needs: ['createPet', 'categoryId', 'id', 'tags', 'updatePet'],
      async run({ add, category, check }) {
        const categoryId = category()
        const [id] = await add(1, { categoryId })
        for (const query of [`categoryId=${categoryId}`, `id=${id},${id}`, `id=${id},0`, 'limit=1', 'id=0']) {
          const { etag } = await check(GET(`/pets?${query}`), { status: 200 })
          await check(PATCH(`/pets/${id}`, { categoryId: 2 }, { 'If-Match': etag }), outdated)
        }
      },
    },
    {
      id: 'match.unknown',
      title: 'an animal that does not exist is answered with 404, not 412',
      needs: ['updatePet', 'deletePet'],
      steps: each(
        [
          PATCH('/pets/9007199254740000', {}, { 'If-Match': '*' }),
          DELETE('/pets/9007199254740000', { 'If-Match': '"x"' }),
        ],
        notFound,
      ),
    },
    {
      id: 'match.ignored',
      title: 'other operations ignore If-Match',
      needs: ['createPet', 'id', 'listOrders', 'placeOrder'],
      async run({ add, check }) {
        const [id] = await add(1)
        await check(GET(`/pets?id=${id}`, { 'If-Match': '"x"' }), { status: 200 })
        await check(POST('/store/orders', { petId: id }, { 'If-Match': '"x"' }), { status: 201 })
      },
    },
    {
      id: 'match.order',
      title: 'an order changes the version of its animal, and 412 comes before 409',
      needs: ['createPet', 'id', 'tags', 'updatePet', 'deletePet', 'listOrders', 'placeOrder'],
      async run({ check }) {
        const { id, etag } = await check(POST('/pets', rex), { status: 201 })
        await check(POST('/store/orders', { petId: id }), { status: 201 })
        const now = await check(GET(`/pets?id=${id}`), { status: 200 })
        for (const [tag, expected] of [
          [etag, outdated],
          [now.etag, conflict],
        ] as const) {
          await check(PATCH(`/pets/${id}`, { status: 'sold' }, { 'If-Match': tag }), expected)
          await check(DELETE(`/pets/${id}`, { 'If-Match': tag }), expected)
        }
      },
    },
  ],
)

export const animalRules = [...changing, ...removing, ...matching]
