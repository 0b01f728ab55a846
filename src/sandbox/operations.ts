/** The operations of `/sandbox`, through which a test controls its shop. */
import { faults as catalogue } from '../../conform/src/faults.ts'
import { operations } from '../app.ts'
import { type ErrorCode, errors, refuse } from '../errors.ts'
import type { Reply } from '../http/message.ts'
import { type NeededServices, operation } from '../http/operation.ts'
import { oneOf, type Parameter } from '../http/parameters.ts'
import type { JsonObject } from '../schema/json.ts'
import { expects, readTime, sentTime, Timestamp } from '../schema/schema.ts'
import { type Static, Type } from '../schema/type.ts'
import { timeText } from '../time.ts'
import type { Entry } from './failures.ts'
import { bodyMax, journalMax } from './journal.ts'
import { nameForm } from './keys.ts'
import { seededStatuses } from './seed.ts'
import type { Shops } from './shops.ts'

interface ControlServices extends NeededServices {
  readonly shops: Shops
}

const Text = (description: string) => Type.String({ description })
const Count = (maximum: number, description: string) =>
  Type.Unsafe<bigint>({ type: 'integer', format: 'int32', minimum: 0, maximum, description })
const OneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: values, description })
const many = 1_000_000

const ways = {
  error: OneOf(
    Object.keys(errors) as ErrorCode[],
    'Answer with this error, including its status and headers. The request has no effect.',
  ),
  gateway: Type.Unsafe<bigint>({
    type: 'integer',
    format: 'int32',
    minimum: 502,
    maximum: 504,
    description:
      'Answer with this status, 502 or 504, and an HTML body, as a proxy does that cannot reach the service. The ' +
      'request has no effect.',
  }),
  cut: OneOf(
    ['before', 'middle', 'after'],
    'When the connection ends: `before` the request has any effect, in the `middle` of the response body, or ' +
      '`after` the request took effect but before the response is sent. A stream that is cut in the `middle` ends ' +
      'after its first event.',
  ),
  delayMs: Count(
    60_000,
    'How long to wait first, in milliseconds of real time. It can stand alone or be combined with `error`, ' +
      '`gateway` or `cut`.',
  ),
  retryAfter: Count(86_400, 'The seconds in the Retry-After header of the `error` or the `gateway`.'),
}
const operationIds = operations.map(({ id }) => id)
const faults = catalogue.filter(({ isOutside }) => !isOutside)
const faultIds = faults.map(({ id }) => id)
const Failure = Type.Partial(
  {
    operation: OneOf(['*', ...operationIds], 'The operation whose requests fail, or `*` for all operations.'),
    contains: Type.String({
      minLength: 1,
      maxLength: 1_024,
      description: 'Only requests whose path, query or body contains this text fail.',
      [expects]: 'a text of 1 to 1024 characters',
    }),
    ...ways,
    fault: OneOf(
      faultIds,
      'A fault of `GET /sandbox/faults`. Every response shows it until the failures are replaced. It cannot be ' +
        'combined with other members.',
    ),
    skip: Count(many, 'How many matching requests to let through first. The default is 0.'),
    times: Count(many, 'How many matching requests fail. The default is 1.'),
  },
  { $id: 'Failure', description: 'A failure to inject: which requests fail, and how.' },
)
const Failures = Type.Array(Failure, { $id: 'Failures', maxItems: 100, description: 'The failures to inject.' })
const State = Type.Object(
  {
    animals: Count(many, 'The number of animals.'),
    orders: Count(many, 'The number of orders.'),
    webhooks: Count(many, 'The number of webhooks.'),
    requests: Count(journalMax, 'The number of requests that it remembers.'),
    now: Timestamp('The time of the shop.'),
    stopped: Type.Boolean({ description: 'Whether the clock of the shop is stopped.' }),
    failures: Failures,
  },
  { $id: 'Shop', description: 'The state of a shop.' },
)
const JournalEntry = Type.Object(
  {
    at: Timestamp('When the request arrived, by the clock of the shop.'),
    operation: Type.Optional(Text('The id of the operation. Absent if no operation matches the request.')),
    method: Text('The HTTP method.'),
    path: Text('The path and the query.'),
    status: Count(599, 'The status of the response, even if the response was lost. It is 0 if there was no response.'),
    failure: Type.Optional(
      Type.Partial(ways, { description: 'The failure that was injected. Absent if there was none.' }),
    ),
    idempotencyKey: Type.Optional(Text('The Idempotency-Key of the request.')),
    requestId: Text('The X-Request-Id of the response, or of the request if there was no response.'),
    headers: Type.Unsafe<Record<string, string>>({
      type: 'object',
      description:
        'The headers of the request that the contract defines or a browser sends, in lower case. The API key is ' +
        'never included.',
    }),
    body: Type.Optional(Text(`The first ${bodyMax} characters of the request body.`)),
    answer: Type.Optional(Text(`The first ${bodyMax} characters of the response body.`)),
  },
  { $id: 'JournalEntry', description: 'A request that the shop received.' },
)
const Fault = Type.Object(
  { id: Text('The id of the fault.'), description: Text('What the fault does wrong.') },
  { $id: 'Fault', description: 'A way in which a service can break its contract.' },
)

