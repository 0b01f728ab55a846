/** Level `store`: events and webhooks. */
import { createHmac } from 'node:crypto'
import { expectItems, Mismatch } from '../expect.ts'
import { type Json, parseJson } from '../json.ts'
import { all, atLeast, exactly, ids, including, listOf, not, risingIds, without } from '../pattern.ts'
import type { Inbox } from '../receiver.ts'
import { DELETE, GET, HEAD, PATCH, POST, PUT } from '../request.ts'
import { each, from, type Shop } from '../rule.ts'
import { Event, refused, Webhook } from '../shapes.ts'
import { Unchecked } from '../unchecked.ts'

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
  'Decision: GET /events is a bare array of changes, oldest first, and always has a Link with rel="next". It ' +
    'begins at one of from=now, since (a time), after (an id) and cursor. by is the name of the key that caused ' +
    'the event. The scope is events:read.',
  [
    {
      id: 'event.changes',
      title: 'every change is an event, with the thing as it was after the change',
      needs: ['createPet', 'updatePet', 'deletePet', 'putCategory', 'createCategory', 'listEvents'],
      async run({ name, category, check }) {
        const categoryId = category()
        const now = await check(GET('/events?from=now'), { status: 200, text: '[]' })
        const isMine = ({ type, data }: { type: string; data: { id: bigint } }) =>
          type.startsWith('pet.') ? data.id === created.id : [categoryId, made.id].includes(data.id)
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
        // Others may change the store meanwhile, so this reads up to an empty page, which is the end.
        const items: Json[] = []
        for (let next = now.next; ; ) {
          const page = await check(GET(next), { status: 200, body: all(listOf(Event), risingIds) })
          const some = page.body as { type: string; data: { id: bigint } }[]
          items.push(...some.filter(isMine))
          if (some.length === 0) {
            if (page.next !== next) throw new Mismatch('Link', `rel="next": ${next}`, `rel="next": ${page.next}`)
            break
          }
          next = page.next
        }
        expectItems(items, all(happened, risingIds))
      },
    },
    {
      id: 'event.order',
      title: 'an order that changes its animal makes two events, and a repeated request makes none',
      needs: ['createPet', 'listOrders', 'placeOrder', 'listEvents'],
      async run({ add, check, checkPages }) {
        const [petId] = await add(1)
        const now = await check(GET(`/events?petId=${petId}&from=now`), { status: 200 })
        const completed = await check(GET(`/events?petId=${petId}&type=order.completed&from=now`), { status: 200 })
        const { id } = await check(POST('/store/orders', { petId }), { status: 201 })
        await check(POST(`/store/orders/${id}/complete`), { status: 200 })
        await check(POST(`/store/orders/${id}/complete`), { status: 200 })
        const moved = ['order.placed', 'pet.updated', 'order.completed'].map((type) => including({ type }))
        await checkPages(GET(now.next), all(listOf(Event, { length: 4 }), ...moved), 4)
        await checkPages(GET(completed.next), types('order.completed'), 1)
      },
    },
    {
      id: 'event.by',
      title: 'an event has the name of the key that caused it',
      needs: ['createPet', 'updatePet', 'deletePet', 'getMe', 'listEvents'],
      async run({ add, check, checkPages }) {
        const { name: by } = (await check(GET('/me'), { status: 200 })).body as { name: string }
        const [petId] = await add(1)
        await check(PATCH(`/pets/${petId}`, { name: 'conform-by' }), { status: 200 })
        await check(DELETE(`/pets/${petId}`), { status: 204 })
        const body = ['pet.created', 'pet.updated', 'pet.deleted'].map((type) => ({ ...Event, type, by }))
        await checkPages(GET(`/events?petId=${petId}`), body, body.length)
      },
    },
    {
      id: 'event.filters',
      title: 'types are given with commas or repeated, and a cursor belongs to them',
      needs: ['createPet', 'deletePet', 'listEvents'],
      async run({ add, check, checkPages }) {
        const [petId] = await add(2)
        await check(DELETE(`/pets/${petId}`), { status: 204 })
        for (const query of ['type=pet.created,pet.deleted', 'type=pet.created&type=pet.deleted']) {
          const { last } = await checkPages(
            GET(`/events?petId=${petId}&${query}`),
            types('pet.created', 'pet.deleted'),
            2,
          )
          last.header('Link', new RegExp(`[?&]petId=${petId}&`))
          const { cursor } = last
          for (const other of ['', 'type=pet.created&']) await check(GET(`/events?${other}cursor=${cursor}`), badCursor)
        }
      },
    },
    {
      id: 'event.after',
      title: 'after=ID begins with the event that follows',
      needs: ['createPet', 'updatePet', 'listEvents'],
      async run({ add, check, checkPages }) {
        const [petId] = await add(1)
        await check(PATCH(`/pets/${petId}`, { name: 'conform-new' }), { status: 200 })
        const { items } = await checkPages(GET(`/events?petId=${petId}`), listOf(Event, { length: 2 }), 2)
        const [one, two] = items as { id: bigint }[]
        await checkPages(GET(`/events?petId=${petId}&after=${one?.id}&limit=1`), ids(two?.id), 1)
        await check(GET('/events?after=4503599627370496'), refused(410, 'events_expired'))
      },
    },
    {
      id: 'event.since',
      title: 'since begins with the first event at or after a time',
      needs: ['createPet', 'updatePet', 'listEvents'],
      async run({ add, check, checkPages, wait }) {
        const [petId] = await add(1)
        await wait(5)
        await check(PATCH(`/pets/${petId}`, { name: 'conform-new' }), { status: 200 })
        const { items } = await checkPages(GET(`/events?petId=${petId}`), listOf(Event, { length: 2 }), 2)
        const [one, two] = items as { id: bigint; at: string }[] as [
          { id: bigint; at: string },
          { id: bigint; at: string },
        ]
        const since = (time: string) => GET(`/events?petId=${petId}&since=${time}`)
        await checkPages(since(one.at), ids(one.id, two.id), 2)
        await checkPages(since(two.at), ids(two.id), 1)
        await checkPages(since(two.at.replace('Z', '%2B00:00')), ids(two.id), 1)
        const { next } = await check(since('2999-01-01T00:00:00Z'), { status: 200, text: '[]' })
        await check(GET(next), { status: 200, text: '[]' })
      },
    },
    {
      id: 'event.oldest',
      title: 'without a cursor the feed begins with the oldest event',
      needs: ['createPet', 'listEvents'],
      async run({ add, check }) {
        await add(2)
        const { body, next } = await check(GET('/events?limit=1'), { status: 200, body: listOf(Event, { length: 1 }) })
        const [oldest] = body as { id: bigint }[]
        await check(GET(next), { status: 200, body: [{ id: atLeast((oldest?.id ?? 0n) + 1n) }] })
      },
    },
    {
      id: 'event.refused',
      title: 'an invalid parameter is refused',
      needs: ['listEvents'],
      steps: each(
        badQueries.map((query) => GET(`/events?${query}`)),
        refused(400, 'invalid_parameter'),
      ),
    },
    {
      id: 'event.cursor',
      title: 'a cursor that was never issued is refused',
      needs: ['listEvents'],
      async run({ check }) {
        const { cursor } = await check(GET('/events?limit=1'), { status: 200 })
        for (const other of ['abc', `A${cursor}`, `${cursor}=`]) await check(GET(`/events?cursor=${other}`), badCursor)
      },
    },
    {
      id: 'event.cache',
      title: 'a page has an ETag and is answered with 304 while it is current, and HEAD works',
      needs: ['createPet', 'tags', 'listEvents'],
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
  'Decision: A webhook is {id, url, types, enabled, createdAt}. Its secret is shown once. Its URL leads to a ' +
    'public address over https. The scope is webhooks:write.',
  [
    {
      id: 'webhook.add',
      title: 'the secret is shown when the webhook is added, and never again',
      needs: ['listWebhooks', 'createWebhook'],
      async run({ check, checkPages }) {
        await check(POST('/webhooks', { ...hook, enabled: false }), refused(400, 'unknown_field'))
        const { id } = await check(POST('/webhooks', hook), {
          status: 201,
          headers: { 'Cache-Control': 'no-store', Location: /\/webhooks\/\d+$/ },
          body: { ...Webhook, ...hook, enabled: true, secret: /^whsec_[\w+/]{43}=$/ },
        })
        await check(GET(`/webhooks/${id}`), { status: 200, body: { ...Webhook, ...hook, secret: undefined } })
        await checkPages(GET('/webhooks?limit=100'), all(listOf(Webhook), including({ id }), without('whsec_')))
        await check(DELETE(`/webhooks/${id}`), { status: 204 })
        await check(GET(`/webhooks/${id}`), refused(404, 'webhook_not_found'))
      },
    },
    {
      id: 'webhook.change',
      title: 'a change of one member leaves the others',
      needs: ['listWebhooks', 'createWebhook'],
      async run({ check }) {
        const created = await check(POST('/webhooks', hook), { status: 201 })
        const { createdAt } = created.body as { createdAt: string }
        const path = `/webhooks/${created.id}`
        const body = exactly({ id: created.id, ...hook, enabled: false, createdAt })
        await check(PATCH(path, { enabled: false }), { status: 200, body })
        for (const bad of [{ url: 'https://[fd00::1]/' }, { enabled: 'yes' }, { types: ['pet.sold'] }])
          await check(PATCH(path, bad), badField)
        await check(PATCH(path, { types: [] }), { status: 200, body: { types: [], enabled: false } })
        await check(DELETE(path), { status: 204 })
      },
    },
    {
      id: 'webhook.refused',
      title: 'a URL that is not public, or not https on port 443, is refused',
      needs: ['listWebhooks'],
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
      title: 'a new secret is shown once as well',
      needs: ['listWebhooks', 'createWebhook'],
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
      title: 'a webhook that does not exist is answered with 404',
      needs: ['listWebhooks'],
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

/** Deliveries may wait for others. The kit waits this long and for one more attempt. */
const secondsMax = 60

/** Waits until this many messages have arrived. False if they do not arrive in time. */
async function arrive({ wait }: Shop, inbox: Inbox, count: number): Promise<boolean> {
  for (let seconds = 0; seconds < secondsMax; seconds++) {
    await inbox.holds(count, 250)
    if (inbox.messages.length >= count) return true
    await wait(1_000)
  }
  return false
}

/** Adds a webhook that leads to the inbox, and returns its secret. */
async function hookTo({ check }: Shop, { url }: Inbox, ...names: string[]) {
  const { id, body } = await check(POST('/webhooks', { url, types: names }), { status: 201, body: Webhook })
  return { path: `/webhooks/${id}`, secret: (body as { secret: string }).secret }
}

/** Returns the events in the messages, each of which must be signed. */
function eventsIn({ messages }: Inbox, secret: string): Json[] {
  return messages.map(({ headers, text }) => {
    const [id, at] = [headers['webhook-id'], headers['webhook-timestamp']]
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const signature = `v1,${createHmac('sha256', key).update(`${id}.${at}.${text}`).digest('base64')}`
    const sent = String(headers['webhook-signature'])
    if (!id || !/^\d+$/.test(String(at)) || !sent.split(' ').includes(signature))
      throw new Mismatch(
        'message',
        `webhook-signature: ${signature}`,
        `webhook-signature: ${sent}, webhook-id: ${id}, webhook-timestamp: ${at}`,
      )
    return parseJson(text)
  })
}

const expectArrival = (hasArrived: boolean, count: number, { messages }: Inbox) => {
  if (!hasArrived)
    throw new Mismatch('message', `${count} messages within ${secondsMax} s`, `${messages.length} messages`)
}

const deliveries = from(
  'store',
  'Decision: Messages are signed as in Standard Webhooks 1.0, with webhook-id, webhook-timestamp and ' +
    'webhook-signature. Every event is sent at least once, and those of an animal in their order. A message that ' +
    'was not accepted is sent again with the same webhook-id.',
  [
    {
      id: 'webhook.signed',
      title: 'a message is signed with the secret, whether it carries an event or a test',
      needs: ['createPet', 'listWebhooks', 'createWebhook', 'receiver'],
      async run(shop) {
        const inbox = shop.inbox()
        const { path, secret } = await hookTo(shop, inbox, 'pet.created')
        const [petId] = await shop.add(1)
        expectArrival(await arrive(shop, inbox, 1), 1, inbox)
        expectItems(eventsIn(inbox, secret), [{ ...Event, type: 'pet.created', data: { id: petId } }])
        await shop.check(POST(`${path}/test`), { status: 200, body: { delivered: true } })
        expectArrival(await arrive(shop, inbox, 2), 2, inbox)
        expectItems(eventsIn(inbox, secret).slice(1), [{ type: 'webhook.test' }])
        await shop.check(DELETE(path), { status: 204 })
      },
    },
    {
      id: 'webhook.order',
      title: 'the events of an animal arrive in their order',
      needs: ['createPet', 'updatePet', 'deletePet', 'listWebhooks', 'createWebhook', 'receiver'],
      async run(shop) {
        const inbox = shop.inbox()
        const { path, secret } = await hookTo(shop, inbox, 'pet.created', 'pet.updated', 'pet.deleted')
        const [petId] = await shop.add(1)
        const changes = [1, 2, 3, 4].map((number) => ({ name: `conform-${number}` }))
        for (const change of changes) await shop.check(PATCH(`/pets/${petId}`, change), { status: 200 })
        await shop.check(DELETE(`/pets/${petId}`), { status: 204 })
        expectArrival(await arrive(shop, inbox, 6), 6, inbox)
        const updated = changes.map((data) => ({ type: 'pet.updated', data }))
        expectItems(eventsIn(inbox, secret), [{ type: 'pet.created' }, ...updated, { type: 'pet.deleted' }])
        await shop.check(DELETE(path), { status: 204 })
      },
    },
    {
      id: 'webhook.repeated',
      title: 'a message that was not accepted comes again, before the next one about the same animal',
      needs: ['createPet', 'deletePet', 'listWebhooks', 'createWebhook', 'receiver'],
      async run(shop) {
        const inbox = shop.inbox(503)
        const { path, secret } = await hookTo(shop, inbox, 'pet.created', 'pet.deleted')
        const [petId] = await shop.add(1)
        expectArrival(await arrive(shop, inbox, 1), 1, inbox)
        await shop.check(DELETE(`/pets/${petId}`), { status: 204 })
        if (!(await arrive(shop, inbox, 3))) {
          // Nothing says how soon the event is sent, so it must at least be waiting.
          const waiting = { type: 'pet.created', status: 'pending' }
          await shop.check(GET(`${path}/deliveries`), { status: 200, body: including(waiting) })
          throw new Unchecked(`the service sends a message that was not taken again after more than ${secondsMax} s`)
        }
        expectItems(eventsIn(inbox, secret), types('pet.created', 'pet.created', 'pet.deleted'))
        const [first, second] = inbox.messages.map(({ headers }) => headers['webhook-id'])
        if (first !== second) throw new Mismatch('message', `webhook-id: ${first}`, `webhook-id: ${second}`)
        await shop.check(DELETE(path), { status: 204 })
      },
    },
  ],
)

export const eventRules = [...events, ...webhooks, ...deliveries]
