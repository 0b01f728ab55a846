/** Applies contract faults of the catalogue to what a shop receives, answers and sends. */
import type { Fault } from '../../conform/src/faults.ts'
import type { Incoming, Outgoing } from '../http/message.ts'
import type { WebhookSender } from '../webhooks/send.ts'

/** A request with some members changed. A plain copy would lack the members of its class. */
export const changed = (incoming: Incoming, changes: Partial<Incoming>): Incoming => ({
  method: incoming.method,
  target: incoming.target,
  fault: incoming.fault,
  header: (name) => incoming.header(name),
  address: () => incoming.address(),
  body: (bytesMax, onReceived) => incoming.body(bytesMax, onReceived),
  ...changes,
})

export function faultyRequest(incoming: Incoming, { change: { target, body, sent, of = /./ } }: Fault): Incoming {
  if (!of.test(`${incoming.method} ${incoming.target}`)) return incoming
  return changed(incoming, {
    target: target ? incoming.target.replace(target[0], target[1] as string) : incoming.target,
    async body(bytesMax, onReceived) {
      const bytes = await incoming.body(bytesMax, onReceived)
      const text = bytes && body && Buffer.from(bytes).toString('latin1')
      return text ? Buffer.from(text.replace(body[0], body[1] as string), 'latin1') : bytes
    },
    header(name) {
      const value = incoming.header(name)
      if (name !== sent?.[0] || value === undefined) return value
      return value.replace(sent[1], sent[2]) || undefined
    },
  })
}

export function faultyAnswer(outgoing: Outgoing, { method, target }: Incoming, { change }: Fault): Outgoing {
  const { header, text, status = outgoing.status, of = /./ } = change
  const sent = textOf(outgoing)
  if (sent === undefined || !of.test(`${outgoing.status} ${method} ${target}`)) return outgoing
  const body = text ? sent.replace(text[0], text[1] as string) : sent
  const isSized = method !== 'HEAD' && status !== 204 && status !== 304
  const headers = header ? withHeader(outgoing.headers, ...header) : outgoing.headers
  return {
    status,
    body,
    headers: isSized ? withHeader(headers, 'Content-Length', String(Buffer.byteLength(body))) : headers,
  }
}

/** Undefined for a stream. The pages and the document are bytes that may be compressed, so they are left unchanged. */
function textOf({ body, headers }: Outgoing): string | undefined {
  if (typeof body === 'string') return body
  return body instanceof Uint8Array && !headers.includes('Content-Encoding') ? Buffer.from(body).toString() : undefined
}

function withHeader(headers: readonly string[], name: string, value?: string): string[] {
  const isOther = (_: string, index: number) => headers[index - (index % 2)]?.toLowerCase() !== name.toLowerCase()
  const others = headers.filter(isOther)
  return value === undefined ? others : [...others, name, value]
}

/** Faults may come and go while the sender is used. */
export function faultySender(sender: WebhookSender, faultsNow: () => readonly Fault[]): WebhookSender {
  const wrong = (message: Parameters<WebhookSender['send']>[0]) => {
    const secrets = faultsNow().flatMap(({ change: { secret } }) => secret ?? [])
    return secrets.length > 0 ? { ...message, secrets } : message
  }
  return { ...sender, send: (message) => sender.send(wrong(message)), test: (message) => sender.test(wrong(message)) }
}
