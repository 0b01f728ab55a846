/** The operations of `/sandbox`: what a test tells its shop. */
import type { Failing } from '../../client/src/testing.ts'
import { faults as catalogue } from '../../conform/src/faults.ts'
import { operations } from '../app.ts'
import { type ErrorCode, errors, refuse } from '../errors.ts'
import type { Reply } from '../http/message.ts'
import { type NeededServices, operation } from '../http/operation.ts'
import type { Key } from '../model/key.ts'
import { expects, readTime, sentTime, Timestamp } from '../schema/schema.ts'
import { type Static, Type } from '../schema/type.ts'
import { timeText } from '../time.ts'
import type { Entry } from './failures.ts'
import { journalMax, type Shop } from './shop.ts'

interface ControlServices extends NeededServices {
  readonly shopOf: (key: Key) => Shop
}

const Text = (description: string) => Type.String({ description })
const Count = (maximum: number, description: string) =>
  Type.Unsafe<bigint>({ type: 'integer', format: 'int32', minimum: 0, maximum, description })
const OneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: values, description })
const many = 1_000_000

const ways = {
  error: OneOf(Object.keys(errors) as ErrorCode[], 'This error, with its status and headers; nothing is done.'),
  delayMs: Count(60_000, 'They wait so many milliseconds of real time, and go on.'),
  cut: OneOf(
    ['before', 'middle', 'after'],
    'The connection ends before anything was done, in the middle of the body, or when all was done.',
  ),
}
const operationIds = operations.map(({ id }) => id)
const faults = catalogue.filter(({ isOutside }) => !isOutside)
const faultIds = faults.map(({ id }) => id)
const Failure = Type.Partial(
  {
    operation: OneOf(['*', ...operationIds], 'The requests that fail: those of an operation, or all.'),
    ...ways,
    fault: OneOf(faultIds, 'A contract fault, alone: every request has it until failures are put again.'),
    skip: Count(many, 'How many of them go well before that; 0 unless given.'),
    times: Count(many, 'How many of them fail; 1 unless given.'),
  },
  { $id: 'Failure', description: 'What fails, and in which one way.' },
)
const Failures = Type.Array(Failure, { $id: 'Failures', maxItems: 100, description: 'What is to fail.' })
const State = Type.Object(
  {
    animals: Count(many, 'Its animals.'),
    orders: Count(many, 'Its orders.'),
    webhooks: Count(many, 'Its webhooks.'),
    requests: Count(journalMax, 'The requests in its journal.'),
    now: Timestamp('Its time.'),
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
  async run({ key }, { shopOf }: ControlServices) {
    const { counts, journal, now, plan } = shopOf(key)
    const { pets: animals, orders, webhooks } = await counts()
    return json({ animals, orders, webhooks, requests: journal.length, now: timeText(now()), failures: plan.left() })
  },
})

const resetShop = operation({
  ...declared,
  id: 'resetShop',
  method: 'POST',
  path: '/sandbox/reset',
  summary: 'Make the shop as new',
  description: 'Removes all that the shop has, its failures and its journal, and sets its clock to the real time.',
  body: {
    schema: Type.Partial(
      { animals: Count(1_000, 'How many animals it gets, the same in every shop; none unless given.') },
      { $id: 'Reset', description: 'What the new shop has.' },
    ),
    isOptional: true,
    examples: { stocked: { animals: 50 } },
  },
  answer: { status: 204, description: 'The shop is as new.' },
  async run({ key, body: { animals = 0n } }, { shopOf }: ControlServices) {
    await shopOf(key).reset(Number(animals))
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
    'The shop then has this time, which goes on. Orders that are due expire, and webhooks that are due are tried: ' +
    'once, however many retries were passed. The answer comes when that is done.',
  body: {
    schema: Type.Partial(
      {
        now: Type.String({ ...sentTime, description: 'The time that it is to be.', [expects]: 'an RFC 3339 time' }),
        advance: Type.String({
          maxLength: 40,
          description: 'By how much it goes on: days, hours, minutes, seconds.',
          pattern: duration.source,
          [expects]: 'a duration such as PT25H or P1DT30S',
        }),
      },
      { $id: 'ClockChange', description: 'The time that it is to be, in one of two ways.' },
    ),
    examples: { advance: { advance: 'PT25H' }, set: { now: at } },
  },
  answer: { status: 204, description: 'It is that time.' },
  async run({ key, body: { now, advance } }, { shopOf }: ControlServices) {
    const shop = shopOf(key)
    if ((now === undefined) === (advance === undefined)) refuse('invalid_field', 'Give one of now and advance.')
    await shop.setClock(now ? Date.parse(readTime(now) as string) : shop.now() + millisecondsOf(advance as string))
    return done
  },
})

const putFailures = operation({
  ...declared,
  id: 'putFailures',
  method: 'PUT',
  path: '/sandbox/failures',
  summary: 'Say what is to fail',
  description:
    'Replaces what is to fail. A request goes through the list: an entry for it that still skips counts it and lets ' +
    'it pass, the first other one fails it.',
  body: { schema: Failures, examples: { lost: [lost], faulty: [{ fault: 'limit-ignored' }] } },
  answer: { status: 204, description: 'So it will be.' },
  run({ key, body }, { shopOf }: ControlServices) {
    shopOf(key).plan.replace(body.map(entryOf))
    return done
  },
})

function entryOf({ fault, ...failure }: Static<typeof Failure>, index: number): Entry {
  const { operation, skip = 0n, times = 1n, delayMs, ...way } = failure
  const failing: Failing = { ...way, ...(delayMs !== undefined && { delayMs: Number(delayMs) }) }
  if (Object.keys(failing).length + Number(fault !== undefined) !== 1)
    refuse('invalid_field', `[${index}] must have one of error, delayMs, cut, fault`)
  if (fault)
    return Object.keys(failure).length === 0 ? { fault } : refuse('invalid_field', `[${index}] fault: must be alone`)
  if (!operation) refuse('missing_field', `[${index}] operation: is required`)
  return { operation, skip: Number(skip), times: Number(times), ...failing }
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

const listRequests = operation({
  ...declared,
  id: 'listRequests',
  method: 'GET',
  path: '/sandbox/requests',
  summary: 'List requests',
  description: 'The last 1,000 requests to the shop, in the order in which they came.',
  answer: {
    status: 200,
    description: 'The requests.',
    schema: Type.Array(JournalEntry, {
      $id: 'Journal',
      maxItems: journalMax,
      description: 'Requests, the latest last.',
    }),
    example: [{ at, operation: 'createPet', method: 'POST', path: '/v1/pets', status: 201, requestId: '4c1d' }],
  },
  run: ({ key }, { shopOf }: ControlServices) => json(shopOf(key).journal),
})

export const controlOperations = [getShop, resetShop, setClock, putFailures, listFaults, listRequests]
