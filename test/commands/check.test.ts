/** `petstore check` prints a line for each fault in the stored data, on both databases. */
import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { onStore, withDatabase } from '../../harness/catalogue.ts'
import { databases } from '../../harness/databases.ts'
import { openedDatabase, releasePostgres } from '../../harness/postgres.ts'
import { command, Folder } from '../../harness/process.ts'
import { runSql } from '../../harness/sql.ts'
import { change } from '../../harness/sqlite.ts'
import { rex, rowOf } from '../store/subject.ts'

after(releasePostgres)

/** This is more than a check reads in one step. */
const animals = 6_000

const check = (url: string) => command(['check'], { DATABASE_URL: url })

/** Runs SQL without the rules of the database. */
const run = (url: string, sql: string) => {
  const isSqlite = url.startsWith('sqlite:')
  const freed = isSqlite
    ? 'PRAGMA foreign_keys = OFF'
    : 'ALTER TABLE orders DROP CONSTRAINT IF EXISTS orders_pet_id_fkey'
  return runSql(url, `${freed}; ${sql}`)
}

/**
 * Adds the animals 1 available, 2 reserved, 3 sold, 4 returned, 5 with a cancelled order, 6 added as sold, and many
 * more.
 */
async function fill(url: string): Promise<void> {
  await onStore(url, async ({ pets, orders }) => {
    for (let id = 1; id <= 5; id++) await pets.insert(rex, undefined)
    await pets.insert({ ...rex, status: 'sold' }, undefined)
    for (const [petId, ...moves] of [[2], [3, 'completed'], [4, 'completed', 'returned'], [5, 'cancelled']] as const) {
      const { id } = rowOf(await orders.place({ petId: BigInt(petId) }, undefined))
      for (const to of moves) rowOf((await orders.move(BigInt(id), to)) ?? assert.fail('no order'))
    }
  })
  await run(
    url,
    `INSERT INTO pets (id, name, words, category_id, status)
    WITH RECURSIVE n (id) AS (SELECT 7 UNION ALL SELECT id + 1 FROM n WHERE id < ${animals})
    SELECT id, '-', '', 1, 'sold' FROM n`,
  )
}

/**
 * Faults that only another program than the store can cause: the SQL that causes each of them, and the resulting line.
 */
const faults: readonly (readonly [sql: string, line: string])[] = [
  [`UPDATE pets SET words = 'max' WHERE id = 1`, 'Animal 1 has other words than its name.'],
  [`UPDATE pets SET status = 'available' WHERE id = 2`, 'Animal 2 is available with 1 placed and 0 completed orders.'],
  [`UPDATE pets SET status = 'pending' WHERE id = 3`, 'Animal 3 is pending with 0 placed and 1 completed orders.'],
  [
    `DROP INDEX orders_one_sale; UPDATE orders SET status = 'completed' WHERE pet_id = 4;
     UPDATE pets SET status = 'pending' WHERE id = 4;
     INSERT INTO orders (id, pet_id, status, created_at, updated_at) VALUES (5, 4, 'placed', '', '')`,
    'Animal 4 is pending with 1 placed and 1 completed orders.',
  ],
  [
    `UPDATE orders SET pet_id = ${animals}, status = 'placed' WHERE pet_id = 5`,
    `Animal ${animals} is sold with 1 placed and 0 completed orders.`,
  ],
]

for (const database of databases)
  test(`petstore check on ${database.name} finds exactly the faults that other programs made [decision 27]`, () =>
    withDatabase(database, async ({ DATABASE_URL: url }) => {
      const isPostgres = database.name === 'PostgreSQL'
      await fill(url)
      if (isPostgres) {
        assert.equal((await check(url)).stdout, 'pet_ids is at 6, behind the last id in pets.\n')
        await run(url, `SELECT setval('pet_ids', ${animals})`)
      }
      assert.deepEqual(await check(url), { code: 0, stdout: '', stderr: 'No faults in 6,000 animals and 4 orders.\n' })
      const statements = [
        ...faults.map(([sql]) => sql),
        `UPDATE events SET data = '' WHERE pet_id = ${animals - 1}`,
        `UPDATE events SET type = 'pet.deleted' WHERE pet_id = ${animals - 2}`,
        'UPDATE inventory_total SET sold = sold + 5',
        'UPDATE order_counts SET returned = 9',
        `INSERT INTO orders (id, pet_id, status, created_at, updated_at) VALUES (6, 99999, 'cancelled', '', '')`,
        ...(isPostgres ? [`SELECT setval('event_ids', 5)`] : []),
      ]
      await run(url, statements.join('; '))
      const { code, stdout, stderr } = await check(url)
      assert.equal(code, 1)
      const lines = stdout.trimEnd().split('\n')
      assert.equal(stderr, `Faults: ${lines.length}.\n`)
      const behind = [
        'order_ids is at 4, behind the last id in orders.',
        'event_ids is at 5, behind the last id in events.',
      ]
      const expected = [
        ...faults.map(([, line]) => line),
        ...[animals - 2, animals - 1].map((id) => `Animal ${id} is not as its last event says.`),
        'Order 6 is on animal 99999, which does not exist.',
        'The counts of all animals are 3, 2, 6000 available, pending and sold, but there are 3, 2, 5995.',
        'The counts of all orders are 3, 2, 1, 9, 0 placed, completed, cancelled, returned and expired, ' +
          'but there are 3, 2, 1, 0, 0.',
        ...(isPostgres ? behind : []),
      ]
      assert.deepEqual(lines.sort(), expected.sort())
    }))

