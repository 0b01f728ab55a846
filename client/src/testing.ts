/** What a test tells its shop of a sandbox (experimental); the package has it as petstore-client/testing. */
import type { Codes } from './types.ts'

/** Where a shop is, as a `PetStore` takes it: its key begins with `test_`. */
export interface TestedShop {
  readonly baseUrl: string
  readonly apiKey: string
}

/** How a request fails: in one of these ways. */
export interface Failing {
  /** The code of an error, with its status and headers; nothing is done. */
  readonly error?: Codes[keyof Codes]
  /** Real milliseconds, after which it goes on. */
  readonly delayMs?: number
  /** The connection ends before anything was done, in the middle of the body, or when all was done. */
  readonly cut?: 'before' | 'middle' | 'after'
}

/** A request that came to the shop. */
export interface JournalEntry {
  readonly at: string
  /** The id of its operation, such as `createPet`. */
  readonly operation?: string
  readonly method: string
  readonly path: string
  /** The status of its answer, also of one that was lost; 0 if there is none. */
  readonly status: number
  readonly failure?: Failing
  readonly idempotencyKey?: string
  readonly requestId: string
}

/** Makes the shop as new, with so many animals. */
export async function reset(shop: TestedShop, { animals = 0 } = {}): Promise<void> {
  await tell(shop, 'POST', '/reset', { animals })
}

/** The next requests of an operation, or of all with `*`, fail so; as many `times`, once unless given. */
export async function failNext(
  shop: TestedShop,
  operation: string,
  how: Failing & { readonly skip?: number; readonly times?: number },
): Promise<void> {
  const { failures } = (await (await tell(shop, 'GET', '')).json()) as { failures: object[] }
  await tell(shop, 'PUT', '/failures', [...failures, { operation, ...how }])
}

/** Moves the clock of the shop on, by a duration such as `PT25H`; resolves when what was due has been done. */
export async function advance(shop: TestedShop, duration: string): Promise<void> {
  await tell(shop, 'PUT', '/clock', { advance: duration })
}

/** The last 1,000 requests to the shop, the latest last. */
export async function requests(shop: TestedShop): Promise<JournalEntry[]> {
  return (await (await tell(shop, 'GET', '/requests')).json()) as JournalEntry[]
}

async function tell({ baseUrl, apiKey }: TestedShop, method: string, path: string, body?: unknown): Promise<Response> {
  const response = await fetch(`${baseUrl.replace(/\/v\d+\/?$/, '')}/sandbox${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`The sandbox refuses this: ${await response.text()}`)
  return response
}
