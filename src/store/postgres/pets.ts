/** Animals in PostgreSQL. */
import { type NewPet, PetStatus } from '../../model/pet.ts'
import type { IdempotencyClaim, Outcome, PetTable, Rendered } from '../store.ts'
import { createBatcher } from './batch.ts'
import type { Pool } from './connection.ts'
import { isReferred } from './errors.ts'
import { claimColumns, claimFields, once } from './idempotency.ts'
import { petJson } from './migrations.ts'
import { createRows, idsText, writeOne } from './rows.ts'

/** Takes an id for each of $2 animals; that of the n-th is `base` + n. */
const counter = `counter AS (
    UPDATE counters SET last = last + $2::bigint WHERE name = 'pets' RETURNING last - $2::bigint AS base
  )`
const petColumns = 'ord bigint, name text, category_id bigint, status text'

/** One statement takes ids and inserts. */
const insertBatch = `
  WITH ${counter}
  INSERT INTO pets (id, name, category_id, status)
  SELECT base + ord, name, category_id, status
  FROM counter, json_to_recordset($1::text::json) AS r(${petColumns})
  RETURNING id - (SELECT base FROM counter) AS ord, id, doc`

/** One statement takes ids, claims the idempotency keys, and inserts what was claimed or needs no claim. */
const claimBatch = `
  WITH ${counter}, numbered AS (
    SELECT base + ord AS id, r.*
    FROM counter, json_to_recordset($1::text::json) AS r(${petColumns}, ${claimColumns})
  ), claimed AS (
    INSERT INTO attempts (key_id, route, idempotency_key, fingerprint, row_id, json, created_at)
    SELECT key_id, route, idempotency_key, fingerprint, id, ${petJson}, created_at
    FROM numbered WHERE idempotency_key IS NOT NULL
    ON CONFLICT DO NOTHING RETURNING row_id
  ), added AS (
    INSERT INTO pets (id, name, category_id, status)
    SELECT id, name, category_id, status FROM numbered
    WHERE idempotency_key IS NULL OR id IN (SELECT row_id FROM claimed)
    RETURNING id, doc
  )
  SELECT id - base AS ord, id, doc FROM added, counter`

/** Both decide by the animal's own row, which is the newest by the time they hold it. */
const update = `
  UPDATE pets SET name = coalesce($2::text, name), category_id = coalesce($3::bigint, category_id), status = coalesce($4::text, status)
  WHERE id = $1 AND ($5::text IS NULL OR doc = $5) AND ($4::text IS NULL OR sale IS DISTINCT FROM 'open')
  RETURNING id, doc`
const remove = `
  DELETE FROM pets WHERE id = $1 AND ($2::text IS NULL OR doc = $2) AND NOT EXISTS (SELECT 1 FROM orders WHERE pet_id = $1)
  RETURNING id, doc`

interface Insertion {
  readonly pet: Required<NewPet>
  readonly claim: IdempotencyClaim | undefined
}

export interface PostgresPets extends PetTable {
  /** Resolves when every insert begun has ended. */
  drained(): Promise<void>
}

export function createPets(pool: Pool, readsInFlight: number): PostgresPets {
  const rows = createRows(pool, 'pets', readsInFlight)
  // One batch at a time: the next would only wait for the counter, and grows in the meantime.
  const insert = createBatcher<Insertion, Rendered | undefined>(1, pool.timeoutMilliseconds, async (items) => {
    const incoming = items.map(({ pet, claim }, index) => ({
      ord: index + 1,
      name: pet.name,
      // As text, since a JSON number made here would be rounded.
      category_id: String(pet.categoryId),
      status: pet.status,
      ...claimFields(claim),
    }))
    const statement = items.some(({ claim }) => claim) ? claimBatch : insertBatch
    const added = await pool.query<{ ord: string; id: string; doc: string }>(statement, [
      JSON.stringify(incoming),
      items.length,
    ])
    const results = new Array<Rendered | undefined>(items.length)
    for (const { ord, id, doc } of added) results[Number(ord) - 1] = { id: Number(id), json: doc }
    return results
  })

  /** Does `write`; where it wrote nothing, the animal is gone, is another version, or an order keeps it as `kept` says. */
  async function change(
    id: bigint,
    version: string | undefined,
    kept: string,
    write: () => Promise<Rendered | undefined>,
  ): Promise<Outcome | undefined> {
    let isGone = false
    const outcome = await once(pool, undefined, write, async () => {
      const [pet] = await pool.query<{ doc: string; kept: boolean | null }>(
        `SELECT doc, ${kept} AS kept FROM pets WHERE id = $1`,
        [String(id)],
      )
      isGone = pet === undefined
      if (pet && version !== undefined && version !== pet.doc) return 'precondition_failed'
      // Where nothing is in the way any more, it was: the next try finds out.
      return isGone || pet?.kept ? 'order_state_conflict' : undefined
    })
    return isGone ? undefined : outcome
  }

  return {
    insert: (pet, claim) => once(pool, claim, () => insert.add({ pet, claim })),
    update: (id, { name, categoryId, status }, version) =>
      change(id, version, status === undefined ? 'false' : "sale = 'open'", () =>
        writeOne(pool, update, [
          String(id),
          name ?? null,
          categoryId === undefined ? null : String(categoryId),
          status ?? null,
          version ?? null,
        ]),
      ),
    remove: (id, version) =>
      change(id, version, 'EXISTS (SELECT 1 FROM orders WHERE pet_id = $1)', () =>
        writeOne(pool, remove, [String(id), version ?? null]).catch((error) => {
          // An order came in the same moment; the foreign key kept the animal.
          if (isReferred(error)) return undefined
          throw error
        }),
      ),
    drained: insert.drained,
    find: rows.find,
    page: ({ after, limit, status, categoryId, ids }) =>
      rows.page(after, limit, {
        equal: [
          ['category_id', categoryId === undefined ? undefined : String(categoryId)],
          ['status', status],
        ],
        ids: ids && idsText(ids),
        // Their index has the status between the category and the id.
        ...(categoryId !== undefined && status === undefined && { between: ['status', PetStatus.enum] as const }),
      }),
  }
}
