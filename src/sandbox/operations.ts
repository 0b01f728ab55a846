/** The operations of `/sandbox`: what a test tells its shop. */
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
  error: OneOf(Object.keys(errors) as ErrorCode[], 'This error, with its status and headers; nothing is done.'),
  gateway: Type.Unsafe<bigint>({
    type: 'integer',
    format: 'int32',
    minimum: 502,
    maximum: 504,
    description: 'What a proxy answers that does not reach the service, in HTML: 502 or 504; nothing is done.',
  }),
  cut: OneOf(
    ['before', 'middle', 'after'],
    'The connection ends before anything was done, in the middle of the body, or when all was done. A stream is cut ' +
      'in the `middle` when its first event was sent.',
  ),
  delayMs: Count(60_000, 'Milliseconds of real time that pass first; alone, or before one of the others.'),
  retryAfter: Count(86_400, 'The seconds in the Retry-After of the `error` or of the `gateway`.'),
}
const operationIds = operations.map(({ id }) => id)
const faults = catalogue.filter(({ isOutside }) => !isOutside)
const faultIds = faults.map(({ id }) => id)
const Failure = Type.Partial(
  {
    operation: OneOf(['*', ...operationIds], 'The requests that fail: those of an operation, or all.'),
    contains: Type.String({
      minLength: 1,
      maxLength: 1_024,
      description: 'Of these only those whose path, query or body contains this text.',
      [expects]: 'a text of 1 to 1024 characters',
    }),
    ...ways,
    fault: OneOf(faultIds, 'A contract fault, alone: every request has it until failures are put again.'),
    skip: Count(many, 'How many of them go well before that; 0 unless given.'),
    times: Count(many, 'How many of them fail; 1 unless given.'),
  },
  { $id: 'Failure', description: 'What fails, and how.' },
)
const Failures = Type.Array(Failure, { $id: 'Failures', maxItems: 100, description: 'What is to fail.' })
const State = Type.Object(
  {
    animals: Count(many, 'Its animals.'),
    orders: Count(many, 'Its orders.'),
    webhooks: Count(many, 'Its webhooks.'),
    requests: Count(journalMax, 'The requests in its journal.'),
    now: Timestamp('Its time.'),
    stopped: Type.Boolean({ description: 'Whether its clock stands still.' }),
    failures: Failures,
  },
  { $id: 'Shop', description: 'What a shop has.' },
)
const JournalEntry = Type.Object(
  {
    at: Timestamp('When it came, by the clock of the shop.'),
    operation: Type.Optional(Text('The id of its operation, if it has one.')),
    method: Text('Its method.'),
    path: Text('Its path and query.'),
    status: Count(599, 'The status of its answer, also of one that was lost; 0 if there is none.'),
    failure: Type.Optional(Type.Partial(ways, { description: 'How it failed, if it was to fail.' })),
    idempotencyKey: Type.Optional(Text('Its Idempotency-Key.')),
    requestId: Text('The X-Request-Id of its answer, or its own.'),
    headers: Type.Unsafe<Record<string, string>>({
      type: 'object',
      description: 'Those of its headers that the contract or a browser knows, in lower case; never its key.',
    }),
    body: Type.Optional(Text(`The first ${bodyMax} characters of its body.`)),
    answer: Type.Optional(Text(`The first ${bodyMax} characters of the body of its answer.`)),
  },
  { $id: 'JournalEntry', description: 'A request that came to the shop.' },
)
const Fault = Type.Object(
  { id: Text('Its id.'), description: Text('What is wrong.') },
  { $id: 'Fault', description: 'A way in which a service can break its contract.' },
)

const declared = { tag: 'testing', stability: 'experimental' } as const
const at = '2030-12-06T00:00:00.000Z'
const lost = { operation: 'createPet', cut: 'after' }
/** The operations that make them check them. */
const Things = (description: string) =>
  Type.Array(Type.Unsafe<JsonObject>({ type: 'object' }), { maxItems: 1_000, description })
const json = (value: unknown): Reply => ({ status: 200, body: JSON.stringify(value) })
const done: Reply = { status: 204, body: '' }

