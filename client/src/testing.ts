/** `petstore-client/testing`: the functions with which a test controls its shop of a sandbox (experimental). */
import { stringifyJson } from './json.ts'
import type { Category, Codes, NewOrder, NewPet, OperationId, OrderStatus } from './types.ts'

/** The address and the key of a shop, as a `PetStore` takes them. The key begins with `test_`. */
export interface TestedShop {
  readonly baseUrl: string
  readonly apiKey: string
}

/** How a request fails: with one of `error`, `gateway` and `cut`, with `delayMs`, or with both. */
export interface Failing {
  /** The code of an error, which is returned with its status and headers. The request has no effect. */
  readonly error?: Codes[keyof Codes] | undefined
  /** The status of a proxy that cannot reach the service, with an HTML body. The request has no effect. */
  readonly gateway?: 502 | 504 | undefined
  /**
   * When the connection ends: before the request has any effect, in the middle of the response body (or of a stream,
   * after its first event), or after the request took effect but before the response.
   */
  readonly cut?: 'before' | 'middle' | 'after' | undefined
  /** How long to wait first, in milliseconds of real time. */
  readonly delayMs?: number | undefined
  /** The seconds in the Retry-After header of the `error` or the `gateway`. */
  readonly retryAfter?: number | undefined
}

/** A request that the shop received. */
export interface JournalEntry {
  readonly at: string
  /** The id of the operation, such as `createPet`. */
  readonly operation?: OperationId
  readonly method: string
  readonly path: string
  /** The status of the response, even if the response was lost. It is 0 if there was no response. */
  readonly status: number
  readonly failure?: Failing
  readonly idempotencyKey?: string
  readonly requestId: string
  /** The headers that the contract defines or a browser sends, in lower case. The key is never included. */
  readonly headers: { readonly [name: string]: string }
  /** The first 4,096 characters of the request body, and in `answer` of the response body. */
  readonly body?: string
  readonly answer?: string
}

/** What a shop contains after a reset. Animals and orders get the ids 1, 2, 3 and so on. */
export interface ShopContent {
  /** The number of sample animals, which are the same in every shop. */
  readonly animals?: number | undefined
  readonly categories?: readonly Category[] | undefined
  readonly pets?: readonly NewPet[] | undefined
  readonly orders?: readonly (NewOrder & { readonly status?: Exclude<OrderStatus, 'expired'> })[] | undefined
  /** The key of another shop. The shop becomes a copy of it. It cannot be combined with other members. */
  readonly like?: string | undefined
}

/** Resets the shop. It is empty afterwards, unless `content` is given. */
export async function reset(shop: TestedShop, content: ShopContent = {}): Promise<void> {
  await control(shop, 'POST', '/reset', content)
}

/**
 * Makes the next requests of an operation fail, or with `*` of all operations. The first `skip` requests pass, and then
 * `times` requests fail (1 by default). With `contains`, only requests whose path, query or body contains this text are
 * counted.
 */
export async function failNext(
  shop: TestedShop,
  operation: OperationId | '*',
  how: Failing & { readonly skip?: number; readonly times?: number; readonly contains?: string },
): Promise<void> {
  await control(shop, 'POST', '/failures', { operation, ...how })
}

/** Makes the shop break its contract from now on. `fault` is an id from `faults`. */
export async function plant(shop: TestedShop, fault: string): Promise<void> {
  await control(shop, 'POST', '/failures', { fault })
}

/** Ends all failures, and makes the shop keep its contract again. */
export async function heal(shop: TestedShop): Promise<void> {
  await control(shop, 'PUT', '/failures', [])
}

/** Lists the ways in which a shop can break its contract. */
export async function faults(shop: TestedShop): Promise<{ readonly id: string; readonly description: string }[]> {
  return (await control(shop, 'GET', '/faults')).json() as Promise<{ id: string; description: string }[]>
}

/**
 * Moves the clock of the shop forward by a duration such as `PT25H`. Resolves after the orders that are due have expired
 * and the webhooks that are due were sent.
 */
export async function advance(shop: TestedShop, duration: string): Promise<void> {
  await control(shop, 'PUT', '/clock', { advance: duration })
}

/** Sets the clock of the shop, which then runs unless it is `stopped`. Resolves at the same moment as `advance`. */
export async function setClock(
  shop: TestedShop,
  time: Date | string,
  { stopped = false }: { readonly stopped?: boolean } = {},
): Promise<void> {
  await control(shop, 'PUT', '/clock', { now: new Date(time).toISOString(), stopped })
}

/**
 * Returns the last requests to the shop, the latest last. With `wait`, it waits up to that many seconds (30 at most)
 * until `count` requests were answered.
 */
export async function requests(
  shop: TestedShop,
  query: { readonly operation?: OperationId; readonly wait?: number; readonly count?: number } = {},
): Promise<JournalEntry[]> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return (await control(shop, 'GET', `/requests?${search}`)).json() as Promise<JournalEntry[]>
}

async function control(
  { baseUrl, apiKey }: TestedShop,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  const response = await fetch(`${baseUrl.replace(/\/v\d+\/?$/, '')}/sandbox${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: stringifyJson(body) }),
  })
  if (!response.ok) throw new Error(`The sandbox refused the request: ${await response.text()}`)
  return response
}
