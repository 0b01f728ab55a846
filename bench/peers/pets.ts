/** The animals of the Express and the NestJS peer: a table, an index, and prepared statements, as better-sqlite3 shows it. */
import Database from 'better-sqlite3'

export interface NewPet {
  name: string
  categoryId: number
  status: string
}
export interface Pet extends NewPet {
  id: number
}

const columns = 'id, name, category_id AS categoryId, status'

export class Pets {
  readonly #db: Database.Database
  readonly #page: Database.Statement<[number, number], Pet>
  readonly #pageByStatus: Database.Statement<[string, number, number], Pet>
  readonly #find: Database.Statement<[number], Pet>
  readonly #add: Database.Statement<[NewPet], unknown>

  constructor(file: string) {
    this.#db = new Database(file)
    this.#db.pragma('journal_mode = WAL')
    this.#db.exec(`
      CREATE TABLE IF NOT EXISTS pets (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, category_id INTEGER NOT NULL, status TEXT NOT NULL
      );
      CREATE INDEX IF NOT EXISTS pets_by_status ON pets (status);`)
    this.#page = this.#db.prepare(`SELECT ${columns} FROM pets WHERE id > ? ORDER BY id LIMIT ?`)
    this.#pageByStatus = this.#db.prepare(`SELECT ${columns} FROM pets WHERE status = ? AND id > ? ORDER BY id LIMIT ?`)
    this.#find = this.#db.prepare(`SELECT ${columns} FROM pets WHERE id = ?`)
    this.#add = this.#db.prepare('INSERT INTO pets (name, category_id, status) VALUES (@name, @categoryId, @status)')
  }

  /** A guide would page by OFFSET, whose cost grows with the depth; this spares the peers that. */
  list(limit: number, after: number, status?: string): Pet[] {
    return status === undefined ? this.#page.all(after, limit) : this.#pageByStatus.all(status, after, limit)
  }

  find(id: number): Pet | undefined {
    return this.#find.get(id)
  }

  add({ name, categoryId, status }: NewPet): Pet {
    const { lastInsertRowid } = this.#add.run({ name, categoryId, status })
    return { id: Number(lastInsertRowid), name, categoryId, status }
  }

  addAll(pets: readonly NewPet[]): void {
    this.#db.transaction(() => {
      for (const pet of pets) this.add(pet)
    })()
  }
}
