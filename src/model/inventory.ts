/** How many animals there are in each status, and how many are added and sold each day. */
import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../limits.ts'
import { Int64, PageOf } from '../schema/schema.ts'
import { Name } from './pet.ts'

const Count = (description: string) => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description })

const counts = {
  available: Count('Animals that are `available`.'),
  pending: Count('Animals that are `pending`.'),
  sold: Count('Animals that are `sold`.'),
}

export const Inventory = Type.Object(counts, {
  $id: 'Inventory',
  description: 'The number of animals in each status.',
})
export type Inventory = Static<typeof Inventory>

export const CategoryInventory = Type.Object(
  {
    categoryId: Int64({ description: 'Identifier of the category.' }),
    name: Type.Optional(Name("The category's name, if it has one")),
    ...counts,
  },
  { $id: 'CategoryInventory', description: 'The number of animals of a category in each status.' },
)

export const CategoryInventories = PageOf(
  CategoryInventory,
  'CategoryInventories',
  'categories that have animals or a name, in ascending order of `categoryId`',
)

export const DaySales = Type.Object(
  {
    day: Type.String({ format: 'date', maxLength: 10, description: 'The day, in UTC.' }),
    added: Count('Animals that were added.'),
    sold: Type.Integer({
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Changes of the status of an animal to `sold`, less those from `sold` to another: negative if more came back.',
    }),
  },
  { $id: 'DaySales', description: 'What happened on one day.' },
)
export type DaySales = Static<typeof DaySales>

export const Sales = Type.Array(DaySales, {
  $id: 'Sales',
  description: 'One entry per day, the oldest first and today last.',
  maxItems: limits.salesDays.max,
})
