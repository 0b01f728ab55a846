/** Level `store`: orders, and how they move an animal. */
import { all, atLeast, ids, listOf, not, risingIds } from '../pattern.ts'
import { DELETE, GET, noKey, OPTIONS, PATCH, POST, PUT } from '../request.ts'
import { each, from, type Shop } from '../rule.ts'
import { Order, refused } from '../shapes.ts'

const conflict = refused(409, 'order_state_conflict')
const notAvailable = refused(409, 'pet_not_available')
const unknownPet = refused(422, 'unknown_pet')
const notFound = refused(404, 'order_not_found')

type Transition = 'complete' | 'cancel' | 'return'
const order = (petId: bigint | undefined) => POST('/store/orders', { petId })
const move = (id: bigint, transition: Transition) => POST(`/store/orders/${id}/${transition}`)

/** A new animal, and an order for it. */
async function ordered({ add, check }: Shop) {
  const [petId] = await add(1)
  const placed = await check(order(petId), { status: 201 })
  return { petId, id: placed.id, placed }
}
const hasStatus = ({ check }: Shop, petId: bigint | undefined, status: string) =>
  check(GET(`/pets?id=${petId}`), { status: 200, body: [{ id: petId, status }] })

const placing = from(
  'store',
  'Decision: POST /store/orders {"petId":42} is answered with 201, and the animal goes from available to ' +
    'pending. An animal that is not available is refused with 409 pet_not_available, an unknown one with 422 ' +
    'unknown_pet.',
  [
    {
      id: 'order.place',
      title: 'an order reserves its animal',
      needs: ['createPet', 'id', 'placeOrder'],
      async run(shop) {
        const [petId] = await shop.add(1)
        const placed = await shop.check(order(petId), {
          status: 201,
          // The operator may have set a time after which orders expire.
          body: { ...Order, petId, status: 'placed', reference: undefined, completedAt: undefined },
        })
        placed.header('Location', new RegExp(`^https?://.*/store/orders/${placed.id}$`))
        await hasStatus(shop, petId, 'pending')
      },
    },
    {
      id: 'order.rising',
      title: 'the identifiers of orders rise',
      needs: ['createPet', 'placeOrder'],
      async run({ add, check }) {
        const [a, b] = await add(2)
        const { id } = await check(order(a), { status: 201 })
        await check(order(b), { status: 201, body: { id: atLeast(id + 1n) } })
      },
    },
    {
      id: 'order.held',
      title: 'an animal that is reserved or sold cannot be ordered',
      needs: ['createPet', 'id', 'updatePet', 'placeOrder'],
      async run(shop) {
        const { petId, id } = await ordered(shop)
        await shop.check(order(petId), notAvailable)
        await shop.check(move(id, 'complete'), { status: 200 })
        await shop.check(order(petId), notAvailable)
        await shop.check(PATCH(`/pets/${petId}`, { status: 'available' }), conflict)
        await hasStatus(shop, petId, 'sold')
      },
    },
    {
      id: 'order.added',
      title: 'an animal that was added as pending or sold cannot be ordered until a PATCH makes it available',
      needs: ['createPet', 'updatePet', 'placeOrder'],
      async run({ add, check }) {
        for (const status of ['pending', 'sold']) {
          const [petId] = await add(1, { status })
          await check(order(petId), notAvailable)
          await check(PATCH(`/pets/${petId}`, { status: 'available' }), { status: 200 })
          await check(order(petId), { status: 201 })
        }
      },
    },
    {
      id: 'order.unknown',
      title: 'an order for an animal that never existed is refused with 422',
      needs: ['placeOrder'],
      steps: each([0n, -1n, 9007199254740993n, 9223372036854775807n, -9223372036854775808n].map(order), unknownPet),
    },
    {
      id: 'order.removed',
      title: 'an order for an animal that was removed is refused with 422',
      needs: ['createPet', 'deletePet', 'placeOrder'],
      async run({ add, check }) {
        const [petId] = await add(1)
        await check(DELETE(`/pets/${petId}`), { status: 204 })
        await check(order(petId), unknownPet)
      },
    },
    {
      id: 'order.forms',
      title: 'petId may be written in any form of an integer',
      needs: ['createPet', 'placeOrder'],
      async run({ add, check }) {
        const [petId] = await add(1)
        await check(POST('/store/orders', `{"petId":${petId}.0}`), { status: 201, body: { petId } })
      },
    },
    {
      id: 'order.refused',
      title: 'an invalid body is refused',
      needs: ['placeOrder'],
      steps: [
        ...each([POST('/store/orders', {})], refused(400, 'missing_field')),
        ...each(
          ['[]', '{"petId":null}', '{"petId":"1"}', '{"petId":1.5}', '{"petId":9223372036854775808}'].map((body) =>
            POST('/store/orders', body),
          ),
          refused(400, 'invalid_field'),
        ),
        ...each([POST('/store/orders', '{')], refused(400, 'malformed_json')),
        ...each([POST('/store/orders', '{"petId":1,"petId":1}')], refused(400, 'duplicate_field')),
        ...each(
          [POST('/store/orders', { petId: 1, status: 'placed' }), POST('/store/orders', { petId: 1, id: 1 })],
          refused(400, 'unknown_field'),
        ),
      ],
    },
    {
      id: 'order.type',
      title: 'another type is refused',
      needs: ['placeOrder'],
      steps: [
        ...each(
          ['text/plain', 'application/merge-patch+json'].map((type) =>
            POST('/store/orders', { petId: 1 }, { 'Content-Type': type }),
          ),
          refused(415, 'unsupported_media_type'),
        ),
        { send: POST('/store/orders'), expect: refused(400, 'malformed_json') },
      ],
    },
    {
      id: 'order.get',
      title: 'an order is found, and its ETag stays the same until it changes',
      needs: ['createPet', 'tags', 'listOrders', 'placeOrder'],
      async run(shop) {
        const { id, placed } = await ordered(shop)
        const path = `/store/orders/${id}`
        const headers = { 'Cache-Control': 'private, no-cache' }
        const { etag } = await shop.check(GET(path), { status: 200, headers, body: Order, text: placed.text })
        await shop.check(GET(path, { 'If-None-Match': etag }), { status: 304 })
        await shop.check(move(id, 'cancel'), { status: 200 })
        await shop.check(GET(path, { 'If-None-Match': etag }), { status: 200, body: { status: 'cancelled' } })
      },
    },
    {
      id: 'order.get.unknown',
      title: 'an order that does not exist is answered with 404',
      needs: ['listOrders'],
      steps: each(
        ['0', '-1', '9223372036854775807', 'abc', '007', '+5', '5.0', '-0', '1e3', '9223372036854775808', '%31'].map(
          (id) => GET(`/store/orders/${id}`),
        ),
        notFound,
      ),
    },
  ],
)

