/** What a rule may need of a service and of its key. Each need is probed once, before the first rule is checked. */
import { bodyOf, type Received } from './expect.ts'
import type { Json } from './json.ts'
import type { Receiver } from './receiver.ts'
import { DELETE, GET, PATCH, POST, PUT, type Request } from './request.ts'
import { Unchecked } from './unchecked.ts'

/** The day on which getPet is removed, as the interface says. */
export const removal = Date.UTC(2030, 11, 5)

/** What a probe may ask of the service. */
export interface Probing {
  ask(request: Request): Promise<Received>
  /** Returns the ids of at least this many animals. */
  have(count: number): Promise<readonly bigint[]>
  category(): bigint
  clock(): number
  /** Whether the service must have all operations of level `store`. */
  readonly isStoreDemanded: boolean
  receiver(): Promise<Receiver>
}

/** Why a rule is not checked: it is not for this service (`skip`), or it is and cannot be checked. */
export interface Lack {
  readonly status: 'skip' | 'unchecked'
  readonly reason: string
}

/** Resolves with what is lacking, or with undefined if nothing is. */
type Probe = (service: Probing) => Promise<Lack | undefined>

const unchecked = (reason: string): Lack => ({ status: 'unchecked', reason })
const unless = (isThere: boolean, reason: string) => (isThere ? undefined : unchecked(reason))

/**
 * The need of an operation, which a service may lack if the level is not demanded. A refused request also shows that
 * the operation exists.
 */
function operation(probing: (service: Probing) => Request | Promise<Request>): Probe {
  return async (service) => {
    const request = await probing(service)
    const { status, text } = await service.ask(request)
    const line = `${request.method} ${request.path}`
    if (status === 403) return unchecked(`the key may not ${line}: 403`)
    const isAbsent = [404, 405, 501].includes(status) && !/"(?:pet|order)_not_found"/.test(text)
    return isAbsent && !service.isStoreDemanded ? { status: 'skip', reason: `the service has no ${line}` } : undefined
  }
}

/** If the key cannot add animals, there may be enough of them already. */
const haveIfPossible = ({ have }: Probing, count: number) =>
  have(count).catch((error: Error): readonly bigint[] => {
    if (error instanceof Unchecked) throw error
    return []
  })

/** The need of a filter of the list. With a value that no animal has, the list must be empty. */
function filter(name: string, matchesNothing: (service: Probing) => bigint | string): Probe {
  return async (service) => {
    await haveIfPossible(service, 1)
    const { text } = await service.ask(GET(`/pets?${name}=${matchesNothing(service)}`))
    return unless(text.trim() === '[]', `the service has no filter ${name}`)
  }
}

/** The need of a header in responses with a list. */
function header(name: string): Probe {
  return async (service) => {
    const { headers } = await service.ask(GET('/pets?limit=1'))
    return unless(headers.has(name.toLowerCase()), `the service sends no ${name}`)
  }
}

/** A need that only two animals can show. A key that cannot add animals may not find two. */
function withTwo(probing: Probe): Probe {
  return async (service) => {
    await haveIfPossible(service, 2)
    const body = bodyOf(await service.ask(GET('/pets?limit=2')))
    if (Array.isArray(body) && body.length < 2)
      return unchecked('there are fewer than two animals, and none can be added')
    return probing(service)
  }
}

const member = (received: Received, name: string) => (bodyOf(received) as { [member: string]: Json })[name]
const probe = { name: 'conform-probe', categoryId: 1 }
const hook = { url: 'https://conform.example/hooks', types: ['pet.deleted'] }

/** The most sold animals that one page may have. The kit adds some more meanwhile, and must still see all of them. */
const soldMax = 80

const categoryId = filter('categoryId', ({ category }) => category())

