/** Changing and removing an animal, in SQL that both databases understand. */
import { storedWordsOf } from '../model/words.ts'
import { changedBy, query, type Sql, setEventBy } from './shared-sql.ts'
import type { PetTable } from './store.ts'

interface Row {
  readonly doc: string
}

const update = `
  UPDATE pets SET name = coalesce(CAST($2 AS text), name), words = coalesce(CAST($3 AS text), words),
    category_id = coalesce(CAST($4 AS bigint), category_id), status = coalesce(CAST($5 AS text), status),
    ${changedBy('$6')}
  WHERE id = $1 RETURNING doc`

/** An animal has at most one such order. */
const findOpenOrCompleted = `SELECT id FROM orders WHERE pet_id = $1 AND status IN ('placed', 'completed')`

/**
 * This is in the order of the index. Otherwise PostgreSQL would read the table from its start to find one row of many.
 */
const findFirstOrdered = 'SELECT pet_id FROM orders WHERE pet_id >= $1 ORDER BY pet_id LIMIT 1'

export function createPetChanges(sql: Sql): Pick<PetTable, 'update' | 'remove'> {
  const lock = `SELECT doc FROM pets WHERE id = $1 ${sql.forUpdate}`
  return {
    update: (petId, { name, categoryId, status }, version, by) =>
      sql.transaction(function* () {
        const id = String(petId)
        const [pet] = yield* query<Row>(lock, id)
        if (!pet) return undefined
        if (version !== undefined && version !== pet.doc) return 'precondition_failed'
        if (status !== undefined && (yield* query(findOpenOrCompleted, id)).length > 0) return 'order_state_conflict'
        const words = name === undefined ? null : storedWordsOf(name)
        const category = categoryId === undefined ? null : String(categoryId)
        const [changed] = yield* query<Row>(update, id, name ?? null, words, category, status ?? null, by ?? null)
        return { id: Number(petId), json: (changed as Row).doc, replayed: false }
      }),

    remove: (petId, version, by) =>
      sql.transaction(function* () {
        const id = String(petId)
        const [pet] = yield* query<Row>(lock, id)
        if (!pet) return undefined
        if (version !== undefined && version !== pet.doc) return 'precondition_failed'
        const [ordered] = yield* query<{ pet_id: number | string }>(findFirstOrdered, id)
        if (ordered && String(ordered.pet_id) === id) return 'order_state_conflict'
        yield* query('DELETE FROM pets WHERE id = $1', id)
        yield* setEventBy(sql, by)
        return { id: Number(petId), json: pet.doc, replayed: false }
      }),
  }
}
