/** Every decision is held by a rule or a test; the page on security names tests that exist. */
import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { rules } from '../src/conform/rules.ts'
import { newToken } from '../src/model/key.ts'
import { projectFile, root } from './support/project.ts'

interface Reference {
  readonly file: string
  readonly name: string
}

/** The tests that a page names: a file, and the names of tests in it, one after another. */
const referencesIn = (page: string): Reference[] =>
  [...page.matchAll(/`([\w/-]+)`: (“[^”]+”(?:, “[^”]+”)*)/g)].flatMap(([, file = '', names = '']) =>
    [...names.matchAll(/“([^”]+)”/g)].map(([, name = '']) => ({ file, name })),
  )

function assertExists({ file, name }: Reference): void {
  // A rule of the table that test/conform holds the service against.
  if (file === 'conform') {
    assert.ok(ruleIds.has(name), `there is no rule ${name}`)
    return
  }
  // A suite that several test files run stands in a file of its own.
  const path = /\/suite-/.test(file) ? `test/${file}.ts` : `test/${file}.test.ts`
  assert.ok(existsSync(join(root, path)), `${path} does not exist`)
  assert.ok(projectFile(path).includes(name), `${path} has no test “${name}”`)
}

const ruleIds = new Set(rules.map(({ id }) => id))
const register = projectFile('docs/decisions.md')
const security = projectFile('docs/security.md')

describe('the page on security', () => {
  test('has every risk of the OWASP API Security Top 10 in order, with a test', () => {
    const rows = security.split('\n').filter((line) => line.startsWith('| API'))
    assert.deepEqual(
      rows.map((row) => row.split(' ')[1]),
      Array.from({ length: 10 }, (_, i) => `API${i + 1}`),
    )
    for (const row of rows) assert.ok(referencesIn(row).length > 0, row)
  })

  for (const reference of referencesIn(security))
    test(`names “${reference.name}” of ${reference.file}, which is there`, () => assertExists(reference))

  test('gives a pattern that finds every key in a text, whole, and nothing that is as long as no key', () => {
    const [, text = ''] = /```text\n\s*(\S+)\n/.exec(security) ?? []
    const pattern = new RegExp(text, 'g')
    for (let i = 0; i < 1_000; i++) {
      const key = newToken()
      for (const [before, after] of [
        ['', ''],
        ['Authorization: Bearer ', '\n'],
        ['{"key":"', '"}'],
        ['KEY=', ';'],
      ])
        assert.deepEqual(`${before}${key}${after}`.match(pattern), [key])
      for (const other of [key.slice(0, -1), `${key}0`, key.replace('pst_', 'pst-'), `x${key}`])
        assert.equal(other.match(pattern), null, other)
    }
  })
})

describe('the register of decisions', () => {
  test('has every decision once, held by rules that exist or by a test with its id in the name, and no test names another', () => {
    const decisions = [...register.matchAll(/^(?:\| )?(D\d+)\b(.*)/gm)].map(([, id = '', row = '']) => ({ id, row }))
    const ids = decisions.map(({ id }) => id)
    assert.ok(ids.length > 0)
    assert.deepEqual(ids, [...new Set(ids)])
    const named = new Set(
      globSync('test/**/*.ts', { cwd: root, exclude: ['test/tools/node_modules'] }).flatMap((file) =>
        [...projectFile(file).matchAll(/ \[(D\d+(?: D\d+)*)\](?=['"`])/g)].flatMap(([, tags = '']) => tags.split(' ')),
      ),
    )
    assert.deepEqual(
      [...named].filter((id) => !ids.includes(id)),
      [],
      'named by a test, and not decided',
    )
    for (const { id, row } of decisions) {
      const heldBy = [...(/\|([^|]*)\|$/.exec(row)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, rule = '']) => rule)
      for (const rule of heldBy) assert.ok(ruleIds.has(rule), `${id}: there is no rule ${rule}`)
      assert.ok(heldBy.length > 0 || named.has(id), `nothing holds ${id}`)
    }
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
