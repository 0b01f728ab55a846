/** The service as its users experience it: their requests, its answers, and what it has done. */
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
  /** The client cuts the connection. */
  cut(): void
}

/** Is told what happens to a request in the service itself, whatever the network loses. */
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
  /** Whether the network loses data and receivers fail. */
  isFaulty = true
  requests = 0
  /** Whether the machine itself takes no time. Then everything late is a fault of the service. */
  abstract readonly isPunctual: boolean
  /** HOLD_HOURS, the hours after which an order without an end expires. */
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

  /** The settings in the form of environment variables. */
  get settings(): Record<string, string> {
    return this.holdHours === undefined ? {} : { HOLD_HOURS: String(this.holdHours) }
  }

  /** When the service was last opened or suspended, its clock set, or its disk full or locked, in ticks. */
  abstract get disturbedAt(): number
  abstract get isOpen(): boolean
  /** The id of the last event that was removed. */
  abstract purged(): number
  abstract connect(receive: (block: string) => void, ended: () => void): Connection
  /** Sends one request over the network. */
  abstract send(
    client: Client,
    method: string,
    path: string,
    body: unknown,
    headers?: Record<string, string>,
    told?: Told,
    output?: Connection,
  ): Promise<Result | 'stream'>

  /** Sends a request, and lets the model check the answer. */
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
        // A request that failed inside the service has changed nothing.
        const isJudged = ![401, 429].includes(answer.status) && answer.status < 500
        if (call && isJudged) this.model.check(call, answer)
      },
    })
    return answer === 'stream' ? 'lost' : answer
  }
}
