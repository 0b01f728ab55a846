/** Sends HTTP by hand over a socket, for requests that no client library would send. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Answer } from './service.ts'

export class RawConnection {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #ended = false

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk])
      socket.emit('progress')
    })
    socket.on('drain', () => socket.emit('progress'))
    // The connection may end in any of these ways if the service cuts it.
    for (const end of ['end', 'close', 'error'])
      socket.on(end, () => {
        this.#ended = true
        socket.emit('progress')
      })
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new RawConnection(socket)
  }

  send(data: string | Uint8Array): void {
    this.#socket.write(data)
  }

  /** Resolves once the system has accepted everything that was sent, or the connection is closed. */
  async sent(): Promise<void> {
    while (!this.#ended && this.#socket.writableLength > 0) await once(this.#socket, 'progress')
  }

  /** Returns the next answer, or undefined if the service has closed the connection instead. */
  async answer(): Promise<Answer | undefined> {
    for (;;) {
      const taken = takeAnswer(this.#received)
      if (taken) {
        this.#received = taken.rest
        return taken.answer
      }
      if (this.#ended) return undefined
      await once(this.#socket, 'progress')
    }
  }

  /** Returns every answer until the service closes the connection. */
  async answers(): Promise<Answer[]> {
    const answers: Answer[] = []
    for (;;) {
      const answer = await this.answer()
      if (!answer) return answers
      answers.push(answer)
    }
  }

  /** Stops reading, like a client that is stuck. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  close(): void {
    this.#socket.destroy()
  }

  /** Resets the connection, like a client that has crashed. Resolves once the service has noticed. */
  async reset(): Promise<void> {
    this.#socket.resetAndDestroy()
    await once(this.#socket, 'close')
  }
}

/**
 * Sends the parts, and collects the answers until the service closes the connection. So the last request must have
 * `Connection: close`, or be refused.
 */
export async function exchange(port: number, ...parts: (string | Uint8Array)[]): Promise<Answer[]> {
  const connection = await RawConnection.open(port)
  for (const part of parts) connection.send(part)
  const answers = await connection.answers()
  connection.close()
  return answers
}

/** Makes a request as text from its first line, its header lines and its body. */
export const request = (line: string, headers: readonly string[], body = ''): string =>
  `${[line, ...headers].join('\r\n')}\r\n\r\n${body}`

/** Makes one chunk of a body that is sent without its length. */
export const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

function takeAnswer(bytes: Buffer): { answer: Answer; rest: Buffer } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n')
  const headers = new Headers(lines.map((line) => line.split(/: ?(.*)/s, 2) as [string, string]))
  const bodyEnd = headEnd + 4 + Number(headers.get('content-length') ?? 0)
  if (bytes.length < bodyEnd) return undefined
  const text = bytes.subarray(headEnd + 4, bodyEnd).toString()
  const isJson = headers.get('content-type')?.startsWith('application/json') && !headers.has('content-encoding')
  const answer = {
    status: Number(statusLine.split(' ')[1]),
    headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  }
  return { answer, rest: bytes.subarray(bodyEnd) }
}
