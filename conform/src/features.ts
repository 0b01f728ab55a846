/** What a service, or its key, may lack: a rule that uses it and fails is skipped, unless the rule is about it. */
import { bodyOf, type Received } from './expect.ts'
import type { Json } from './json.ts'
import { DELETE, GET, PATCH, POST, PUT, type Request } from './request.ts'

/** The day on which getPet is removed, as the interface says. */
export const removal = Date.UTC(2030, 11, 5)

/** What a probe may ask of the service. */
export interface Probing {
  ask(request: Request): Promise<Received>
  /** The ids of animals that there are, at least as many. */
  have(count: number): Promise<readonly bigint[]>
  category(): bigint
  clock(): number
  /** Whether the service must have all operations of level `store`. */
  readonly isStoreDemanded: boolean
}

interface Feature {
  /** Whether a rule that sent the request uses it, or one that failed at this header. */
  used(request: Request, subject: string): boolean
  /** Why it is not there; undefined if it is. */
  missing(service: Probing): Promise<string | undefined>
}

function operation(uses: RegExp, probe: (service: Probing) => Request | Promise<Request>): Feature {
  return {
    used: ({ method, path }) => uses.test(`${method} ${path}`),
    async missing(service) {
      const request = await probe(service)
      const { status, text } = await service.ask(request)
      const line = `${request.method} ${request.path}`
      if (status === 403) return `the key may not ${line}: 403`
      const isAbsent = [404, 405, 501].includes(status) && !/"(?:pet|order)_not_found"/.test(text)
      return isAbsent && !service.isStoreDemanded ? `the service has no ${line}` : undefined
    },
  }
}

const isList = ({ method, path }: Request) => /^(?:GET|HEAD) \/pets(?:\?|$)/.test(`${method} ${path}`)
const sends = ({ headers = {} }: Request, name: string) => headers[name] !== undefined

/** A filter of the list: one value of it must match no animal. */
function filter(name: string, matchesNothing: (service: Probing) => bigint | string): Feature {
  const parameter = new RegExp(`[?&]${name}(?:=|\\[|%5B)`)
  return {
    used: (request) => isList(request) && parameter.test(request.path),
    async missing(service) {
      await service.have(1)
      const { text } = await service.ask(GET(`/pets?${name}=${matchesNothing(service)}`))
      return text.trim() === '[]' ? undefined : `the service has no filter ${name}`
    },
  }
}

/** A header that the list has. */
const header = (name: string, used: Feature['used']): Feature => ({
  used,
  async missing(service) {
    await service.have(2)
    const { headers } = await service.ask(GET('/pets?limit=1'))
    return headers.has(name.toLowerCase()) ? undefined : `the service sends no ${name}`
  },
})

const member = (received: Received, name: string) => (bodyOf(received) as { [member: string]: Json })[name]

export const features = {
  getPet: {
    used: ({ method, path }) => /^(?:GET|HEAD) \/pets\/./.test(`${method} ${path}`),
    missing: async ({ clock }) => (clock() >= removal ? 'getPet was removed on 5 December 2030' : undefined),
  },
  createPet: {
    used: ({ method, path }) => /^POST \/pets\b/.test(`${method} ${path}`),
    async missing({ ask }) {
      const { status } = await ask(POST('/pets', { name: 'conform-probe', categoryId: 1 }))
      return status === 403 ? 'the key may not POST /pets: 403' : undefined
    },
  },
  categoryId: filter('categoryId', ({ category }) => category()),
  id: filter('id', () => '0'),
  after: filter('after', () => '9223372036854775807'),
  search: filter('search', ({ category }) => `conform${category()}`),
  order: {
    used: (request) => isList(request) && /[?&]order=/.test(request.path),
    async missing({ ask, have }) {
      await have(2)
      const [up, down] = [await ask(GET('/pets?limit=2')), await ask(GET('/pets?limit=2&order=desc'))]
      return up.text === down.text ? 'the service has no parameter order' : undefined
    },
  },
  pages: header(
    'Link',
    (request, subject) => isList(request) && (subject === 'Link' || /[?&]cursor/.test(request.path)),
  ),
  tags: header('ETag', (request, subject) => subject === 'ETag' || sends(request, 'If-None-Match')),
  requestIds: header(
    'X-Request-Id',
    (request, subject) => subject === 'X-Request-Id' || sends(request, 'X-Request-Id'),
  ),
  idempotency: {
    used: (request, subject) => subject === 'Idempotency-Replayed' || sends(request, 'Idempotency-Key'),
    async missing({ ask, category }) {
      const request = POST('/pets', { name: 'conform-probe', categoryId: 1 }, { 'Idempotency-Key': `${category()}` })
      const [first, second] = [await ask(request), await ask(request)]
      return member(first, 'id') === member(second, 'id') ? undefined : 'the service takes no Idempotency-Key'
    },
  },
  codes: {
    // No rule is skipped for it: where only the code differs, run.ts passes over that.
    used: () => false,
    async missing({ ask }) {
      const isOurs = member(await ask(GET('/nope')), 'code') === 'route_not_found'
      return isOurs ? undefined : 'the service has error codes of its own'
    },
  },
  changing: operation(/^PATCH \/pets\//, async ({ have }) => {
    const [id] = await have(1).catch(() => [0n])
    return PATCH(`/pets/${id}`, {})
  }),
  removing: operation(/^DELETE \/pets\//, () => DELETE('/pets/0')),
  orders: operation(/ \/store\/orders\b/, () => GET('/store/orders')),
  orderCounts: operation(/ \/store\/order-counts\b/, () => GET('/store/order-counts')),
  changingOrders: operation(/^PATCH \/store\/orders\//, () => PATCH('/store/orders/0', {})),
  ordering: operation(/^POST \/store\/orders/, () => POST('/store/orders', {})),
  naming: operation(/^(?:PUT|DELETE) \/categories\//, () => PUT('/categories/0', {})),
  namingAny: operation(/^POST \/categories$/, () => POST('/categories', {})),
  categories: operation(/ \/categories\b/, () => GET('/categories')),
  inventory: operation(/ \/store\/inventory\b/, () => GET('/store/inventory')),
  sales: operation(/ \/store\/sales\b/, () => GET('/store/sales')),
  me: operation(/ \/me\b/, () => GET('/me')),
  events: operation(/ \/events\b/, () => GET('/events')),
  webhooks: operation(/ \/webhooks\b/, () => GET('/webhooks')),
  webhooksToAdd: {
    used: ({ method, path }) => method === 'POST' && path === '/webhooks',
    async missing({ ask }) {
      const { status } = await ask(POST('/webhooks', { url: 'https://conform.example/hooks' }))
      return status === 409 ? 'the service takes no more webhooks: 409' : undefined
    },
  },
} satisfies Record<string, Feature>

export type FeatureName = keyof typeof features
