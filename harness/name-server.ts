/** A DNS server on loopback that knows a few names. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'

export class NameServer implements AsyncDisposable {
  /** The names that were asked for. */
  readonly questions: string[] = []
  readonly #socket: Socket = createSocket('udp4')

  /** Starts a server that says of any other name that it does not exist, or that says nothing if it is silent. */
  static async start(known: Readonly<Record<string, readonly string[]>>, isSilent = false): Promise<NameServer> {
    const server = new NameServer()
    const socket = server.#socket
    socket.on('message', (query, { port, address }) => {
      const { name, type, end } = questionIn(query)
      server.questions.push(name)
      const addresses = known[name]
      if (!addresses && isSilent) return
      const answers = (addresses ?? []).filter((each) => (isIPv4(each) ? 1 : 28) === type)
      const head = Buffer.from(query.subarray(0, 12))
      // These flags are those of a recursive server. 3 means that the name does not exist.
      head.writeUInt16BE(0x8180 | (addresses ? 0 : 3), 2)
      head.writeUInt16BE(answers.length, 6)
      head.writeUInt32BE(0, 8)
      socket.send(Buffer.concat([head, query.subarray(12, end), ...answers.map(recordOf)]), port, address)
    })
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return server
  }

  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close()
  }
}

function questionIn(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** Makes a record about the name in the question, which must not be cached. */
function recordOf(address: string): Buffer {
  const isFour = isIPv4(address)
  const bytes = isFour ? Buffer.from(address.split('.').map(Number)) : groupsOf(address)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(isFour ? 1 : 28, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([head, bytes])
}

function groupsOf(address: string): Buffer {
  const [head = [], tail = []] = address.split('::').map((half) => half.split(':').filter(Boolean))
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