const declared = { tag: 'testing', stability: 'experimental' } as const
const at = '2030-12-06T00:00:00.000Z'
const lost = { operation: 'createPet', cut: 'after' }
/** These are checked by the operations that create them. */
const Things = (description: string) =>
  Type.Array(Type.Unsafe<JsonObject>({ type: 'object' }), { maxItems: 1_000, description })
const json = (value: unknown): Reply => ({ status: 200, body: JSON.stringify(value) })
const done: Reply = { status: 204, body: '' }

const getShop = operation({
  ...declared,
  id: 'getShop',
  method: 'GET',
  path: '/sandbox',
  summary: 'Get the shop',
  description:
    'Returns the number of rows in the shop of this key, its time, and the failures that are still to be injected.',
  answer: {
    status: 200,
    description: 'The shop.',
    schema: State,
    example: { animals: 1, orders: 0, webhooks: 0, requests: 2, now: at, failures: [lost] },
  },
  async run({ key }, { shops }: ControlServices) {
    const { counts, journal, now, isStopped, plan } = shops.of(key.prefix)
    const { pets: animals, orders, webhooks } = await counts()
    const requests = journal.count()
    const clock = { now: timeText(now()), stopped: isStopped() }
    return json({ animals, orders, webhooks, requests, ...clock, failures: plan.left() })
  },
})

const deleteShop = operation({
  ...declared,
  id: 'deleteShop',
  method: 'DELETE',
  path: '/sandbox',
  summary: 'Remove the shop',
  description: 'Removes the shop. The next request with its key creates an empty shop.',
  answer: { status: 204, description: 'The shop was removed.' },
  run({ key }, { shops }: ControlServices) {
    shops.delete(key.prefix)
    return done
  },
})

const listShops = operation({
  ...declared,
  id: 'listShops',
  method: 'GET',
  path: '/sandbox/shops',
  summary: 'List the shops',
  description: 'Returns all shops of the sandbox. The shop that was used last comes first.',
  answer: {
    status: 200,
    description: 'The shops.',
    schema: Type.Array(
      Type.Object(
        {
          name: Text('The key of the shop.'),
          usedAt: Timestamp('When the shop was last used, in real time.'),
          requests: Count(journalMax, 'The number of requests that it remembers.'),
        },
        { $id: 'ShopName', description: 'A shop.' },
      ),
      { $id: 'Shops', maxItems: 1_000, description: 'All shops.' },
    ),
    example: [{ name: 'test_retry', usedAt: at, requests: 2 }],
  },
  run: (_input, { shops }: ControlServices) => json(shops.list()),
})

const resetShop = operation({
  ...declared,
  id: 'resetShop',
  method: 'POST',
  path: '/sandbox/reset',
  summary: 'Reset the shop',
  description:
    'Removes everything in the shop, including its failures and its list of requests, and sets its clock to the ' +
    'real time. Then the rows of the body are created as clients would create them: categories first and orders ' +
    'last. Animals and orders get the ids 1, 2, 3 and so on. An order can contain a `status`, which is one of ' +
    `${seededStatuses.join(', ')}.`,
  body: {
    schema: Type.Partial(
      {
        animals: Count(
          1_000,
          'How many sample animals to create. They are the same in every shop. The default is none.',
        ),
        pets: Things('Animals to create, in the form that createPet takes.'),
        orders: Things('Orders to create, in the form that placeOrder takes. Each can also contain a `status`.'),
        categories: Things('Categories to create, with `id` and `name`.'),
        like: Type.String({
          description:
            'The key of another shop. This shop becomes a copy of that shop, including its time. It cannot be ' +
            'combined with other members.',
          pattern: nameForm.source,
          [expects]: 'the key of a shop, such as test_base',
        }),
      },
      { $id: 'Reset', description: 'What the shop contains after the reset.' },
    ),
    isOptional: true,
    examples: {
      stocked: { animals: 50 },
      own: {
        categories: [{ id: 1, name: 'Dogs' }],
        pets: [{ name: 'Rex', categoryId: 1 }],
        orders: [{ petId: 1, status: 'completed', reference: 'Mrs Novak' }],
      },
    },
  },
  answer: { status: 204, description: 'The shop was reset.' },
  async run({ key, body }, { shops }: ControlServices) {
    const { animals = 0n, like, pets = [], orders = [], categories = [] } = body
    if (like === undefined) {
      const shop = shops.of(key.prefix, true)
      await shop.reset(Number(animals), { pets, orders, categories })
      return done
    }
    if (Object.keys(body).length > 1) refuse('invalid_field', 'like: cannot be combined with other members')
    const other =
      shops.find(like) ?? refuse('invalid_field', `like: there is no shop ${like}; send a request with that key first`)
    const copied = await other.copy()
    shops.of(key.prefix, true).resetTo(copied)
    return done
  },
})

