/** Calls `fetch` without a client, for tools that check requests and responses instead of making them. */
import { byName, type Client, type Reply, type Sent } from './operations.ts'

export type Look = (operation: keyof Client, sent: Sent, reply: Reply<unknown>) => void

export function plain(url: string, key: string, look: Look = () => {}): Client {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  return byName(async (id, sent, { method, path }) => {
    const target = path.replace(/\{(\w+)\}/g, (_, name) => String(sent.path[name]))
    const body = sent.body ? JSON.stringify(sent.body) : null
    // On a busy machine, a reused connection may be closed at that moment.
    const options = { method, body, headers, keepalive: false }
    const response = await fetch(`${url}${target}?${new URLSearchParams(sent.query)}`, options)
    const text = await response.text()
    const json = text === '' ? undefined : JSON.parse(text)
    const reply = {
      status: response.status,
      ...(response.ok ? { data: json } : { error: json }),
      link: response.headers.get('link'),
    }
    look(id, sent, reply)
    return reply
  })
}
