/** The webhooks of the OpenAPI document: the request that a receiver gets for each event. */
import { type EventType, eventSchemaOf, eventTypes, TestEvent } from '../model/event.ts'
import { messageHeaders } from '../model/webhook.ts'
import { type Components, type Node, pascalCase, reference, stabilityNode } from './openapi-operation.ts'

type SentType = EventType | 'webhook.test'

const meanings: Readonly<Record<SentType, string>> = {
  'pet.created': 'An animal was added',
  'pet.updated': 'An animal was changed',
  'pet.deleted': 'An animal was removed',
  'order.placed': 'An order was placed',
  'order.completed': 'An order was completed',
  'order.cancelled': 'An order was cancelled',
  'order.returned': 'An animal that was sold was taken back',
  'order.expired': 'An order expired',
  'order.updated': 'The reference or the end of an order was changed',
  'category.named': 'A category was given a name',
  'category.unnamed': 'The name of a category was removed',
  'webhook.test': 'A test event was requested',
}

const at = '2026-11-15T09:30:00.000Z'

/** The subject of an event of this type, such as `pet`, and what happened to it. */
function exampleOf(type: SentType): Node {
  const [subject = '', verb] = type.split('.')
  const data: Node = {
    pet: { id: 42, name: 'Rex', categoryId: 1, status: 'available' },
    order: { id: 7, petId: 42, status: verb === 'updated' ? 'placed' : verb, createdAt: at, updatedAt: at },
    category: { id: 1, name: 'Dogs' },
    webhook: { id: 3 },
  }
  return { id: type === 'webhook.test' ? 0 : 1042, type, at, by: 'Front desk', data: data[subject] }
}

/** The webhooks by type of event. Adds the schemas and parameters that they use to `components`. */
export function webhookNodes({ schemas, parameters }: Components): Node {
  for (const [name, { description, schema, example }] of Object.entries(messageHeaders))
    parameters[name] = { name, in: 'header', required: true, description, schema, example }
  const nodeOf = (type: SentType): Node => ({
    operationId: `on${pascalCase(type)}`,
    tags: ['events'],
    summary: meanings[type],
    description:
      type === 'webhook.test'
        ? 'Sent once when `testWebhook` is called, even to a webhook that is disabled.'
        : `Sent to every webhook whose \`types\` include \`${type}\` or are empty.`,
    ...stabilityNode('beta'),
    // A receiver authenticates the service by the signature.
    security: [],
    parameters: Object.keys(messageHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: reference(type === 'webhook.test' ? TestEvent : eventSchemaOf(type), schemas),
          example: exampleOf(type),
        },
      },
    },
    responses: {
      '2XX': { description: 'Any status from 200 to 299 means that the event was delivered. The body is ignored.' },
      410: { description: 'The receiver no longer exists. The service disables the webhook.' },
      default: {
        description:
          'Any other status, or no response within 20 seconds, means that the event was not delivered. It is sent ' +
          'again, up to ten times in three days.',
      },
    },
  })
  return Object.fromEntries([...eventTypes, 'webhook.test' as const].map((type) => [type, { post: nodeOf(type) }]))
}
