/**
 * Code samples of an operation, made from the examples in its declaration. They read the key from PETSTORE_KEY. Each
 * sample needs only its language, except the sample with our client, which says how to install it. All print the status
 * and the body, even of an error. A sample that changes something uses an id that no store has assigned, so that
 * nothing real is changed before the reader replaces the id.
 */

import type { Operation } from '../http/operation.ts'
import type { Parameter } from '../http/parameters.ts'
import { siteUrl } from '../http/urls.ts'
import { clientFile } from './client-files.ts'
import { programsOf, type SampleRequest, textIn } from './docs/programs.ts'

/** The methods of our own client: each takes the path parameters, then the body or the query. */
const clientMethods: Record<string, string> = {
  listPets: 'pets.list',
  createPet: 'pets.create',
  getPet: 'pets.get',
  updatePet: 'pets.update',
  deletePet: 'pets.delete',
  listOrders: 'orders.list',
  placeOrder: 'orders.place',
  getOrderCounts: 'orders.counts',
  getOrder: 'orders.get',
  updateOrder: 'orders.update',
  completeOrder: 'orders.complete',
  cancelOrder: 'orders.cancel',
  returnOrder: 'orders.return',
  listCategories: 'categories.list',
  createCategory: 'categories.create',
  putCategory: 'categories.put',
  deleteCategory: 'categories.delete',
  getInventory: 'inventory',
  getSales: 'sales',
  getMe: 'me',
  listEvents: 'events.list',
  streamEvents: 'events.follow',
  listWebhooks: 'webhooks.list',
  createWebhook: 'webhooks.create',
  getWebhook: 'webhooks.get',
  updateWebhook: 'webhooks.update',
  deleteWebhook: 'webhooks.delete',
  rotateWebhook: 'webhooks.rotate',
  testWebhook: 'webhooks.test',
  listDeliveries: 'webhooks.deliveries',
  redeliver: 'webhooks.redeliver',
}

/** The language of a sample, if its label is another word. */
const languages: Readonly<Record<string, string>> = { curl: 'Shell', Client: 'JavaScript' }

export function samplesOf(operation: Operation, baseUrl: string) {
  const { curl, JavaScript, ...others } = programsOf(sampleRequest(operation, baseUrl))
  const isInClient = operation.id in clientMethods
  const sources = { curl, JavaScript, ...(isInClient && { Client: clientCall(operation, baseUrl) }), ...others }
  return Object.entries(sources).map(([label, source]) => ({ lang: languages[label] ?? label, label, source }))
}

/** An id that no store has assigned. */
export const placeholder = '999999999999'

const idFor = ({ method }: Operation, { example }: Parameter<unknown>) =>
  method === 'GET' ? example : Number(placeholder)

/** A body without the id of an animal that may exist. */
export const withPlaceholder = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'petId' in body ? { ...body, petId: Number(placeholder) } : body

const bodyFor = ({ body }: Operation): unknown => withPlaceholder(Object.values(body?.examples ?? {})[0])

const queryOf = ({ query, sampleQuery = [] }: Operation) =>
  sampleQuery.map((name): [string, Parameter<unknown>] => [name, query[name]])

/** Returns the request that the samples of an operation send. */
export function sampleRequest(operation: Operation, baseUrl: string): SampleRequest {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => String(idFor(operation, operation.params[name])))
  const query = queryOf(operation).map(([name, { example }]) => `${name}=${encodeURIComponent(String(example))}`)
  const url = `${baseUrl}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`
  return {
    method: operation.method,
    url,
    headers: operation.body ? [['Content-Type', 'application/json']] : [],
    body: operation.body && JSON.stringify(bodyFor(operation)),
    isStream: operation.answer.type !== undefined,
  }
}

function clientCall(operation: Operation, baseUrl: string): string {
  const { params = {}, query, body, answer } = operation
  const asked = queryOf(operation).map(([name, { example, schema }]) => `${name}: ${literal(example, schema)}`)
  const args = [
    ...Object.values<Parameter<unknown>>(params).map((each) => literal(idFor(operation, each), each.schema)),
    ...(body ? [literal(bodyFor(operation), body.schema)] : []),
    ...(asked.length > 0 ? [`{ ${asked.join(', ')} }`] : []),
  ]
  const call = `store.${clientMethods[operation.id]}(${args.join(', ')})`
  const isList = query?.cursor && answer.schema?.type === 'array'
  const one = answer.schema ? `console.log(await ${call}${isList ? '.page()' : ''})` : `await ${call}`
  return `// npm install ${siteUrl(baseUrl, `/${clientFile}`)}
import { PetStore } from 'petstore-client'

const store = new PetStore({ baseUrl: '${baseUrl}', apiKey: process.env.PETSTORE_KEY })
${answer.type !== undefined ? `for await (const item of ${call}) console.log(item)` : one}
`
}

/** A value in JavaScript, with a bigint for every int64 of its schema, as the client takes it. */
// biome-ignore lint/suspicious/noExplicitAny: a schema is a tree of nodes of every shape.
function literal(value: unknown, schema?: any): string {
  if (typeof value === 'string') return textIn("'", value)
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, schema?.items)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return `${value}${schema?.format === 'int64' ? 'n' : ''}`
  const members = Object.entries(value).map(([name, each]) => `${name}: ${literal(each, schema?.properties[name])}`)
  return `{ ${members.join(', ')} }`
}
