/** What a page of a list shows, as both databases read it. */
import { OrderStatus } from '../model/order.ts'
import { PetStatus } from '../model/pet.ts'
import type { OrderQuery, PageRange, PetQuery } from './store.ts'

type Value = string | bigint

/** Conditions that the rows of a page meet; an undefined value means no condition. */
export interface Filters {
  /** Columns that equal a value, in the order of the index that has them. */
  readonly equal: readonly (readonly [column: string, value: Value | undefined])[]
  /**
   * A column of the index that comes before the id and is not filtered, with all its possible values: the rows of each
   * are read in the order of their ids, no further than the page, and merged.
   */
  readonly between?: readonly [column: string, values: readonly string[]] | undefined
  /** Ids to choose from. */
  readonly ids?: readonly bigint[] | undefined
  /** Words of the name of an animal, of each its beginning. */
  readonly search?: readonly string[] | undefined
}

export const petFilters = ({ status, categoryId, ids, search }: PetQuery): Filters => ({
  equal: [
    ['category_id', categoryId],
    ['status', status],
  ],
  between: categoryId !== undefined && status === undefined ? ['status', PetStatus.enum] : undefined,
  ids,
  search,
})

export const orderFilters = ({ status, petId }: OrderQuery): Filters => ({
  equal: [
    ['pet_id', petId],
    ['status', status],
  ],
  between: petId !== undefined && status === undefined ? ['status', OrderStatus.enum] : undefined,
})

/** The id after which a page begins: below or above all ids on the first page. */
export const startOf = ({ after, isDescending }: PageRange): number =>
  after ?? (isDescending ? Number.MAX_SAFE_INTEGER : 0)

/** The compared columns, and their values in the same order. */
export function comparedBy({ equal }: Filters): { columns: string[]; values: Value[] } {
  const columns: string[] = []
  const values: Value[] = []
  for (const [column, value] of equal)
    if (value !== undefined) {
      columns.push(column)
      values.push(value)
    }
  return { columns, values }
}
