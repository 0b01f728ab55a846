/**
 * Every operation of the document in the form in which the scenario calls it, and adapters for the clients that tools
 * generate.
 */
import { readFileSync } from 'node:fs'

interface Pet {
  id: number
  name: string
  categoryId: number
  status?: 'available' | 'pending' | 'sold' | undefined
}

interface Order {
  id: number
  petId: number
  status: 'placed' | 'completed' | 'cancelled' | 'returned' | 'expired'
  reference?: string | undefined
}

interface Webhook {
  id: number
  url: string
  enabled: boolean
}

export interface Fault {
  code: string
  message: string
  status: number
}

export interface Reply<T> {
  status: number
  data?: T | undefined
  error?: Fault | undefined
  /** The header `Link` with the next page. Absent if a client does not expose headers. */
  link?: string | null | undefined
}

export interface PetQuery {
  limit?: number
  status?: 'available' | 'sold'
  id?: number[]
  order?: 'asc' | 'desc'
  after?: number
  cursor?: string
}

/** The calls by `operationId`. They take the ids of the path, and then the body or the query. */
export interface Client {
  listPets(query: PetQuery): Promise<Reply<Pet[]>>
  createPet(body: { name: string; categoryId: number }): Promise<Reply<Pet>>
  getPet(petId: number): Promise<Reply<Pet>>
  updatePet(petId: number, body: { name?: string }): Promise<Reply<Pet>>
  deletePet(petId: number): Promise<Reply<unknown>>
  listCategories(query: { limit?: number }): Promise<Reply<{ id: number; name: string }[]>>
  createCategory(body: { name: string }): Promise<Reply<{ id: number; name: string }>>
  putCategory(categoryId: number, body: { name: string }): Promise<Reply<{ id: number; name: string }>>
  deleteCategory(categoryId: number): Promise<Reply<unknown>>
  listOrders(query: { status?: 'placed'; limit?: number }): Promise<Reply<Order[]>>
  placeOrder(body: { petId: number }): Promise<Reply<Order>>
  getOrder(orderId: number): Promise<Reply<Order>>
  updateOrder(orderId: number, body: { reference?: string }): Promise<Reply<Order>>
  completeOrder(orderId: number): Promise<Reply<Order>>
  cancelOrder(orderId: number): Promise<Reply<Order>>
  returnOrder(orderId: number): Promise<Reply<Order>>
  getOrderCounts(): Promise<Reply<object>>
  getInventory(query: { by?: 'category' }): Promise<Reply<object>>
  getSales(query: { days?: number }): Promise<Reply<{ day: string; added: number; sold: number }[]>>
  listEvents(query: { limit?: number; type?: 'pet.updated'[] }): Promise<Reply<{ type: string; data: object }[]>>
  /** Only errors are requested, because what it streams never ends. */
  streamEvents(query: { cursor?: string }): Promise<Reply<unknown>>
  listWebhooks(query: { limit?: number }): Promise<Reply<Webhook[]>>
  createWebhook(body: { url: string; types?: 'pet.created'[] }): Promise<Reply<Webhook & { secret: string }>>
  getWebhook(webhookId: number): Promise<Reply<Webhook>>
  updateWebhook(webhookId: number, body: { enabled?: boolean }): Promise<Reply<Webhook>>
  deleteWebhook(webhookId: number): Promise<Reply<unknown>>
  rotateWebhook(webhookId: number): Promise<Reply<{ secret: string }>>
  testWebhook(webhookId: number): Promise<Reply<{ delivered: boolean }>>
  listDeliveries(webhookId: number, query: { limit?: number }): Promise<Reply<{ id: number; type: string }[]>>
  redeliver(webhookId: number, deliveryId: number): Promise<Reply<{ id: number }>>
  getMe(): Promise<Reply<{ name: string; scopes: string[] }>>
}

export type Connect = (url: string, key: string) => Client | Promise<Client>

interface Operation {
  readonly method: string
  readonly path: string
  readonly hasBody: boolean
}

/** Returns the operations of the document by `operationId`. */
export function operationsOf(document: {
  readonly paths: Record<string, Record<string, { operationId?: string; requestBody?: object }>>
}): Map<string, Operation> {
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId = '', requestBody }]) =>
        [operationId, { method: method.toUpperCase(), path, hasBody: !!requestBody }] as const,
    ),
  )
  return new Map(found.filter(([id]) => id))
}

export interface Sent {
  readonly path: Record<string, number>
  readonly query: Record<string, string>
  readonly body?: object
}

/** Adapts clients that receive the operation by its name. */
export function byName(
  // biome-ignore lint/suspicious/noExplicitAny: such a client has no types.
  call: (id: keyof Client, sent: Sent, operation: Operation) => Promise<Reply<any>>,
): Client {
  const of = (id: string, operation: Operation) => {
    const names = operation.path.match(/(?<=\{)\w+/g) ?? []
    return (...args: unknown[]) => {
      const path = Object.fromEntries(names.map((name, n) => [name, Number(args[n])]))
      const rest = (args[names.length] ?? {}) as Record<string, string>
      const sent = operation.hasBody ? { path, query: {}, body: rest } : { path, query: rest }
      return call(id as keyof Client, sent, operation)
    }
  }
  const operations = operationsOf(JSON.parse(readFileSync('openapi.json', 'utf8')))
  return Object.fromEntries([...operations].map(([id, operation]) => [id, of(id, operation)])) as unknown as Client
}

/** Adapts clients that return data or an error beside the response of `fetch`. */
export const settled = <T>(answer: { data?: T; error?: unknown; response?: Response | undefined }): Reply<T> => ({
  status: answer.response?.status ?? 0,
  data: answer.data,
  error: answer.error as Fault | undefined,
  link: answer.response?.headers.get('link'),
})

type DataOf<A> = A extends { status: infer S; data: infer D }
  ? number extends S
    ? D
    : S extends 200 | 201
      ? D
      : never
  : never

/** Adapts clients that return a status and data, which contains the error if there is one. */
export function byStatus<A extends { status: number; data?: unknown; headers: Headers }>(answer: A): Reply<DataOf<A>> {
  const { status, data, headers } = answer
  return {
    status,
    ...(status < 400 ? { data: data as DataOf<A> } : { error: data as Fault }),
    link: headers.get('link'),
  }
}

/** Adapts clients that return only data and throw errors. The status of a success is the one of the document. */
export const unwrapped =
  <E>(read: (error: E) => readonly [status: number | undefined, body: unknown]) =>
  async <T>(status: number, answer: PromiseLike<T>): Promise<Reply<T>> => {
    try {
      return { status, data: await answer }
    } catch (error) {
      const [refused = 0, body] = read(error as E)
      return { status: refused, error: body as Fault }
    }
  }
