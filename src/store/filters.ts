/** The filters of lists, as both databases apply them. */
import { OrderStatus } from '../model/order.ts'
import { PetStatus } from '../model/pet.ts'
import type { OrderQuery, PageRange, PetQuery } from './store.ts'

type Value = string | bigint

/** An undefined value means no condition. */
export interface Filters {
  /** Columns that equal a value, in the order of their index. */
  readonly equal: readonly (readonly [column: string, value: Value | undefined])[]
  /**
   * A column without a filter that the index has before the id, with all its values. For each value a page of rows is
   * read in the order of ids, and the pages are merged; otherwise every row of the category or animal would be read and
   * sorted.
   */
  readonly skipScan?: readonly [column: string, values: readonly string[]] | undefined
  readonly ids?: readonly bigint[] | undefined
  readonly search?: readonly string[] | undefined
}

export const petFilters = ({ status, categoryId, ids, search }: PetQuery): Filters => ({
  equal: [
    ['category_id', categoryId],
    ['status', status],
  ],
  skipScan: categoryId !== undefined && status === undefined ? ['status', PetStatus.enum] : undefined,
  ids,
  search,
})

export const orderFilters = ({ status, petId, reference }: OrderQuery): Filters => ({
  equal: [
    ['pet_id', petId],
    ['reference', reference],
    ['status', status],
  ],
  skipScan:
    (petId !== undefined || reference !== undefined) && status === undefined ? ['status', OrderStatus.enum] : undefined,
})

/** The id after which a page begins: below or above all ids on the first page. */
export const startOf = ({ after, isDescending }: PageRange): number =>
  after ?? (isDescending ? Number.MAX_SAFE_INTEGER : 0)

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