const getShop = operation({
  ...declared,
  id: 'getShop',
  method: 'GET',
  path: '/sandbox',
  summary: 'Look at the shop',
  description: 'How much the shop of this key has, its time, and what is still to fail in it.',
  answer: {
    status: 200,
    description: 'The shop.',
    schema: State,
    example: { animals: 1, orders: 0, webhooks: 0, requests: 2, now: at, failures: [lost] },
  },
  async run({ key }, { shops }: ControlServices) {
    const { counts, journal, now, isStopped, plan } = shops.of(key.prefix)
    const { pets: animals, orders, webhooks } = await counts()
    const requests = journal.entries().length
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
  description: 'Removes the shop; the next request with its key makes it again, empty.',
  answer: { status: 204, description: 'It is gone.' },
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
  description: 'All shops of the sandbox, the one that was used last first.',
  answer: {
    status: 200,
    description: 'The shops.',
    schema: Type.Array(
      Type.Object(
        {
          name: Text('Its key.'),
          usedAt: Timestamp('When it was last used, in real time.'),
          requests: Count(journalMax, 'The requests in its journal.'),
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
  summary: 'Make the shop as new',
  description:
    'Removes all that the shop has, its failures and its journal, and sets its clock to the real time. What it is to ' +
    'have is made by its own operations, categories first and orders last: animals and orders get the ids 1, 2, 3 ' +
    `and so on, and an order may have a \`status\`, one of ${seededStatuses.join(', ')}.`,
  body: {
    schema: Type.Partial(
      {
        animals: Count(1_000, 'How many animals it gets, the same in every shop; none unless given.'),
        pets: Things('Animals, each as createPet takes it.'),
        orders: Things('Orders, each as placeOrder takes it, and with a `status`.'),
        categories: Things('Categories: `id` and `name`.'),
        like: Type.String({
          description: 'The key of another shop, of which this one becomes a copy, with its time; alone.',
          pattern: nameForm.source,
          [expects]: 'the key of a shop, such as test_base',
        }),
      },
      { $id: 'Reset', description: 'What the new shop has.' },
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
  answer: { status: 204, description: 'The shop is as new.' },
  async run({ key, body }, { shops }: ControlServices) {
    const { animals = 0n, like, pets = [], orders = [], categories = [] } = body
    if (like === undefined) {
      const shop = shops.of(key.prefix, true)
      await shop.reset(Number(animals), { pets, orders, categories })
      return done
    }
    if (Object.keys(body).length > 1) refuse('invalid_field', 'like: must be alone')
    const other = shops.find(like) ?? refuse('invalid_field', `like: there is no shop ${like}`)
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
    'Sets the time of the shop, which then runs on, or stands still if it is `stopped`. Orders that are due expire, and ' +
    'webhooks that are due are tried: once, however many retries were passed. The answer comes when that is done.',
  body: {
    schema: Type.Partial(
      {
        now: Type.String({ ...sentTime, description: 'The time that it is to be.', [expects]: 'an RFC 3339 time' }),
        advance: Type.String({
          maxLength: 40,
          description: 'How far the clock is moved on: days, hours, minutes, seconds.',
          pattern: duration.source,
          [expects]: 'a duration such as PT25H or P1DT30S',
        }),
        stopped: Type.Boolean({ description: 'Whether it stands still from then on; as before unless given.' }),
      },
      { $id: 'ClockChange', description: 'The time that it is to be, in one of two ways, and whether the clock runs.' },
    ),
    examples: { advance: { advance: 'PT25H' }, set: { now: at, stopped: true } },
  },
  answer: { status: 204, description: 'It is that time.' },
  async run({ key, body: { now, advance, stopped } }, { shops }: ControlServices) {
    const shop = shops.of(key.prefix)
    if (now !== undefined ? advance !== undefined : advance === undefined && stopped === undefined)
      refuse('invalid_field', 'Give one of now and advance, or stopped.')
    const time = now ? Date.parse(readTime(now) as string) : shop.now() + millisecondsOf(advance ?? 'PT0S')
    await shop.setClock(time, stopped)
    return done
  },
})

const goesThrough =
  'A request goes through the list: an entry for it that still skips counts it and lets it pass, the first other one ' +
  'fails it.'
const failureExamples = { lost: [lost], faulty: [{ fault: 'limit-ignored' }] }

const addFailures = operation({
  ...declared,
  id: 'addFailures',
  method: 'POST',
  path: '/sandbox/failures',
  summary: 'Add what is to fail',
  description: `Adds one failure or several to the end of the list of what is to fail. ${goesThrough}`,
  body: {
    schema: Type.Union([Failures, Failure]),
    examples: { one: lost, ...failureExamples },
  },
  answer: { status: 204, description: 'So it will be.' },
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
  summary: 'Say what is to fail',
  description: `Replaces what is to fail. ${goesThrough}`,
  body: { schema: Failures, examples: failureExamples },
  answer: { status: 204, description: 'So it will be.' },
  run({ key, body }, { shops }: ControlServices) {
    shops.of(key.prefix).plan.replace(body.map(entryOf))
    return done
  },
})

function entryOf({ fault, ...failure }: Static<typeof Failure>, index: number): Entry {
  const { operation, contains, skip = 0n, times = 1n, error, gateway, cut, delayMs, retryAfter } = failure
  const wrong = (text: string) => refuse('invalid_field', `[${index}] ${text}`)
  if (fault) return Object.keys(failure).length === 0 ? { fault } : wrong('fault: must be alone')
  const effects = [error, gateway, cut].filter((effect) => effect !== undefined).length
  if (effects > 1 || (effects === 0 && delayMs === undefined))
    wrong('must have one of error, gateway, cut, or delayMs alone or with one of these, or a fault')
  if (gateway === 503n) wrong('gateway: must be 502 or 504')
  if (retryAfter !== undefined && !error && !gateway) wrong('retryAfter: must be with an error or a gateway')
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
    'The ways in which a shop can break its contract: a rule of `petstore conform` sees each, or a receiver.',
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
    'The last requests to the shop, in the order in which they came: 1,000, or as many as fit into 4 MiB. Calls of ' +
    'tools by agents are requests of their operations, too.',
  query: {
    operation: oneOf({ type: 'string', enum: operationIds }, 'Only requests of this operation.'),
    wait: upTo(0, 30, 0, 'For how many seconds it may wait until there are `count` requests that were answered.'),
    count: upTo(1, journalMax, 1, 'How many requests to wait for.'),
  },
  answer: {
    status: 200,
    description: 'The requests, also if they are fewer than were waited for.',
    schema: Type.Array(JournalEntry, {
      $id: 'Journal',
      maxItems: journalMax,
      description: 'Requests, the latest last.',
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
