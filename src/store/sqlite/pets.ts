/** Animals in SQLite. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Page, PetQuery, PetTable } from '../store.ts'
import type { Attempts } from './attempts.ts'
import type { Writer } from './commit.ts'
import { unavailable } from './faults.ts'

export function createPets(db: DatabaseSync, writer: Writer, attempts: Attempts): PetTable {
  const insert = db.prepare('INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?) RETURNING id, doc')
  insert.setReturnArrays(true)
  const find = db.prepare('SELECT doc FROM pets WHERE id = ?')
  find.setReturnArrays(true)
  const pages = new Map<string, StatementSync>()

  /** One statement for each set of filters in use; SQLite builds the whole page as one string. */
  function pageStatement(filters: string): StatementSync {
    let statement = pages.get(filters)
    if (!statement) {
      // `+ 0` keeps SQLite from preparing the statement anew for every value of the limit.
      statement = db.prepare(
        `SELECT docs, last, EXISTS (SELECT 1 FROM pets WHERE id > last${filters})
         FROM (SELECT group_concat(doc, ',') AS docs, max(id) AS last
               FROM (SELECT id, doc FROM pets WHERE id > :after${filters} ORDER BY id LIMIT :limit + 0))`,
      )
      statement.setReturnArrays(true)
      pages.set(filters, statement)
    }
    return statement
  }

  return {
    insert: (pet, attempt) =>
      writer.write(() =>
        attempts.once(attempt, () => {
          const [id, json] = insert.get(pet.name, pet.categoryId, pet.status) as unknown as [number, string]
          return { id, json }
        }),
      ),

    find(id) {
      try {
        return (find.get(id) as unknown as [string] | undefined)?.[0]
      } catch (error) {
        throw unavailable(error) ?? error
      }
    },

    page(query: PetQuery): Page {
      const values: Record<string, SQLInputValue> = { after: query.after, limit: query.limit }
      let filters = ''
      if (query.status !== undefined) {
        filters += ' AND status = :status'
        values.status = query.status
      }
      if (query.categoryId !== undefined) {
        filters += ' AND category_id = :category'
        values.category = query.categoryId
      }
      if (query.ids !== undefined) {
        filters += ' AND id IN (SELECT value FROM json_each(:ids))'
        values.ids = `[${query.ids.join()}]`
      }
      try {
        const row = pageStatement(filters).get(values) as unknown as [string | null, number | null, 0 | 1]
        const [docs, last, more] = row
        return { json: `[${docs ?? ''}]`, next: more && last !== null ? last : undefined }
      } catch (error) {
        throw unavailable(error) ?? error
      }
    },
  }
}
