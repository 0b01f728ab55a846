/** Pages of events as they are sent, kept for the next stream: those that fall behind together come to the same places one after another. */
import type { Following } from '../http/operation.ts'
import { type EventPosition, positionText } from '../model/event.ts'
import type { EventTable } from '../store/store.ts'
import { framesOf } from './frames.ts'

/** So few that other requests are answered in between. */
export const pageEvents = 100
/** Some 80,000 events, as clients in one process were seen that far apart. To read and render a page takes 0.2 ms, to write it 0.04. */
const sizeMax = 16 * 1024 * 1024
/** What a page without events takes. */
const sizeMin = 500

export interface Place extends Pick<Following, 'types' | 'petId' | 'after'> {
  /** Streams with the same text get the same events. */
  readonly filter: string
}

interface RenderedPage {
  readonly bytes: Uint8Array
  readonly position: EventPosition
}

export class RecentPages {
  readonly #read: EventTable['page']
  /** The oldest first. */
  readonly #pages = new Map<string, RenderedPage>()
  #size = 0

  constructor(read: EventTable['page']) {
    this.#read = read
  }

  async at({ after, filter, types, petId }: Place): Promise<RenderedPage | 'events_expired'> {
    const name = `${positionText(after)} ${filter}`
    const known = this.#pages.get(name)
    if (known) return known
    // Streams that begin anywhere come to the same places: where the id is a multiple, unless filters leave events out.
    const limit = types || petId !== undefined ? pageEvents : pageEvents - (after.id % pageEvents)
    const page = await this.#read({ after, limit, types, petId })
    if (page === 'events_expired') return page
    const { position } = page
    const rendered = { bytes: framesOf(page.events), position }
    if (position.id > after.id) this.#keep(name, rendered)
    return rendered
  }

  clear(): void {
    this.#pages.clear()
    this.#size = 0
  }

  #keep(name: string, page: RenderedPage): void {
    // Another may have read it meanwhile.
    if (this.#pages.has(name)) return
    this.#pages.set(name, page)
    this.#size += sizeMin + page.bytes.length
    for (const [oldest, { bytes }] of this.#pages) {
      if (this.#size <= sizeMax) return
      this.#pages.delete(oldest)
      this.#size -= sizeMin + bytes.length
    }
  }
}