test('petstore check of a PostgreSQL database reports a missing table, and continues with the other checks', async () => {
  const { url, remove } = await openedDatabase()
  try {
    await onStore(url, ({ pets }) => pets.insert(rex, undefined))
    await run(url, `UPDATE pets SET words = 'max'; DROP TABLE inventory_total`)
    const { code, stdout, stderr } = await check(url)
    assert.equal(code, 1)
    assert.match(stdout, /^Cannot check whether the counts of all animals are right: .*inventory_total/m)
    assert.match(stdout, /^Animal 1 has other words than its name\.$/m)
    assert.match(stderr, /^Faults: \d+\.\n$/)
  } finally {
    await remove()
  }
})

describe('petstore check of a SQLite file', () => {
  const original = new Folder()
  before(() => fill(original.url))
  after(() => original[Symbol.dispose]())
  const filled = () => {
    const folder = new Folder()
    copyFileSync(original.database, folder.database)
    return folder
  }

  test('petstore check of a SQLite file reports what the integrity check of SQLite finds', async () => {
    using folder = filled()
    change(folder.database, `PRAGMA ignore_check_constraints = ON; UPDATE pets SET status = 'lost' WHERE id = 7`)
    const { code, stdout } = await check(folder.url)
    assert.deepEqual([code, stdout], [1, 'CHECK constraint failed in pets\n'])
  })

  test('petstore check of a SQLite file reports what clients are shown otherwise than it is stored', async () => {
    using folder = filled()
    const { categoryId } = rex
    const [pet, order] = await onStore(folder.url, async ({ pets, orders, categories }) => {
      await categories.put(categoryId, 'Unchanged', undefined)
      const { id } = rowOf(await pets.insert({ ...rex, name: 'Unchanged' }, undefined))
      return [id, rowOf(await orders.place({ petId: BigInt(id), reference: 'Unchanged' }, undefined)).id]
    })
    // What clients are shown is stored as JSON, beside the columns.
    const bytes = readFileSync(folder.database, 'latin1')
    writeFileSync(folder.database, bytes.replaceAll('":"Unchanged"', '":"unchanged"'), 'latin1')
    const { code, stdout } = await check(folder.url)
    assert.equal(code, 1)
    assert.deepEqual(stdout.trimEnd().split('\n'), [
      `Animal ${pet} is not shown as it is stored.`,
      `Order ${order} is not shown as it is stored.`,
      `Category ${categoryId} is not shown as it is stored.`,
    ])
  })

  test('petstore check of a SQLite file reports each check that damage prevents, and runs the others', async () => {
    using folder = filled()
    const bytes = readFileSync(folder.database)
    // The middle of the file contains mostly animals and their indexes.
    bytes.fill(0x55, bytes.length / 2, bytes.length / 2 + 65_536)
    writeFileSync(folder.database, bytes)
    const { code, stdout, stderr } = await check(folder.url)
    assert.equal(code, 1, stderr)
    assert.deepEqual(stdout.split('\n'), [
      'Cannot check whether the file is intact: SQLite: corrupt',
      'Cannot check whether every animal is found by its words: SQLite: corrupt',
      'Cannot check whether every animal agrees with its orders: SQLite: corrupt',
      'Cannot check whether every animal has the words of its name: SQLite: corrupt',
      'Cannot check whether animals are as their newest events say: SQLite: corrupt',
      'Cannot check whether the counts of categories are right: SQLite: corrupt',
      'Cannot check whether the counts of all animals are right: SQLite: corrupt',
      'Cannot check whether every animal is shown as it is stored: SQLite: corrupt',
      '',
    ])
  })
})
