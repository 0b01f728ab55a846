/** A receiver of webhooks on this machine. It keeps what it receives, and answers as a rule says. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Message {
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** One address of the receiver. */
export interface Inbox {
  readonly url: string
  readonly messages: readonly Message[]
  /** Resolves when this many messages have arrived, or when the time has passed. */
  holds(count: number, milliseconds: number): Promise<void>
}

export interface Receiver {
  inbox(...statuses: readonly number[]): Inbox
  close(): Promise<void>
}

const bytesMax = 2 ** 20

export async function openReceiver(): Promise<Receiver> {
  const inboxes = new Map<string, (message: Message) => number>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('error', () => {})
    for await (const chunk of request) if ((bytes += chunk.length) <= bytesMax) chunks.push(chunk)
    const receive = inboxes.get(request.url ?? '')
    const text = Buffer.concat(chunks).toString()
    response.writeHead(receive?.({ headers: request.headers, text }) ?? 404).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo

  function inbox(...statuses: readonly number[]): Inbox {
    const path = `/conform-${inboxes.size + 1}`
    const messages: Message[] = []
    let onMessage = () => {}
    inboxes.set(path, (message) => {
      messages.push(message)
      onMessage()
      return statuses[messages.length - 1] ?? 204
    })
    const holds = (count: number, milliseconds: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds)
        onMessage = () => {
          if (messages.length < count) return
          clearTimeout(timer)
          resolve()
        }
        onMessage()
      })
    return { url: `http://127.0.0.1:${port}${path}`, messages, holds }
  }

  return {
    inbox,
    async close() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}
