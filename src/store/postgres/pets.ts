/** Animals in PostgreSQL. */
import type { NewPet } from '../../model/pet.ts'
import { storedWordsOf } from '../../model/words.ts'
import { petFilters } from '../filters.ts'
import { createPetChanges } from '../pets.ts'
import type { SearchLimits } from '../search.ts'
import { query, type Steps } from '../shared-sql.ts'
import type { IdempotencyClaim, Outcome, PetTable, Rendered } from '../store.ts'
import { createBatcher, type Waiting } from './batch.ts'
import { claimColumns, claimFields, claimKey, inProgress, once } from './idempotency.ts'
import type { Pool } from './pool.ts'
import { createRows } from './reader.ts'
import { rowJson } from './schema.ts'
import { createSearch } from './search.ts'
import { counted, createSql, now } from './sql.ts'

/** Takes ids, claims the idempotency keys, and inserts what was claimed or needs no claim. `ord` is the position. */
const insertBatch = `
  WITH numbered AS MATERIALIZED (
    SELECT nextval('pet_ids') AS id, r.*
    FROM json_to_recordset($1::text::json)
      AS r(ord bigint, name text, words text, category_id bigint, status text, changed_by text, ${claimColumns})
    ORDER BY ord
  ), claimed AS (
    INSERT INTO idempotency_records (key_id, route, idempotency_key, fingerprint, row_id, json, created_at)
    SELECT key_id, route, idempotency_key, fingerprint, id, ${rowJson.pets}, ${now}
    FROM numbered WHERE idempotency_key IS NOT NULL ORDER BY ${claimKey}
    ON CONFLICT DO NOTHING RETURNING row_id
  ), added AS (
    INSERT INTO pets (id, name, words, category_id, status, changed_by)
    SELECT id, name, words, category_id, status, changed_by FROM numbered
    WHERE idempotency_key IS NULL OR id IN (SELECT row_id FROM claimed)
    RETURNING id, doc
  )
  SELECT ord, added.id, doc FROM added JOIN numbered USING (id)`

const insertOne = `
  INSERT INTO pets (id, name, words, category_id, status, changed_by)
  VALUES (nextval('pet_ids'), $1, $2, $3, $4, $5) RETURNING id, doc`

interface Insertion {
  readonly pet: Required<NewPet>
  readonly claim: IdempotencyClaim | undefined
  readonly by: string | undefined
}

interface Row {
  readonly id: string
  readonly doc: string
}

const renderedOf = ({ id, doc }: Row): Rendered => ({ id: Number(id), json: doc })

function* add({ name, categoryId, status }: Required<NewPet>, by: string | undefined): Steps<Rendered> {
  const [added] = yield* query<Row>(insertOne, name, storedWordsOf(name), String(categoryId), status, by ?? null)
  return renderedOf(added as Row)
}

export function createPets(pool: Pool, writesInFlight: number, limits?: SearchLimits): PetTable & Waiting {
  const rows = createRows(pool, 'pets')
  const sql = createSql(pool)
  const search = createSearch(pool, 'pets', limits)
  /** Undefined if its Idempotency-Key was used before. */
  const batch = createBatcher<Insertion, Rendered | undefined>(writesInFlight, pool, async (items) => {
    const incoming = items.map(({ pet, claim, by }, ord) => ({
      ord,
      name: pet.name,
      words: storedWordsOf(pet.name),
      // It is text, because a JSON number made here would be rounded.
      category_id: String(pet.categoryId),
      status: pet.status,
      changed_by: by,
      ...claimFields(claim),
    }))
    const added = await counted(
      pool,
      () => pool.write<Row & { ord: string }>(insertBatch, [JSON.stringify(incoming)]),
      ({ length }) => length,
    )
    const results = new Array<Rendered | undefined>(items.length)
    for (const row of added) results[Number(row.ord)] = renderedOf(row)
    return results
  })

  async function insert(item: Insertion): Promise<Outcome> {
    const added = await batch.add(item)
    if (added) return { ...added, replayed: false }
    return sql.transaction(() => once(item.claim, () => add(item.pet, item.by)))
  }

  return {
    ...createPetChanges(sql),
    insert: (pet, claim, by) => insert({ pet, claim, by }).catch(inProgress),
    waiting: batch.waiting,
    find: rows.find,
    page(query) {
      const filters = petFilters(query)
      return query.search && !query.ids ? search(query, query.search, filters) : rows.page(query, filters)
    },
  }
}