const moving = from(
  'store',
  'Decision: complete sells the animal; cancel and return make it available again. Repeating a transition is ' +
    'answered with 200 and the same order. Any other transition is refused with 409 order_state_conflict.',
  [
    {
      id: 'order.complete',
      title: 'completing an order sells the animal',
      needs: ['createPet', 'id', 'listOrders', 'placeOrder'],
      async run(shop) {
        const { petId, id, placed } = await ordered(shop)
        const { createdAt } = placed.body as { createdAt: string }
        const body = { ...Order, status: 'completed', createdAt }
        const { text } = await shop.check(move(id, 'complete'), { status: 200, body })
        await shop.check(GET(`/store/orders/${id}`), { status: 200, text })
        await hasStatus(shop, petId, 'sold')
      },
    },
    {
      id: 'order.cancel',
      title: 'cancelling an order makes the animal available again',
      needs: ['createPet', 'id', 'placeOrder'],
      async run(shop) {
        const { petId, id } = await ordered(shop)
        await shop.check(move(id, 'cancel'), { status: 200, body: { ...Order, status: 'cancelled' } })
        await hasStatus(shop, petId, 'available')
      },
    },
    {
      id: 'order.return',
      title: 'returning an order makes the animal available again',
      needs: ['createPet', 'id', 'placeOrder'],
      async run(shop) {
        const { petId, id } = await ordered(shop)
        await shop.check(move(id, 'complete'), { status: 200 })
        await shop.check(move(id, 'return'), { status: 200, body: { ...Order, status: 'returned' } })
        await hasStatus(shop, petId, 'available')
      },
    },
    {
      id: 'order.again',
      title: 'an animal that came back can be ordered again, and the old order no longer affects it',
      needs: ['createPet', 'id', 'placeOrder'],
      async run(shop) {
        for (const ways of [['cancel'], ['complete', 'return']] as const) {
          const { petId, id: old } = await ordered(shop)
          for (const transition of ways) await shop.check(move(old, transition), { status: 200 })
          const { id } = await shop.check(order(petId), { status: 201 })
          await shop.check(move(old, ways.at(-1) as Transition), { status: 200 })
          await hasStatus(shop, petId, 'pending')
          await shop.check(move(old, 'complete'), conflict)
          await shop.check(move(id, 'complete'), { status: 200 })
        }
      },
    },
    {
      id: 'order.repeat',
      title: 'repeating a transition changes nothing, with or without an Idempotency-Key',
      needs: ['createPet', 'id', 'idempotency', 'placeOrder'],
      async run(shop) {
        for (const [status, ...ways] of [
          ['sold', 'complete'],
          ['available', 'cancel'],
          ['available', 'complete', 'return'],
        ] as const) {
          const { petId, id } = await ordered(shop)
          let text = ''
          for (const transition of ways) text = (await shop.check(move(id, transition), { status: 200 })).text
          const again = move(id, ways.at(-1) as Transition)
          await shop.check(again, { status: 200, text })
          const headers = { 'Idempotency-Replayed': undefined }
          await shop.check({ ...again, headers: { 'Idempotency-Key': 'a b' } }, { status: 200, headers, text })
          await hasStatus(shop, petId, status)
        }
      },
    },
    {
      id: 'order.conflict',
      title: 'every other transition is refused, and changes nothing',
      needs: ['createPet', 'id', 'listOrders', 'placeOrder'],
      async run(shop) {
        const cases: [status: string, done: Transition[], refused: Transition[]][] = [
          ['available', ['cancel'], ['complete', 'return']],
          ['sold', ['complete'], ['cancel']],
          ['available', ['complete', 'return'], ['complete', 'cancel']],
        ]
        for (const [status, done, refused] of cases) {
          const { petId, id } = await ordered(shop)
          let text = ''
          for (const transition of done) text = (await shop.check(move(id, transition), { status: 200 })).text
          for (const transition of refused) await shop.check(move(id, transition), conflict)
          await shop.check(GET(`/store/orders/${id}`), { status: 200, text })
          await hasStatus(shop, petId, status)
        }
      },
    },
    {
      id: 'order.early',
      title: 'an open order cannot be returned',
      needs: ['createPet', 'listOrders', 'placeOrder'],
      async run(shop) {
        const { id } = await ordered(shop)
        await shop.check(move(id, 'return'), conflict)
        await shop.check(GET(`/store/orders/${id}`), { status: 200, body: { status: 'placed' } })
      },
    },
    {
      id: 'order.move.unknown',
      title: 'a transition of an order that does not exist is answered with 404',
      needs: ['placeOrder'],
      steps: each(
        ['0/complete', '-1/cancel', '9223372036854775807/return', 'abc/complete', '007/cancel', '5.0/return'].map(
          (path) => POST(`/store/orders/${path}`),
        ),
        notFound,
      ),
    },
    {
      id: 'order.move.body',
      title: 'a transition needs no body, and ignores one',
      needs: ['createPet', 'placeOrder'],
      async run(shop) {
        for (const body of ['{}', 'not json', '{"status":"placed"}']) {
          const { id } = await ordered(shop)
          await shop.check({ ...move(id, 'complete'), body }, { status: 200, body: { status: 'completed' } })
        }
      },
    },
  ],
)

