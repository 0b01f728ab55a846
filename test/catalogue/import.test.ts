/** How the rows of a file are distributed over transactions. */

import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { importRows } from '../../src/catalogue/import.ts'
import { createRowReader } from '../../src/catalogue/row-reader.ts'
import { openSource } from '../../src/catalogue/source.ts'
import type { ImportedPet, ImportState } from '../../src/store/maintenance.ts'
import { systemTime } from '../../src/time.ts'

const row = `${'x'.repeat(100)},1\n`
const rows = 5_000

describe('the rows of a file', () => {
  /** Returns what each transaction adds. */
  async function shared(body: string, rowsDone = 0, bytesAtOnce?: number) {
    await using source = await openSource('-', Readable.from([Buffer.from(`name,categoryId\n${body}`)]))
    const parts: { from: number; rows: number; animals: number; isLast: boolean }[] = []
    const counts = await importRows(
      source,
      createRowReader('a.csv', source.start, 'animals', () => 0n),
      {
        rowsDone,
        bytesAtOnce,
        async add(state: ImportState, pets: readonly ImportedPet[], rows: number) {
          const isLast = state.finishedAt !== undefined
          parts.push({ from: state.rowsDone, rows, animals: pets.length, isLast })
          return true
        },
      },
      systemTime,
      { onReject() {}, onProgress() {} },
    )
    return { parts, counts }
  }

  test('The rows of a file are imported in consecutive transactions, the last of which finishes the import [decision 28]', async () => {
    for (const [each, valid] of [
      [row, rows],
      ['a,x\n', 0],
    ] as const)
      for (const done of [0, 2_000]) {
        const { parts, counts } = await shared(each.repeat(rows), done)
        let next = done
        for (const [i, { from, rows, animals, isLast }] of parts.entries()) {
          assert.deepEqual([from, animals, isLast], [next, valid && rows, i === parts.length - 1])
          next += rows
        }
        assert.equal(next, rows)
        const added = valid && rows - done
        assert.deepEqual(counts, { valid: added, before: valid - added, rejected: rows - valid })
      }
  })

  test('A transaction of an import contains as many rows as the store accepts in one call [decision 28]', async () => {
    const { parts } = await shared(row.repeat(rows), 0, 100 * row.length)
    const [first, ...others] = parts.slice(0, -1).map(({ rows }) => rows)
    // The first transaction includes the header, so each one ends within a row.
    assert.deepEqual([first, ...new Set(others)], [99, 100])
  })

  test('An import reads the next rows while the rows before are added, in two concurrent transactions', async () => {
    const start = 'name,categoryId\n'
    const blocks = [start, row, row, row, row]
    const bytes = blocks.join('').length
    let read = 0
    async function* readAll() {
      for (const [i, text] of blocks.entries()) yield { text, bytes: blocks.slice(0, (read = i + 1)).join('').length }
    }
    const source = { name: 'a.csv', bytes, start, hash: '', blocks: readAll, async [Symbol.asyncDispose]() {} }
    const steps: string[] = []
    const destination = {
      rowsDone: 0,
      bytesAtOnce: undefined,
      async add({ rowsDone }: ImportState) {
        steps.push(`${rowsDone} begins`)
        await new Promise(setImmediate)
        steps.push(`${rowsDone} ends with ${read} blocks read`)
        return true
      },
    }
    const reader = createRowReader(source.name, start, 'animals', () => 0n)
    await importRows(source, reader, destination, systemTime, { onReject() {}, onProgress() {} })
    assert.deepEqual(steps, [
      '0 begins',
      '1 begins',
      '0 ends with 4 blocks read',
      '2 begins',
      '1 ends with 5 blocks read',
      '3 begins',
      '2 ends with 5 blocks read',
      '3 ends with 5 blocks read',
    ])
  })
})
