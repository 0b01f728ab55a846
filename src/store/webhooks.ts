/** Webhooks and their deliveries, in SQL that both databases understand. */
import type { EventType } from '../model/event.ts'
import type { StoredDelivery, StoredWebhook, WebhookPatch } from '../model/webhook.ts'
import type { EventTable } from './event-table.ts'
import { createMembersOf, itemAt, purge, type Sql, type SqlValue } from './shared-sql.ts'
import { columnsOf } from './tables.ts'
import { lockMilliseconds, type WebhookTable, waitingMax } from './webhook-table.ts'

const webhookColumns = columnsOf('webhooks').join()
const deliveryColumns = columnsOf('deliveries').join()

/** The columns of a new delivery, and the items of a list in their order. */
const given = 'event_id, type, subject, at, body'
const items = `${itemAt(0, 'bigint')}, ${itemAt(1)}, ${itemAt(2)}, ${itemAt(3, 'bigint')}, ${itemAt(4)}`

const ended = {
  table: 'deliveries',
  key: 'webhook_id, event_id',
  at: 'at',
  condition: `(status <> 'pending' OR webhook_id NOT IN (SELECT id FROM webhooks WHERE enabled = 1))`,
}

/** The first condition repeats that of the partial index, so that the index can be used. */
const isPending = `status <> 'delivered' AND status = 'pending'`

/** How exactly it is known when something was last delivered to a webhook; otherwise each delivery would write it. */
const deliveredMilliseconds = 60_000
const noteDelivery = `UPDATE webhooks SET delivered_at = CAST($9 AS bigint)
  WHERE id = $1 AND delivered_at < CAST($9 AS bigint) - ${deliveredMilliseconds}`
const disable = `UPDATE webhooks SET enabled = 0, reason = $9
  WHERE id = $1 AND enabled = 1 AND delivered_at <= CAST($10 AS bigint)`

/** The oldest is found in the index alone: SQLite would otherwise walk through all that was delivered before it. */
const queues = `SELECT ${webhookColumns},
  (SELECT count(*) FROM (
    SELECT 1 AS one FROM deliveries WHERE webhook_id = webhooks.id AND ${isPending} LIMIT ${waitingMax}
  ) AS open) AS waiting,
  (SELECT at FROM deliveries WHERE webhook_id = webhooks.id AND event_id = (
    SELECT event_id FROM deliveries WHERE webhook_id = webhooks.id AND ${isPending} ORDER BY event_id LIMIT 1
  )) AS oldest_at
  FROM webhooks`

/** The locks that claims make are even numbers. */
const evenOf = (value: string): string => `${value} / 2 * 2`

/**
 * A lock beyond twice its time from now was made by a clock that was ahead, and does not count. One that is a little
 * later than from now was made by a statement that began after this one, and ended before it: PostgreSQL counts from
 * the beginning of each.
 */
function claimWith({ now, tryLock }: Sql): string {
  const isDue = `(next_try_at <= $2 OR next_try_at > $3)
    AND (locked_until <= ${now} OR locked_until > ${now} + ${2 * lockMilliseconds})`
  const waiting = `SELECT event_id, subject, next_try_at, locked_until FROM deliveries
    WHERE webhook_id = $1 AND ${isPending} ORDER BY event_id LIMIT ${waitingMax}`
  const placed = `SELECT *, row_number() OVER (PARTITION BY subject ORDER BY event_id) AS place
    FROM (${waiting}) AS waiting`
  const due = `SELECT event_id FROM (${placed}) AS placed WHERE place = 1 AND ${isDue} ORDER BY event_id LIMIT $4`
  // Checked again for the rows themselves: on PostgreSQL another process may have claimed some since.
  return `UPDATE deliveries SET locked_until = ${evenOf(`(${now} + ${lockMilliseconds})`)}
    WHERE webhook_id = $1 AND event_id IN (${due}) AND status = 'pending' AND ${isDue} AND ${tryLock('webhooks', '$1')}
      AND EXISTS (SELECT 1 FROM webhooks WHERE id = $1 AND enabled = 1) RETURNING ${deliveryColumns}, locked_until`
}

