/** Animals in SQLite. */
import type { DatabaseSync } from 'node:sqlite'
import type { NewPet } from '../../model/pet.ts'
import { wordsOf } from '../../model/words.ts'
import { petFilters } from '../filters.ts'
import { createPetChanges } from '../pets.ts'
import type { Sql } from '../shared-sql.ts'
import type { Outcome, PetTable, Rendered } from '../store.ts'
import type { IdempotencyRecords, Writer } from './group-commit.ts'
import { createRows, type Reader, type Written } from './reader.ts'
import { prepare } from './statement.ts'

interface Insertion {
  readonly pet: Required<NewPet>
  readonly by: string | undefined
}

export function createPets(
  db: DatabaseSync,
  writer: Writer,
  records: IdempotencyRecords,
  reader: Reader,
  sql: Sql,
): PetTable {
  const rows = createRows(db, 'pets', reader)
  const insert = db.prepare('INSERT INTO pets (name, words, category_id, status, changed_by) VALUES (?, ?, ?, ?, ?)')
  const docOf = prepare<[doc: string]>(db, 'SELECT doc FROM pets WHERE id = ?')
  const insertAll = prepare<Written>(
    db,
    `INSERT INTO pets (name, words, category_id, status, changed_by)
     SELECT value ->> 0, value ->> 1, CAST(value ->> 2 AS INTEGER), value ->> 3, coalesce(?1, value ->> 4)
     FROM json_each(?2) ORDER BY rowid
     RETURNING id, doc`,
  )
  /** Reads the JSON back, which costs less than a RETURNING clause. */
  function add({ pet: { name, categoryId, status }, by }: Insertion): Rendered {
    const id = Number(insert.run(name, wordsOf(name).join(' '), categoryId, status, by ?? null).lastInsertRowid)
    return { id, json: docOf.get(id)?.[0] as string }
  }

  /** One statement for all takes 16 µs for each animal instead of 22. */
  function addAll(insertions: readonly Insertion[]): Outcome[] {
    const [only] = insertions
    if (only && insertions.length === 1) return [{ ...add(only), replayed: false }]
    // Most often all have the same key: a value is cheaper than a member of each item.
    const byAll = insertions.every(({ by }) => by === only?.by) ? only?.by : undefined
    const items = insertions.map(({ pet: { name, categoryId, status }, by }) => {
      const item = [name, wordsOf(name).join(' '), String(categoryId), status]
      return byAll === undefined ? [...item, by] : item
    })
    return insertAll.all(byAll ?? null, JSON.stringify(items)).map(([id, json]) => ({ id, json, replayed: false }))
  }

  return {
    ...createPetChanges(sql),
    insert: (pet, claim, by) =>
      claim
        ? writer.write(() => records.runOnce(claim, () => add({ pet, by })))
        : writer.writeItem(addAll, { pet, by }),
    find: async (id) => rows.find(id),
    page: async (query) => rows.page(query, petFilters(query)),
  }
}
