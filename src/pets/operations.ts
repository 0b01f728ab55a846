/** The operations on animals. */
import { refuse } from '../errors.ts'
import { etagOf, writeIf } from '../http/etag.ts'
import { operation } from '../http/operation.ts'
import { rowOf } from '../http/outcome.ts'
import { afterId, beta, cursor, int64, int64List, oneOf, order, pageSize, search } from '../http/parameters.ts'
import { limits } from '../limits.ts'
import { NewPet, Pet, PetPatch, PetStatus, Pets } from '../model/pet.ts'
import { searchWordsOf } from '../model/words.ts'
import type { Store } from '../store/store.ts'

const exampleNewPet = { name: 'Rex', categoryId: 1, status: 'available' }
const examplePet = { id: 42, ...exampleNewPet }
const getPetRemoval = '2030-12-05'

const findPet = async ({ pets }: Store, petId: bigint): Promise<string> =>
  (await pets.find(petId)) ?? refuse('pet_not_found')

export const listPets = operation({
  id: 'listPets',
  method: 'GET',
  path: '/pets',
  tag: 'animals',
  scope: 'pets:read',
  summary: 'List animals',
  description:
    'Returns a page of animals in ascending order of `id`, or in descending order with `order=desc`. If there are ' +
    'more animals, the `Link` header leads to the next page. Following these links returns every animal that ' +
    'existed at the start exactly once, even while other animals are added. If the filter `id` names a single ' +
    'animal and it is found, the `ETag` is that of the animal, and can be sent in `If-Match`.',
  query: {
    limit: pageSize('Maximum number of animals to return.'),
    status: oneOf(PetStatus, 'Return only animals with this status.'),
    categoryId: beta(int64('Return only animals of this category.', 1)),
    id: beta(int64List('Return only the animals with these identifiers.', [42, 43])),
    search: beta(
      search(
        'Return only animals whose name contains every word of this text. A word also matches the beginning of a ' +
          'longer word. Case and accents are ignored, and a word is a run of letters and digits.',
        'rex',
      ),
    ),
    order: beta(order),
    after: beta(afterId('animals')),
    cursor: beta(cursor),
  },
  sampleQuery: ['status', 'limit'],
  answer: {
    status: 200,
    description: 'A page of animals.',
    schema: Pets,
    example: [examplePet, { id: 43, name: 'Whiskers', categoryId: 2, status: 'available' }],
  },
  run: ({ path, query }, { store, paging }) =>
    paging.cached(path, query, async () => {
      const { status, categoryId, id: ids } = query
      const words = query.search === undefined ? undefined : searchWordsOf(query.search)
      const page = await store.pets.page({ ...paging.range(path, query), status, categoryId, ids, search: words })
      return paging.reply(path, query, page, ids?.length === 1 && page.json !== '[]')
    }),
})

export const createPet = operation({
  id: 'createPet',
  method: 'POST',
  path: '/pets',
  tag: 'animals',
  scope: 'pets:write',
  summary: 'Add an animal',
  description:
    'Adds an animal and assigns its `id`. If `status` is omitted, the animal is `available`. A member `id` in the ' +
    'body is ignored, so that a Pet can be sent back. The response is sent once the animal is on disk. A request ' +
    `with an \`Idempotency-Key\` can be repeated safely for ${limits.idempotencyTime.text}.`,
  body: {
    schema: NewPet,
    examples: { 'all-members': exampleNewPet, 'required-only': { name: 'Rex', categoryId: 1 } },
  },
  acceptsIdempotencyKey: true,
  answer: {
    status: 201,
    description: 'The animal was added. The body contains the assigned `id`.',
    schema: Pet,
    example: examplePet,
    headers: ['ETag'],
  },
  async run({ path, body, claim, key }, { store, publicUrl, sales }) {
    const pet = { ...body, status: body.status ?? 'available' }
    const { id, json, headers, replayed } = rowOf(await store.pets.insert(pet, claim, key.name))
    if (!replayed) sales.added++
    return {
      status: 201,
      body: json,
      headers: ['Location', `${publicUrl}${path}/${id}`, 'ETag', etagOf(json), ...headers],
    }
  },
})