export const needs = {
  getPet: async ({ clock }) =>
    clock() < removal ? undefined : { status: 'skip', reason: 'getPet was removed on 5 December 2030' },
  async createPet({ ask }) {
    const { status } = await ask(POST('/pets', probe))
    return unless(status !== 403, 'the key may not POST /pets: 403')
  },
  categoryId,
  id: filter('id', () => '0'),
  after: filter('after', () => '9223372036854775807'),
  search: filter('search', ({ category }) => `conform${category()}`),
  order: withTwo(async ({ ask }) => {
    const [up, down] = [await ask(GET('/pets?limit=2')), await ask(GET('/pets?limit=2&order=desc'))]
    return unless(up.text !== down.text, 'the service has no parameter order')
  }),
  /** Some way to see every animal of a status, however many there are. */
  async wholeList(service) {
    if (!(await categoryId(service))) return undefined
    const received = await service.ask(GET('/pets?status=sold&limit=100'))
    const body = bodyOf(received)
    const isWhole = !Array.isArray(body) || body.length <= soldMax
    const reason = `there are more than ${soldMax} animals that are sold, and the service shows no more than a page`
    return unless(isWhole || received.headers.has('link'), reason)
  },
  async document({ ask }) {
    const { status, text } = await ask(GET('//openapi.json'))
    const isThere = status === 200 && /"paths"\s*:/.test(text)
    return isThere ? undefined : { status: 'skip', reason: 'the service shows no OpenAPI document' }
  },
  pages: withTwo(header('Link')),
  tags: header('ETag'),
  requestIds: header('X-Request-Id'),
  async idempotency({ ask, category }) {
    const request = POST('/pets', probe, { 'Idempotency-Key': `${category()}` })
    const [first, second] = [await ask(request), await ask(request)]
    // If the key cannot add animals, this shows nothing, and the need of createPet reports the reason.
    const isThere = first.status === 403 || member(first, 'id') === member(second, 'id')
    return unless(isThere, 'the service takes no Idempotency-Key')
  },
  async codes({ ask }) {
    const isOurs = member(await ask(GET('/nope')), 'code') === 'route_not_found'
    return unless(isOurs, 'the service has its own error codes')
  },
  updatePet: operation(async (service) => {
    const [id = 0n] = await haveIfPossible(service, 1)
    return PATCH(`/pets/${id}`, {})
  }),
  deletePet: operation(async ({ ask }) => {
    const created = await ask(POST('/pets', probe))
    return DELETE(`/pets/${created.status === 201 ? member(created, 'id') : 0}`)
  }),
  listOrders: operation(() => GET('/store/orders')),
  getOrderCounts: operation(() => GET('/store/order-counts')),
  updateOrder: operation(() => PATCH('/store/orders/0', {})),
  placeOrder: operation(() => POST('/store/orders', {})),
  putCategory: operation(() => PUT('/categories/0', {})),
  createCategory: operation(() => POST('/categories', {})),
  listCategories: operation(() => GET('/categories')),
  getInventory: operation(() => GET('/store/inventory')),
  getSales: operation(() => GET('/store/sales')),
  getMe: operation(() => GET('/me')),
  listEvents: operation(() => GET('/events')),
  listWebhooks: operation(() => GET('/webhooks')),
  async createWebhook({ ask }) {
    const created = await ask(POST('/webhooks', hook))
    if (created.status === 201) await ask(DELETE(`/webhooks/${member(created, 'id')}`))
    return unless(created.status !== 409, 'the service takes no more webhooks: 409')
  },
  /** Whether messages that the service sends to webhooks arrive on this machine. */
  async receiver({ ask, receiver }) {
    const inbox = (await receiver()).inbox()
    const created = await ask(POST('/webhooks', { url: inbox.url, types: ['pet.deleted'] }))
    if (created.status !== 201) {
      const said = /"message":"([^"]*)"/.exec(created.text)?.[1] ?? ''
      return unchecked(`the service takes no webhook to ${new URL(inbox.url).origin}: ${created.status} ${said}`.trim())
    }
    const path = `/webhooks/${member(created, 'id')}`
    await ask(POST(`${path}/test`))
    await inbox.holds(1, arrivalMilliseconds)
    await ask(DELETE(path))
    return unless(inbox.messages.length > 0, `nothing that the service sends to ${inbox.url} arrives there`)
  },
} satisfies Record<string, Probe>

/** The service sends its test before it answers, so a test that has not arrived after this time never will. */
const arrivalMilliseconds = 5_000

export type Need = keyof typeof needs
