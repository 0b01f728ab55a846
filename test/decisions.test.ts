/** Every decision is held by a rule or a test. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { describe, test } from 'node:test'
import { rules } from '../conform/src/rules/rules.ts'
import { projectFile, root } from '../harness/project.ts'

const ruleIds = new Set(rules.map(({ id }) => id))
const register = projectFile('docs/decisions.md')
const rows = [...register.matchAll(/^\|?(D\d+)\b(.*)/gm)].map(([, id = '', row = '']) => [id, row] as const)
const decisions = new Map(rows)

describe('the register of decisions', () => {
  test('The register of decisions has every decision once, held by rules or by a test with its id, and no test names another', () => {
    const ids = [...decisions.keys()]
    assert.ok(ids.length > 0)
    assert.deepEqual(
      rows.map(([id]) => id),
      ids,
    )
    const named = new Set(
      globSync('{test,harness}/**/*.ts', { cwd: root }).flatMap((file) =>
        [...projectFile(file).matchAll(/ \[(D\d+(?: D\d+)*)\](?=['"`])/g)].flatMap(([, tags = '']) => tags.split(' ')),
      ),
    )
    assert.deepEqual(
      [...named].filter((id) => !ids.includes(id)),
      [],
      'named by a test, and not decided',
    )
    for (const [id, row] of decisions) {
      const heldBy = [...(/\|([^|]*)\|$/.exec(row)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, rule = '']) => rule)
      for (const rule of heldBy) assert.ok(ruleIds.has(rule), `${id}: there is no rule ${rule}`)
      assert.ok(heldBy.length > 0 || named.has(id), `nothing holds ${id}`)
    }
  })

  test('The register of decisions gives a reason for every dependency and for no other, and each version is pinned exactly', () => {
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
