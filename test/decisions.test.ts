/**
 * docs/decisions and docs/contract.md: everything that they name exists, a rule or a test keeps each decision, and each
 * record names the alternatives.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { rules } from '../conform/src/rules/rules.ts'
import { Folder } from '../harness/process.ts'
import { projectFile, root } from '../harness/project.ts'
import { eventTypes } from '../src/model/event.ts'

const ruleIds = new Set(rules.map(({ id }) => id))
const pages = globSync('docs/decisions/[0-9]*.md', { cwd: root }).sort()
const records = pages.map((path) => ({ path, number: Number(/(\d+)-/.exec(path)?.[1]), text: projectFile(path) }))
const sources = globSync(
  '{src,client/src,conform/src,harness,trials,test,build,bench,examples,tools}/**/*.{ts,tsx,js,mjs,yaml}',
  {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  },
).map((path) => ({ path, text: projectFile(path) }))

/** The decisions and rules that titles of tests name in brackets, such as `[decision 12]`. */
const tags = sources.flatMap(({ text }) =>
  [...text.matchAll(/ \[(decision|rule) ([\w.-]+(?:, [\w.-]+)*)\]/g)].flatMap(([, kind, names = '']) =>
    names.split(', ').map((name) => ({ kind, name })),
  ),
)
const rulesOf = (text: string) => [...text.matchAll(/`([a-z]+(?:\.[a-z0-9-]+)+)`/g)].map(([, id = '']) => id)

test('Every record of a decision has a situation, a decision, alternatives and consequences', () => {
  for (const { path, number, text } of records) {
    assert.match(text, new RegExp(`^# ${number}\\. \\S`), path)
    const parts = text.split(/^## /m).slice(1)
    const headings = parts.map((part) => part.slice(0, part.indexOf('\n')))
    assert.deepEqual(headings, ['Situation', 'Decision', 'Considered', 'Consequences'], path)
    assert.match(parts[2] ?? '', /^- \*\*/m, `${path} names no alternative`)
  }
})

test('The index of decisions lists every record under its title, and numbers have no gap', () => {
  assert.ok(records.length > 0)
  const lines = records.map(({ path, number, text }) => {
    const title = text.slice(text.indexOf('. ') + 2, text.indexOf('\n'))
    return `${number}. [${title}](${path.slice(path.lastIndexOf('/') + 1)})`
  })
  assert.deepEqual(
    records.map(({ number }) => number),
    records.map((_, i) => i + 1),
  )
  assert.deepEqual(projectFile('docs/decisions/README.md').match(/^\d+\. .*$/gm), lines)
})

test('Every decision is kept by a rule of the kit or a test, and no test names a decision that does not exist', () => {
  const decided = new Set(records.map(({ number }) => String(number)))
  const named = new Set(tags.filter(({ kind }) => kind === 'decision').map(({ name }) => name))
  assert.deepEqual(
    [...named].filter((number) => !decided.has(number)),
    [],
    'named by a test, and not recorded',
  )
  for (const { path, number, text } of records)
    assert.ok(named.has(String(number)) || rulesOf(text).some((id) => ruleIds.has(id)), `nothing holds ${path}`)
})

test('Every rule that a test, a record or the contract names exists in the kit', () => {
  const prefixes = new Set(rules.map(({ id }) => id.slice(0, id.indexOf('.'))))
  const known = new Set<string>([...ruleIds, ...eventTypes, 'webhook.test'])
  const written = [...records, { path: 'docs/contract.md', text: projectFile('docs/contract.md') }].flatMap(
    ({ path, text }) => rulesOf(text).map((id) => ({ path, id })),
  )
  for (const { path, id } of written)
    assert.ok(known.has(id) || !prefixes.has(id.slice(0, id.indexOf('.'))), `${path}: there is no rule ${id}`)
  for (const { kind, name } of tags) if (kind === 'rule') assert.ok(ruleIds.has(name), `there is no rule ${name}`)
})

test('docs/contract.md is the output of npm run build:rules', async () => {
  using folder = new Folder()
  const made = join(folder.path, 'contract.md')
  execFileSync(process.execPath, [join(root, 'build/rules.ts'), made])
  assert.equal(projectFile('docs/contract.md'), await readFile(made, 'utf8'), 'run npm run build:rules')
})

test('Every page of docs that a source file names exists', () => {
  const there = new Set(globSync('**/docs/**/*.md', { cwd: root, exclude: (path) => path.includes('node_modules') }))
  const named = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/(?<![\w/.])docs\/[\w/-]+\.md/g)].map(([page]) => ({ path, page })),
  )
  assert.deepEqual(
    named.filter(({ page }) => !there.has(page)),
    [],
  )
})

test('Exactly the dependencies have a reason in their record, and each version is pinned [decision 32]', () => {
  const { dependencies, devDependencies, optionalDependencies, allowScripts } = JSON.parse(projectFile('package.json'))
  const versions: Record<string, string> = { ...dependencies, ...optionalDependencies, ...devDependencies }
  for (const [name, version] of Object.entries(versions)) assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name)
  const record = records.find(({ path }) => path.endsWith('-dependencies.md'))
  const cells = [...(record?.text ?? '').matchAll(/^\| ((?:dev: )?`[^|]+) \|/gm)].map(([, cell = '']) => cell).join()
  const named = [...cells.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  const group = (name: string) => (name.startsWith('@types/') ? '@types/*' : name.replace('-owasp-ruleset', '-cli'))
  assert.deepEqual([...new Set(Object.keys(versions).map(group))].sort(), named.sort())
  assert.equal(allowScripts['@scarf/scarf'], false)
})
