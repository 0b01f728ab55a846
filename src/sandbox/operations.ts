/** The operations of `/sandbox`: what a test tells its shop. */
import { operations } from '../app.ts'
import { type ErrorCode, errors, refuse } from '../errors.ts'
import { operation, type Services } from '../http/operation.ts'
import type { Key } from '../model/key.ts'
import { readTime } from '../model/order.ts'
import { accepts, Choice, expects, Timestamp } from '../schema/schema.ts'
import { Type } from '../schema/type.ts'
import { timeText } from '../time.ts'
import { cuts, type Failing } from './failures.ts'
import { faults } from './faults.ts'
import type { Shop } from './shop.ts'

export interface ControlServices extends Services {
  readonly shopOf: (key: Key) => Shop
}

const Count = (maximum: number, description: string) =>
  Type.Unsafe<bigint>({ type: 'integer', format: 'int32', minimum: 0, maximum, description })
const failureMembers = {
  operation: Choice(['*', ...operations.map(({ id }) => id)], {
    $id: 'FailingOperation',
    description: 'The requests that fail: those of an operation, or `*` for all.',
  }),
  skip: Count(1_000_000, 'How many of them go well before that; 0 unless given.'),
  times: Count(1_000_000, 'How many of them fail; 1 unless given.'),
  error: Choice(Object.keys(errors) as ErrorCode[], {
    $id: 'FailingCode',
    description: 'They get this error, with its status and headers, and nothing is done.',
  }),
  delayMs: Count(60_000, 'They wait so many milliseconds of real time, and then go on.'),
  cut: Choice(cuts, {
    $id: 'Cut',
    description:
      'Their connection ends: `before` anything was done, in the `middle` of the body of the answer, or `after` all ' +
      'was done, so that the answer is lost.',
  }),
  fault: Choice([...faults.keys()], {
    $id: 'FaultId',
    description: 'A contract fault, alone: every request has it until failures are put anew.',
  }),
}
const Failure = Type.Partial(failureMembers, { $id: 'Failure', description: 'What fails, and how.' })
const Failures = Type.Array(Failure, { $id: 'Failures', maxItems: 100, description: 'What is to fail.' })

const { operation: _operation, skip: _skip, times: _times, fault: _fault, ...failingMembers } = failureMembers
const Entry = Type.Object(
  {
    at: Timestamp('When it came, by the clock of the shop.'),
    operation: Type.Optional(Type.String({ description: 'The id of its operation; absent if it has none.' })),
    method: Type.String({ description: 'Its method.' }),
    path: Type.String({ description: 'Its path and query.' }),
    status: Type.Integer({
      format: 'int32',
      description: 'The status of its answer, also of one that was lost; or 0.',
    }),
    failure: Type.Optional(Type.Partial(failingMembers, { description: 'How it failed, if it was told to.' })),
    idempotencyKey: Type.Optional(Type.String({ description: 'Its Idempotency-Key.' })),
    requestId: Type.String({ description: 'Its X-Request-Id, or that of its answer.' }),
  },
  { $id: 'JournalEntry', description: 'A request that came to the shop.' },
)
const State = Type.Object(
  {
    animals: Count(2 ** 31 - 1, 'Its animals.'),
    orders: Count(2 ** 31 - 1, 'Its orders.'),
    webhooks: Count(2 ** 31 - 1, 'Its webhooks.'),
    requests: Count(1_000, 'The requests in its journal.'),
    now: Timestamp('Its time.'),
    failures: Failures,
  },
  { $id: 'Shop', description: 'What a shop has.' },
)
const Clock = Type.Object({ now: Timestamp('The time of the shop.') }, { $id: 'Clock', description: 'A clock.' })
const FaultList = Type.Array(
  Type.Object({
    id: Type.String({ description: 'Its id.' }),
    description: Type.String({ description: 'It in words.' }),
  }),
  { $id: 'Faults', description: 'Ways in which a service can break its contract.' },
)

const declared = { tag: 'testing', stability: 'experimental' } as const
const exampleTime = '2030-12-06T00:00:00.000Z'
const exampleFailure = { operation: 'createPet', cut: 'after' }

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
    example: { animals: 1, orders: 0, webhooks: 0, requests: 2, now: exampleTime, failures: [exampleFailure] },
  },
  async run({ key }, { shopOf }: ControlServices) {
    const shop = shopOf(key)
    const { pets: animals, orders, webhooks } = await shop.counts()
    const failures = [...shop.plan.failures, ...shop.plan.faults.map(({ id }) => ({ fault: id }))]
    const requests = shop.journal.length
    return json({ animals, orders, webhooks, requests, now: timeText(shop.now()), failures })
  },
})

const resetShop = operation({
  ...declared,
  id: 'resetShop',
  method: 'POST',
  path: '/sandbox/reset',
  summary: 'Make the shop as new',
  description: 'Removes all that the shop has, its failures and its journal, and sets its clock back to the real time.',
  body: {
    schema: Type.Partial(
      { animals: Count(1_000, 'How many animals it gets, the same in every shop; none unless given.') },
      { $id: 'Reset', description: 'What a new shop has.' },
    ),
    isOptional: true,
    examples: { stocked: { animals: 50 } },
  },
  answer: { status: 204, description: 'The shop is as new.' },
  async run({ key, body: { animals = 0n } }, { shopOf }: ControlServices) {
    await shopOf(key).reset(Number(animals))
    return { status: 204, body: '' }
  },
})

