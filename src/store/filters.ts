/** The filters of lists, as both databases apply them. */
import type { OrderQuery, PageRange, PetQuery } from './store.ts'

type Value = string | bigint

export interface Filters {
  /** Columns that equal a value. Both schemas have an index for every set of them, with the id as its last column. */
  readonly columns: readonly string[]
  /** One for each of `columns`. */
  readonly values: readonly Value[]
  readonly ids?: readonly bigint[] | undefined
  readonly search?: readonly string[] | undefined
}

/** In the order of the columns in the indexes; a column whose value is undefined has no condition. */
function given(
  all: readonly (readonly [column: string, value: Value | undefined])[],
): Pick<Filters, 'columns' | 'values'> {
  const columns: string[] = []
  const values: Value[] = []
  for (const [column, value] of all)
    if (value !== undefined) {
      columns.push(column)
      values.push(value)
    }
  return { columns, values }
}

export const petFilters = ({ status, categoryId, ids, search }: PetQuery): Filters => ({
  ...given([
    ['category_id', categoryId],
    ['status', status],
  ]),
  ids,
  search,
})

export const orderFilters = ({ status, petId, reference }: OrderQuery): Filters =>
  given([
    ['pet_id', petId],
    ['reference', reference],
    ['status', status],
  ])

/** The id after which a page begins: below or above all ids on the first page. */
export const startOf = ({ after, isDescending }: PageRange): number =>
  after ?? (isDescending ? Number.MAX_SAFE_INTEGER : 0)
