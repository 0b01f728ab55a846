/** Webhooks and their deliveries, in SQL that both databases understand. */
import type { EventPosition, EventType } from '../model/event.ts'
import type { StoredDelivery, StoredWebhook, WebhookPatch } from '../model/webhook.ts'
import { createMembersOf, itemAt, purge, type Sql, type SqlValue } from './sql.ts'
import type { EventTable } from './store.ts'

/** An enabled webhook, and who delivers for it; the beat changes whenever the lease is taken or renewed. */
export interface Lease {
  readonly webhook: StoredWebhook
  readonly holder: string | undefined
  readonly beat: number
}

/** Webhooks, and the delivery of each event to each of them. Times are milliseconds since 1970. */
export interface WebhookTable {
  /** Undefined if there are `max` already, also of those added at the same time. */
  insert(
    webhook: Pick<StoredWebhook, 'url' | 'types' | 'secret' | 'position' | 'createdAt'>,
    max: number,
  ): Promise<StoredWebhook | undefined>
  find(id: bigint): Promise<StoredWebhook | undefined>
  page(after: number, limit: number): Promise<StoredWebhook[]>
  /** Enabling clears the reason, and all that was not delivered is due at `now`. */
  update(id: bigint, patch: WebhookPatch, now: number): Promise<StoredWebhook | undefined>
  rotate(id: bigint, secret: string, oldSecretUntil: number): Promise<StoredWebhook | undefined>
  /** Its deliveries stay until they are purged. */
  remove(id: bigint): Promise<boolean>

  leases(): Promise<Lease[]>
  /** Takes or renews leases that are as they were seen; returns the ids of their webhooks. */
  lease(holder: string, seen: readonly Lease[]): Promise<number[]>
  release(holder: string): Promise<void>

  /** In ascending order of the event. */
  pending(id: number, limit: number): Promise<StoredDelivery[]>
  /** Adds deliveries and moves the position, unless the position or the lease is another's by now. */
  add(
    id: number,
    holder: string,
    from: EventPosition,
    to: EventPosition,
    added: readonly NewDelivery[],
  ): Promise<boolean>
  /** Notes how a try went, unless another has delivered it: one of a process that was stopped may end late. With a reason, disables the webhook too. */
  finish(id: number, delivery: DeliveryState, disabledFor: string | undefined): Promise<void>
  /** The newest events before the given one, in descending order. */
  deliveries(id: bigint, before: number, limit: number): Promise<StoredDelivery[]>
  /** Makes a delivery due at `now`, whatever came of it. */
  redeliver(id: bigint, eventId: bigint, now: number): Promise<StoredDelivery | undefined>
  /** Removes deliveries of events from before the given time, unless they are still to be tried, a portion at a time; removing events does, too. */
  purge(before: number): Promise<void>
}

export type NewDelivery = Pick<StoredDelivery, 'eventId' | 'type' | 'subject' | 'at' | 'body'>
export type DeliveryState = Omit<StoredDelivery, 'type' | 'subject' | 'at' | 'body'>

/** The members of a delivery as they stand in a list, in the order of these columns. */
const given = 'event_id, type, subject, at, body'
const items = `${itemAt(0, 'bigint')}, ${itemAt(1)}, ${itemAt(2)}, ${itemAt(3, 'bigint')}, ${itemAt(4)}`

/** Those that are still to be tried stay. */
const ended = {
  table: 'deliveries',
  key: 'webhook_id, event_id',
  condition: `at < $1 AND (status <> 'pending' OR webhook_id NOT IN (SELECT id FROM webhooks WHERE enabled = 1))`,
}

