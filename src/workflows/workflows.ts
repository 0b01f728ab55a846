/**
 * What users do with the API in several steps, declared once: the document at /arazzo.json, the guide's walk-through,
 * the tests and the traffic of a demo are derived from it. Values may be runtime expressions of Arazzo.
 */
import { listEvents } from '../events/operations.ts'
import type { Operation } from '../http/operation.ts'
import { getMe } from '../keys/keys.ts'
import { completeOrder, getOrder, placeOrder, returnOrder } from '../orders/operations.ts'
import { createPet, deletePet, listPets, updatePet } from '../pets/operations.ts'
import { listDeliveries } from '../webhooks/deliveries.ts'
import { createWebhook, deleteWebhook, testWebhook } from '../webhooks/operations.ts'

export type Value = string | number | boolean | readonly string[]

export interface Step {
  readonly text: string
  readonly operation: Operation
  /** Of the path and the query, by name. */
  readonly parameters?: Readonly<Record<string, Value>>
  readonly body?: Readonly<Record<string, Value>>
  /** The input that has the API key, if it is not `apiKey`. */
  readonly key?: string
  /** What a success has, besides its status, by JSON pointer into the body. */
  readonly expect?: Readonly<Record<string, Value>>
  readonly outputs?: Readonly<Record<string, `$response.${string}`>>
  /** Whether it takes a while until it is as expected: the step is repeated until then. */
  readonly isAwaited?: true
}

export interface Workflow {
  readonly title: string
  readonly text: string
  /** The inputs besides `apiKey`, all of them texts, with their meaning. */
  readonly inputs?: Readonly<Record<string, string>>
  readonly steps: Readonly<Record<string, Step>>
}

/** How long to wait before an awaited step is repeated, and how often at most. */
export const retry = { seconds: 1, times: 60 }

const petId = '$steps.addAnimal.outputs.petId'
const orderId = '$steps.orderAnimal.outputs.orderId'

const addAnimal: Step = {
  text: 'Add an animal.',
  operation: createPet,
  body: { name: 'Rex', categoryId: 1 },
  expect: { '/status': 'available' },
  outputs: { petId: '$response.body#/id' },
}
const orderAnimal: Step = {
  text: 'Order it: it is reserved.',
  operation: placeOrder,
  body: { petId },
  expect: { '/status': 'placed' },
  outputs: { orderId: '$response.body#/id' },
}
const sellAnimal: Step = {
  text: 'Complete the order: it is sold.',
  operation: completeOrder,
  parameters: { orderId },
  expect: { '/status': 'completed' },
}
const removeAnimal: Step = { text: 'Remove the animal.', operation: deletePet, parameters: { petId } }

const findAnimal = (text: string, status: string): Step => ({
  text,
  operation: listPets,
  parameters: { id: petId },
  expect: { '/0/status': status },
})

const readEvents = (text: string, after: string, expect: Step['expect'] & {}): Step => ({
  text,
  operation: listEvents,
  parameters: { after: `$steps.${after}.outputs.place`, petId },
  expect,
  outputs: { place: '$response.header.Last-Event-ID' },
  isAwaited: true,
})

