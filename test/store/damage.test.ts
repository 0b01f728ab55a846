/**
 * Damaged SQLite files. `petstore check` finds everything that a client would be shown wrongly, and `restore` refuses a
 * foreign schema.
 */
import assert from 'node:assert/strict'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { faultsIn } from '../../harness/faults.ts'
import { Folder } from '../../harness/process.ts'
import { randomFrom, seedOf } from '../../harness/random.ts'
import { times } from '../../harness/scope.ts'
import { change } from '../../harness/sqlite.ts'
import { openFile } from '../../harness/stores.ts'
import { newFile } from '../../src/commands/new-file.ts'
import { runCheck } from '../../src/store/checks.ts'
import type { Inspection } from '../../src/store/maintenance.ts'
import { restoreFrom } from '../../src/store/sqlite/backup.ts'
import type { Store } from '../../src/store/store.ts'
import { rowOf, statuses } from './subject.ts'

async function fill({ pets, orders, categories }: Store): Promise<void> {
  await Promise.all(
    Array.from({ length: 300 }, async (_, i) => {
      const pet = { name: `Animal ${i}`, categoryId: BigInt(i % 7), status: statuses[i % 3] ?? 'available' }
      const { id } = rowOf(await pets.insert(pet, undefined))
      if (i % 3 > 0) return
      const order = rowOf(await orders.place({ petId: BigInt(id) }, undefined))
      if (i % 2) await orders.move(BigInt(order.id), 'completed')
    }),
  )
  for (let i = 0; i < 7; i++) await categories.put(BigInt(i), `Kind ${i}`, undefined)
}

/** Returns everything that clients can read of animals, orders, names and counts. */
async function shownBy({ pets, orders, categories, inventory }: Store): Promise<string[]> {
  const texts: string[] = []
  for (let id = 0n; id <= 305n; id++) texts.push(`${await pets.find(id)} ${await orders.find(id)}`)
  const range = { after: undefined, limit: 1_000 }
  for (const status of [undefined, ...statuses]) {
    texts.push((await pets.page({ ...range, status })).json)
    for (let i = 0n; i < 7n; i++) texts.push((await pets.page({ ...range, status, categoryId: i })).json)
  }
  for (const status of [undefined, 'placed', 'completed'] as const)
    texts.push((await orders.page({ ...range, status })).json)
  texts.push((await categories.page({ after: undefined, limit: 100 })).json, await inventory.total())
  texts.push((await inventory.page({ after: undefined, limit: 100 })).json)
  return texts
}

test('petstore check finds every flipped bit of a file that changes what is shown', async (t) => {
  using folder = new Folder()
  const whole = `${folder.path}/whole.db`
  const store = openFile(whole)
  await fill(store)
  const expected = await shownBy(store)
  assert.deepEqual(await faultsIn(store), [])
  await store.close()
  const random = randomFrom(seedOf(t))
  let wrong = 0
  const rounds = times(120, 20)
  // One flip in eight can be seen, so chance may leave out all of them.
  for (let round = 0; round < rounds || (wrong === 0 && round < 10 * rounds); round++) {
    const file = `${folder.path}/${round}.db`
    copyFileSync(whole, file)
    const bytes = readFileSync(file)
    for (let flips = 1 + Math.floor(random() * 8); flips > 0; flips--) {
      // The flip is not in the first page, which contains the header and the schema, because such a file is refused.
      const at = 4096 + Math.floor(random() * (bytes.length - 4096))
      bytes[at] = (bytes[at] as number) ^ (1 << Math.floor(random() * 8))
    }
    writeFileSync(file, bytes)
    let damaged: Store
    try {
      damaged = openFile(file)
    } catch {
      continue
    }
    let shown: string[] | undefined
    try {
      shown = await shownBy(damaged)
    } catch {
      // The file is not shown at all.
    }
    if (shown && !expected.every((text, i) => text === shown[i])) {
      wrong++
      const faults = await faultsIn(damaged).catch((error: Error) => [error.message])
      assert.notDeepEqual(faults, [], `round ${round}`)
    }
    await damaged.close()
  }
  assert.ok(wrong > 0, 'some flips are seen')
})

test('A check has reported all that it found when it ends, however long the database takes to answer', async () => {
  const slow: Inspection = {
    checks: [],
    async texts() {
      await nextTurn()
      return ['1']
    },
  }
  const found: string[] = []
  await runCheck(slow, { name: 'every animal', table: 'pets', faults: 'SELECT 1' }, (fault) => found.push(fault))
  assert.deepEqual(found, ['1'])
})

test('A backup with a foreign schema is not restored, and one on which ANALYZE ran is restored', async () => {
  using folder = new Folder()
  const store = openFile(folder.database)
  await fill(store)
  await store.close()
  for (const [statement, reason] of [
    ['CREATE TRIGGER t AFTER INSERT ON pets BEGIN DELETE FROM orders; END', /its trigger t is not ours/],
    [
      'DROP TABLE sales; CREATE VIEW sales AS SELECT 1 AS day, 2 AS added, 3 AS sold, 4 AS returned',
      /its view sales is not ours/,
    ],
    ['DROP TABLE idempotency_records', /its table idempotency_records is missing/],
    ['ALTER TABLE imports ADD COLUMN x INTEGER', /its table imports is not ours/],
    ['ANALYZE', undefined],
  ] as const) {
    const backup = `${folder.path}/${statement.length}.db`
    const restore = () => {
      using target = newFile(folder.database, { isForced: true, mode: 0o600 })
      return restoreFrom(backup, target, `${folder.database}-replaced`)
    }
    await openFile(backup).close()
    change(backup, statement)
    if (reason) assert.throws(restore, reason)
    else assert.equal(restore().animals, 0)
    const again = openFile(folder.database)
    assert.equal((await again.bulk.counts()).pets, reason ? 300 : 0)
    await again.close()
    const left = readdirSync(folder.path).filter((name) => /partial|replaced/.test(name))
    assert.equal(left.length, reason ? 0 : 1)
  }
})