const statuses = ['available', 'pending', 'sold']
const patching = from(
  'store',
  'Decision: While an order on an animal is open or completed, only the order changes the status of the animal. ' +
    'A PATCH of status is refused with 409.',
  [
    {
      id: 'order.patch',
      title: 'while an order is open or completed, PATCH changes everything but the status of its animal',
      needs: ['createPet', 'updatePet', 'placeOrder'],
      async run(shop) {
        const { check } = shop
        for (const status of statuses) {
          const { petId, id } = await ordered(shop)
          const name = shop.name()
          await check(PATCH(`/pets/${petId}`, { status, name }), conflict)
          const body = { status: 'pending', name: not(name) }
          await check(PATCH(`/pets/${petId}`, { categoryId: 5 }), { status: 200, body })
          await check(move(id, 'complete'), { status: 200 })
          await check(PATCH(`/pets/${petId}`, { status }), conflict)
          await check(move(id, 'return'), { status: 200 })
          await check(PATCH(`/pets/${petId}`, { status }), { status: 200 })
        }
      },
    },
  ],
)

/** Makes an animal with an order that has ended in the given way, and with a second order. */
async function orderedTwice(shop: Shop) {
  const { petId, id: one } = await ordered(shop)
  await shop.check(move(one, 'cancel'), { status: 200 })
  const { id: two } = await shop.check(order(petId), { status: 201 })
  return { petId, one, two }
}
const badQueries = [
  'limit=0',
  'limit=101',
  'limit=1e1',
  'limit=05',
  'limit=',
  'limit=5&limit=5',
  'status=',
  'status=Placed',
  'status=available',
  'petId=',
  'petId=abc',
  'petId=007',
  'petId=1,2',
  'petId=9223372036854775808',
  'petId=1&petId=1',
  'petId[]=1',
  'after=',
  'after=007',
  'after=9223372036854775808',
  'order=newest',
  'order[]=desc',
]

