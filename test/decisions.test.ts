/** The register of decisions names tests that exist. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { projectFile, root } from './support/project.ts'

const register = projectFile('docs/decisions.md')
/** A file, and the names of tests in it, one after another. */
const references = [...register.matchAll(/`([\w/-]+)`: (“[^”]+”(?:, “[^”]+”)*)/g)].flatMap(
  ([, file = '', names = '']) => [...names.matchAll(/“([^”]+)”/g)].map(([, name = '']) => ({ file, name })),
)

describe('the register of decisions', () => {
  test('names a test for every row', () => {
    for (const row of register.split('\n').filter((line) => /^\|(?! gap| question| package|---| dev:| `)/.test(line)))
      assert.match(row, /`[\w/-]+`: “[^”]+”/, row)
  })

  for (const { file, name } of references)
    test(`names “${name}” of ${file}, which is there`, () => {
      const path = `test/${file}.test.ts`
      assert.ok(existsSync(join(root, path)), `${path} does not exist`)
      assert.ok(projectFile(path).includes(name), `${path} has no test “${name}”`)
    })
})
