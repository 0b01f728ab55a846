/** The check of the races sees a fault that is there: a planted place that reads, then updates, does not pass it. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import postgres from 'postgres'
import type { Store } from '../../src/store/store.ts'
import { databases } from '../support/databases.ts'
import { withStores } from '../support/in-process.ts'
import { releasePostgres } from '../support/postgres.ts'
import { some } from '../support/scope.ts'
import { type Bought, checkAgreement, type Sale, type Shop, sellToMany } from './shop.ts'

const [animals, buyers] = [4, 64]
const available = `status = 'available' AND held = 0`
const hold = `UPDATE pets SET status = 'pending', held = 1`
const [bought, late, failed]: readonly Bought[] = [
  { status: 201, json: {} },
  { status: 409, json: { code: 'pet_not_available' } },
  { status: 500, json: { code: 'internal_error' } },
] as const

/** Raw access to the database of a store: statements are not prepared, and one transaction takes an animal. */
interface Raw {
  all<Row>(sql: string): Promise<Row[]>
  /** Runs the statement and, where it changed a row, adds an order on the animal; all or nothing. */
  take(update: string, petId: number): Promise<boolean>
  close(): Promise<void>
}

function rawSqlite(url: string): Raw {
  const db = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5_000 })
  return {
    async all<Row>(sql: string) {
      // An answer comes in a later turn, as it does from any database that is asked without waiting.
      await nextTurn()
      return db.prepare(sql).all() as Row[]
    },
    async take(update, petId) {
      await nextTurn()
      db.exec('BEGIN IMMEDIATE')
      try {
        const { changes } = db.prepare(update).run()
        if (changes === 1)
          db.exec(`INSERT INTO orders (pet_id, status, created_at, updated_at) VALUES (${petId}, 'placed', '', '')`)
        db.exec('COMMIT')
        return changes === 1
      } catch (error) {
        db.exec('ROLLBACK')
        throw error
      }
    },
    close: async () => db.close(),
  }
}

function rawPostgres(url: string): Raw {
  const sql = postgres(url, { max: 10, fetch_types: false, onnotice: () => {} })
  return {
    all: async <Row>(text: string) => (await sql.unsafe(text)) as unknown as Row[],
    take: (update, petId) =>
      sql.begin(async (begun) => {
        const { count } = await begun.unsafe(update)
        if (count === 1) {
          await begun`INSERT INTO orders (id, pet_id, status, created_at, updated_at)
                      VALUES (nextval('order_ids'), ${petId}, 'placed', '', '')`
        }
        return count === 1
      }),
    close: () => sql.end(),
  }
}

/** One conditional statement decides, as in the service. */
const conditional = (raw: Raw) => async (petId: number) =>
  (await raw.take(`${hold} WHERE id = ${petId} AND ${available}`, petId)) ? bought : late

/** Looks first and writes later, whatever has happened in between. */
const readThenUpdate = (raw: Raw) => async (petId: number) => {
  const found = await raw.all(`SELECT 1 FROM pets WHERE id = ${petId} AND ${available}`)
  if (found.length === 0) return late
  return (await raw.take(`${hold} WHERE id = ${petId}`, petId)) ? bought : late
}

function shopOn(store: Store, raw: Raw, place: (petId: number) => Promise<Bought | undefined>): Shop {
  return {
    async stock(count) {
      const pet = { name: 'Rex', categoryId: 1n, status: 'available' } as const
      const rows = await Promise.all(Array.from({ length: count }, () => store.pets.insert(pet, undefined)))
      return rows.map((row) => (typeof row === 'string' ? assert.fail(row) : row.id))
    },
    buy: async (petId) => (await place(petId).catch(() => failed)) as Bought,
    async sales() {
      const rows = await raw.all<{ pet_id: number | string; status: string }>('SELECT pet_id, status FROM orders')
      return rows.map(({ pet_id, status }): Sale => ({ petId: Number(pet_id), status }))
    },
    async statuses() {
      const rows = await raw.all<{ id: number | string; status: string }>('SELECT id, status FROM pets')
      return new Map(rows.map(({ id, status }) => [Number(id), status]))
    },
  }
}

after(releasePostgres)

for (const database of some(databases))
  describe(`the check of the races, on ${database.name}`, () => {
    const withRaw = (work: (store: Store, raw: Raw) => Promise<void>) =>
      withStores(database, 1, async ([store], url) => {
        const raw = database.name === 'SQLite' ? rawSqlite(url) : rawPostgres(url)
        await work(store, raw).finally(() => raw.close())
      })

    test('passes a place that decides in one conditional statement', () =>
      withRaw((store, raw) => sellToMany(shopOn(store, raw, conditional(raw)), animals, buyers)))

    test('fails one that reads and then updates, which sells an animal to many', () =>
      withRaw(async (store, raw) => {
        await raw.all('DROP INDEX orders_one_sale')
        const shop = shopOn(store, raw, readThenUpdate(raw))
        await assert.rejects(sellToMany(shop, animals, buyers), assert.AssertionError)
        const [statuses, sales] = [await shop.statuses(), await shop.sales()]
        assert.ok(sales.length > animals)
        assert.throws(() => checkAgreement(statuses, sales), /sold twice/)
      }))

    test('fails it also where the unique index keeps the animal from being sold twice: losers are not told 409', () =>
      withRaw(async (store, raw) => {
        const shop = shopOn(store, raw, readThenUpdate(raw))
        await assert.rejects(sellToMany(shop, animals, buyers), /500 internal_error/)
        const sales = await shop.sales()
        assert.equal(sales.length, animals)
        checkAgreement(await shop.statuses(), sales)
      }))
  })
