/** Creates the first rows of a shop from what a test sends, using the operations of the shop. */
import { type ErrorCode, refuse } from '../errors.ts'
import type { Handler, Incoming } from '../http/message.ts'
import { versionPrefix } from '../http/urls.ts'
import { type Json, type JsonObject, writeJson } from '../schema/json.ts'

/** Each row is as it was sent. */
export interface Seed {
  readonly categories: readonly JsonObject[]
  readonly pets: readonly JsonObject[]
  readonly orders: readonly JsonObject[]
}

/** The operations that bring an order to a status. */
const steps: Readonly<Record<string, readonly string[]>> = {
  placed: [],
  completed: ['complete'],
  cancelled: ['cancel'],
  returned: ['complete', 'return'],
}
export const seededStatuses = Object.keys(steps)

/** Animals and orders get the ids 1, 2, 3 and so on. */
export async function sow({ categories, pets, orders }: Seed, handle: Handler): Promise<void> {
  const ask = async (method: string, path: string, body: JsonObject | undefined, where: string) => {
    const bytes = Buffer.from(body ? writeJson(body) : '')
    const incoming: Incoming = {
      method,
      target: versionPrefix + path,
      header: (name) => (name === 'content-type' && body ? 'application/json' : undefined),
      address: () => undefined,
      body: () => bytes,
    }
    const { status, body: answer } = await handle(incoming)
    const { id, code, message } = JSON.parse(String(answer)) as { id: number; code: ErrorCode; message: string }
    if (status >= 400) refuse(status === 400 ? code : 'invalid_field', `${where}: ${message}`)
    return id
  }

  for (const [index, category] of categories.entries()) {
    const { id, rest } = without('id', category)
    await ask('PUT', `/categories/${encodeURIComponent(String(id))}`, rest, `categories[${index}]`)
  }
  for (const [index, pet] of pets.entries()) {
    const where = `pets[${index}]`
    const id = await ask('POST', '/pets', pet, where)
    // Like every new animal, it gets the next id, and what a client sends as its `id` is ignored.
    if (pet.has('id') && String(pet.get('id')) !== String(id))
      refuse('invalid_field', `${where}: id: must be left out, because the shop assigns it (here ${id})`)
  }
  for (const [index, order] of orders.entries()) {
    const { status = 'placed', rest } = without('status', order)
    const where = `orders[${index}]`
    const moves = steps[String(status)]
    if (!moves) refuse('invalid_field', `${where}: status: must be one of ${seededStatuses.join(', ')}`)
    await ask('POST', '/store/orders', rest, where)
    for (const move of moves) await ask('POST', `/store/orders/${index + 1}/${move}`, undefined, where)
  }
}

/** A member of an object by its name, and the other members. */
function without<Name extends string>(name: Name, from: JsonObject) {
  const rest: JsonObject = new Map(from)
  rest.delete(name)
  return { [name]: from.get(name), rest } as { [N in Name]: Json | undefined } & { rest: JsonObject }
}
