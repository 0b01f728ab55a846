/** Webhooks and their deliveries, in SQL that both databases understand. */
import type { EventPosition, EventType } from '../model/event.ts'
import type { StoredDelivery, StoredWebhook, WebhookPatch } from '../model/webhook.ts'
import { createMembersOf, itemAt, purge, type Sql, type SqlValue } from './shared-sql.ts'
import type { EventTable } from './store.ts'

/** An enabled webhook, how many deliveries wait for it (counted up to `waitingMax`), and the time of the oldest event. */
export interface Queue {
  readonly webhook: StoredWebhook
  readonly waiting: number
  readonly oldestAt: number | undefined
}

/** A delivery that this process may try; `lockedUntil` tells the claim from a later one. */
export interface ClaimedDelivery extends StoredDelivery {
  readonly lockedUntil: number
}

/** Webhooks, and the delivery of each event to each of them. Times are milliseconds since 1970. */
export interface WebhookTable {
  /** Undefined if there are `max` already, concurrent inserts included. */
  insert(
    webhook: Pick<StoredWebhook, 'url' | 'types' | 'secret' | 'position' | 'createdAt'>,
    max: number,
  ): Promise<StoredWebhook | undefined>
  find(id: bigint): Promise<StoredWebhook | undefined>
  page(after: number, limit: number): Promise<StoredWebhook[]>
  /** Enabling clears the reason, and makes all that was not delivered due at `now`; another address, all that is pending. */
  update(id: bigint, patch: WebhookPatch, now: number): Promise<StoredWebhook | undefined>
  rotate(id: bigint, secret: string, oldSecretUntil: number): Promise<StoredWebhook | undefined>
  /** Its deliveries stay until they are purged. */
  remove(id: bigint): Promise<boolean>

  /** Of all enabled webhooks, or of one. */
  queues(id?: number): Promise<Queue[]>
  /** Adds deliveries and moves the position, unless another process has moved it, or the webhook was disabled. */
  add(id: number, from: EventPosition, to: EventPosition, added: readonly NewDelivery[]): Promise<boolean>
  /**
   * Locks deliveries to an enabled webhook that are due at `now`, the earliest events first, for `lockMilliseconds` by the clock
   * of the database: of each subject the first, among the first `waitingMax` that wait. What is put off until after `latest`
   * is due too.
   */
  claim(id: number, now: number, latest: number, limit: number): Promise<ClaimedDelivery[]>
  /**
   * Stores the result of a try, unlocks the delivery and, with a reason, disables the webhook. False, with nothing done, if the
   * delivery was claimed again or made due again since.
   */
  finish(id: number, delivery: DeliveryState, disabledFor: string | undefined): Promise<boolean>
  /** Those before the given event, the newest first. */
  deliveries(id: bigint, before: number, limit: number): Promise<StoredDelivery[]>
  /** Makes a delivery due at `now`, whatever its status. */
  redeliver(id: bigint, eventId: bigint, now: number): Promise<StoredDelivery | undefined>
  /** Removes deliveries of events from before the given time, except those still to be tried. */
  purge(before: number): Promise<void>
}

export type NewDelivery = Pick<StoredDelivery, 'eventId' | 'type' | 'subject' | 'at' | 'body'>
type DeliveryState = Omit<ClaimedDelivery, 'type' | 'subject' | 'at' | 'body'>

/** How long a delivery is locked, at most, by a process that was killed. */
export const lockMilliseconds = 25_000
/** A webhook with so many waiting deliveries gets no further ones. A claim examines no more, which takes at most 2 ms. */
export const waitingMax = 1_000

/** The columns of a new delivery, and the items of a list in their order. */
const given = 'event_id, type, subject, at, body'
const items = `${itemAt(0, 'bigint')}, ${itemAt(1)}, ${itemAt(2)}, ${itemAt(3, 'bigint')}, ${itemAt(4)}`

const ended = {
  table: 'deliveries',
  key: 'webhook_id, event_id',
  condition: `at < $1 AND (status <> 'pending' OR webhook_id NOT IN (SELECT id FROM webhooks WHERE enabled = 1))`,
}

/** The first condition repeats that of the partial index, so that the index can be used. */
const isPending = `status <> 'delivered' AND status = 'pending'`

const queues = `SELECT webhooks.*,
  (SELECT count(*) FROM (SELECT 1 AS one FROM deliveries WHERE webhook_id = webhooks.id AND status <> 'delivered' LIMIT ${waitingMax}) AS open) AS waiting,
  (SELECT at FROM deliveries WHERE webhook_id = webhooks.id AND ${isPending} ORDER BY event_id LIMIT 1) AS oldest_at
  FROM webhooks`

