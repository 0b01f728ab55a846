/** A connection on virtual time that events are streamed over. */
import type { StreamBody, StreamOutput } from '../../src/http/message.ts'
import type { Life } from './life.ts'
import type { Connection } from './shop.ts'
import type { VirtualWorld } from './virtual-world.ts'

/** What a connection needs from the shop that it leads to. */
interface StreamedShop {
  readonly world: VirtualWorld
  readonly isOpen: boolean
  /** Whether connections fail at this time. */
  readonly isFaulty: boolean
  readonly life: Life
  observe(): void
}

/** The client's end of a stream. Data arrives later than it was sent, or never if the connection is cut meanwhile. */
export class VirtualConnection implements Connection, StreamOutput {
  isOpen = true
  /** Whether the service has ended it. */
  isEnding = false
  /** Whether the client has stopped reading for a while. */
  isSlow = false
  callbacks: ReturnType<StreamBody> | undefined
  readonly #shop: StreamedShop
  readonly #receive: (block: string) => void
  readonly #ended: () => void
  readonly #latency: number

  constructor(shop: StreamedShop, receive: (block: string) => void, ended: () => void) {
    this.#shop = shop
    this.#receive = receive
    this.#ended = ended
    this.#latency = shop.world.between(0.1, 50)
  }

  write(bytes: Uint8Array): boolean {
    const { world } = this.#shop
    if (!this.isOpen || !this.#shop.isOpen) return false
    this.#shop.observe()
    const text = Buffer.from(bytes).toString()
    world.at(world.ticks + this.#latency, () => {
      if (!this.isOpen) return
      for (const block of text.split('\n\n')) if (block) this.#receive(block)
    })
    if (this.isSlow || !this.#shop.isFaulty || !world.chance(0.05)) return !this.isSlow
    this.isSlow = true
    const { life } = this.#shop
    world.at(world.ticks + world.between(0, 45_000), () => {
      this.isSlow = false
      if (this.isOpen && this.#shop.isOpen && this.#shop.life === life) this.callbacks?.drained()
    })
    return false
  }

  end(bytes: Uint8Array): void {
    this.isEnding = true
    this.write(bytes)
    const { world } = this.#shop
    world.at(world.ticks + this.#latency, () => this.#close())
  }

  drop(): void {
    this.#close()
  }

  /** The client cuts the connection. */
  cut(): void {
    this.#shop.world.note('a stream is cut')
    this.#close()
  }

  /** The connection is lost together with the service. */
  lose(): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.#ended()
  }

  #close(): void {
    if (!this.isOpen) return
    this.#ended()
    this.isOpen = false
    this.callbacks?.closed()
  }
}
