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
      // A suite that several test files run stands in a file of its own.
      const path = /\/suite-/.test(file) ? `test/${file}.ts` : `test/${file}.test.ts`
      assert.ok(existsSync(join(root, path)), `${path} does not exist`)
      assert.ok(projectFile(path).includes(name), `${path} has no test “${name}”`)
    })

  test('gives a reason for every dependency and for no other, and each version is pinned exactly', () => {
    const { dependencies, devDependencies, optionalDependencies, allowScripts } = JSON.parse(
      projectFile('package.json'),
    )
    const versions: Record<string, string> = { ...dependencies, ...optionalDependencies, ...devDependencies }
    for (const [name, version] of Object.entries(versions)) assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name)
    const section = register.split('\n## ').find((text) => text.startsWith('Dependencies')) ?? ''
    const cells = [...section.matchAll(/^\| ((?:dev: )?`[^|]+) \|/gm)].map(([, cell = '']) => cell).join()
    const named = [...cells.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
    const group = (name: string) => (name.startsWith('@types/') ? '@types/*' : name.replace('-owasp-ruleset', '-cli'))
    assert.deepEqual([...new Set(Object.keys(versions).map(group))].sort(), named.sort())
    assert.equal(allowScripts['@scarf/scarf'], false)
  })
})
