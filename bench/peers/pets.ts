/** The animals of the Express and the NestJS peer: prepared statements, as better-sqlite3 shows it. */
import Database from 'better-sqlite3'

export interface NewPet {
  name: string
  categoryId: number
  status: string
}
export interface Pet extends NewPet {
  id: number
}

const db = new Database(process.env.DATABASE)
db.pragma('journal_mode = WAL')
const select = 'SELECT id, name, category_id AS categoryId, status FROM pets'
// A guide would page by OFFSET, whose cost grows with the depth; this spares the peers that.
const page = db.prepare<[number, number], Pet>(`${select} WHERE id > ? ORDER BY id LIMIT ?`)
const pageOf = db.prepare<[string, number, number], Pet>(`${select} WHERE status = ? AND id > ? ORDER BY id LIMIT ?`)
const byId = db.prepare<[number], Pet>(`${select} WHERE id = ?`)
const insert = db.prepare<[NewPet]>('INSERT INTO pets (name, category_id, status) VALUES (@name, @categoryId, @status)')

export const statuses = ['available', 'pending', 'sold']
export const list = (limit: number, after: number, status?: string): Pet[] =>
  status === undefined ? page.all(after, limit) : pageOf.all(status, after, limit)
export const find = (id: number): Pet | undefined => byId.get(id)
export function add({ name, categoryId, status }: NewPet): Pet {
  const { lastInsertRowid } = insert.run({ name, categoryId, status })
  return { id: Number(lastInsertRowid), name, categoryId, status }
}
