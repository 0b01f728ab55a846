/** `fetch` without any client, for tools that look at requests and answers rather than make them. */
import { byName, type Client, type Reply } from './scenario.ts'

const paths = {
  listPets: 'GET /pets',
  createPet: 'POST /pets',
  getPet: 'GET /pets/ID',
  placeOrder: 'POST /store/orders',
  completeOrder: 'POST /store/orders/ID/complete',
  cancelOrder: 'POST /store/orders/ID/cancel',
}

export type Look = (operation: keyof Client, sent: unknown, reply: Reply<unknown>) => void

export function plain(url: string, key: string, look: Look = () => {}): Client {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  return byName(async (operation, sent) => {
    const [method = '', path = ''] = paths[operation].replace('ID', String(sent)).split(' ')
    const query = operation === 'listPets' ? `?${new URLSearchParams(sent as Record<string, string>)}` : ''
    const body = method === 'POST' && typeof sent === 'object' ? JSON.stringify(sent) : null
    const response = await fetch(`${url}${path}${query}`, { method, body, headers })
    const [{ status }, json] = [response, await response.json()]
    const reply = { status, ...(response.ok ? { data: json } : { error: json }), link: response.headers.get('link') }
    look(operation, sent, reply)
    return reply
  })
}
