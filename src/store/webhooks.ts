/** Webhooks and their deliveries, in SQL that both databases understand. */
import type { EventType } from '../model/event.ts'
import type { StoredDelivery, StoredWebhook } from '../model/webhook.ts'
import type { EventTable } from './event-table.ts'
import { createMembersOf, itemAt, Outdated, purge, query, type Sql } from './shared-sql.ts'
import { columnsOf } from './tables.ts'
import { lockMilliseconds, type WebhookTable, waitingMax } from './webhook-table.ts'

const deliveryColumns = columnsOf('deliveries').join()

/** The columns of a new delivery, and in the same order their values from a list. */
const addedColumns = 'event_id, type, subject, at, body'
const addedValues = `${itemAt(0, 'bigint')}, ${itemAt(1)}, ${itemAt(2)}, ${itemAt(3, 'bigint')}, ${itemAt(4)}`

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

/** A row of a webhook, with its old secret only as long as that signs. */
const webhookColumnsAt = (now: string): string =>
  columnsOf('webhooks')
    .map((column) =>
      column === 'old_secret' ? `CASE WHEN old_secret_until > ${now} THEN old_secret END AS old_secret` : column,
    )
    .join()

/** The oldest is found in the index alone: SQLite would otherwise walk through all that was delivered before it. */
const queuesAt = (now: string): string => `SELECT ${webhookColumnsAt(now)},
  (SELECT count(*) FROM (
    SELECT 1 AS one FROM deliveries WHERE webhook_id = webhooks.id AND ${isPending} LIMIT ${waitingMax}
  ) AS open) AS waiting,
  (SELECT ${now} - at FROM deliveries WHERE webhook_id = webhooks.id AND event_id = (
    SELECT event_id FROM deliveries WHERE webhook_id = webhooks.id AND ${isPending} ORDER BY event_id LIMIT 1
  )) AS oldest_milliseconds
  FROM webhooks`

/** Whether a delivery is still locked by this claim. */
const isOwn = 'webhook_id = $1 AND event_id = $2 AND locked_until = $3'
const findOwn = `SELECT made_due FROM deliveries WHERE ${isOwn}`
const unlock = `UPDATE deliveries SET locked_until = 0 WHERE ${isOwn}`

/**
 * A lock beyond twice its time from now was made by a clock that was ahead, and does not count. One that is a little
 * later than from now was made by a statement that began after this one, and ended before it: PostgreSQL counts from
 * the beginning of each.
 */
function claimAt(now: string): string {
  const isDue = `(next_try_at <= ${now} OR next_try_at > ${now} + CAST($2 AS bigint))
    AND (locked_until <= ${now} OR locked_until > ${now} + ${2 * lockMilliseconds})`
  const waiting = `SELECT event_id, subject, next_try_at, locked_until FROM deliveries
    WHERE webhook_id = $1 AND ${isPending} ORDER BY event_id LIMIT ${waitingMax}`
  const ranked = `SELECT *, row_number() OVER (PARTITION BY subject ORDER BY event_id) AS rank
    FROM (${waiting}) AS waiting`
  const due = `SELECT event_id FROM (${ranked}) AS ranked WHERE rank = 1 AND ${isDue} ORDER BY event_id LIMIT $3`
  // Checked again for the rows themselves: on PostgreSQL the result of a try may have been stored since.
  return `UPDATE deliveries SET locked_until = ${now} + ${lockMilliseconds}, made_due = 0
    WHERE webhook_id = $1 AND event_id IN (${due}) AND status = 'pending' AND ${isDue}
    RETURNING ${deliveryColumns}, locked_until`
}

/**
 * Makes deliveries due. A try under way keeps its lock, so that no second one begins beside it; once it ends, its
 * result does not count.
 */
const makeDueAt = (now: string): string =>
  `UPDATE deliveries SET status = 'pending', tries = 0, next_try_at = ${now}, made_due = 1`

