/** Animals in SQLite. */
import type { DatabaseSync } from 'node:sqlite'
import { type NewPet, PetStatus } from '../../model/pet.ts'
import { wordsOf } from '../../model/words.ts'
import type { Outcome, PetTable, Refusal, Rendered } from '../store.ts'
import type { Writer } from './commit.ts'
import type { IdempotencyRecords } from './idempotency.ts'
import { createRows, type Reading, renderedOf, type Written } from './rows.ts'
import { idsPerBlock } from './schema.ts'
import { prepare } from './statement.ts'

export function createPets(db: DatabaseSync, writer: Writer, records: IdempotencyRecords, reading: Reading): PetTable {
  const rows = createRows(db, 'pets', reading)
  const insert = db.prepare('INSERT INTO pets (name, words, category_id, status) VALUES (?, ?, ?, ?)')
  const insertWord = db.prepare('INSERT INTO pet_words (block, word, pet_id) VALUES (?, ?, ?)')
  const update = prepare<Written>(
    db,
    `UPDATE pets SET name = coalesce(:name, name), words = coalesce(:words, words), category_id = coalesce(:categoryId, category_id), status = coalesce(:status, status)
     WHERE id = :id RETURNING id, doc`,
  )
  const isHeld = prepare<[1]>(db, 'SELECT 1 FROM pets WHERE id = ? AND held = 1')
  const isOrdered = prepare<[1]>(db, 'SELECT 1 FROM orders WHERE pet_id = ?')
  const remove = prepare<Written>(db, 'DELETE FROM pets WHERE id = ? RETURNING id, doc')

  /** Adds an animal and reads its JSON back, which costs less than a RETURNING clause. */
  function add({ name, categoryId, status }: Required<NewPet>): Rendered {
    const words = wordsOf(name)
    const id = Number(insert.run(name, words.join(' '), categoryId, status).lastInsertRowid)
    const block = Math.floor(id / idsPerBlock)
    for (const word of words) insertWord.run(block, word, id)
    return { id, json: rows.find(id) as string }
  }

  /** Writes if the animal exists, has the given version, and no order prevents it, all in one transaction. */
  function change(
    id: bigint,
    version: string | undefined,
    isKept: () => boolean,
    write: () => Written | undefined,
  ): Promise<Outcome | undefined> {
    return writer.write(() => {
      const json = rows.find(id)
      if (json === undefined) return undefined
      const refusal: Refusal | undefined =
        version !== undefined && version !== json
          ? 'precondition_failed'
          : isKept()
            ? 'order_state_conflict'
            : undefined
      const written = refusal ? undefined : write()
      return refusal ?? (written && { ...renderedOf(written), replayed: false })
    })
  }

  return {
    insert: (pet, claim) => writer.write(() => records.once(claim, () => add(pet))),
    update: (id, { name = null, categoryId = null, status = null }, version) =>
      change(
        id,
        version,
        () => status !== null && isHeld.get(id) !== undefined,
        () => update.get({ id, name, words: name && wordsOf(name).join(' '), categoryId, status }),
      ),
    remove: (id, version) =>
      change(
        id,
        version,
        () => isOrdered.get(id) !== undefined,
        () => remove.get(id),
      ),
    find: async (id) => rows.find(id),
    page: async ({ status, categoryId, ids, search, ...range }) =>
      rows.page(range, {
        equal: [
          ['category_id', categoryId],
          ['status', status],
        ],
        between: categoryId !== undefined && status === undefined ? ['status', PetStatus.enum] : undefined,
        ids: ids && `[${ids.join()}]`,
        search,
      }),
  }
}