const duration = /^P(?=.)(?:(\d{1,6})D)?(?:T(?=.)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/

const unitMilliseconds = [24 * 60 * 60 * 1000, 60 * 60 * 1000, 60 * 1000, 1000]
const millisecondsOf = (text: string) =>
  unitMilliseconds.reduce((sum, unit, i) => sum + unit * Number(duration.exec(text)?.[i + 1] ?? 0), 0)

const setClock = operation({
  ...declared,
  id: 'setClock',
  method: 'PUT',
  path: '/sandbox/clock',
  summary: 'Set the clock of the shop',
  description:
    'Sets the time of the shop. The clock then continues to run, unless it is `stopped`. Orders whose time has ' +
    'come expire, and each webhook delivery that is due is tried once, even if several retries would have been ' +
    'due. The response is sent when all this is done.',
  body: {
    schema: Type.Partial(
      {
        now: Type.String({ ...sentTime, description: 'The new time.', [expects]: 'an RFC 3339 time' }),
        advance: Type.String({
          maxLength: 40,
          description: 'How far to move the clock forward, in days, hours, minutes and seconds.',
          pattern: duration.source,
          [expects]: 'a duration such as PT25H or P1DT30S',
        }),
        stopped: Type.Boolean({
          description: 'Whether the clock is stopped from then on. If it is omitted, this does not change.',
        }),
      },
      {
        $id: 'ClockChange',
        description: 'A change of the clock: either `now` or `advance`, and whether the clock runs.',
      },
    ),
    examples: { advance: { advance: 'PT25H' }, set: { now: at, stopped: true } },
  },
  answer: { status: 204, description: 'The clock was set.' },
  async run({ key, body: { now, advance, stopped } }, { shops }: ControlServices) {
    const shop = shops.of(key.prefix)
    if (now !== undefined ? advance !== undefined : advance === undefined && stopped === undefined)
      refuse('invalid_field', 'Send now or advance, but not both. To stop or start the clock only, send stopped.')
    const time = now ? Date.parse(readTime(now) as string) : shop.now() + millisecondsOf(advance ?? 'PT0S')
    await shop.setClock(time, stopped)
    return done
  },
})

const goesThrough =
  'Each request is compared with the list in order. A matching entry whose `skip` is not used up counts the ' +
  'request and lets it pass on to the next entry. The first other matching entry makes the request fail.'
const failureExamples = { lost: [lost], faulty: [{ fault: 'limit-ignored' }] }

const addFailures = operation({
  ...declared,
  id: 'addFailures',
  method: 'POST',
  path: '/sandbox/failures',
  summary: 'Add failures',
  description: `Adds one or more failures to the end of the list of failures. ${goesThrough}`,
  body: {
    schema: Type.Union([Failures, Failure]),
    examples: { one: lost, ...failureExamples },
  },
  answer: { status: 204, description: 'The list of failures was changed.' },
  run({ key, body }, { shops }: ControlServices) {
    shops.of(key.prefix).plan.add([body].flat().map(entryOf))
    return done
  },
})

const putFailures = operation({
  ...declared,
  id: 'putFailures',
  method: 'PUT',
  path: '/sandbox/failures',
  summary: 'Replace the failures',
  description: `Replaces the list of failures. ${goesThrough}`,
  body: { schema: Failures, examples: failureExamples },
  answer: { status: 204, description: 'The list of failures was changed.' },
  run({ key, body }, { shops }: ControlServices) {
    shops.of(key.prefix).plan.replace(body.map(entryOf))
    return done
  },
})

function entryOf({ fault, ...failure }: Static<typeof Failure>, index: number): Entry {
  const { operation, contains, skip = 0n, times = 1n, error, gateway, cut, delayMs, retryAfter } = failure
  const wrong = (text: string) => refuse('invalid_field', `[${index}] ${text}`)
  if (fault)
    return Object.keys(failure).length === 0 ? { fault } : wrong('fault: cannot be combined with other members')
  const effects = [error, gateway, cut].filter((effect) => effect !== undefined).length
  if (effects > 1 || (effects === 0 && delayMs === undefined))
    wrong('must contain exactly one of error, gateway and cut, or delayMs with or without one of them, or only a fault')
  if (gateway === 503n) wrong('gateway: must be 502 or 504')
  if (retryAfter !== undefined && !error && !gateway) wrong('retryAfter: can be sent only with error or gateway')
  if (!operation) refuse('missing_field', `[${index}] operation: is required`)
  return {
    operation,
    ...(contains !== undefined && { contains }),
    skip: Number(skip),
    times: Number(times),
    ...(error && { error }),
    ...(gateway && { gateway: gateway === 502n ? 502 : 504 }),
    ...(cut && { cut }),
    ...(delayMs !== undefined && { delayMs: Number(delayMs) }),
    ...(retryAfter !== undefined && { retryAfter: Number(retryAfter) }),
  }
}

const listFaults = operation({
  ...declared,
  id: 'listFaults',
  method: 'GET',
  path: '/sandbox/faults',
  summary: 'List contract faults',
  description:
    'Returns the ways in which a shop can break its contract. Each fault breaks a rule of `petstore conform`, or ' +
    'can be noticed by a receiver of webhooks.',
  answer: {
    status: 200,
    description: 'The faults.',
    example: [{ id: 'limit-ignored', description: 'limit is ignored' }],
    schema: Type.Array(Fault, { $id: 'Faults', maxItems: 1_000, description: 'All faults.' }),
  },
  run: (_input, _services: ControlServices) => json(faults.map(({ id, description }) => ({ id, description }))),
})

/** A whole number in a query. */
const upTo = (
  minimum: number,
  maximum: number,
  fallback: number,
  description: string,
): Parameter<number> & { fallback: number } => ({
  schema: { type: 'integer', minimum, maximum, default: fallback },
  description,
  example: fallback,
  parse: (text) => {
    const value = /^(?:0|[1-9]\d{0,4})$/.test(text) ? Number(text) : -1
    return value >= minimum && value <= maximum ? value : undefined
  },
  expects: `a whole number from ${minimum} to ${maximum}`,
  fallback,
  refusal: 'invalid_parameter',
})

const listRequests = operation({
  ...declared,
  id: 'listRequests',
  method: 'GET',
  path: '/sandbox/requests',
  summary: 'List requests',
  description:
    'Returns the last requests to the shop, in the order in which they arrived. It keeps 1,000 requests, or as ' +
    'many as fit into 4 MiB. A call of a tool by an agent is listed as a request of its operation.',
  query: {
    operation: oneOf({ type: 'string', enum: operationIds }, 'Return only requests of this operation.'),
    wait: upTo(0, 30, 0, 'How many seconds to wait at most until there are `count` requests that were answered.'),
    count: upTo(1, journalMax, 1, 'How many requests to wait for.'),
  },
  answer: {
    status: 200,
    description: 'The requests. There can be fewer than `count` if the wait ended first.',
    schema: Type.Array(JournalEntry, {
      $id: 'Journal',
      maxItems: journalMax,
      description: 'Requests. The latest is last.',
    }),
    example: [
      {
        at,
        operation: 'createPet',
        method: 'POST',
        path: '/v1/pets',
        status: 201,
        requestId: '4c1d',
        headers: { 'content-type': 'application/json' },
        body: '{"name":"Rex","categoryId":1}',
        answer: '{"id":1,"name":"Rex","categoryId":1,"status":"available"}',
      },
    ],
  },
  async run({ key, query: { operation: id, wait, count } }, { shops }: ControlServices) {
    return json(await shops.of(key.prefix).requests(id, count, wait * 1_000))
  },
})

export const controlOperations = [
  getShop,
  deleteShop,
  listShops,
  resetShop,
  setClock,
  addFailures,
  putFailures,
  listFaults,
  listRequests,
]
