/**
 * One answer for all workers: the worker that is asked sends its samples to the parent, which asks the others and sends
 * back the sum. A sum of counters must never fall, or Prometheus takes it for a restart and sees all of it as new: the last
 * known counters stand in for a worker that is silent, and stay when one has died.
 */
import { refuse } from '../errors.ts'
import type { Collect, Sample } from '../metrics.ts'
import { cumulative, merge } from '../observe/exposition.ts'
import type { ShareRates } from '../store/store.ts'
import { type Channel, type OtherProcess, openChannel } from './channel.ts'

/** Well below the 10 seconds that Prometheus waits for a scrape. */
export const answerMilliseconds = 1_000

export interface Peer {
  readonly channel: Channel
}

/** The parent's side. */
export class MetricsExchange {
  readonly #peers: () => readonly Peer[]
  /** What each worker said last. */
  readonly #last = new Map<Peer, readonly Sample[]>()
  /** The counters of those that have died. */
  #departed: Sample[] = []

  constructor(peers: () => readonly Peer[]) {
    this.#peers = peers
  }

  /** The sum of all, for a worker that was asked and has these samples. */
  async sum(asked: Peer, samples: readonly Sample[]): Promise<Sample[]> {
    this.#last.set(asked, samples)
    const heard = new Set([asked])
    const answers = this.#others(heard).map(async (peer) => {
      this.#last.set(peer, await peer.channel.ask<readonly Sample[]>('metrics'))
      heard.add(peer)
    })
    await inTime(Promise.allSettled(answers), answerMilliseconds)
    const parts = [...this.#last].map(([peer, known]) => (heard.has(peer) ? known : cumulative(known)))
    return merge([...parts, this.#departed, [['petstore_workers_silent', this.#others(heard).length]]])
  }

  #others(heard: ReadonlySet<Peer>): Peer[] {
    return this.#peers().filter((peer) => !heard.has(peer))
  }

  /** Called when a worker has ended. */
  forget(peer: Peer): void {
    peer.channel.close()
    this.#departed = merge([this.#departed, cumulative(this.#last.get(peer) ?? [])])
    this.#last.delete(peer)
  }
}

/** A worker's side. */
export function connectToParent(parent: OtherProcess) {
  let own: Collect = () => []
  const { ask, close } = openChannel(parent, { metrics: () => own() })
  const shareRates: ShareRates = (uses) => ask('rates', uses)

  return {
    shareRates,
    combine(collect: Collect): () => Promise<readonly Sample[]> {
      own = collect
      return async () => {
        const sum = ask<readonly Sample[]>('metrics', own()).catch(() => undefined)
        // The samples of this worker alone would look like a restart.
        const samples = await inTime(sum, 2 * answerMilliseconds)
        return samples ?? refuse('unavailable', 'The parent process did not answer.', ['Retry-After', '1'])
      }
    },
    close,
  }
}

/** What a promise resolves with, or undefined if that takes longer. */
async function inTime<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(late.resolve, milliseconds)
  const first = await Promise.race([promise, late.promise])
  clearTimeout(timer)
  return first
}