/** Stores the result of an attempt in its delivery and its webhook. */
const resultsAt = (now: string) => ({
  finish: `UPDATE deliveries SET status = $4, tries = $5,
    next_try_at = coalesce(${now} + CAST($6 AS bigint), next_try_at), response_status = $7, fault = $8, locked_until = 0
    WHERE ${isOwn} AND made_due = 0 RETURNING event_id`,
  noteDelivery: `UPDATE webhooks SET delivered_at = ${now}
    WHERE id = $1 AND delivered_at < ${now} - ${deliveredMilliseconds}`,
  disable: `UPDATE webhooks SET enabled = 0, reason = $2
    WHERE id = $1 AND enabled = 1 AND delivered_at <= coalesce(${now} - CAST($3 AS bigint), delivered_at)`,
})

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: it is a table of short functions that share the statements
export function createWebhooks(sql: Sql): WebhookTable {
  const { listed, now, read } = sql
  const { write, transaction } = sql.upkeep
  const webhookColumns = webhookColumnsAt(now)
  const queues = queuesAt(now)
  const claim = claimAt(now)
  const makeDue = makeDueAt(now)
  const { finish, noteDelivery, disable } = resultsAt(now)
  const webhooks = (rows: readonly object[]) => rows.map(webhookOf)
  const deliveries = (rows: readonly object[]) => rows.map(deliveryOf)
  const lock = `SELECT id, url FROM webhooks WHERE id = $1 ${sql.forUpdate}`
  /** If another process works on the same webhook, its deliveries are left to that process. */
  const lockEnabled = `SELECT id FROM webhooks WHERE id = $1 AND enabled = 1 ${sql.forUpdateSkipLocked}`

  return {
    insert: ({ url, types, secret, position, createdAt }, max) =>
      transaction(function* () {
        yield* sql.lockTable('webhooks')
        const present = yield* query('SELECT id FROM webhooks LIMIT $1', max)
        if (present.length >= max) return undefined
        const [added] = yield* query(
          `INSERT INTO webhooks (url, types, enabled, secret, position, position_at, created_at)
           VALUES ($1, $2, 1, $3, $4, $5, $6) RETURNING ${webhookColumns}`,
          url,
          types.join(' '),
          secret,
          position.id,
          position.at,
          createdAt,
        )
        return webhookOf(added as object)
      }),
    find: async (id) => webhooks(await read(`SELECT ${webhookColumns} FROM webhooks WHERE id = $1`, String(id)))[0],
    page: async (after, limit) =>
      webhooks(await read(`SELECT ${webhookColumns} FROM webhooks WHERE id > $1 ORDER BY id LIMIT $2`, after, limit)),
    update: (id, { url, types, enabled }) =>
      transaction(function* () {
        const [before] = yield* query<{ url: string }>(lock, String(id))
        if (!before) return undefined
        const [changed] = yield* query(
          `UPDATE webhooks SET url = coalesce($2, url), types = coalesce($3, types), enabled = coalesce($4, enabled),
             reason = CASE WHEN $4 = 1 THEN NULL ELSE reason END
           WHERE id = $1 RETURNING ${webhookColumns}`,
          String(id),
          url ?? null,
          types ? types.join(' ') : null,
          enabled === undefined ? null : Number(enabled),
        )
        const isMoved = url !== undefined && url !== before.url
        if (enabled) yield* query(`${makeDue} WHERE webhook_id = $1 AND status <> 'delivered'`, String(id))
        else if (isMoved) yield* query(`${makeDue} WHERE webhook_id = $1 AND ${isPending}`, String(id))
        return webhookOf(changed as object)
      }),
    rotate: async (id, secret, oldMilliseconds) =>
      webhooks(
        await write(
          `UPDATE webhooks SET old_secret = secret, old_secret_until = ${now} + CAST($3 AS bigint), secret = $2
           WHERE id = $1 RETURNING ${webhookColumns}`,
          String(id),
          secret,
          oldMilliseconds,
        ),
      )[0],
    remove: async (id) => (await write('DELETE FROM webhooks WHERE id = $1 RETURNING id', String(id))).length > 0,

    async queues(id) {
      const one = id === undefined ? [] : [id]
      const rows = await read<QueueRow>(`${queues} WHERE enabled = 1${id === undefined ? '' : ' AND id = $1'}`, ...one)
      return rows.map((row) => ({
        webhook: webhookOf(row),
        waiting: Number(row.waiting),
        oldestMilliseconds: row.oldest_milliseconds === null ? undefined : Number(row.oldest_milliseconds),
      }))
    },
    add: (id, from, to, added) =>
      transaction(function* () {
        const moved = yield* query(
          `UPDATE webhooks SET position = $4, position_at = $5
           WHERE id = $1 AND position = $2 AND position_at = $3 AND enabled = 1 RETURNING id`,
          id,
          from.id,
          from.at,
          to.id,
          to.at,
        )
        if (moved.length === 0) return false
        const rows = added.map(({ eventId, type, subject, at, body }) => [eventId, type, subject, at, body])
        yield* query(
          `INSERT INTO deliveries (webhook_id, ${addedColumns}, status, tries, next_try_at)
           SELECT CAST($1 AS bigint), ${addedValues}, 'pending', 0, 0 FROM ${listed('$2')} WHERE true ON CONFLICT DO NOTHING`,
          id,
          JSON.stringify(rows),
        )
        return true
      }),
    async claim(id, longestPauseMilliseconds, limit) {
      const rows = await transaction(function* () {
        const [enabled] = yield* query(lockEnabled, id)
        return enabled
          ? yield* query<{ locked_until: number | string }>(claim, id, longestPauseMilliseconds, limit)
          : []
      })
      const claims = rows.map((row) => ({ ...deliveryOf(row), lockedUntil: Number(row.locked_until) }))
      return claims.sort((one, other) => one.eventId - other.eventId)
    },
    finish: (id, { eventId, lockedUntil, status, tries, pauseMilliseconds, responseStatus, fault }, disabling) =>
      transaction(function* () {
        const [own] = yield* query<{ made_due: number | string }>(findOwn, id, eventId, lockedUntil)
        if (!own) return false
        if (Number(own.made_due) === 1) {
          yield* query(unlock, id, eventId, lockedUntil)
          return false
        }
        // The webhook is written before its delivery, as in every transaction that writes both. Otherwise two
        // transactions could deadlock.
        if (disabling) yield* query(disable, id, disabling.reason, disabling.silentMilliseconds ?? null)
        else if (status === 'delivered') yield* query(noteDelivery, id)
        const noted = yield* query(
          finish,
          id,
          eventId,
          lockedUntil,
          status,
          tries,
          pauseMilliseconds ?? null,
          responseStatus ?? null,
          fault ?? null,
        )
        if (noted.length === 0) throw new Outdated('the delivery was made due meanwhile')
        return true
      }),

    deliveries: async (id, before, limit) =>
      deliveries(
        await read(
          `SELECT ${deliveryColumns} FROM deliveries
           WHERE webhook_id = $1 AND event_id < $2 ORDER BY event_id DESC LIMIT $3`,
          String(id),
          before,
          limit,
        ),
      ),
    redeliver: async (id, eventId) =>
      deliveries(
        await write(
          `${makeDue} WHERE webhook_id = $1 AND event_id = $2 RETURNING ${deliveryColumns}`,
          String(id),
          String(eventId),
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

interface QueueRow {
  readonly waiting: number | string
  readonly oldest_milliseconds: number | string | null
}

const webhookMembers = createMembersOf('webhooks')
const deliveryMembers = createMembersOf('deliveries')

function webhookOf(row: object): StoredWebhook {
  const { types, enabled, position, positionAt, oldSecretUntil: _, ...others } = webhookMembers(row)
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
