/** A webhook and its deliveries. */
import { accepts, Choice, expects, Int64, PageOf, Timestamp } from '../schema/schema.ts'
import { type Schema, type Static, Type } from '../schema/type.ts'
import { type EventPosition, type EventType, eventTypes } from './event.ts'

export const urlLengthMax = 2048

const Url = Type.String({
  format: 'uri',
  minLength: 1,
  maxLength: urlLengthMax,
  [expects]: `an https URL of up to ${urlLengthMax} characters`,
  // The parser of URLs ignores white space and control characters, which other programs would not.
  [accepts]: /^https?:\/\/[^\s\p{Cc}]+$/iu,
  description:
    'The URL that events are sent to. It must be an https URL on port 443 that leads to a public address, unless ' +
    'the operator allows other addresses.',
  examples: ['https://shop.example/hooks'],
})

const types = <T extends Schema>(type: T) =>
  Type.Array(type, {
    maxItems: 100,
    description:
      'The types of events that are sent. If the list is empty, events of every type are sent, including types ' +
      'that are added later.',
  })

/** A request may name only existing types. A response may contain types that an older client does not know. */
const Types = types(Choice(eventTypes, { $id: 'EventType', description: 'A type of events.' }))
const KnownType = Type.String({
  maxLength: 64,
  pattern: '^[a-z.]+$',
  'x-extensible-enum': eventTypes,
  description: 'A type of events.',
})

/** The headers of a message, as Standard Webhooks 1.0 defines them. */
export const messageHeaders = {
  'webhook-id': {
    description:
      'Identifies the message. It is the same in every attempt. An event can be sent twice, so ignore a message ' +
      'whose identifier you have seen before.',
    schema: { type: 'string', maxLength: 64, pattern: '^[\\w-]+$' },
    example: 'msg_3_1042-mwhmvow0',
  },
  'webhook-timestamp': {
    description:
      'When this attempt was made, in seconds since 1970. Refuse a message whose time differs from yours by more ' +
      'than five minutes.',
    schema: { type: 'integer', format: 'int64', minimum: 0 },
    example: 1794735000,
  },
  'webhook-signature': {
    description:
      '`v1,` followed by the base64 of an HMAC-SHA256. It is computed over `webhook-id`, `.`, ' +
      '`webhook-timestamp`, `.` and the exact bytes of the body. Its key is the part of the secret after ' +
      '`whsec_`, decoded from base64. While a secret is being replaced, there are two signatures, separated by a ' +
      'space; one valid signature is enough.',
    schema: { type: 'string', maxLength: 128, pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
} as const

const Enabled = Type.Boolean({ description: 'Whether events are sent to the webhook.' })

export const NewWebhook = Type.Object(
  { url: Url, types: Type.Optional(Types) },
  { $id: 'NewWebhook', additionalProperties: false, description: 'A webhook to add.' },
)

export const WebhookPatch = Type.Partial(
  { url: Url, types: Types, enabled: Enabled },
  {
    $id: 'WebhookPatch',
    additionalProperties: false,
    description: 'The members of a webhook to change.',
  },
)
export type WebhookPatch = Static<typeof WebhookPatch>

const members = {
  id: Int64({ description: 'Unique identifier assigned by the service.' }),
  url: Url,
  types: types(KnownType),
  enabled: Enabled,
  reason: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: '^[ -~]+$',
      description: 'Why the service has disabled the webhook. Absent if the service has not disabled it.',
    }),
  ),
  createdAt: Timestamp('When the webhook was added.'),
}

export const Webhook = Type.Object(members, { $id: 'Webhook', description: 'A URL that events are sent to.' })

export const WebhookWithSecret = Type.Object(
  {
    ...members,
    secret: Type.String({
      maxLength: 50,
      pattern: '^whsec_[A-Za-z0-9+/]+=*$',
      description: 'The secret with which receivers verify signatures. It is shown only in this response.',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
    }),
  },
  { $id: 'WebhookWithSecret', description: 'A webhook and its new secret.' },
)

export const Webhooks = PageOf(Webhook, 'Webhooks', 'webhooks, in ascending order of `id`')

const deliveryFaults = [
  'name_not_resolved',
  'address_not_allowed',
  'connection_failed',
  'tls_failed',
  'no_response',
  'invalid_response',
  'timeout',
  'aborted',
] as const
export type DeliveryFault = (typeof deliveryFaults)[number]

const answer = {
  responseStatus: Type.Optional(
    Type.Integer({
      format: 'int32',
      minimum: 200,
      maximum: 599,
      description: 'The HTTP status of the response from the receiver.',
    }),
  ),
  fault: Type.Optional(
    Type.Unsafe<DeliveryFault>({
      type: 'string',
      maxLength: 64,
      pattern: '^[a-z_]+$',
      'x-extensible-enum': deliveryFaults,
      description: 'Why there was no response.',
    }),
  ),
}

const DeliveryStatus = Choice(['pending', 'delivered', 'failed'], {
  $id: 'DeliveryStatus',
  description: 'State of the delivery. A `failed` delivery is not retried unless you request it.',
})
type DeliveryStatus = Static<typeof DeliveryStatus>

export const Delivery = Type.Object(
  {
    id: Int64({ description: 'Identifier of the event that is delivered.' }),
    type: KnownType,
    at: Timestamp('When the event happened.'),
    status: DeliveryStatus,
    tries: Type.Integer({ format: 'int32', minimum: 0, maximum: 10, description: 'The number of attempts so far.' }),
    ...answer,
    nextTryAt: Type.Optional(Timestamp('When the next attempt is made. Absent unless the delivery is `pending`.')),
  },
  {
    $id: 'Delivery',
    description:
      'The delivery of one event to one webhook. `responseStatus` and `fault` are those of the last attempt.',
  },
)

export const Deliveries = PageOf(Delivery, 'Deliveries', 'deliveries, the newest event first')

export const WebhookTest = Type.Object(
  {
    delivered: Type.Boolean({ description: 'Whether the receiver answered with a status from 200 to 299.' }),
    ...answer,
  },
  { $id: 'WebhookTest', description: 'The result of a test event.' },
)

/** A webhook as stored. Times are milliseconds since 1970. */
export interface StoredWebhook {
  readonly id: number
  readonly url: string
  readonly types: readonly EventType[]
  readonly enabled: boolean
  readonly reason: string | undefined
  readonly createdAt: number
  /** The secret is stored in clear text, because it is needed to sign. */
  readonly secret: string
  /** The previous secret, while it still signs as well. */
  readonly oldSecret: string | undefined
  /** The last event that was read for the webhook: all events up to it that are to be sent exist as deliveries. */
  readonly position: EventPosition
}

export interface StoredDelivery {
  readonly eventId: number
  readonly type: string
  /** The animal or category that the event is about: events of one subject are delivered in their order. */
  readonly subject: string
  readonly at: number
  readonly body: string
  readonly status: DeliveryStatus
  readonly tries: number
  readonly nextTryAt: number
  readonly responseStatus: number | undefined
  readonly fault: DeliveryFault | undefined
}

/** The secrets that sign. */
export const secretsOf = ({ secret, oldSecret }: StoredWebhook): string[] =>
  oldSecret === undefined ? [secret] : [secret, oldSecret]
