/** What is said of the tools of others; they are run by `npm run test:tools`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operationsOf } from '../tools/operations.ts'
import { isAsTold, rowOf, rowsIn, tools } from '../tools/tools.ts'
import { projectFile } from './support/project.ts'

test('docs/tools.md has what the run wrote of every tool, in its declared version: it loses what its row says', () => {
  const written = rowsIn(projectFile('docs/tools.md')).map(([, row]) => row)
  const results = written.map((row) => row.split(' | ')[3] ?? '')
  const rows = tools.map((tool, n) => rowOf(tool, results[n] ?? ''))
  assert.deepEqual(written, rows)
  const failed = tools.filter((tool, n) => !isAsTold(tool, results[n] ?? ''))
  assert.deepEqual(failed, [])
  // One more operation than the scenario called, or a page executed.
  const { size } = operationsOf(JSON.parse(projectFile('openapi.json')))
  const counts = new Set(results.flatMap((result) => /(?<=^\d+ of )\d+/.exec(result) ?? []).map(Number))
  assert.equal(Math.max(...counts), size)
  assert.equal(counts.size, 2)
})

test('CI installs what the quick tools need and nothing more', () => {
  const { dependencies } = JSON.parse(projectFile('tools/package.json'))
  for (const { package: name = '', isQuick = false } of tools) assert.equal(name in dependencies, isQuick, name)
})
