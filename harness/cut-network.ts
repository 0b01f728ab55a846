/**
 * A network between a client and a server. It can be cut, lose what is sent, or lead new connections to another server.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

type Fate = 'pass' | 'drop' | 'cut'

export class CutNetwork {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #target: string
  /** The number of connections that were made through it. */
  connections = 0
  /** Decides what happens to each piece of data from the server. By default it reaches the client. */
  onAnswer: () => Fate = () => 'pass'
  onStatement: () => Fate = () => 'pass'

  private constructor(server: Server, target: string) {
    this.#server = server
    this.#target = target
  }

  /** Makes a network to the server that a URL names. */
  static async to(url: string): Promise<CutNetwork> {
    const server = createServer((near) => {
      const { hostname, port } = new URL(network.#target)
      network.connections++
      network.#join(near, connect(Number(port), hostname))
    })
    const network = new CutNetwork(server, url)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return network
  }

  /** The URL by which the same database is reached through this network. */
  through(url: string): string {
    const detour = new URL(url)
    detour.port = String((this.#server.address() as AddressInfo).port)
    return detour.href
  }

  /** Leads new connections to another server, as if its address had moved. Open connections stay where they are. */
  leadTo(url: string): void {
    this.#target = url
  }

  /** Ends every connection, either in order or like a server that crashes. */
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
        const fate = decide()
        if (fate === 'cut') this.cut()
        if (fate === 'pass') to.write(piece)
      })
    }
  }
}
