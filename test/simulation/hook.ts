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
  readonly secrets: Set<string>
  /** Where it may lead: more than one after a change that got no answer. */
  urls: ReadonlySet<string>
  /** Changes that are under way: what holds meanwhile is open. */
  changing = 0
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
    this.secrets = new Set([secret])
  }
}
