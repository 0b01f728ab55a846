/**
 * One answer for all workers: the worker that is asked sends its samples to the parent, which asks the others and sends
 * back the sum. A sum of counters must never fall, or Prometheus takes it for a restart and sees all of it as new: the last
 * known counters stand in for a worker that is silent, and stay when one has died.
 */
import { refuse } from '../errors.ts'
import type { Collect, Sample } from '../metrics.ts'
import { cumulative, merge } from '../observe/exposition.ts'

/** Well below the 10 seconds that Prometheus waits for a scrape. */
export const answerMilliseconds = 1_000

/** To the parent with samples, to a worker without: it is asked for them. `sum` marks what is to be, or is, the sum of all. */
interface Message {
  readonly type: 'metrics'
  readonly id: number
  readonly samples?: readonly Sample[]
  readonly sum?: boolean
}

const isOurs = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === 'metrics'

/** A process at the other end of a channel; `child_process` and `process` have the same methods. */
interface Channel {
  send?(message: Message): unknown
  readonly connected: boolean
}

export interface Peer {
  readonly child: Channel
}

interface Round {
  readonly silent: Set<Peer>
  readonly finish: () => void
}

/** The parent's side. */
export class MetricsExchange {
  readonly #peers: () => readonly Peer[]
  readonly #later: (run: () => void, milliseconds: number) => () => void
  /** What each worker said last. */
  readonly #last = new Map<Peer, readonly Sample[]>()
  /** The counters of those that have died. */
  #departed: Sample[] = []
  readonly #rounds = new Map<number, Round>()
  #ids = 0

  constructor(peers: () => readonly Peer[], later = afterTime) {
    this.#peers = peers
    this.#later = later
  }

  receive(peer: Peer, message: unknown): void {
    if (!isOurs(message) || !message.samples) return
    this.#last.set(peer, message.samples)
    if (message.sum) this.#ask(peer, message.id)
    else this.#heard(peer, this.#rounds.get(message.id))
  }

  /** Called when a worker has ended. */
  forget(peer: Peer): void {
    this.#departed = merge([this.#departed, cumulative(this.#last.get(peer) ?? [])])
    this.#last.delete(peer)
    for (const round of this.#rounds.values()) this.#heard(peer, round)
  }

  #heard(peer: Peer, round: Round | undefined): void {
    if (round?.silent.delete(peer) && round.silent.size === 0) round.finish()
  }

  #ask(asking: Peer, askedAs: number): void {
    const id = ++this.#ids
    const others = this.#peers().filter((peer) => peer !== asking)
    const silent = new Set(others)
    const finish = () => {
      cancel()
      this.#rounds.delete(id)
      const parts = [...this.#last].map(([peer, samples]) => (silent.has(peer) ? cumulative(samples) : samples))
      const samples = merge([...parts, this.#departed, [['petstore_workers_silent', silent.size]]])
      tell(asking.child, { type: 'metrics', id: askedAs, sum: true, samples })
    }
    const cancel = this.#later(finish, answerMilliseconds)
    this.#rounds.set(id, { silent, finish })
    for (const { child } of others) tell(child, { type: 'metrics', id })
    if (others.length === 0) finish()
  }
}

/** A worker's side, in the form of `process`. */
export interface WorkerProcess extends Channel {
  on(event: 'message', listener: (message: unknown) => void): unknown
  off(event: 'message', listener: (message: unknown) => void): unknown
}

export function shareMetrics(parent: WorkerProcess, later = afterTime) {
  const waiting = new Map<number, (samples: readonly Sample[] | undefined) => void>()
  let ids = 0
  let own: Collect = () => []

  function onMessage(message: unknown): void {
    if (!isOurs(message)) return
    if (message.sum) waiting.get(message.id)?.(message.samples)
    else tell(parent, { type: 'metrics', id: message.id, samples: own() })
  }
  parent.on('message', onMessage)

  return {
    combine(collect: Collect): () => Promise<readonly Sample[]> {
      own = collect
      return async () => {
        const id = ++ids
        const { promise, resolve } = Promise.withResolvers<readonly Sample[] | undefined>()
        waiting.set(id, resolve)
        const cancel = later(() => resolve(undefined), 2 * answerMilliseconds)
        tell(parent, { type: 'metrics', id, sum: true, samples: own() })
        const samples = await promise
        waiting.delete(id)
        cancel()
        // The samples of this worker alone would look like a restart.
        return samples ?? refuse('unavailable', 'The parent process did not answer.', ['Retry-After', '1'])
      }
    },
    /** The channel would keep the process running. */
    stop: () => parent.off('message', onMessage),
  }
}

function tell(channel: Channel, message: Message): void {
  if (channel.connected) channel.send?.(message)
}

function afterTime(run: () => void, milliseconds: number): () => void {
  const timer = setTimeout(run, milliseconds)
  return () => clearTimeout(timer)
}
