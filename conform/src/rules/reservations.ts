/** Level `store`: who an order is for, until when it reserves its animal, and when it was completed. */
import { ids, members, time } from '../pattern.ts'
import { GET, PATCH, POST } from '../request.ts'
import { from, type Shop } from '../rule.ts'
import { Order, refused } from '../shapes.ts'

const conflict = refused(409, 'order_state_conflict')
const outdated = refused(412, 'precondition_failed')
const invalid = refused(400, 'invalid_field')
const second = 1_000
const day = 24 * 60 * 60 * second

/** Places an order for a new animal, and returns when it was placed by the clock of the service. */
async function ordered({ add, check }: Shop, members: object = {}) {
  const [petId] = await add(1)
  const placed = await check(POST('/store/orders', { petId, ...members }), { status: 201, body: Order })
  const { createdAt } = placed.body as { createdAt: string }
  return { petId, id: placed.id, path: `/store/orders/${placed.id}`, at: Date.parse(createdAt) }
}
const textOf = (milliseconds: number): string => new Date(milliseconds).toISOString()

const badReferences = ['', '   ', 'a\tb', 'Rex\u007f', 'x'.repeat(129), null, 7]

export const reservationRules = [
  ...from(
    'store',
    'Decision: reference says whose the order is, in the caller’s words: 1 to 128 code points, by the rules for ' +
      'names. The filter reference finds exactly this text. PATCH changes it in any state.',
    [
      {
        id: 'order.reference',
        title: 'a reference is stored exactly, found exactly, and changed in any state',
        needs: ['createPet', 'listOrders', 'updateOrder', 'placeOrder'],
        async run(shop) {
          const { check, name } = shop
          const reference = `${name()} "Novák" 🐕\\`
          const { id, path } = await ordered(shop, { reference })
          await ordered(shop, { reference: `${reference}x` })
          const filter = `/store/orders?reference=${encodeURIComponent(reference)}`
          await check(GET(path), { status: 200, body: { reference } })
          await check(GET(filter), { status: 200, body: ids(id) })
          await check(GET(`${filter}&status=completed`), { status: 200, body: [] })
          await check(POST(`${path}/complete`), { status: 200, body: { reference } })
          const other = name()
          await check(PATCH(path, { reference: other }), {
            status: 200,
            body: { ...Order, status: 'completed', reference: other },
          })
          await check(GET(filter), { status: 200, body: [] })
          await check(GET(`/store/orders?reference=${other}&status=completed`), { status: 200, body: ids(id) })
        },
      },
      {
        id: 'order.match',
        title: 'If-Match works for orders as well, and 412 comes before 409',
        needs: ['createPet', 'tags', 'listOrders', 'updateOrder', 'placeOrder'],
        async run(shop) {
          const { check } = shop
          const { path } = await ordered(shop)
          const change = (body: object, tag: string) => PATCH(path, body, { 'If-Match': tag })
          const { etag: old } = await check(GET(path), { status: 200 })
          const { etag } = await check(change({ reference: 'conform' }, old), { status: 200 })
          for (const tag of [old, `W/${etag}`]) await check(change({ reference: 'conform 2' }, tag), outdated)
          await check(GET(path), { status: 200, headers: { ETag: etag }, body: { reference: 'conform' } })
          await check(change({ reference: 'conform 3' }, `"x", ${etag}`), { status: 200 })
          await check(POST(`${path}/complete`), { status: 200 })
          await check(change({ heldUntil: null }, etag), outdated)
          await check(change({ heldUntil: null }, '*'), conflict)
        },
      },
      {
        id: 'order.reference.pages',
        title: 'a filter by reference has pages, in both orders',
        needs: ['createPet', 'listOrders', 'placeOrder'],
        async run(shop) {
          const reference = shop.name()
          const { id: one } = await ordered(shop, { reference })
          const { id: two } = await ordered(shop, { reference })
          for (const [order, first, last] of [
            ['asc', one, two],
            ['desc', two, one],
          ] as const) {
            const path = `/store/orders?limit=1&order=${order}&reference=${reference}`
            const { next } = await shop.check(GET(path), { status: 200, body: ids(first) })
            await shop.check(GET(next), { status: 200, headers: { Link: undefined }, body: ids(last) })
          }
        },
      },
      {
        id: 'order.reference.refused',
        title: 'an invalid reference is refused',
        needs: ['createPet', 'listOrders', 'updateOrder', 'placeOrder'],
        async run(shop) {
          const { petId, path } = await ordered(shop)
          for (const reference of badReferences) {
            await shop.check(POST('/store/orders', { petId, reference }), invalid)
            await shop.check(PATCH(path, { reference }), invalid)
          }
          for (const bad of ['', '%20', 'x'.repeat(129), 'a%00'])
            await shop.check(GET(`/store/orders?reference=${bad}`), refused(400, 'invalid_parameter'))
        },
      },
    ],
  ),
  ...from(
    'store',
    'Decision: search finds the orders for which each word of the search begins a word of the reference or of the ' +
      'animal’s name, or is the number of the order or of the animal. Words are folded and limited as in the search ' +
      'of animals.',
    [
      {
        id: 'order.search',
        title: 'orders are found by words of the reference, by words of the animal’s name, and by numbers',
        needs: ['createPet', 'updatePet', 'listOrders', 'updateOrder', 'placeOrder'],
        async run(shop) {
          const { check, name, add } = shop
          const [mark, called] = [name(), `${name()} Žofie`]
          const [petId] = await add(1, { name: called })
          const { id } = await check(POST('/store/orders', { petId, reference: `${mark} Novák, 5550117` }), {
            status: 201,
          })
          const finds = (words: string, ...found: bigint[]) =>
            shop.checkPages(GET(`/store/orders?petId=${petId}&search=${encodeURIComponent(words)}`), ids(...found))
          for (const words of ['NOV', 'zofie', 'žof nova', '555', `${id}`, `${petId}`, `${id} nov ${petId} zof`])
            await finds(words, id)
          for (const words of ['ovak', 'nov nobody', `0${id}`, `${id}${petId}99`, '５５５０１１８']) await finds(words)
          await finds('５５５０１１７', id)
          await check(PATCH(`/pets/${petId}`, { name: `${called} Waldi` }), { status: 200 })
          await finds('waldi', id)
          await check(PATCH(`/store/orders/${id}`, { reference: mark }), { status: 200 })
          await finds('nov')
        },
      },
      {
        id: 'order.search.pages',
        title: 'a search of orders has pages and takes other filters, and a cursor with another search is refused',
        needs: ['createPet', 'listOrders', 'placeOrder'],
        async run(shop) {
          const reference = shop.name()
          const { id: one } = await ordered(shop, { reference })
          const { id: two } = await ordered(shop, { reference })
          const path = `/store/orders?reference=${reference}`
          const words = '&search=conform'
          const { last: first } = await shop.checkPages(GET(`${path}${words}&limit=1`), ids(one), 1)
          const last = `&cursor=${first.cursor}`
          await shop.checkPages(GET(`${path}${words}${last}`), ids(two))
          for (const other of ['', '&search=con', '&search=Conform'])
            await shop.check(GET(`${path}${other}${last}`), refused(400, 'invalid_cursor'))
          await shop.checkPages(GET(`${path}${words}&status=completed`), [])
        },
      },
      {
        id: 'order.search.refused',
        title: 'a search that is too long, or has no letter or digit, is refused',
        needs: ['listOrders'],
        async run(shop) {
          for (const words of ['', '%20', '%21%3F', '%F0%9F%90%B6', 'x'.repeat(129), 'a&search=b'])
            await shop.check(GET(`/store/orders?search=${words}`), refused(400, 'invalid_parameter'))
          await shop.check(GET(`/store/orders?search=${'x'.repeat(128)}`), { status: 200 })
        },
      },
    ],
  ),
  ...from(
    'store',
    'Decision: heldUntil is the time at which the order ends by itself. It must be in the future and at most 366 ' +
      'days ahead, else 400. PATCH changes it while the order is placed, else 409; null removes it.',
    [
      {
        id: 'order.held-until',
        title: 'heldUntil takes a time in any offset, can be changed, and can be removed',
        needs: ['createPet', 'listOrders', 'updateOrder', 'placeOrder'],
        async run(shop) {
          const { check } = shop
          const { at, path } = await ordered(shop)
          const until = textOf(at + day)
          const { id } = await ordered(shop, { heldUntil: until })
          await check(GET(`/store/orders/${id}`), { status: 200, body: { heldUntil: until, status: 'placed' } })
          const local = textOf(at + 2 * day).replace('Z', '+02:00')
          await check(PATCH(path, { heldUntil: local }), {
            status: 200,
            body: { ...Order, heldUntil: textOf(at + 2 * day - 2 * 60 * 60 * second) },
          })
          await check(PATCH(path, { heldUntil: null }), { status: 200, body: { ...Order, heldUntil: undefined } })
        },
      },
      {
        id: 'order.held-until.refused',
        title: 'a time that is malformed, past or too far ahead is refused',
        needs: ['createPet', 'updateOrder', 'placeOrder'],
        async run(shop) {
          const { petId, at, path } = await ordered(shop)
          for (const heldUntil of [
            textOf(at - second),
            textOf(at + 367 * day),
            '2030-02-30T00:00:00Z',
            'soon',
            '',
            1,
          ]) {
            await shop.check(POST('/store/orders', { petId, heldUntil }), invalid)
            await shop.check(PATCH(path, { heldUntil }), invalid)
          }
        },
      },
      {
        id: 'order.held-until.over',
        title: 'heldUntil of an order that has ended cannot be changed',
        needs: ['createPet', 'updateOrder', 'placeOrder'],
        async run(shop) {
          for (const verb of ['complete', 'cancel']) {
            const { at, path } = await ordered(shop)
            await shop.check(POST(`${path}/${verb}`), { status: 200 })
            for (const heldUntil of [textOf(at + day), null]) await shop.check(PATCH(path, { heldUntil }), conflict)
          }
          await shop.check(PATCH('/store/orders/0', {}), refused(404, 'order_not_found'))
        },
      },
      {
        id: 'order.expired',
        title: 'an order cannot be completed after its heldUntil; soon it is expired and its animal available',
        needs: ['createPet', 'id', 'listOrders', 'updateOrder', 'placeOrder'],
        async run(shop) {
          const { check } = shop
          const began = shop.now()
          const { petId, at, path } = await ordered(shop)
          // A slow service needs a later time, so that the time has not passed when the service reads it.
          const held = 3 * second + 5 * (shop.now() - began)
          await check(PATCH(path, { heldUntil: textOf(at + held) }), { status: 200 })
          await shop.wait(held)
          for (const verb of ['complete', 'cancel', 'return']) await check(POST(`${path}/${verb}`), conflict)
          await check(PATCH(path, { heldUntil: null }), conflict)
          // The order expires within a second. A service that is far away or busy needs some more.
          for (let waited = 0; waited < 10; waited++) {
            await shop.wait(second)
            const { body } = await check(GET(path), { status: 200, body: Order })
            if ((body as { status: string }).status === 'expired') break
          }
          await check(GET(path), { status: 200, body: { ...Order, status: 'expired', completedAt: undefined } })
          await check(GET(`/pets?id=${petId}`), { status: 200, body: [{ id: petId, status: 'available' }] })
          for (const verb of ['complete', 'cancel', 'return']) await check(POST(`${path}/${verb}`), conflict)
          await check(GET(`/store/orders?petId=${petId}&status=expired`), {
            status: 200,
            body: [{ status: 'expired' }],
          })
          await check(POST('/store/orders', { petId }), { status: 201 })
        },
      },
    ],
  ),
  ...from('store', 'Decision: An order has completedAt from its completion on, even after a return.', [
    {
      id: 'order.completed-at',
      title: 'an order has its completedAt from its completion on',
      needs: ['createPet', 'listOrders', 'placeOrder'],
      async run(shop) {
        const { path } = await ordered(shop)
        await shop.check(GET(path), { status: 200, body: { completedAt: undefined } })
        const { body } = await shop.check(POST(`${path}/complete`), { status: 200, body: { completedAt: time } })
        const { completedAt } = body as { completedAt: string }
        await shop.check(POST(`${path}/return`), { status: 200, body: { status: 'returned', completedAt } })
        const { path: other } = await ordered(shop)
        await shop.check(POST(`${other}/cancel`), { status: 200, body: { completedAt: undefined } })
      },
    },
  ]),
  ...from(
    'store',
    'Decision: GET /store/order-counts returns the exact number of orders in each state, and dueToday: the placed ' +
      'orders whose heldUntil is within the next 24 hours.',
    [
      {
        id: 'order.counts',
        title: 'every change of an order is counted immediately, and so is an end within 24 hours',
        needs: ['createPet', 'tags', 'getOrderCounts', 'updateOrder', 'placeOrder'],
        async run(shop) {
          const { check } = shop
          const counts = '/store/order-counts'
          const shape = members('placed', 'completed', 'cancelled', 'returned', 'expired', 'dueToday')
          const { at, path } = await ordered(shop)
          await check(PATCH(path, { heldUntil: textOf(at + 2 * day) }), { status: 200 })
          const first = await check(GET(counts), { status: 200, body: shape })
          const unchanged = GET(counts, { 'If-None-Match': first.etag })
          await check(unchanged, { status: 304 })
          const names = ['placed', 'completed', 'cancelled', 'returned', 'dueToday'] as const
          const countsAre = (...more: readonly bigint[]) => {
            const now = names.map((name, i) => [name, first.integer(name) + (more[i] as bigint)] as const)
            return check(unchanged, { status: 200, body: Object.fromEntries(now) })
          }
          await check(PATCH(path, { heldUntil: textOf(at + day / 24) }), { status: 200 })
          await countsAre(0n, 0n, 0n, 0n, 1n)
          await check(POST(`${path}/complete`), { status: 200 })
          await countsAre(-1n, 1n, 0n, 0n, 0n)
          await check(POST(`${path}/return`), { status: 200 })
          await countsAre(-1n, 0n, 0n, 1n, 0n)
          const { path: other } = await ordered(shop, { heldUntil: textOf(at + day / 24) })
          await countsAre(0n, 0n, 0n, 1n, 1n)
          await check(POST(`${other}/cancel`), { status: 200 })
          await countsAre(-1n, 0n, 1n, 1n, 0n)
        },
      },
    ],
  ),
]
