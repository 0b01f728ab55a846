/** The API key of the caller, as it may see it. */
import { Type } from '@sinclair/typebox'
import { limits } from '../limits.ts'
import { Choice, Timestamp } from '../schema/schema.ts'
import { scopes } from './key.ts'

const { requestsMax, secondsMax } = limits.rate

export const KeyScope = Choice(scopes, { $id: 'KeyScope', description: 'Something that an API key may do.' })

export const Me = Type.Object(
  {
    name: Type.String({ description: 'The name that the operator gave to the key.', maxLength: 100 }),
    scopes: Type.Array(KeyScope, { description: 'What the key may do.', maxItems: scopes.length }),
    expiresAt: Type.Optional(Timestamp('When the key expires; absent if it does not.')),
    rate: Type.Optional(
      Type.Object(
        {
          requests: Type.Integer({ minimum: 1, maximum: requestsMax, description: 'Requests that may be made.' }),
          seconds: Type.Integer({ minimum: 1, maximum: secondsMax, description: 'In how many seconds.' }),
        },
        { description: 'The rate limit of the key; absent if it has none.' },
      ),
    ),
  },
  { $id: 'Me', description: 'The API key that the request was made with.' },
)
