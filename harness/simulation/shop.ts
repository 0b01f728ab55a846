/** The service as those who use it meet it: what it is asked, what it answers, and what it has done. */
import { Ledger } from './ledger.ts'
import { Model } from './model.ts'
import type { Client, Result } from './network.ts'
import { type Answer, type Ask, type Call, requestOf } from './requests.ts'
import type { World } from './world.ts'

/** How long events are kept. */
export const keptMilliseconds = 24 * 60 * 60 * 1000

/** The client's end of a stream. */
export interface Connection {
  /** Whether it has stopped reading for a while. */
  readonly isSlow: boolean
  /** By the client. */
  cut(): void
}

/** Who is told of what happens to a request, at the service itself, whatever the network loses. */
export interface Told {
  begun?(): void
  lost?(): void
  answered?(answer: Answer): void
}

export abstract class Shop {
  readonly world: World
  readonly ledger: Ledger
  readonly model: Model
  readonly clients: Record<'staff' | 'buyers' | 'limited' | 'doomed' | 'expiring' | 'rotated', Client> = {} as never
  /** Whether the network loses anything, and receivers fail. */
  isFaulty = true
  requests = 0
  /** Whether the machine takes no time, so that what comes late is a fault of the service. */
  abstract readonly isPunctual: boolean
  /** HOLD_HOURS: when an order ends whose client has named no end. */
  readonly holdHours: number | undefined

  constructor(world: World) {
    this.world = world
    this.holdHours = world.chance(0.3) ? 1 : undefined
    this.ledger = new Ledger(() => ({
      ticks: world.ticks,
      now: world.now(),
      disturbedAt: this.disturbedAt,
      isPunctual: this.isPunctual,
    }))
    this.model = new Model(world, this.ledger, this.holdHours)
  }

  /** As the environment of a process names it. */
  get settings(): Record<string, string> {
    return this.holdHours === undefined ? {} : { HOLD_HOURS: String(this.holdHours) }
  }

  /** When it was opened or suspended last, its clock was set, or its disk was full or locked, in ticks. */
  abstract get disturbedAt(): number
  abstract get isOpen(): boolean
  /** The id of the last event that was removed. */
  abstract purged(): number
  abstract connect(receive: (block: string) => void, ended: () => void): Connection
  /** One request over the network. */
  abstract send(
    client: Client,
    method: string,
    path: string,
    body: unknown,
    headers?: Record<string, string>,
    told?: Told,
    output?: Connection,
  ): Promise<Result | 'stream'>

  /** Asks, and has the model look at the answer. */
  async ask(client: Client, ask: Ask): Promise<Result> {
    const { method, path, body, headers } = requestOf(ask)
    let call: Call | undefined
    const answer = await this.send(client, method, path, body, headers, {
      begun: () => {
        call = { ask, by: client.name, since: this.ledger.last, ...this.world.instant }
        this.model.begun(call)
      },
      lost: () => call && this.model.lost(call),
      answered: (answer) => {
        // What failed within has changed nothing.
        const isJudged = ![401, 429].includes(answer.status) && answer.status < 500
        if (call && isJudged) this.model.check(call, answer)
      },
    })
    return answer === 'stream' ? 'lost' : answer
  }
}
