/** Webhooks and their deliveries, in SQL that both databases understand. */
import type { EventType } from '../model/event.ts'
import type { StoredDelivery, StoredWebhook } from '../model/webhook.ts'
import { purge } from './purge.ts'
import { createMembersOf, itemAt, type Sql, type SqlValue } from './sql.ts'
import type { EventTable } from './store.ts'
import type { WebhookTable } from './webhook-table.ts'

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