export const getPet = operation({
  id: 'getPet',
  method: 'GET',
  path: '/pets/{petId}',
  tag: 'animals',
  scope: 'pets:read',
  summary: 'Get an animal',
  description: 'Returns one animal by its identifier.',
  params: { petId: int64('Identifier of the animal to retrieve.', 42, 'pet_not_found') },
  answer: {
    status: 200,
    description: 'The animal.',
    schema: Pet,
    example: examplePet,
  },
  refusals: ['pet_not_found'],
  deprecated: {
    since: '2026-11-15',
    sunset: getPetRemoval,
    successor: '/pets',
    advice:
      'Use GET /pets with the status filter, or with id={petId}, which has the same ETag. The `Location` of a new ' +
      'animal still names this path, because PATCH and DELETE remain there.',
  },
  async run({ params }, { store }) {
    return { status: 200, body: await findPet(store, params.petId) }
  },
})

export const updatePet = operation({
  id: 'updatePet',
  method: 'PATCH',
  path: '/pets/{petId}',
  tag: 'animals',
  scope: 'pets:write',
  stability: 'beta',
  summary: 'Change an animal',
  description:
    'Changes the members that are sent and leaves the others unchanged. While an order on the animal is `placed` ' +
    'or `completed`, only that order can change its `status`: a request that contains `status` then returns 409 ' +
    '`order_state_conflict`.',
  params: { petId: int64('Identifier of the animal to change.', 42, 'pet_not_found') },
  body: {
    schema: PetPatch,
    mediaTypes: ['application/merge-patch+json'],
    examples: { rename: { name: 'Max' }, withdraw: { status: 'pending' } },
  },
  acceptsIfMatch: true,
  answer: {
    status: 200,
    description: 'The animal after the change.',
    schema: Pet,
    example: { ...examplePet, name: 'Max' },
  },
  refusals: ['pet_not_found', 'order_state_conflict'],
  async run({ params: { petId }, body, ifMatch, key }, { store }) {
    const changed = await writeIf(
      ifMatch,
      () => findPet(store, petId),
      (version) => store.pets.update(petId, body, version, key.name),
    )
    if (changed === 'order_state_conflict')
      refuse(
        changed,
        'status: only the order on this animal can change it. If the order is still placed, complete or cancel ' +
          'it. If the animal is sold, take it back with POST /store/orders/{orderId}/return.',
      )
    const { json } = rowOf(changed ?? refuse('pet_not_found'))
    return { status: 200, body: json, headers: ['ETag', etagOf(json)] }
  },
})

export const deletePet = operation({
  id: 'deletePet',
  method: 'DELETE',
  path: '/pets/{petId}',
  tag: 'animals',
  scope: 'pets:write',
  stability: 'beta',
  summary: 'Remove an animal',
  description:
    'Removes an animal that was never ordered. An animal with orders cannot be removed: the response is 409 ' +
    '`order_state_conflict`.',
  params: { petId: int64('Identifier of the animal to remove.', 42, 'pet_not_found') },
  acceptsIfMatch: true,
  answer: { status: 204, description: 'The animal was removed.' },
  refusals: ['pet_not_found', 'order_state_conflict'],
  async run({ params: { petId }, ifMatch, key }, { store }) {
    const removed = await writeIf(
      ifMatch,
      () => findPet(store, petId),
      (version) => store.pets.remove(petId, version, key.name),
    )
    if (removed === 'order_state_conflict')
      refuse(removed, 'The animal has orders, so it cannot be removed. To withdraw it from sale, change its status.')
    rowOf(removed ?? refuse('pet_not_found'))
    return { status: 204, body: '' }
  },
})
