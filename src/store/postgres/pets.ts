/** Animals in PostgreSQL. */
import type { NewPet } from '../../pets/pet.ts'
import type { Attempt, Page, PetQuery, PetTable, Rendered } from '../store.ts'
import { attemptColumns, attemptFields, once } from './attempts.ts'
import { createBatcher } from './batch.ts'
import type { Pool, Value } from './connection.ts'

/** One statement takes ids, claims the idempotency keys, and inserts what was claimed or needs no claim. */
const insertBatch = `
  WITH incoming AS (
    SELECT * FROM json_to_recordset($1::text::json) AS r(ord bigint, name text, category_id bigint, status text, ${attemptColumns})
  ), counter AS (
    UPDATE counters SET last = last + $2::bigint WHERE name = 'pets' RETURNING last - $2::bigint AS base
  ), numbered AS (
    SELECT base + ord AS id, incoming.* FROM incoming, counter
  ), claimed AS (
    INSERT INTO attempts (key_id, route, idempotency_key, fingerprint, row_id, json, created_at)
    SELECT key_id, route, idempotency_key, fingerprint, id, pet_json(id, name, category_id, status), created_at
    FROM numbered WHERE idempotency_key IS NOT NULL
    ON CONFLICT DO NOTHING RETURNING row_id
  ), added AS (
    INSERT INTO pets (id, name, category_id, status)
    SELECT id, name, category_id, status FROM numbered
    WHERE idempotency_key IS NULL OR id IN (SELECT row_id FROM claimed)
    RETURNING id, doc
  )
  SELECT ord, id, doc FROM added JOIN numbered USING (id)`

interface Insertion {
  readonly pet: Required<NewPet>
  readonly attempt: Attempt | undefined
}

export interface PostgresPets extends PetTable {
  /** Resolves when every insert begun has ended. */
  settled(): Promise<void>
}

export function createPets(pool: Pool, readsInFlight: number): PostgresPets {
  // One batch at a time: the next would only wait for the counter, and grows in the meantime.
  const insert = createBatcher<Insertion, Rendered | undefined>(1, async (items) => {
    const incoming = items.map(({ pet, attempt }, index) => ({
      ord: index + 1,
      name: pet.name,
      // As text, since a JSON number made here would be rounded.
      category_id: String(pet.categoryId),
      status: pet.status,
      ...attemptFields(attempt),
    }))
    const rows = await pool.query<{ ord: string; id: string; doc: string }>(insertBatch, [
      JSON.stringify(incoming),
      items.length,
    ])
    const results = new Array<Rendered | undefined>(items.length)
    for (const { ord, id, doc } of rows) results[Number(ord) - 1] = { id: Number(id), json: doc }
    return results
  })

  const find = createBatcher<bigint, string | undefined>(readsInFlight, async (ids) => {
    const rows = await pool.query<{ id: string; doc: string }>(
      `SELECT id, doc FROM pets WHERE id = ANY (string_to_array($1, ',')::bigint[])`,
      [ids.join()],
    )
    const docs = new Map(rows.map(({ id, doc }) => [id, doc]))
    return ids.map((id) => docs.get(String(id)))
  })

  return {
    insert: (pet, attempt) => once(pool, attempt, () => insert.add({ pet, attempt })),
    settled: insert.settled,
    find: find.add,
    async page(query: PetQuery): Promise<Page> {
      const values: Value[] = [query.after, query.limit]
      let filters = ''
      if (query.status !== undefined) filters += ` AND status = $${values.push(query.status)}`
      if (query.categoryId !== undefined) filters += ` AND category_id = $${values.push(String(query.categoryId))}`
      if (query.ids !== undefined)
        filters += ` AND id = ANY (string_to_array($${values.push(query.ids.join())}, ',')::bigint[])`
      const [row] = await pool.query<{ docs: string | null; last: string; more: boolean }>(
        `WITH page AS (SELECT id, doc FROM pets WHERE id > $1${filters} ORDER BY id LIMIT $2)
         SELECT string_agg(doc, ',' ORDER BY id) AS docs, max(id) AS last,
                EXISTS (SELECT 1 FROM pets WHERE id > (SELECT max(id) FROM page)${filters}) AS more
         FROM page`,
        values,
      )
      return { json: `[${row?.docs ?? ''}]`, next: row?.more ? Number(row.last) : undefined }
    },
  }
}