export function createWebhooks(sql: Sql): WebhookTable {
  const { listed, read, upkeep: write, alone, ifFirst } = sql
  const claim = claimWith(sql)
  const webhooks = (rows: readonly object[]) => rows.map(webhookOf)
  const deliveries = (rows: readonly object[]) => rows.map(deliveryOf)
  const change = async (id: bigint, values: readonly SqlValue[], set: string, then?: string, condition = 'true') => {
    const text = `UPDATE webhooks SET ${set} WHERE id = $1 AND ${condition} RETURNING ${webhookColumns}`
    return webhooks(await write([String(id), ...values], text, then))[0]
  }
  /**
   * Makes deliveries due. A lock stays, and becomes odd: a try under way then finds that the lock is not its own, ends
   * it, and its result does not count.
   */
  const due = `UPDATE deliveries SET status = 'pending', tries = 0, next_try_at = ${sql.now},
    locked_until = CASE WHEN locked_until > 0 THEN ${evenOf('locked_until')} + 1 ELSE 0 END`

  /** Makes a patch, and the deliveries due that satisfy `affected`; only if the webhook satisfies `condition`. */
  function patch(id: bigint, { url, types, enabled }: WebhookPatch, affected?: string, condition?: string) {
    return change(
      id,
      [url ?? null, types ? types.join(' ') : null, enabled === undefined ? null : Number(enabled)],
      `url = coalesce($2, url), types = coalesce($3, types), enabled = coalesce($4, enabled),
       reason = CASE WHEN $4 = 1 THEN NULL ELSE reason END`,
      affected && `${due} WHERE webhook_id = $1 AND ${affected} AND ${ifFirst}`,
      condition,
    )
  }

  return {
    async insert({ url, types, secret, position, createdAt }, max) {
      const rows = await alone(
        'webhooks',
        [url, types.join(' '), secret, position.id, position.at, createdAt, max],
        `INSERT INTO webhooks (url, types, enabled, secret, position, position_at, created_at)
         SELECT $1, $2, 1, $3, CAST($4 AS bigint), CAST($5 AS bigint), CAST($6 AS bigint)
         WHERE (SELECT count(*) FROM webhooks) < CAST($7 AS bigint) RETURNING ${webhookColumns}`,
      )
      return webhooks(rows)[0]
    },
    find: async (id) => webhooks(await read(`SELECT ${webhookColumns} FROM webhooks WHERE id = $1`, String(id)))[0],
    page: async (after, limit) =>
      webhooks(await read(`SELECT ${webhookColumns} FROM webhooks WHERE id > $1 ORDER BY id LIMIT $2`, after, limit)),
    async update(id, given) {
      const undelivered = given.enabled ? `status <> 'delivered'` : undefined
      // If the address is another one, what is pending becomes due. If it is not, this changes nothing.
      const moved = given.url !== undefined && (await patch(id, given, undelivered ?? isPending, 'url <> $2'))
      return moved || patch(id, given, undelivered)
    },
    rotate: (id, secret, oldUntil) =>
      change(id, [secret, oldUntil], 'old_secret = secret, old_secret_until = $3, secret = $2'),
    remove: async (id) => (await write([String(id)], 'DELETE FROM webhooks WHERE id = $1 RETURNING id')).length > 0,

    async queues(id) {
      const one = id === undefined ? [] : [id]
      const rows = await read(`${queues} WHERE enabled = 1${id === undefined ? '' : ' AND id = $1'}`, ...one)
      return (rows as { waiting: number | string; oldest_at: number | string | null }[]).map((row) => ({
        webhook: webhookOf(row),
        waiting: Number(row.waiting),
        oldestAt: row.oldest_at === null ? undefined : Number(row.oldest_at),
      }))
    },
    async add(id, from, to, added) {
      const rows = added.map(({ eventId, type, subject, at, body }) => [eventId, type, subject, at, body])
      const moved = await write(
        [id, from.id, from.at, to.id, to.at, JSON.stringify(rows)],
        `UPDATE webhooks SET position = $4, position_at = $5
         WHERE id = $1 AND position = $2 AND position_at = $3 AND enabled = 1 RETURNING id`,
        `INSERT INTO deliveries (webhook_id, ${given}, status, tries, next_try_at)
         SELECT CAST($1 AS bigint), ${items}, 'pending', 0, 0 FROM ${listed('$6')} WHERE ${ifFirst}
         ON CONFLICT DO NOTHING`,
      )
      return moved.length > 0
    },
    async claim(...values) {
      const rows = (await write(values, claim)) as { locked_until: number | string }[]
      const claims = rows.map((row) => ({ ...deliveryOf(row), lockedUntil: Number(row.locked_until) }))
      return claims.sort((one, other) => one.eventId - other.eventId)
    },
    async finish(id, { eventId, lockedUntil, status, tries, nextTryAt, responseStatus, fault }, at, disabling) {
      const outcome = [status, tries, nextTryAt, responseStatus ?? null, fault ?? null]
      const [values, then] = disabling
        ? [[disabling.reason, disabling.since], disable]
        : status === 'delivered'
          ? [[at], noteDelivery]
          : [[], undefined]
      const noted = await write(
        [id, eventId, lockedUntil, ...outcome, ...values],
        `UPDATE deliveries
         SET status = $4, tries = $5, next_try_at = $6, response_status = $7, fault = $8, locked_until = 0
         WHERE webhook_id = $1 AND event_id = $2 AND locked_until = $3 RETURNING event_id`,
        then && `${then} AND ${ifFirst}`,
      )
      if (noted.length > 0) return true
      await write(
        [id, eventId, lockedUntil + 1],
        `UPDATE deliveries SET locked_until = 0
         WHERE webhook_id = $1 AND event_id = $2 AND locked_until = $3 RETURNING event_id`,
      )
      return false
    },

    deliveries: async (id, before, limit) =>
      deliveries(
        await read(
          `SELECT ${deliveryColumns} FROM deliveries
           WHERE webhook_id = $1 AND event_id < $2 ORDER BY event_id DESC LIMIT $3`,
          ...[String(id), before, limit],
        ),
      ),
    redeliver: async (id, eventId) =>
      deliveries(
        await write(
          [String(id), String(eventId)],
          `${due} WHERE webhook_id = $1 AND event_id = $2 RETURNING ${deliveryColumns}`,
        ),
      )[0],
    purge: (olderThanMilliseconds) => purge(sql, ended, olderThanMilliseconds),
  }
}

/** Removing events removes their deliveries. */
export const withDeliveries = (events: EventTable, webhooks: WebhookTable): EventTable => ({
  ...events,
  async purge(olderThanMilliseconds) {
    await events.purge(olderThanMilliseconds)
    await webhooks.purge(olderThanMilliseconds)
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
