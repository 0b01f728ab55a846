/** Animals in PostgreSQL. */
import type { NewPet } from '../../model/pet.ts'
import { wordsOf } from '../../model/words.ts'
import { petFilters } from '../filters.ts'
import { changedBy } from '../shared-sql.ts'
import type { IdempotencyClaim, Outcome, PetTable, Rendered } from '../store.ts'
import { createBatcher, type Waiting } from './batch.ts'
import { isReferred } from './errors.ts'
import { claimColumns, claimFields, writeOnce } from './idempotency.ts'
import type { Pool } from './pool.ts'
import { createRows } from './reader.ts'
import { rowJson } from './schema.ts'
import { deleteBy, now, write, writeOne } from './sql.ts'

const petColumns = 'ord bigint, name text, words text, category_id bigint, status text, changed_by text'

/** The ids rise with `ord`: a volatile function in a SELECT is called after its ORDER BY. */
const insertBatch = `
  INSERT INTO pets (id, name, words, category_id, status, changed_by)
  SELECT nextval('pet_ids'), name, words, category_id, status, changed_by
  FROM json_to_recordset($1::text::json) AS r(${petColumns}) ORDER BY ord
  RETURNING id, doc`

/** One statement takes ids, claims the idempotency keys, and inserts what was claimed or needs no claim. */
const claimBatch = `
  WITH numbered AS MATERIALIZED (
    SELECT nextval('pet_ids') AS id, r.*
    FROM json_to_recordset($1::text::json) AS r(${petColumns}, ${claimColumns}) ORDER BY ord
  ), claimed AS (
    INSERT INTO idempotency_records (key_id, route, idempotency_key, fingerprint, row_id, json, created_at)
    SELECT key_id, route, idempotency_key, fingerprint, id, ${rowJson.pets}, ${now}
    FROM numbered WHERE idempotency_key IS NOT NULL
    ON CONFLICT DO NOTHING RETURNING row_id
  ), added AS (
    INSERT INTO pets (id, name, words, category_id, status, changed_by)
    SELECT id, name, words, category_id, status, changed_by FROM numbered
    WHERE idempotency_key IS NULL OR id IN (SELECT row_id FROM claimed)
    RETURNING id, doc
  )
  SELECT ord, added.id, doc FROM added JOIN numbered USING (id)`

/** Both decide by the animal's own row, whose newest version they lock. */
const update = `
  UPDATE pets SET name = coalesce($2::text, name), words = coalesce($6::text, words),
    category_id = coalesce($3::bigint, category_id), status = coalesce($4::text, status), ${changedBy('$7')}
  WHERE id = $1 AND ($5::text IS NULL OR doc = $5) AND ($4::text IS NULL OR held = 0)
  RETURNING id, doc`
/** In the order of the index: to find one of many, the planner would read the table from its start. */
const hasOrders = `$1 IS NOT DISTINCT FROM
  (SELECT pet_id FROM orders WHERE pet_id >= $1 ORDER BY pet_id, status, id LIMIT 1)`
const remove = `
  DELETE FROM pets WHERE id = $1 AND ($2::text IS NULL OR doc = $2) AND NOT ${hasOrders} AND ${deleteBy('$3')}
  RETURNING id, doc`

interface Insertion {
  readonly pet: Required<NewPet>
  readonly claim: IdempotencyClaim | undefined
  readonly by: string | undefined
}

export function createPets(pool: Pool, writesInFlight: number): PetTable & Waiting {
  const rows = createRows(pool, 'pets')
  const insert = createBatcher<Insertion, Rendered | undefined>(writesInFlight, pool, async (items) => {
    const incoming = items.map(({ pet, claim, by }, ord) => ({
      ord,
      name: pet.name,
      words: wordsOf(pet.name).join(' '),
      // As text, since a JSON number made here would be rounded.
      category_id: String(pet.categoryId),
      status: pet.status,
      changed_by: by,
      ...claimFields(claim),
    }))
    const hasClaim = items.some(({ claim }) => claim)
    const added = await write<{ ord?: string; id: string; doc: string }>(pool, hasClaim ? claimBatch : insertBatch, [
      JSON.stringify(incoming),
    ])
    const results = new Array<Rendered | undefined>(items.length)
    for (const [index, { ord = index, id, doc }] of added.entries())
      results[Number(ord)] = { id: Number(id), json: doc }
    return results
  })

  /**
   * If `write` wrote nothing: the animal is gone, has another version, or an order prevents it, as the expression says.
   */
  async function change(
    id: bigint,
    version: string | undefined,
    prevented: string,
    write: () => Promise<Rendered | undefined>,
  ): Promise<Outcome | undefined> {
    const outcome = await writeOnce(pool, undefined, write, async () => {
      const [pet] = await pool.query<{ doc: string; prevented: boolean | null }>(
        `SELECT doc, ${prevented} AS prevented FROM pets WHERE id = $1`,
        [String(id)],
      )
      if (!pet) return 'gone'
      if (version !== undefined && version !== pet.doc) return 'precondition_failed'
      // If nothing prevents it any more, the write is retried.
      return pet.prevented ? 'order_state_conflict' : undefined
    })
    return outcome === 'gone' ? undefined : outcome
  }

  return {
    insert: (pet, claim, by) => writeOnce(pool, claim, () => insert.add({ pet, claim, by })),
    update: (id, { name, categoryId, status }, version, by) =>
      change(id, version, status === undefined ? 'false' : 'held = 1', () =>
        writeOne(pool, update, [
          String(id),
          name ?? null,
          categoryId === undefined ? null : String(categoryId),
          status ?? null,
          version ?? null,
          name === undefined ? null : wordsOf(name).join(' '),
          by ?? null,
        ]),
      ),
    remove: (id, version, by) =>
      change(id, version, hasOrders, () =>
        writeOne(pool, remove, [String(id), version ?? null, by ?? null]).catch((error) => {
          // A concurrent order: the foreign key kept the animal.
          if (isReferred(error)) return undefined
          throw error
        }),
      ),
    waiting: insert.waiting,
    find: rows.find,
    page: (query) => rows.page(query, petFilters(query)),
  }
}
