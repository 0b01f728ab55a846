/**
 * Fills an empty service until it contains what the examples of the document name: pet 42, order 7, category 1, webhook
 * 3.
 */
const { PETSTORE_URL, PETSTORE_KEY } = process.env
const headers = { Authorization: `Bearer ${PETSTORE_KEY}`, 'Content-Type': 'application/json' }

export async function send(method: string, path: string, body: object): Promise<void> {
  const answer = await fetch(`${PETSTORE_URL}${path}`, { method, headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
}

for (let id = 1; id <= 45; id++) await send('POST', '/pets', { name: 'Rex', categoryId: 1 })
for (let petId = 1; petId <= 8; petId++) await send('POST', '/store/orders', { petId })
for (const id of [1, 3]) await send('PUT', `/categories/${id}`, { name: 'Dogs' })
for (let id = 1; id <= 4; id++) await send('POST', '/webhooks', { url: 'https://shop.example/hook' })