/** Far enough for every rule, and an ISO 8601 time with four digits of the year. */
const latest = Date.UTC(9000, 0, 1)
const durationForm = 'a duration as PT25H or P1DT30S'
const duration = /^P(?=.)(?:(\d{1,6})D)?(?:T(?=.)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/

/** In milliseconds. */
export function readDuration(text: string): number {
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] =
    duration.exec(text) ?? refuse('invalid_field', `advance: must be ${durationForm}`)
  return (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
}

function timeOf({ now, advance }: { now?: string; advance?: string }, present: number): number {
  if ((now === undefined) === (advance === undefined)) refuse('invalid_field', 'Give one of now and advance.')
  const time = advance === undefined ? Date.parse(readTime(now as string) as string) : present + readDuration(advance)
  return time >= 0 && time < latest ? time : refuse('invalid_field', 'The time must be from 1970 to 8999.')
}

const setClock = operation({
  ...declared,
  id: 'setClock',
  method: 'PUT',
  path: '/sandbox/clock',
  summary: 'Set the clock of the shop',
  description:
    'The shop then has this time, which goes on. What was due meanwhile is done once and in order, as on a computer ' +
    'that has slept: orders expire, webhooks are tried again. The answer comes when that is done.',
  body: {
    schema: Type.Partial(
      {
        now: Type.String({
          ...{ format: 'date-time', maxLength: 35, description: 'The time that it is to be.' },
          ...{ [accepts]: { test: (text: string) => readTime(text) !== undefined }, [expects]: 'an RFC 3339 time' },
        }),
        advance: Type.String({
          ...{ maxLength: 40, description: 'By how much it goes forward, in days, hours, minutes and seconds.' },
          ...{ pattern: duration.source, [expects]: durationForm },
        }),
      },
      { $id: 'ClockChange', description: 'The time that it is to be; one of both.' },
    ),
    examples: { advance: { advance: 'PT25H' }, set: { now: '2030-12-06T00:00:00Z' } },
  },
  answer: { status: 200, description: 'The time of the shop.', schema: Clock, example: { now: exampleTime } },
  async run({ key, body }, { shopOf }: ControlServices) {
    const shop = shopOf(key)
    await shop.setClock(timeOf(body, shop.now()))
    return json({ now: timeText(shop.now()) })
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
  body: { schema: Failures, examples: { lost: [exampleFailure], faulty: [{ fault: 'limit-ignored' }] } },
  answer: { status: 204, description: 'So it will be.' },
  run({ key, body }, { shopOf }: ControlServices) {
    const planted: string[] = []
    const failures = body.flatMap(({ operation, skip = 0n, times = 1n, fault, delayMs, ...how }, index) => {
      const ways: object[] = Object.entries({ ...how, ...(delayMs !== undefined && { delayMs: Number(delayMs) }) })
      const wrong = (what: string) => refuse('invalid_field', `[${index}] ${what}`)
      if (fault !== undefined) {
        if (operation !== undefined || ways.length > 0) wrong('fault: must be alone')
        planted.push(fault)
        return []
      }
      if (operation === undefined) refuse('missing_field', `[${index}] operation: is required`)
      if (ways.length !== 1) wrong('must have one of error, delayMs, cut, fault')
      const failing = Object.fromEntries(ways as [string, unknown][]) as Failing
      return times === 0n ? [] : [{ operation, skip: Number(skip), times: Number(times), ...failing }]
    })
    shopOf(key).plan.replace(failures, planted)
    return { status: 204, body: '' }
  },
})

const listFaults = operation({
  ...declared,
  id: 'listFaults',
  method: 'GET',
  path: '/sandbox/faults',
  summary: 'List contract faults',
  description: 'The ways in which a shop can break its contract; each is seen by `petstore conform`, or by a receiver.',
  answer: {
    status: 200,
    description: 'The faults.',
    schema: FaultList,
    example: [{ id: 'limit-ignored', description: 'limit is ignored' }],
  },
  run: () => json([...faults.values()].map(({ id, description }) => ({ id, description }))),
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
    schema: Type.Array(Entry, { $id: 'Journal', maxItems: 1_000, description: 'Requests, the latest last.' }),
    example: [
      {
        ...{ at: exampleTime, operation: 'createPet', method: 'POST', path: '/v1/pets', status: 201 },
        ...{ failure: { cut: 'after' }, idempotencyKey: 'f3a1', requestId: '4c1d' },
      },
    ],
  },
  run: ({ key }, { shopOf }: ControlServices) => json(shopOf(key).journal),
})

const json = (value: unknown) => ({ status: 200, body: JSON.stringify(value) })

export const controlOperations = [getShop, resetShop, setClock, putFailures, listFaults, listRequests]
