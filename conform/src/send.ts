/**
 * Sends requests over HTTP without trusting the answers: their size and time are limited, and no redirect is followed.
 */
import { Agent, type ClientRequest, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as SecureAgent } from 'node:https'
import type { Received } from './expect.ts'
import type { Sent } from './request.ts'

/** Rejects if no complete answer arrives. The message says why, and the error is `Late` if it took too long. */
export type Send = (sent: Sent) => Promise<Received>

interface Bounds {
  readonly bytesMax: number
  readonly timeoutMilliseconds: number
}

/** Thrown if an answer did not arrive in time. This shows nothing about the service, which may only be slow. */
export class Late extends Error {}

export function createSend({ bytesMax, timeoutMilliseconds }: Bounds): Send & { close(): void } {
  const agents = { 'http:': new Agent({ keepAlive: true }), 'https:': new SecureAgent({ keepAlive: true }) }

  function begin(sent: Sent): ClientRequest {
    const { protocol } = new URL(sent.url)
    // The path is used unchanged, because `new URL` would change paths such as /pets/../x.
    const path = sent.url.slice(sent.url.indexOf('/', protocol.length + 2))
    const headers: Record<string, string[]> = {}
    for (const [name, value] of sent.headers) (headers[name] ??= []).push(value)
    if (sent.body || sent.method === 'POST') headers['Content-Length'] = [String(sent.body?.length ?? 0)]
    const agent = agents[protocol as 'http:']
    return (protocol === 'https:' ? requestHttps : requestHttp)(sent.url, { method: sent.method, path, headers, agent })
  }

  const send = (sent: Sent): Promise<Received> =>
    new Promise((resolve, reject) => {
      const request = begin(sent)
      let [isAnswered, isOver] = [false, false]
      const end = (error: Error) => {
        isOver = true
        request.destroy()
        reject(error)
      }
      const seconds = timeoutMilliseconds / 1000
      const timer = setTimeout(() => end(new Late(`no whole answer within ${seconds} s`)), timeoutMilliseconds)
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (isOver) return
        // A server may close an idle connection at the moment at which the next request is sent over it.
        const isClosedBefore = request.reusedSocket && /^(?:ECONNRESET|EPIPE)$/.test(error.code ?? '')
        if (isClosedBefore && !isAnswered) resolve(send(sent))
        else end(new Error(`no answer: ${error.message}`))
      })
      request.on('close', () => clearTimeout(timer))
      request.on('response', (response) => {
        isAnswered = true
        const chunks: Buffer[] = []
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          if ((bytes += chunk.length) > bytesMax) end(new Error(`an answer of more than ${bytesMax} bytes`))
        })
        response.on('error', () => end(new Error('an answer that breaks off')))
        response.on('end', () => {
          const lines = Object.entries(response.headersDistinct).map(
            ([name, values = []]) => [name, values.join(', ')] as const,
          )
          resolve({ status: response.statusCode ?? 0, headers: new Map(lines), text: Buffer.concat(chunks).toString() })
        })
      })
      request.end(sent.body)
    })
  return Object.assign(send, { close: () => Object.values(agents).forEach((agent) => void agent.destroy()) })
}
