/** Level `store`: events and webhooks. */
import { Mismatch } from '../expect.ts'
import { all, atLeast, exactly, ids, including, listOf, not, risingIds, without } from '../pattern.ts'
import { DELETE, GET, HEAD, PATCH, POST, PUT } from '../request.ts'
import { each, from } from '../rule.ts'
import { Event, refused, Webhook } from '../shapes.ts'

const types = (...names: string[]) => names.map((type) => ({ type }))
const badCursor = refused(400, 'invalid_cursor')
const badQueries = [
  'from=then',
  'from=',
  'type=',
  'type=pet.sold',
  'type=pet.created,',
  'petId=x',
  'after=x',
  'after=-1',
  'after=1-',
  'after=1-A',
  'after=9007199254740992',
  'limit=0',
  'since=',
  'since=yesterday',
  'since=2026-02-30T09:00:00Z',
  'since=2026-11-20',
  'from=now&after=1',
  'from=now&cursor=x',
  'since=2026-11-20T09:00:00Z&from=now',
  'since=2026-11-20T09:00:00Z&after=1',
  'since=2026-11-20T09:00:00Z&cursor=x',
]

const events = from(
  'store',
  'Decision: GET /events is a bare array of changes, oldest first, with rel="next" always; from=now is the ' +
    'present; since is an RFC 3339 time; after is an id; only one of from, since, after and cursor; by is the name ' +
    'of the key. Scope events:read.',
  [
    {
      id: 'event.changes',
      title: 'every change is an event, with the thing as it was then',
      async run({ name, category, check }) {
        const categoryId = category()
        const now = await check(GET('/events?from=now'), { status: 200, text: '[]' })
        const created = await check(POST('/pets', { name: name(), categoryId }), { status: 201 })
        const pet = `/pets/${created.id}`
        const changed = await check(PATCH(pet, { name: name() }), { status: 200 })
        await check(PATCH(pet, {}), { status: 200 })
        await check(PUT(`/categories/${categoryId}`, { name: 'conform' }), { status: 201 })
        const dogs = { name: name() }
        const made = await check(POST('/categories', dogs), { status: 201 })
        await check(POST('/categories', dogs), { status: 200 })
        await check(DELETE(pet), { status: 204 })
        const happened = [
          { ...Event, type: 'pet.created', data: exactly(created.body) },
          { ...Event, type: 'pet.updated', data: exactly(changed.body) },
          { ...Event, type: 'category.named', data: exactly({ id: categoryId, name: 'conform' }) },
          { ...Event, type: 'category.named', data: exactly(made.body) },
          { ...Event, type: 'pet.deleted', data: exactly(changed.body) },
        ]
        const { next } = await check(GET(now.next), { status: 200, body: all(happened, risingIds) })
        const rest = await check(GET(next), { status: 200, text: '[]' })
        if (rest.next !== next) throw new Mismatch('Link', `rel="next": ${next}`, `rel="next": ${rest.next}`)
      },
    },
    {
      id: 'event.order',
      title: 'an order that moves its animal is two events, a repeated one none',
      async run({ add, check }) {
        const [petId] = await add(1)
        const now = await check(GET(`/events?petId=${petId}&from=now`), { status: 200 })
        const { id } = await check(POST('/store/orders', { petId }), { status: 201 })
        await check(POST(`/store/orders/${id}/complete`), { status: 200 })
        await check(POST(`/store/orders/${id}/complete`), { status: 200 })
        const moved = ['order.placed', 'pet.updated', 'order.completed'].map((type) => including({ type }))
        await check(GET(now.next), { status: 200, body: all(listOf(Event, { length: 4 }), ...moved) })
        const completed = GET(`/events?petId=${petId}&type=order.completed`)
        await check(completed, { status: 200, body: types('order.completed') })
      },
    },
    {
      id: 'event.by',
      title: 'an event has the name of the key that did it',
      async run({ add, check }) {
        const { name: by } = (await check(GET('/me'), { status: 200 })).body as { name: string }
        const [petId] = await add(1)
        await check(PATCH(`/pets/${petId}`, { name: 'conform-by' }), { status: 200 })
        await check(DELETE(`/pets/${petId}`), { status: 204 })
        const body = ['pet.created', 'pet.updated', 'pet.deleted'].map((type) => ({ ...Event, type, by }))
        await check(GET(`/events?petId=${petId}`), { status: 200, body })
      },
    },
    {
      id: 'event.filters',
      title: 'types are given in a list or repeated, and a cursor is bound to them',
      async run({ add, check }) {
        const [petId] = await add(2)
        await check(DELETE(`/pets/${petId}`), { status: 204 })
        for (const query of ['type=pet.created,pet.deleted', 'type=pet.created&type=pet.deleted']) {
          const { cursor } = await check(GET(`/events?petId=${petId}&${query}`), {
            status: 200,
            headers: { Link: new RegExp(`[?&]petId=${petId}&`) },
            body: types('pet.created', 'pet.deleted'),
          })
          for (const other of ['', 'type=pet.created&']) await check(GET(`/events?${other}cursor=${cursor}`), badCursor)
        }
      },
    },
    {
      id: 'event.after',
      title: 'after is the event before the first',
      async run({ add, check }) {
        const [petId] = await add(1)
        await check(PATCH(`/pets/${petId}`, { name: 'conform-new' }), { status: 200 })
        const { body } = await check(GET(`/events?petId=${petId}`), { status: 200, body: listOf(Event, { length: 2 }) })
        const [one, two] = body as { id: bigint }[]
        await check(GET(`/events?petId=${petId}&after=${one?.id}&limit=1`), { status: 200, body: ids(two?.id) })
        await check(GET('/events?after=4503599627370496'), refused(410, 'events_expired'))
      },
    },
    {
      id: 'event.since',
      title: 'since begins with the first event at or after a time',
      async run({ add, check, wait }) {
        const [petId] = await add(1)
        await wait(5)
        await check(PATCH(`/pets/${petId}`, { name: 'conform-new' }), { status: 200 })
        const { body } = await check(GET(`/events?petId=${petId}`), { status: 200, body: listOf(Event, { length: 2 }) })
        const [one, two] = body as [{ id: bigint; at: string }, { id: bigint; at: string }]
        const since = (time: string) => GET(`/events?petId=${petId}&since=${time}`)
        await check(since(one.at), { status: 200, body: ids(one.id, two.id) })
        await check(since(two.at), { status: 200, body: ids(two.id) })
        await check(since(two.at.replace('Z', '%2B00:00')), { status: 200, body: ids(two.id) })
        const { next } = await check(since('2999-01-01T00:00:00Z'), { status: 200, text: '[]' })
        await check(GET(next), { status: 200, text: '[]' })
      },
    },
    {
      id: 'event.oldest',
      title: 'without a cursor the feed begins with the oldest event',
      async run({ add, check }) {
        await add(2)
        const { body, next } = await check(GET('/events?limit=1'), { status: 200, body: listOf(Event, { length: 1 }) })
        const [oldest] = body as { id: bigint }[]
        await check(GET(next), { status: 200, body: [{ id: atLeast((oldest?.id ?? 0n) + 1n) }] })
      },
    },
    {
      id: 'event.refused',
      title: 'a bad parameter is refused',
      steps: each(
        badQueries.map((query) => GET(`/events?${query}`)),
        refused(400, 'invalid_parameter'),
      ),
    },
    {
      id: 'event.cursor',
      title: 'a cursor that was never issued is refused',
      async run({ check }) {
        const { cursor } = await check(GET('/events?limit=1'), { status: 200 })
        for (const other of ['abc', `A${cursor}`, `${cursor}=`]) await check(GET(`/events?cursor=${other}`), badCursor)
      },
    },
    {
      id: 'event.cache',
      title: 'a page is revalidated, and HEAD is answered',
      async run({ add, check }) {
        const { next } = await check(GET('/events?from=now'), { status: 200 })
        const headers = { 'Cache-Control': 'private, no-cache' }
        const { etag } = await check(GET(next), { status: 200, headers })
        await check(GET(next, { 'If-None-Match': etag }), { status: 304 })
        await check(HEAD(next), { status: 200, headers: { Link: /rel="next"/ }, text: '' })
        await add(1)
        await check(GET(next, { 'If-None-Match': etag }), { status: 200, body: types('pet.created') })
      },
    },
  ],
)

