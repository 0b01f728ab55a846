/** The filters of lists, as both databases apply them, and the indexes that they need. */
import type { OrderQuery, PageRange, PetQuery } from './store.ts'

type Value = string | bigint

export interface Filters {
  /** Columns that equal a value. There is an index for every set of them, with the id as its last column. */
  readonly columns: readonly string[]
  /** One value for each of `columns`. */
  readonly values: readonly Value[]
  readonly ids?: readonly bigint[] | undefined
  readonly search?: readonly string[] | undefined
}

/**
 * Returns the conditions in the order of the columns in the indexes. A column whose value is undefined has no
 * condition.
 */
function conditionsOf(
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
  ...conditionsOf([
    ['category_id', categoryId],
    ['status', status],
  ]),
  ids,
  search,
})

export const orderFilters = ({ status, petId, reference, search }: OrderQuery): Filters => ({
  ...conditionsOf([
    ['pet_id', petId],
    ['reference', reference],
    ['status', status],
  ]),
  search,
})

/** The index by status alone is in the schemas, because it has more columns on SQLite. */
export const petIndexes = `CREATE INDEX pets_by_category ON pets (category_id, id);
   CREATE INDEX pets_by_category_and_status ON pets (category_id, status, id);`

export const orderIndexes = `CREATE INDEX orders_by_status ON orders (status, id);
   CREATE INDEX orders_by_pet ON orders (pet_id, id);
   CREATE INDEX orders_by_pet_and_status ON orders (pet_id, status, id);
   CREATE INDEX orders_by_reference ON orders (reference, id) WHERE reference IS NOT NULL;
   CREATE INDEX orders_by_reference_and_status ON orders (reference, status, id) WHERE reference IS NOT NULL;
   CREATE INDEX orders_by_pet_and_reference ON orders (pet_id, reference, id) WHERE reference IS NOT NULL;
   CREATE INDEX orders_by_all_filters ON orders (pet_id, reference, status, id) WHERE reference IS NOT NULL;`

/** The id after which a page begins: below or above all ids on the first page. */
export const startOf = ({ after, isDescending }: PageRange): number =>
  after ?? (isDescending ? Number.MAX_SAFE_INTEGER : 0)