/**
 * A lock beyond twice its time from now was made by a clock that was ahead, and does not count. One that is a little later than
 * from now was made by a statement that began after this one, and ended before it: PostgreSQL counts from the beginning of each.
 */
function claimWith({ now, tryLock }: Sql): string {
  const isDue = `(next_try_at <= $2 OR next_try_at > $3) AND (locked_until <= ${now} OR locked_until > ${now} + ${2 * lockMilliseconds})`
  const waiting = `SELECT event_id, subject, next_try_at, locked_until FROM deliveries
    WHERE webhook_id = $1 AND ${isPending} ORDER BY event_id LIMIT ${waitingMax}`
  const placed = `SELECT *, row_number() OVER (PARTITION BY subject ORDER BY event_id) AS place FROM (${waiting}) AS waiting`
  const due = `SELECT event_id FROM (${placed}) AS placed WHERE place = 1 AND ${isDue} ORDER BY event_id LIMIT $4`
  // Checked again for the rows themselves: on PostgreSQL another process may have claimed some since.
  return `UPDATE deliveries SET locked_until = ${now} + ${lockMilliseconds}
    WHERE webhook_id = $1 AND event_id IN (${due}) AND status = 'pending' AND ${isDue} AND ${tryLock('$1')}
      AND EXISTS (SELECT 1 FROM webhooks WHERE id = $1 AND enabled = 1) RETURNING *`
}

export function createWebhooks(sql: Sql): WebhookTable {
  const { listed, read, upkeep: write, alone, ifFirst } = sql
  const claim = claimWith(sql)
  const addAlone = alone('webhooks')
  const webhooks = (rows: readonly object[]) => rows.map(webhookOf)
  const deliveries = (rows: readonly object[]) => rows.map(deliveryOf)
  const change = async (id: bigint, values: readonly SqlValue[], set: string, then?: string, condition = 'true') => {
    const text = `UPDATE webhooks SET ${set} WHERE id = $1 AND ${condition} RETURNING *`
    return webhooks(await write([String(id), ...values], text, then))[0]
  }
  /**
   * Makes deliveries due. A lock stays, changed by a millisecond: a try under way then finds that the lock is not its own, and its
   * result does not count.
   */
  const due = (now: string): string => `UPDATE deliveries SET status = 'pending', tries = 0, next_try_at = ${now},
    locked_until = CASE WHEN locked_until > 0 THEN locked_until - 1 ELSE 0 END`

  /** If `isMoved`, only if the address is another one. */
  function patch(id: bigint, { url, types, enabled }: WebhookPatch, now: number, isMoved: boolean) {
    const affected = enabled ? `status <> 'delivered'` : isMoved ? isPending : undefined
    return change(
      id,
      [
        url ?? null,
        types ? types.join(' ') : null,
        enabled === undefined ? null : Number(enabled),
        ...(affected ? [now] : []),
      ],
      `url = coalesce($2, url), types = coalesce($3, types), enabled = coalesce($4, enabled),
       reason = CASE WHEN $4 = 1 THEN NULL ELSE reason END`,
      affected && `${due('$5')} WHERE webhook_id = $1 AND ${affected} AND ${ifFirst}`,
      isMoved ? 'url <> $2' : undefined,
    )
  }

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
    update: async (id, given, now) =>
      (given.url !== undefined && (await patch(id, given, now, true))) || patch(id, given, now, false),
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
         SELECT CAST($1 AS bigint), ${items}, 'pending', 0, 0 FROM ${listed('$6')} WHERE ${ifFirst} ON CONFLICT DO NOTHING`,
      )
      return moved.length > 0
    },
    async claim(...values) {
      const rows = (await write(values, claim)) as { locked_until: number | string }[]
      const claims = rows.map((row) => ({ ...deliveryOf(row), lockedUntil: Number(row.locked_until) }))
      return claims.sort((one, other) => one.eventId - other.eventId)
    },
    async finish(id, { eventId, lockedUntil, status, tries, nextTryAt, responseStatus, fault }, disabledFor) {
      const outcome = [status, tries, nextTryAt, responseStatus ?? null, fault ?? null]
      const noted = await write(
        [id, eventId, lockedUntil, ...outcome, ...(disabledFor ? [disabledFor] : [])],
        `UPDATE deliveries SET status = $4, tries = $5, next_try_at = $6, response_status = $7, fault = $8, locked_until = 0
         WHERE webhook_id = $1 AND event_id = $2 AND locked_until = $3 RETURNING event_id`,
        disabledFor && `UPDATE webhooks SET enabled = 0, reason = $9 WHERE id = $1 AND enabled = 1 AND ${ifFirst}`,
      )
      return noted.length > 0
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
        ),
      )[0],
    purge: (before) => purge({ upkeep: write }, ended, before),
  }
}

/** Removing events removes their deliveries. */
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
