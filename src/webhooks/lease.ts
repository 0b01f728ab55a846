/**
 * Which webhooks this process delivers for. A lease lasts as long as it is renewed: whoever has seen it unchanged for its
 * whole time, by a clock of its own, takes it. So a killed process keeps none, and clocks need not agree.
 */
import type { Clock } from '../clock.ts'
import type { StoredWebhook } from '../model/webhook.ts'
import type { WebhookTable } from '../store/webhooks.ts'

export const leaseMilliseconds = 30_000

/** Takes what is free, renews what it has, and returns the webhooks of all. */
export type TakeLeases = () => Promise<StoredWebhook[]>

export function createLeases(table: WebhookTable, holder: string, ticks: Clock): TakeLeases {
  /** The leases of others, and since when they are as they are. */
  let others = new Map<number, { readonly beat: number; readonly since: number }>()

  return async () => {
    const leases = await table.leases()
    const now = ticks()
    const seen = new Map<number, { readonly beat: number; readonly since: number }>()
    const wanted = leases.filter((lease) => {
      if (lease.holder === undefined || lease.holder === holder) return true
      const { id } = lease.webhook
      const before = others.get(id)
      const since = before?.beat === lease.beat ? before.since : now
      seen.set(id, { beat: lease.beat, since })
      return now - since >= leaseMilliseconds
    })
    others = seen
    if (wanted.length === 0) return []
    const taken = new Set(await table.lease(holder, wanted))
    return wanted.map(({ webhook }) => webhook).filter(({ id }) => taken.has(id))
  }
}
