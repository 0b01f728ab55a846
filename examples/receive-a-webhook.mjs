// @ts-check
/**
 * Receiving a webhook: a server of this machine is sent each new animal, and checks that the shop has sent it. The key
 * needs the scopes webhooks:write and pets:write, and the service the setting WEBHOOKS_ALLOW=127.0.0.1, because
 * webhooks are otherwise sent to public addresses only.
 *
 * Run it with: PETSTORE_KEY=pst_… npm run example receive-a-webhook
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { PetStore, verifyWebhook } from 'petstore-client'

const { PETSTORE_URL = 'http://127.0.0.1:8080/v1', PETSTORE_KEY = '' } = process.env
const petstore = new PetStore({ baseUrl: PETSTORE_URL, apiKey: PETSTORE_KEY })

let secret = ''
const receiver = createServer(async (request, response) => {
  try {
    const event = await verifyWebhook(secret, request.headers, await text(request))
    response.writeHead(204).end()
    receiver.emit('event', event)
  } catch {
    response.writeHead(400).end()
  }
})
await once(receiver.listen(0, '127.0.0.1'), 'listening')
const { port } = /** @type {import('node:net').AddressInfo} */ (receiver.address())

const webhook = await petstore.webhooks.create({ url: `http://127.0.0.1:${port}/`, types: ['pet.created'] })
secret = webhook.secret
const arrived = once(receiver, 'event')
await petstore.pets.create({ name: 'Kiwi', categoryId: 4n })
const [event] = await arrived
console.log(`${event.type}: ${event.data.name}`)

await petstore.webhooks.delete(webhook.id)
receiver.close()