const hook = { url: 'https://conform.example/hooks', types: ['pet.deleted'] }
const badField = refused(400, 'invalid_field')
const badUrls = [
  'https://[fd00::1]/',
  'http://169.254.169.254/latest/',
  'https://user:word@a.example/',
  'https://a.example/#a',
  'ftp://a.example/',
  'https://',
  'https://a b/',
  `https://a.example/${'x'.repeat(2048)}`,
  5,
]

const webhooks = from(
  'store',
  'Decision: a webhook is {id, url, types, enabled, createdAt}; its secret is shown once; its URL leads to a ' +
    'public address over https. Scope webhooks:write.',
  [
    {
      id: 'webhook.add',
      title: 'the secret is shown once',
      async run({ check }) {
        await check(POST('/webhooks', { ...hook, enabled: false }), refused(400, 'unknown_field'))
        const { id } = await check(POST('/webhooks', hook), {
          status: 201,
          headers: { 'Cache-Control': 'no-store', Location: /\/webhooks\/\d+$/ },
          body: { ...Webhook, ...hook, enabled: true, secret: /^whsec_[\w+/]{43}=$/ },
        })
        await check(GET(`/webhooks/${id}`), { status: 200, body: { ...Webhook, ...hook, secret: undefined } })
        const body = all(listOf(Webhook), including({ id }), without('whsec_'))
        await check(GET('/webhooks?limit=100'), { status: 200, body })
        await check(DELETE(`/webhooks/${id}`), { status: 204 })
        await check(GET(`/webhooks/${id}`), refused(404, 'webhook_not_found'))
      },
    },
    {
      id: 'webhook.change',
      title: 'a change leaves the rest',
      async run({ check }) {
        const created = await check(POST('/webhooks', hook), { status: 201 })
        const { createdAt } = created.body as { createdAt: string }
        const path = `/webhooks/${created.id}`
        const body = exactly({ id: created.id, ...hook, enabled: false, createdAt })
        await check(PATCH(path, { enabled: false }), { status: 200, body })
        for (const bad of [{ url: 'https://127.0.0.2/' }, { enabled: 'yes' }, { types: ['pet.sold'] }])
          await check(PATCH(path, bad), badField)
        await check(PATCH(path, { types: [] }), { status: 200, body: { types: [], enabled: false } })
        await check(DELETE(path), { status: 204 })
      },
    },
    {
      id: 'webhook.refused',
      title: 'a URL that leads elsewhere is refused',
      steps: [
        ...each(
          badUrls.map((url) => POST('/webhooks', { url })),
          badField,
        ),
        { send: POST('/webhooks', {}), expect: refused(400, 'missing_field') },
      ],
    },
    {
      id: 'webhook.rotate',
      title: 'a new secret is shown once, too',
      async run({ check }) {
        const created = await check(POST('/webhooks', hook), { status: 201 })
        const { secret } = created.body as { secret: string }
        const path = `/webhooks/${created.id}`
        const body = { secret: all(/^whsec_/, not(secret)) }
        await check(POST(`${path}/rotate`), { status: 200, headers: { 'Cache-Control': 'no-store' }, body })
        await check(GET(`${path}/deliveries`), { status: 200, text: '[]' })
        await check(DELETE(path), { status: 204 })
      },
    },
    {
      id: 'webhook.unknown',
      title: 'what is not there is not found',
      steps: each(
        [
          GET('/webhooks/0'),
          PATCH('/webhooks/abc', { enabled: true }),
          DELETE('/webhooks/007'),
          POST('/webhooks/0/rotate'),
          POST('/webhooks/0/test'),
          GET('/webhooks/0/deliveries'),
          POST('/webhooks/0/deliveries/1/redeliver'),
        ],
        refused(404, 'webhook_not_found'),
      ),
    },
  ],
)

export const eventRules = [...events, ...webhooks]
