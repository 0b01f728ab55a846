/** The operations on categories: any int64 is one, and these give it a name. */
import { refuse } from '../errors.ts'
import { etagOf, writeIf } from '../http/etag.ts'
import { operation } from '../http/operation.ts'
import { cursor, int64, pageSize } from '../http/parameters.ts'
import { Categories, Category, NewCategory } from '../model/pet.ts'

const exampleCategory = { id: 1, name: 'Dogs' }
const categoryId = int64('Identifier of the category. Any int64 is allowed.', 1, 'category_not_found')

export const listCategories = operation({
  id: 'listCategories',
  method: 'GET',
  path: '/categories',
  tag: 'animals',
  scope: 'pets:read',
  stability: 'beta',
  summary: 'List named categories',
  description:
    'Returns a page of the categories that have a name, in ascending order of `id`. If there are more, the `Link` ' +
    'header leads to the next page.',
  query: { limit: pageSize('Maximum number of categories to return.'), cursor },
  answer: {
    status: 200,
    description: 'A page of categories.',
    schema: Categories,
    example: [exampleCategory, { id: 2, name: 'Cats' }],
  },
  async run({ path, query }, { store, paging }) {
    const after = paging.startAtInt64(path, query)
    return paging.reply(path, query, await store.categories.page({ after, limit: query.limit }))
  },
})

export const createCategory = operation({
  id: 'createCategory',
  method: 'POST',
  path: '/categories',
  tag: 'animals',
  scope: 'pets:write',
  stability: 'beta',
  summary: 'Find or create a category',
  description:
    'Returns the category that has this name; case, accents and punctuation are ignored. If there is no such ' +
    'category, it is created with an `id` that no animal and no other category uses. Repeating the request is ' +
    'safe.',
  body: { schema: NewCategory, examples: { name: { name: 'Dogs' } } },
  isRepeatable: true,
  answer: {
    status: 200,
    description: 'The category that already has this name.',
    created: 'The category was created. The body contains its `id`.',
    schema: Category,
    example: exampleCategory,
    headers: ['ETag'],
  },
  async run({ path, body, key }, { store, publicUrl }) {
    const { id, json, isNew } = await store.categories.create(body.name, key.name)
    const headers = ['ETag', etagOf(json)]
    if (!isNew) return { status: 200, body: json, headers }
    return { status: 201, body: json, headers: [...headers, 'Location', `${publicUrl}${path}/${id}`] }
  },
})

export const putCategory = operation({
  id: 'putCategory',
  method: 'PUT',
  path: '/categories/{categoryId}',
  tag: 'animals',
  scope: 'pets:write',
  stability: 'beta',
  summary: 'Name a category',
  description:
    'Gives the category a name, or replaces its name. Animals can be in a category whether it has a name or not. ' +
    'Repeating the request is safe.',
  params: { categoryId },
  body: { schema: NewCategory, examples: { name: { name: 'Dogs' } } },
  acceptsIfMatch: true,
  answer: {
    status: 200,
    description: 'The name of the category was replaced.',
    created: 'The category was given its first name.',
    schema: Category,
    example: exampleCategory,
  },
  refusals: ['category_not_found'],
  async run({ params, body, ifMatch, key }, { store: { categories } }) {
    // A condition is about a version, and there is none yet.
    const find = async () => (await categories.find(params.categoryId)) ?? refuse('precondition_failed')
    const put = (version: string | undefined) => categories.put(params.categoryId, body.name, version, key.name)
    const named = await writeIf(ifMatch, find, put, true)
    if (named === 'precondition_failed') refuse(named)
    return { status: named.isNew ? 201 : 200, body: named.json, headers: ['ETag', etagOf(named.json)] }
  },
})

export const deleteCategory = operation({
  id: 'deleteCategory',
  method: 'DELETE',
  path: '/categories/{categoryId}',
  tag: 'animals',
  scope: 'pets:write',
  stability: 'beta',
  summary: 'Remove the name of a category',
  description: 'Removes the name of the category. The animals of the category keep their `categoryId`.',
  params: { categoryId },
  acceptsIfMatch: true,
  answer: { status: 204, description: 'The name was removed.' },
  refusals: ['category_not_found'],
  async run({ params, ifMatch, key }, { store: { categories } }) {
    const find = async () => (await categories.find(params.categoryId)) ?? refuse('category_not_found')
    const remove = (version: string | undefined) => categories.remove(params.categoryId, version, key.name)
    const removed = await writeIf(ifMatch, find, remove)
    if (removed !== true) refuse(removed ?? 'category_not_found')
    return { status: 204, body: '' }
  },
})
