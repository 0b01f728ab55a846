/** How the rows of a file are shared out among transactions. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { importRows } from '../../src/catalogue/import.ts'
import { createRows } from '../../src/catalogue/rows.ts'
import { openSource } from '../../src/catalogue/source.ts'
import type { ImportBatch } from '../../src/store/import-batch.ts'

describe('the rows of a file', () => {
  /** How many are in each transaction, and how many transactions are under way when each begins. */
  async function shared(text: string, sizes: readonly number[], atOnce = 1) {
    await using source = await openSource('-', Readable.from([Buffer.from(text)]), 'csv')
    const parts: number[] = []
    const underWay: number[] = []
    let ended = 0
    const full = Promise.withResolvers<void>()
    const table = {
      atOnce,
      get rowsPerBatch() {
        return sizes[parts.length] ?? Number.POSITIVE_INFINITY
      },
      async add(_hash: string, _state: unknown, batch: ImportBatch, rows: number) {
        assert.deepEqual([rows, batch.count], Array(2).fill(JSON.parse(batch.pets()).length))
        parts.push(rows)
        underWay.push(parts.length - ended)
        if (parts.length >= atOnce) full.resolve()
        await full.promise
        // Long enough for the next rows to be read.
        for (let turns = 0; turns < 1_000; turns++) await nextTurn()
        ended++
        return true
      },
    }
    const state = { rowsDone: 0, keepsIds: false, finishedAt: undefined }
    await importRows(
      source,
      createRows('csv', 'a.csv', 'animals'),
      { table, state, clock: () => 0 },
      { onReject() {}, onProgress() {}, isStopped: () => false },
    )
    return { parts, underWay }
  }
  const csvOf = (count: number, name: string) => `name,categoryId\n${`${name},1\n`.repeat(count)}`

  test('are as many in a transaction as the store asks for at that time, to the next block that is read', async () => {
    const { parts, underWay } = await shared(csvOf(100_000, 'Rex'), [10_000, 40_000])
    const rowsPerBlock = 65_536 / 'Rex,1\n'.length + 1
    assert.equal(parts.length, 3)
    assert.deepEqual(underWay, [1, 1, 1])
    for (const [i, size] of [10_000, 40_000].entries())
      assert.ok((parts[i] as number) >= size && (parts[i] as number) < size + rowsPerBlock, `${parts}`)
  })

  test('are in as many transactions at once as the store takes', async () => {
    const { underWay } = await shared(csvOf(60_000, 'Rex'), Array(10).fill(1), 2)
    assert.deepEqual([underWay[0], Math.max(...underWay)], [1, 2])
  })

  test('with long names are fewer in a transaction, whatever the store asks for', async () => {
    const name = 'x'.repeat(1_000)
    const { parts } = await shared(csvOf(10_000, name), [])
    assert.equal(
      parts.reduce((sum, rows) => sum + rows),
      10_000,
    )
    for (const rows of parts) assert.ok(rows * name.length < 5_000_000, `${parts}`)
  })
})

test('a file is known by the hash of its content, as databases of earlier versions know it, unless it is read in another format', async () => {
  const contents = { csv: '\ufeffname,categoryId\nRex,1\n', ndjson: ' {"name":"Rex"}\n', json: '\n[{"name":"Rex"}]' }
  for (const [own, content] of Object.entries(contents)) {
    const hashes = new Map<string, string>()
    for (const format of ['csv', 'ndjson', 'json'] as const) {
      await using source = await openSource('-', Readable.from([Buffer.from(content)]), format)
      hashes.set(format, source.hash)
    }
    assert.equal(hashes.get(own), createHash('sha256').update(content).digest('hex'))
    assert.equal(new Set(hashes.values()).size, 3, own)
  }
})
