/** The operations on animals. */
import { refuse } from '../errors.ts'
import { operation } from '../http/operation.ts'
import { nextLink, pageStart } from '../http/paging.ts'
import { beta, cursor, int64, int64List, oneOf, pageSize } from '../http/parameters.ts'
import { NewPet, Pet, PetStatus, Pets } from './pet.ts'

const exampleNewPet = { name: 'Rex', categoryId: 1, status: 'available' }
const examplePet = { id: 42, ...exampleNewPet }
const getPetRemoval = '2030-12-05'

export const listPets = operation({
  id: 'listPets',
  method: 'GET',
  path: '/pets',
  tag: 'animals',
  scope: 'pets:read',
  summary: 'List animals',
  description:
    'A page of animals in ascending order of `id`. When more follow, the `Link` header leads to the next page; ' +
    'walking the pages shows every animal that stood at the start once, also while others are being added.',
  query: {
    limit: pageSize(100, 20, 'Maximum number of animals to return.'),
    status: oneOf(PetStatus, 'Return only animals with this status.'),
    categoryId: beta(int64('Return only animals of this category.')),
    id: beta(int64List(100, 'Return only the animals with these identifiers.')),
    cursor: beta(cursor),
  },
  answer: {
    status: 200,
    description: 'A page of animals.',
    schema: Pets,
    example: [examplePet, { id: 43, name: 'Whiskers', categoryId: 2, status: 'pending' }],
    headers: ['Link', 'ETag', 'Cache-Control'],
  },
  async run({ query }, { store, publicUrl }) {
    const { limit, status, categoryId, id: ids } = query
    const page = await store.pets.page({ after: pageStart('/pets', query), limit, status, categoryId, ids })
    return {
      status: 200,
      body: page.json,
      ...(page.next !== undefined && { headers: ['Link', nextLink(publicUrl, '/pets', query, page.next)] }),
    }
  },
})

export const createPet = operation({
  id: 'createPet',
  method: 'POST',
  path: '/pets',
  tag: 'animals',
  scope: 'pets:write',
  summary: 'Add an animal',
  description:
    'Adds an animal and assigns its `id`. Without a `status` it is `available`. A member `id` is ignored, so that a Pet may be handed back. ' +
    'The answer is sent once the animal is on the disk; with an `Idempotency-Key` the request can be repeated safely for 24 hours.',
  body: {
    schema: NewPet,
    ignored: ['id'],
    examples: { whole: exampleNewPet, least: { name: 'Rex', categoryId: 1 } },
  },
  repeatable: true,
  answer: {
    status: 201,
    description: 'Animal added; the body carries the assigned `id`.',
    schema: Pet,
    example: examplePet,
    headers: ['Location', 'Idempotency-Replayed'],
  },
  async run({ body, attempt }, { store, publicUrl }) {
    const added = await store.pets.insert({ ...body, status: body.status ?? 'available' }, attempt)
    if (typeof added === 'string')
      refuse(added, undefined, added === 'idempotency_in_progress' ? ['Retry-After', '1'] : [])
    const headers = ['Location', `${publicUrl}/pets/${added.id}`]
    if (added.replayed) headers.push('Idempotency-Replayed', 'true')
    return { status: 201, body: added.json, headers }
  },
})

export const getPet = operation({
  id: 'getPet',
  method: 'GET',
  path: '/pets/{petId}',
  tag: 'animals',
  scope: 'pets:read',
  summary: 'Get an animal',
  description: 'One animal by its identifier.',
  params: { petId: int64('Identifier of the animal to retrieve.', 'pet_not_found') },
  answer: {
    status: 200,
    description: 'The animal.',
    schema: Pet,
    example: examplePet,
    headers: ['ETag', 'Cache-Control'],
  },
  refusals: ['pet_not_found'],
  deprecated: {
    since: '2026-11-15',
    sunset: getPetRemoval,
    successor: '/pets',
    advice: 'Use GET /pets with the status filter, or with id=<petId>.',
  },
  async run({ params }, { store }) {
    return { status: 200, body: (await store.pets.find(params.petId)) ?? refuse('pet_not_found') }
  },
})
