/** Fills the backlog of a webhook: from the database, where it is kept, and with further events of the feed. */
import { isSamePosition } from '../model/event.ts'
import type { StoredDelivery } from '../model/webhook.ts'
import type { Log } from '../observe/log.ts'
import type { Store } from '../store/store.ts'
import type { NewDelivery } from '../store/webhooks.ts'
import { deliveryOf, type Endpoint } from './endpoint.ts'

export interface BacklogOptions {
  readonly store: Pick<Store, 'webhooks' | 'events'>
  /** Who has the lease. */
  readonly holder: string
  readonly log: Log
}

/** Deliveries of one webhook that are read ahead of what was delivered. */
export const pendingMax = 1_000
const eventsPerPage = 100
/** A position that no delivery came with is written once it has moved so far. */
const unsavedMax = 1_000

export async function load(endpoint: Endpoint, { store: { webhooks } }: BacklogOptions): Promise<void> {
  const { id } = endpoint.webhook
  // First: what changes after it changes the revision.
  const webhook = await webhooks.find(BigInt(id))
  if (!webhook?.enabled) {
    // Nothing more is to be done, until the next look shows the same: reading it again would never end.
    endpoint.safeUntil = 0
    return
  }
  endpoint.pending = await webhooks.pending(id, pendingMax)
  endpoint.webhook = webhook
  endpoint.position = webhook.position
  endpoint.isCut = endpoint.pending.length === pendingMax
  endpoint.isStale = false
  endpoint.isBehind = true
  endpoint.idleUntil = 0
}

/** Reads on in the feed, and keeps what is to be delivered together with the new position; `onAdded` may begin with it. */
export async function readOn(endpoint: Endpoint, options: BacklogOptions, onAdded: () => void): Promise<void> {
  const { store, holder, log } = options
  const { id, types } = endpoint.webhook
  endpoint.isBehind = false
  while (endpoint.pending.length < pendingMax && !endpoint.isStale) {
    const after = endpoint.position
    const query = { after, limit: eventsPerPage, ...(types.length > 0 && { types }) }
    let page = await store.events.page(query)
    if (page === 'events_expired') {
      // The database may have lost what was read here; what it has kept of the webhook tells where to go on.
      const kept = (await store.webhooks.find(BigInt(id)))?.position
      endpoint.isStale = !kept || !isSamePosition(kept, after)
      if (endpoint.isStale) return
      log.warn({ webhookId: id }, 'events were removed before a webhook was sent them')
      page = { events: [], position: await store.events.oldest() }
    }
    const { position } = page
    if (isSamePosition(position, after)) return
    const added = page.events.map(deliveryOf)
    const saved = endpoint.webhook.position
    if (added.length > 0 || Math.abs(position.id - saved.id) >= unsavedMax) {
      // Somebody else has the webhook, or a change of it has just been made.
      endpoint.isStale = !(await store.webhooks.add(id, holder, saved, position, added))
      if (endpoint.isStale) return
      endpoint.webhook = { ...endpoint.webhook, position }
    }
    endpoint.position = position
    if (added.length > 0) endpoint.idleUntil = 0
    endpoint.pending.push(...added.map(asPending))
    onAdded()
  }
  endpoint.isBehind = true
}

const asPending = (added: NewDelivery): StoredDelivery => ({
  ...added,
  status: 'pending',
  tries: 0,
  nextTryAt: 0,
  responseStatus: undefined,
  fault: undefined,
})
