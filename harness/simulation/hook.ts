/** What is known of a webhook, and what its receiver has taken. */
export class Hook {
  readonly id: number
  readonly types: readonly string[]
  /** Whether its receiver takes everything at once, and nobody changes it. */
  readonly isSteady: boolean
  /** The last event before it: all after it are to be sent. */
  since: number
  readonly accepted = new Set<number>()
  /** Events that are being sent, and by which start of the service. */
  readonly underWay = new Map<number, object>()
  /** Events that may be removed before they are sent. */
  readonly exempt = new Set<number>()
  /** Events to be sent again, with the tick since which. */
  readonly again = new Map<number, number>()
  /** The secret that it was given last; undefined while that is open. */
  secret: string | undefined
  /** The one before, which signs as well until a time between these two. */
  old: { readonly secret: string; readonly from: number; readonly until: number } | undefined
  /** Tries that have failed: how many of each event, and when the last ended, in ticks. */
  readonly failed = new Map<number, { readonly tries: number; readonly at: number }>()
  /** Where it may lead: more than one after a change that got no answer. */
  urls: ReadonlySet<string>
  /** Changes that are under way: what holds meanwhile is open. */
  changing = 0
  /** Requests under way that change it or have something sent again, and when the last ended: no pause counts then. */
  touching = 0
  touchedAt = 0
  /** When it was last changed so that earlier tries do not count, in ticks. */
  changedAt = 0
  /** Whether something has happened that disables it. */
  mayBeDisabled = false
  /** When it was removed, in ticks, or was to be. */
  removedAt: number | undefined

  constructor(id: number, types: readonly string[], isSteady: boolean, since: number, url: string, secret: string) {
    this.id = id
    this.types = types
    this.isSteady = isSteady
    this.since = since
    this.urls = new Set([url])
    this.secret = secret
  }
}