const listing = from(
  'store',
  'Decision: GET /store/orders takes limit, cursor, status, petId, reference, after and order. It returns a ' +
    'bare array in pages, as the list of animals does.',
  [
    {
      id: 'orders.list',
      title: 'orders are filtered by animal and status, in ascending order of id',
      needs: ['createPet', 'listOrders', 'placeOrder'],
      async run(shop) {
        const { petId, one, two } = await orderedTwice(shop)
        await shop.check(move(two, 'complete'), { status: 200 })
        for (const [filter, ...found] of [
          ['', one, two],
          ['&status=cancelled', one],
          ['&status=completed', two],
          ['&status=placed'],
        ] as const) {
          const body = all(listOf(Order), ids(...found))
          await shop.check(GET(`/store/orders?petId=${petId}${filter}`), {
            status: 200,
            headers: { Link: undefined },
            body,
          })
        }
      },
    },
    {
      id: 'orders.pages',
      title: 'pages follow one another',
      needs: ['createPet', 'listOrders', 'placeOrder'],
      async run(shop) {
        const { petId, one, two } = await orderedTwice(shop)
        const Link = new RegExp(`[?&]petId=${petId}&limit=1&`)
        const first = GET(`/store/orders?limit=1&petId=${petId}`)
        const { next, cursor } = await shop.check(first, { status: 200, headers: { Link }, body: ids(one) })
        await shop.check(GET(next), { status: 200, headers: { Link: undefined }, body: ids(two) })
        for (const other of ['', 'petId=1&', `petId=${petId}&status=placed&`, 'status=placed&'])
          await shop.check(GET(`/store/orders?${other}cursor=${cursor}`), refused(400, 'invalid_cursor'))
      },
    },
    {
      id: 'orders.order',
      title: 'order and after work as on animals',
      needs: ['createPet', 'listOrders', 'placeOrder'],
      async run(shop) {
        const { petId, one, two } = await orderedTwice(shop)
        for (const [query, ...found] of [
          ['order=desc', two, one],
          [`after=${one}`, two],
          [`order=desc&after=${two}`, one],
          ['order=desc&limit=1', two],
        ] as const)
          await shop.check(GET(`/store/orders?petId=${petId}&${query}`), { status: 200, body: ids(...found) })
      },
    },
    {
      id: 'orders.all',
      title: 'every page is in ascending order',
      needs: ['listOrders'],
      steps: [{ send: GET('/store/orders?limit=100'), expect: { status: 200, body: all(listOf(Order), risingIds) } }],
    },
    {
      id: 'orders.cursor',
      title: 'a cursor that the list of orders did not issue is refused',
      needs: ['createPet', 'pages', 'listOrders'],
      async run({ add, check }) {
        await add(2)
        const { cursor } = await check(GET('/pets?limit=1'), { status: 200 })
        for (const each of [cursor, '', 'x', '%00'])
          await check(GET(`/store/orders?cursor=${each}`), refused(400, 'invalid_cursor'))
      },
    },
    {
      id: 'orders.refused',
      title: 'an invalid parameter is refused',
      needs: ['listOrders'],
      steps: each(
        badQueries.map((query) => GET(`/store/orders?${query}`)),
        refused(400, 'invalid_parameter'),
      ),
    },
    {
      id: 'orders.none',
      title: 'a list without a match is an empty array, and unknown parameters are ignored',
      needs: ['listOrders'],
      steps: [
        {
          send: GET('/store/orders?petId=9223372036854775807&categoryId=x&id=y'),
          expect: { status: 200, text: '[]' },
        },
      ],
    },
    {
      id: 'orders.cache',
      title: 'a page has an ETag, and is answered with 304 while it is current',
      needs: ['createPet', 'tags', 'listOrders', 'placeOrder'],
      async run(shop) {
        const { petId, id } = await ordered(shop)
        const { etag } = await shop.check(GET(`/store/orders?petId=${petId}`), { status: 200 })
        const again = GET(`/store/orders?petId=${petId}`, { 'If-None-Match': etag })
        await shop.check(again, { status: 304 })
        await shop.check(move(id, 'complete'), { status: 200 })
        await shop.check(again, { status: 200, body: [{ id, status: 'completed' }] })
      },
    },
    {
      id: 'orders.methods',
      title: 'other methods are refused, and OPTIONS names those that exist',
      needs: ['listOrders', 'placeOrder'],
      async run({ check }) {
        for (const wrong of [
          PUT('/store/orders'),
          DELETE('/store/orders'),
          POST('/store/orders/1'),
          GET('/store/orders/1/complete'),
          PUT('/pets/1'),
        ]) {
          const Allow = (await check(wrong, refused(405, 'method_not_allowed'))).header('Allow')
          await check(OPTIONS(wrong.path, noKey), { status: 204, headers: { Allow } })
        }
      },
    },
    {
      id: 'orders.paths',
      title: 'similar paths are answered with 404',
      needs: ['listOrders'],
      steps: each(
        ['/store', '/store/', '/store/orders/', '/store/orders/1/', '/store/orders/1/reopen'].map((path) => GET(path)),
        refused(404, 'route_not_found'),
      ),
    },
    {
      id: 'orders.key',
      title: 'a request about orders without a key is refused',
      needs: ['listOrders'],
      steps: each(
        [
          GET('/store/orders', noKey),
          POST('/store/orders', { petId: 1 }, noKey),
          GET('/store/orders/1', noKey),
          POST('/store/orders/1/complete', undefined, noKey),
        ],
        refused(401, 'missing_api_key'),
      ),
    },
  ],
)

