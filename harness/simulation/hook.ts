/** What is known about a webhook, and what its receiver has accepted. */
export class Hook {
  readonly id: number
  readonly types: readonly string[]
  /** Whether its receiver accepts everything immediately, and nobody changes the webhook. */
  readonly isSteady: boolean
  /** The last event before the webhook was added. All later events must be sent. */
  since: number
  readonly accepted = new Set<number>()
  /** Events that are being sent, with the start of the service that sends them. */
  readonly underWay = new Map<number, object>()
  /** Events that may be removed before they are sent. */
  readonly exempt = new Set<number>()
  /** Events that must be sent again, with the tick of the request. */
  readonly again = new Map<number, number>()
  /** The secret that was set last. Undefined while that is uncertain. */
  secret: string | undefined
  /** The previous secret. It also signs until a moment between these two. */
  old: { readonly secret: string; readonly from: number; readonly until: number } | undefined
  /** Failed attempts: their number for each event, and when the last one ended, in ticks. */
  readonly failed = new Map<number, { readonly tries: number; readonly at: number }>()
  /** The addresses that it may have. There are several after a change without an answer. */
  urls: ReadonlySet<string>
  /** The number of changes in progress. Meanwhile the state is uncertain. */
  changing = 0
  /**
   * The number of requests in progress that change it or send something again, and when the last one ended. Pauses do
   * not count at that time.
   */
  touching = 0
  touchedAt = 0
  /** When it was last changed in a way that resets earlier attempts, in ticks. */
  changedAt = 0
  /** Whether something has happened that may disable it. */
  mayBeDisabled = false
  /** When it was removed or was to be removed, in ticks. */
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
