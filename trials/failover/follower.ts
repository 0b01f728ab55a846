/** A follower of the feed, who starts over when told to; and what went wrong with it. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface Event {
  readonly id: number
  readonly type: string
  readonly at: string
  readonly data: { readonly id: number; readonly name?: string; readonly createdAt?: string }
}

/** What an event tells, without its id: that may be given out again after it was lost. */
export const newsIn = ({ type, data }: Event): string => `${type} ${data.name ?? `${data.id} ${data.createdAt}`}`

interface Page {
  readonly status: number
  readonly json: unknown
  readonly next: string | undefined
}

const start = '/events?limit=100'

export class Follower {
  isAway = false
  readonly news = new Set<string>()
  #read = new Set<string>()
  /** What it had read each time it was told to start over. */
  #toldAfter: ReadonlySet<string>[] = []

  async follow(get: (path: string) => Promise<Page>): Promise<never> {
    for (let place = start; ; ) {
      while (this.isAway) await sleep(20)
      const { status, json, next } = await get(place)
      if (status === 410) {
        this.#toldAfter.push(this.#read)
        this.#read = new Set()
        this.news.clear()
        place = start
        continue
      }
      for (const event of json as Event[]) {
        this.#read.add(`${event.id} ${event.at}`)
        this.news.add(newsIn(event))
      }
      if (next === undefined || next === place) await sleep(100)
      place = next ?? place
    }
  }

  /** How often it was told since the last call, and how often of these though all it had read is still there. */
  told(): { times: number; inVain: number } {
    const inVain = this.#toldAfter.filter((before) => before.isSubsetOf(this.#read)).length
    const times = this.#toldAfter.length
    this.#toldAfter = []
    return { times, inVain }
  }
}