export const workflows = {
  firstSale: {
    title: 'First sale',
    text: 'From an animal in the catalogue to its sale.',
    steps: {
      addAnimal,
      findAnimal: findAnimal('Find it: it is for sale.', 'available'),
      orderAnimal,
      sellAnimal,
      findSoldAnimal: findAnimal('Find it again: nobody else can order it.', 'sold'),
    },
  },
  takeBack: {
    title: 'A return',
    text: 'A buyer brings an animal back.',
    steps: {
      addAnimal,
      orderAnimal,
      sellAnimal,
      returnAnimal: {
        text: 'Take it back.',
        operation: returnOrder,
        parameters: { orderId },
        expect: { '/status': 'returned' },
      },
      findAnimal: findAnimal('Find it: it is for sale again.', 'available'),
    },
  },
  reservation: {
    title: 'A reservation that ends',
    text: 'A customer who has reserved an animal does not come.',
    inputs: { heldUntil: 'When the reservation ends: a time within the next minute, such as 2026-11-20T18:00:00Z.' },
    steps: {
      addAnimal,
      orderAnimal: {
        ...orderAnimal,
        text: 'Order it for a customer, until a time.',
        body: { petId, reference: 'Mrs Novak, 555-0117', heldUntil: '$inputs.heldUntil' },
      },
      findHeldAnimal: findAnimal('Find it: it is reserved.', 'pending'),
      seeOrderEnd: {
        text: 'Read the order until its time has passed.',
        operation: getOrder,
        parameters: { orderId },
        expect: { '/status': 'expired' },
        isAwaited: true,
      },
      findAnimal: findAnimal('Find it: it is for sale again.', 'available'),
    },
  },
  follow: {
    title: 'Follow the shop',
    text: 'Learn of every change, in order: here of one animal, without `petId` of all.',
    steps: {
      keepPlace: {
        text: 'Keep the place of the last event: the header `Last-Event-ID`.',
        operation: listEvents,
        parameters: { from: 'now' },
        outputs: { place: '$response.header.Last-Event-ID' },
      },
      addAnimal,
      readAdded: readEvents('Read what has happened since.', 'keepPlace', { '/0/type': 'pet.created' }),
      renameAnimal: {
        text: 'Change its name.',
        operation: updatePet,
        parameters: { petId },
        body: { name: 'Max' },
        expect: { '/name': 'Max' },
      },
      readRenamed: readEvents('Go on where the last page ended.', 'readAdded', {
        '/0/type': 'pet.updated',
        '/0/data/name': 'Max',
      }),
      removeAnimal,
      readRemoved: readEvents('And again.', 'readRenamed', { '/0/type': 'pet.deleted' }),
    },
  },
  rotateKey: {
    title: 'Rotate a key',
    text: 'The operator got a new key from `petstore keys rotate KEY`; the old one goes on for 24 hours.',
    inputs: { newKey: 'The new key; `apiKey` is the one that it replaces.' },
    steps: {
      askOldKey: {
        text: 'Ask when the old key ends.',
        operation: getMe,
        outputs: { name: '$response.body#/name', endsAt: '$response.body#/expiresAt' },
      },
      askNewKey: {
        text: 'Ask for the new key: it has the same name.',
        operation: getMe,
        key: 'newKey',
        expect: { '/name': '$steps.askOldKey.outputs.name' },
      },
    },
  },
  webhook: {
    title: 'Take a webhook',
    text: 'A receiver is sent each new animal.',
    inputs: { url: 'The URL of the receiver, which answers with a status from 200 to 299.' },
    steps: {
      addWebhook: {
        text: 'Add the webhook, and give its secret to the receiver.',
        operation: createWebhook,
        body: { url: '$inputs.url', types: ['pet.created'] },
        outputs: { webhookId: '$response.body#/id', secret: '$response.body#/secret' },
      },
      tryWebhook: {
        text: 'Send a test event.',
        operation: testWebhook,
        parameters: { webhookId: '$steps.addWebhook.outputs.webhookId' },
        expect: { '/delivered': true },
      },
      addAnimal,
      seeDelivery: {
        text: 'Read the deliveries until the animal has arrived.',
        operation: listDeliveries,
        parameters: { webhookId: '$steps.addWebhook.outputs.webhookId' },
        expect: { '/0/type': 'pet.created', '/0/status': 'delivered' },
        isAwaited: true,
      },
      removeAnimal,
      removeWebhook: {
        text: 'Remove the webhook.',
        operation: deleteWebhook,
        parameters: { webhookId: '$steps.addWebhook.outputs.webhookId' },
      },
    },
  },
} as const satisfies Record<string, Workflow>
