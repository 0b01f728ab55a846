/** What a client can ask about its own API key. */
import { operation } from '../http/operation.ts'
import { Me } from '../model/key.ts'

export const getMe = operation({
  id: 'getMe',
  method: 'GET',
  path: '/me',
  tag: 'keys',
  stability: 'beta',
  summary: 'Describe the API key',
  description:
    'Returns the name of the API key that the request is made with, what it may do, when it expires, and its rate limit.',
  answer: {
    status: 200,
    description: 'The API key.',
    schema: Me,
    example: {
      name: 'Front desk',
      scopes: ['pets:read', 'pets:write', 'orders:read', 'orders:write'],
      expiresAt: '2027-02-13T09:30:00.000Z',
      rate: { requests: 600, seconds: 60 },
    },
    headers: ['ETag', 'Cache-Control'],
  },
  run({ key }, { rateOf }) {
    const { name, scopes, expiresAt } = key
    const until = expiresAt === undefined ? undefined : new Date(expiresAt).toISOString()
    return { status: 200, body: JSON.stringify({ name, scopes, expiresAt: until, rate: rateOf(key) }) }
  },
})
