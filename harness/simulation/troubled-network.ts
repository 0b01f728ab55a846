/**
 * The network between the service and a PostgreSQL server. It delays data, freezes connections, and cuts them either
 * before a statement arrives or after it ran, so that only its answer is lost. This happens most often to COMMIT.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import type { World } from './world.ts'

const troubles = ['cut before', 'cut after', 'delay', 'freeze'] as const
/** The share of the pieces from the service that meet trouble, and of those that contain a COMMIT. */
const chances = { usual: 0.004, commit: 0.04 }
const delayMax = 100
const freezeMax = 1_500

export class TroubledNetwork {
  readonly seen = new Map<string, number>()
  readonly #world: World
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #isFaulty = true

  private constructor(world: World, server: Server) {
    this.#world = world
    this.#server = server
  }

  /** Makes a network to the server that a URL names. */
  static async to(world: World, url: string): Promise<TroubledNetwork> {
    const { hostname, port } = new URL(url)
    const server = createServer((near) => network.#join(near, connect(Number(port), hostname)))
    const network = new TroubledNetwork(world, server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return network
  }

  /** Returns the URL by which the same database is reached through it. */
  through(url: string): string {
    const detour = new URL(url)
    detour.hostname = '127.0.0.1'
    detour.port = String((this.#server.address() as AddressInfo).port)
    return detour.href
  }

  /** From now on, everything arrives. */
  mend(): void {
    this.#isFaulty = false
    for (const socket of this.#sockets) socket.resume()
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #join(near: Socket, far: Socket): void {
    /** Whether the answer to the last piece must be lost. */
    let isLast = false
    const cut = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      this.#sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#sockets.delete(socket)
        cut()
      })
    }
    near.on('data', (piece) => {
      const trouble = this.#troubleFor(piece)
      if (trouble === 'cut before') return cut()
      if (trouble === 'cut after') isLast = true
      if (trouble === 'delay') this.#hold(near, this.#world.between(0, delayMax))
      if (trouble === 'freeze') {
        const milliseconds = this.#world.between(0, freezeMax)
        for (const socket of [near, far]) this.#hold(socket, milliseconds)
      }
      far.write(piece)
    })
    far.on('data', (piece) => (isLast ? cut() : near.write(piece)))
  }

  #troubleFor(piece: Buffer | string): (typeof troubles)[number] | undefined {
    if (!this.#isFaulty) return undefined
    if (!this.#world.chance(piece.includes('COMMIT') ? chances.commit : chances.usual)) return undefined
    const trouble = this.#world.pick(troubles)
    this.seen.set(trouble, (this.seen.get(trouble) ?? 0) + 1)
    this.#world.note(`a connection to the database meets trouble: ${trouble}`)
    return trouble
  }

  /** Continues to read later, or as soon as the network is mended. */
  #hold(socket: Socket, milliseconds: number): void {
    socket.pause()
    this.#world.sleep(milliseconds).then(() => socket.resume())
  }
}
