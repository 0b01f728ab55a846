/** What a test tells its shop of a sandbox (experimental); the package has it as petstore-client/testing. */
import { stringifyJson } from './json.ts'
import type { Category, Codes, NewOrder, NewPet, OperationId, OrderStatus } from './types.ts'

/** Where a shop is, as a `PetStore` takes it: its key begins with `test_`. */
export interface TestedShop {
  readonly baseUrl: string
  readonly apiKey: string
}

/** How a request fails: by `error`, `gateway` or `cut`, each perhaps after `delayMs`, or by the delay alone. */
export interface Failing {
  /** The code of an error, with its status and headers; nothing is done. */
  readonly error?: Codes[keyof Codes] | undefined
  /** What a proxy answers that does not reach the service, in HTML; nothing is done. */
  readonly gateway?: 502 | 504 | undefined
  /**
   * The connection ends before anything was done, in the middle of the body (of a stream, after its first event), or
   * when all was done.
   */
  readonly cut?: 'before' | 'middle' | 'after' | undefined
  /** Real milliseconds that pass first. */
  readonly delayMs?: number | undefined
  /** The seconds in the Retry-After of the error or of the gateway. */
  readonly retryAfter?: number | undefined
}

/** A request that came to the shop. */
export interface JournalEntry {
  readonly at: string
  /** The id of its operation, such as `createPet`. */
  readonly operation?: OperationId
  readonly method: string
  readonly path: string
  /** The status of its answer, also of one that was lost; 0 if there is none. */
  readonly status: number
  readonly failure?: Failing
  readonly idempotencyKey?: string
  readonly requestId: string
  /** Those that the contract or a browser knows, in lower case; never the key. */
  readonly headers: { readonly [name: string]: string }
  /** The first 4,096 characters of its body, and of that of its answer. */
  readonly body?: string
  readonly answer?: string
}

/** What a shop begins with. Animals and orders get the ids 1, 2, 3 and so on. */
export interface ShopContent {
  /** So many, the same in every shop. */
  readonly animals?: number | undefined
  readonly categories?: readonly Category[] | undefined
  readonly pets?: readonly NewPet[] | undefined
  readonly orders?: readonly (NewOrder & { readonly status?: Exclude<OrderStatus, 'expired'> })[] | undefined
  /** The key of another shop, of which it becomes a copy; alone. */
  readonly like?: string | undefined
}

/** Makes the shop as new, and empty unless it is given something. */
export async function reset(shop: TestedShop, content: ShopContent = {}): Promise<void> {
  await tell(shop, 'POST', '/reset', content)
}

/**
 * The next requests of an operation, or of all with `*`, fail so: as many `times`, once unless given, after the first
 * `skip`; with `contains`, only those whose path, query or body contains this text.
 */
export async function failNext(
  shop: TestedShop,
  operation: OperationId | '*',
  how: Failing & { readonly skip?: number; readonly times?: number; readonly contains?: string },
): Promise<void> {
  await tell(shop, 'POST', '/failures', { operation, ...how })
}

/** From now on the shop breaks its contract in this way, whose id is among its `faults`. */
export async function plant(shop: TestedShop, fault: string): Promise<void> {
  await tell(shop, 'POST', '/failures', { fault })
}

/** Nothing fails any more, and the shop keeps its contract. */
export async function heal(shop: TestedShop): Promise<void> {
  await tell(shop, 'PUT', '/failures', [])
}

/** The ways in which a shop can break its contract. */
export async function faults(shop: TestedShop): Promise<{ readonly id: string; readonly description: string }[]> {
  return (await tell(shop, 'GET', '/faults')).json() as Promise<{ id: string; description: string }[]>
}

/** Moves the clock of the shop on, by a duration such as `PT25H`; resolves when what was due has been done. */
export async function advance(shop: TestedShop, duration: string): Promise<void> {
  await tell(shop, 'PUT', '/clock', { advance: duration })
}

/** Sets the clock of the shop, which goes on from there unless it is `stopped`; resolves as `advance` does. */
export async function setClock(
  shop: TestedShop,
  time: Date | string,
  { stopped = false }: { readonly stopped?: boolean } = {},
): Promise<void> {
  await tell(shop, 'PUT', '/clock', { now: new Date(time).toISOString(), stopped })
}

/** The last requests to the shop, the latest last; waits so many seconds, 30 at most, until `count` were answered. */
export async function requests(
  shop: TestedShop,
  query: { readonly operation?: OperationId; readonly wait?: number; readonly count?: number } = {},
): Promise<JournalEntry[]> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return (await tell(shop, 'GET', `/requests?${search}`)).json() as Promise<JournalEntry[]>
}

async function tell({ baseUrl, apiKey }: TestedShop, method: string, path: string, body?: unknown): Promise<Response> {
  const response = await fetch(`${baseUrl.replace(/\/v\d+\/?$/, '')}/sandbox${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: stringifyJson(body) }),
  })
  if (!response.ok) throw new Error(`The sandbox refuses this: ${await response.text()}`)
  return response
}
