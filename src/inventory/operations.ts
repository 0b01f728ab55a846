/** Counting animals: how many there are in each status, and how many are added, sold and returned each day. */
import { refuse } from '../errors.ts'
import { operation } from '../http/operation.ts'
import { cursor, oneOf, pageSize, wholeNumber } from '../http/parameters.ts'
import { limits } from '../limits.ts'
import { CategoryInventories, Inventory, Sales } from '../model/pet.ts'
import { Type } from '../schema/type.ts'

const grouping = { ...Type.Unsafe<'category'>({ type: 'string' }), enum: ['category'] as const }

export const getInventory = operation({
  id: 'getInventory',
  method: 'GET',
  path: '/store/inventory',
  tag: 'store',
  scope: 'pets:read',
  stability: 'beta',
  summary: 'Count animals by status',
  description:
    'Returns the number of animals in each status. With `by=category`, it returns a page of the categories that ' +
    'have animals or a name, each with its counts, in ascending order of `categoryId`. The `Link` header leads to ' +
    'the next page. The counts are always exact.',
  query: {
    by: oneOf(grouping, 'Return the counts of each category.'),
    limit: pageSize('Maximum number of categories to return, with `by=category`.'),
    cursor,
  },
  answer: {
    status: 200,
    description: 'The counts of the whole catalogue, or with `by=category` a page of categories and their counts.',
    schema: Type.Union([Inventory, CategoryInventories]),
    examples: {
      all: { available: 12, pending: 3, sold: 40 },
      byCategory: [{ categoryId: 1, name: 'Dogs', available: 12, pending: 3, sold: 40 }],
    },
  },
  async run({ path, query }, { store: { inventory }, paging }) {
    if (query.by === undefined) {
      if (query.cursor !== undefined) refuse('invalid_cursor')
      return { status: 200, body: await inventory.total() }
    }
    const after = paging.startAtInt64(path, query)
    return paging.reply(path, query, await inventory.page({ after, limit: query.limit }))
  },
})

const dayMilliseconds = 24 * 60 * 60 * 1000
const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10)

export const getSales = operation({
  id: 'getSales',
  method: 'GET',
  path: '/store/sales',
  tag: 'store',
  scope: 'pets:read',
  stability: 'experimental',
  summary: 'Count animals added, sold and returned each day',
  description:
    'Returns one entry per day (in UTC), the oldest day first and today last. Each entry contains the number of ' +
    'animals that were added, that became `sold`, and that changed from `sold` to another status. Days before the ' +
    'service began to count contain zeros.',
  query: { days: wholeNumber(limits.salesDays, 'Number of days to return, including today.') },
  answer: {
    status: 200,
    description: 'One entry per day.',
    schema: Sales,
    example: [
      { day: '2026-11-14', added: 0, sold: 0, returned: 0 },
      { day: '2026-11-15', added: 5, sold: 2, returned: 1 },
    ],
  },
  async run({ query: { days } }, { store, time }) {
    const now = time.now()
    const first = now - (days - 1) * dayMilliseconds
    const known = new Map((await store.inventory.sales(dayText(first))).map((each) => [each.day, each]))
    const sales = Array.from({ length: days }, (_, i) => {
      const day = dayText(first + i * dayMilliseconds)
      return known.get(day) ?? { day, added: 0, sold: 0, returned: 0 }
    })
    return { status: 200, body: JSON.stringify(sales) }
  },
})
