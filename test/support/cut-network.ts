/** A network between a client and a server that can be cut: every connection through it then ends, mid-word or not. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export class CutNetwork {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** What each piece from the server is done with; it goes on to the client unless told otherwise. */
  onAnswer: () => 'pass' | 'cut' = () => 'pass'
  onStatement: () => 'pass' | 'cut' = () => 'pass'

  private constructor(server: Server) {
    this.#server = server
  }

  /** To the server a URL names. */
  static async to(url: string): Promise<CutNetwork> {
    const { hostname, port } = new URL(url)
    const server = createServer((near) => network.#join(near, connect(Number(port), hostname)))
    const network = new CutNetwork(server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return network
  }

  /** The URL by which the same database is reached through this network. */
  through(url: string): string {
    const detour = new URL(url)
    detour.port = String((this.#server.address() as AddressInfo).port)
    return detour.href
  }

  /** Ends every connection: in order, or as a server that crashed would. */
  cut(way: 'close' | 'reset' = 'close'): void {
    for (const socket of this.#sockets) way === 'reset' ? socket.resetAndDestroy() : socket.destroy()
  }

  close(): void {
    this.#server.close()
    this.cut()
  }

  #join(near: Socket, far: Socket): void {
    for (const [from, to, decide] of [
      [near, far, () => this.onStatement()],
      [far, near, () => this.onAnswer()],
    ] as const) {
      this.#sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
      from.on('data', (piece) => {
        if (decide() === 'cut') this.cut()
        else to.write(piece)
      })
    }
  }
}
