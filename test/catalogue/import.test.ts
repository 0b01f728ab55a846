/** How the rows of a file are shared out among transactions. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { importRows } from '../../src/catalogue/import.ts'
import { createRowReader } from '../../src/catalogue/row-reader.ts'
import { openSource } from '../../src/catalogue/source.ts'
import type { ImportedPet, ImportState } from '../../src/store/store.ts'

const rowsPerBatch = 5_000

describe('the rows of a file', () => {
  /** How many are in each transaction, where it begins, and how many are under way when it does. */
  async function shared(text: string, state = { rowsDone: 0, keepsIds: false, finishedAt: undefined }) {
    await using source = await openSource('-', Readable.from([Buffer.from(text)]))
    const parts: { from: number; rows: number; animals: number; isLast: boolean }[] = []
    let underWay = 0
    const table = {
      async add(_hash: string, { rowsDone, finishedAt }: ImportState, pets: readonly ImportedPet[], rows: number) {
        parts.push({ from: rowsDone, rows, animals: pets.length, isLast: finishedAt !== undefined })
        assert.equal(++underWay, 1)
        // Long enough for the next rows to be read.
        for (let turns = 0; turns < 100; turns++) await nextTurn()
        underWay--
        return true
      },
    }
    await importRows(
      source,
      createRowReader('a.csv', source.start, 'animals', () => 0n),
      { table, state, clock: () => 0 },
      { onReject() {}, onProgress() {}, isStopped: () => false },
    )
    return parts
  }

  test('are in transactions of the same size, one after another, wherever its blocks are cut; the last one finishes it [D244]', async () => {
    const count = 3 * rowsPerBatch + 7
    for (const row of ['a,1\n', `${'x'.repeat(100)},1\n`, `a,x\n`]) {
      const parts = await shared(`name,categoryId\n${row.repeat(count)}`)
      assert.deepEqual(
        parts,
        [rowsPerBatch, rowsPerBatch, rowsPerBatch, 7].map((rows, i) => ({
          from: i * rowsPerBatch,
          ...{ rows, animals: row === 'a,x\n' ? 0 : rows, isLast: i === 3 },
        })),
      )
    }
  })

  test('that were added before are left out, and those after them counted from there', async () => {
    const state = { rowsDone: rowsPerBatch + 1, keepsIds: false, finishedAt: undefined }
    const parts = await shared(`name,categoryId\n${'a,1\n'.repeat(2 * rowsPerBatch + 3)}`, state)
    assert.deepEqual(parts, [
      { from: rowsPerBatch + 1, rows: rowsPerBatch, animals: rowsPerBatch, isLast: false },
      { from: 2 * rowsPerBatch + 1, rows: 2, animals: 2, isLast: true },
    ])
  })

  test('that were read when it was told to stop, but are not in a transaction, are not counted as added', async () => {
    const row = `${'x'.repeat(100)},1\n`
    const text = `name,categoryId\n${row.repeat(3 * rowsPerBatch)}`
    await using source = await openSource('-', Readable.from([Buffer.from(text)]))
    let added = 0
    const counts = await importRows(
      source,
      createRowReader('a.csv', source.start, 'animals', () => 0n),
      {
        table: { add: async (_hash, _state, pets) => (added += pets.length) > 0 },
        state: { rowsDone: 0, keepsIds: false, finishedAt: undefined },
        clock: () => 0,
      },
      { onReject() {}, onProgress() {}, isStopped: () => added > 0 },
    )
    assert.deepEqual(counts, { valid: added, before: 0, rejected: 0, isWhole: false })
    assert.equal(added % rowsPerBatch, 0)
  })
})