export function createWebhooks({ listed, read, upkeep: write, alone, ifFirst }: Sql): WebhookTable {
  const addAlone = alone('webhooks')
  const webhooks = (rows: readonly object[]) => rows.map(webhookOf)
  const deliveries = (rows: readonly object[]) => rows.map(deliveryOf)
  const change = async (id: bigint, values: readonly SqlValue[], set: string, then?: string) => {
    const text = `UPDATE webhooks SET ${set}, revision = revision + 1 WHERE id = $1 RETURNING *`
    return webhooks(await write([String(id), ...values], text, then))[0]
  }
  const due = (now: string): string => `UPDATE deliveries SET status = 'pending', tries = 0, next_try_at = ${now}`

  return {
    async insert({ url, types, secret, position, createdAt }, max) {
      const rows = await addAlone(
        [url, types.join(' '), secret, position.id, position.at, createdAt, max],
        `INSERT INTO webhooks (url, types, enabled, secret, position, position_at, created_at)
         SELECT $1, $2, 1, $3, CAST($4 AS bigint), CAST($5 AS bigint), CAST($6 AS bigint)
         WHERE (SELECT count(*) FROM webhooks) < CAST($7 AS bigint) RETURNING *`,
      )
      return webhooks(rows)[0]
    },
    find: async (id) => webhooks(await read('SELECT * FROM webhooks WHERE id = $1', String(id)))[0],
    page: async (after, limit) =>
      webhooks(await read('SELECT * FROM webhooks WHERE id > $1 ORDER BY id LIMIT $2', after, limit)),
    update: (id, { url = null, types, enabled }, now) =>
      change(
        id,
        [
          url,
          types ? types.join(' ') : null,
          enabled === undefined ? null : Number(enabled),
          ...(enabled ? [now] : []),
        ],
        `url = coalesce($2, url), types = coalesce($3, types), enabled = coalesce($4, enabled),
         reason = CASE WHEN $4 = 1 THEN NULL ELSE reason END`,
        enabled ? `${due('$5')} WHERE webhook_id = $1 AND status <> 'delivered' AND ${ifFirst}` : undefined,
      ),
    rotate: (id, secret, oldUntil) =>
      change(id, [secret, oldUntil], 'old_secret = secret, old_secret_until = $3, secret = $2'),
    remove: async (id) => (await write([String(id)], 'DELETE FROM webhooks WHERE id = $1 RETURNING id')).length > 0,

    async leases() {
      const rows = await read('SELECT * FROM webhooks WHERE enabled = 1')
      return (rows as { lease_holder: string | null; lease_beat: number | string }[]).map((row) => ({
        webhook: webhookOf(row),
        holder: row.lease_holder ?? undefined,
        beat: Number(row.lease_beat),
      }))
    },
    async lease(holder, seen) {
      const rows = await write(
        [holder, JSON.stringify(seen.map(({ webhook, beat }) => [webhook.id, beat]))],
        `UPDATE webhooks SET lease_holder = $1, lease_beat = lease_beat + 1 FROM ${listed('$2')}
         WHERE webhooks.id = ${itemAt(0, 'bigint')} AND lease_beat = ${itemAt(1, 'bigint')} RETURNING webhooks.id AS id`,
      )
      return (rows as { id: number | string }[]).map(({ id }) => Number(id))
    },
    async release(holder) {
      await write([holder], 'UPDATE webhooks SET lease_holder = NULL WHERE lease_holder = $1')
    },

    pending: async (id, limit) =>
      deliveries(
        await read(
          // The first condition is that of the index.
          `SELECT * FROM deliveries WHERE webhook_id = $1 AND status <> 'delivered' AND status = 'pending' ORDER BY event_id LIMIT $2`,
          ...[id, limit],
        ),
      ),
    async add(id, holder, from, to, added) {
      const rows = added.map(({ eventId, type, subject, at, body }) => [eventId, type, subject, at, body])
      const moved = await write(
        [id, from.id, to.id, holder, JSON.stringify(rows), to.at],
        `UPDATE webhooks SET position = $3, position_at = $6
         WHERE id = $1 AND position = $2 AND lease_holder = $4 AND enabled = 1 RETURNING id`,
        `INSERT INTO deliveries (webhook_id, ${given}, status, tries, next_try_at)
         SELECT CAST($1 AS bigint), ${items}, 'pending', 0, 0 FROM ${listed('$5')} WHERE ${ifFirst} ON CONFLICT DO NOTHING`,
      )
      return moved.length > 0
    },
    async finish(id, { eventId, status, tries, nextTryAt, responseStatus, fault }, disabledFor) {
      await write(
        [
          id,
          eventId,
          status,
          tries,
          nextTryAt,
          responseStatus ?? null,
          fault ?? null,
          ...(disabledFor ? [disabledFor] : []),
        ],
        `UPDATE deliveries SET status = $3, tries = $4, next_try_at = $5, response_status = $6, fault = $7
         WHERE webhook_id = $1 AND event_id = $2 AND status <> 'delivered' RETURNING event_id`,
        disabledFor &&
          `UPDATE webhooks SET enabled = 0, reason = $8, lease_holder = NULL WHERE id = $1 AND enabled = 1 AND ${ifFirst}`,
      )
    },

    deliveries: async (id, before, limit) =>
      deliveries(
        await read(
          'SELECT * FROM deliveries WHERE webhook_id = $1 AND event_id < $2 ORDER BY event_id DESC LIMIT $3',
          ...[String(id), before, limit],
        ),
      ),
    redeliver: async (id, eventId, now) =>
      deliveries(
        await write(
          [String(id), now, String(eventId)],
          `${due('$2')} WHERE webhook_id = $1 AND event_id = $3 RETURNING *`,
          `UPDATE webhooks SET revision = revision + 1 WHERE id = $1 AND ${ifFirst}`,
        ),
      )[0],
    purge: (before) => purge({ upkeep: write }, ended, before),
  }
}

/** Deliveries are kept as long as their events, or until they have ended. */
export const withDeliveries = (events: EventTable, webhooks: WebhookTable): EventTable => ({
  ...events,
  async purge(before) {
    await events.purge(before)
    await webhooks.purge(before)
  },
})

const webhookMembers = createMembersOf('webhooks')
const deliveryMembers = createMembersOf('deliveries')

function webhookOf(row: object): StoredWebhook {
  const { types, enabled, position, positionAt, ...others } = webhookMembers(row)
  return {
    ...(others as unknown as StoredWebhook),
    types: String(types).split(' ').filter(Boolean) as EventType[],
    enabled: enabled === 1,
    position: { id: position as number, at: positionAt as number },
  }
}

function deliveryOf(row: object): StoredDelivery {
  const { webhookId, ...delivery } = deliveryMembers(row)
  return delivery as unknown as StoredDelivery
}