const once = (petId: bigint | undefined, key: string) => POST('/store/orders', { petId }, { 'Idempotency-Key': key })
const replayed = { 'Idempotency-Replayed': 'true' }
const notReplayed = { 'Idempotency-Replayed': undefined }

const idempotency = from('store', 'Decision: Idempotency-Key works for orders as it does for animals.', [
  {
    id: 'order.idempotency',
    title: 'a repeated POST gets the first response, even after the order has ended',
    needs: ['createPet', 'id', 'idempotency', 'listOrders', 'placeOrder'],
    async run(shop) {
      const { name, add, check } = shop
      const key = name()
      const [petId] = await add(1)
      const placed = await check(once(petId, key), { status: 201, headers: notReplayed })
      await check(move(placed.id, 'cancel'), { status: 200 })
      const headers = { Location: placed.header('Location'), ...replayed }
      await check(once(petId, key), { status: 201, headers, text: placed.text })
      await check(GET(`/store/orders?petId=${petId}`), { status: 200, body: ids(placed.id) })
      await hasStatus(shop, petId, 'available')
    },
  },
  {
    id: 'order.idempotency.reused',
    title: 'the same key with another body is refused, and reserves no animal',
    needs: ['createPet', 'id', 'idempotency', 'placeOrder'],
    async run(shop) {
      const key = shop.name()
      const [one, two] = await shop.add(2)
      await shop.check(once(one, key), { status: 201 })
      await shop.check(once(two, key), refused(422, 'idempotency_key_reused'))
      await hasStatus(shop, two, 'available')
    },
  },
  {
    id: 'order.idempotency.path',
    title: 'the same key on another path is another key',
    needs: ['createPet', 'idempotency', 'placeOrder'],
    async run({ name, check }) {
      const key = name()
      const pet = { name: name(), categoryId: 1 }
      const { id } = await check(POST('/pets', pet, { 'Idempotency-Key': key }), { status: 201 })
      await check(once(id, key), { status: 201, headers: notReplayed, body: Order })
    },
  },
  {
    id: 'order.idempotency.errors',
    title: 'a refusal is not kept',
    needs: ['createPet', 'idempotency', 'placeOrder'],
    async run(shop) {
      const key = shop.name()
      const { petId, id } = await ordered(shop)
      await shop.check(once(petId, key), notAvailable)
      await shop.check(move(id, 'cancel'), { status: 200 })
      await shop.check(once(petId, key), { status: 201, headers: notReplayed })
      await shop.check(once(petId, 'a b'), refused(400, 'invalid_idempotency_key'))
    },
  },
])

export const orderRules = [...placing, ...moving, ...patching, ...listing, ...idempotency]
