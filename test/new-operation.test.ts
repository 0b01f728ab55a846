/**
 * What an operation needs besides its declaration. Each operation of src/app.ts is checked, and a sentence says what is
 * missing.
 */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { projectFile, root } from '../harness/project.ts'
import { operations } from '../src/app.ts'

const textOf = (...patterns: string[]): string =>
  globSync(patterns, { cwd: root, exclude: ['test/{client,reference}/**', 'test/new-operation.test.ts'] })
    .map(projectFile)
    .join('\n')

const rules = textOf('conform/src/rules/*.ts')
const tests = textOf('test/**/*.ts')
const client = projectFile('test/client/calls.test.ts')
const changelog = projectFile('CHANGELOG.md')

/** Operations that a rule cannot check, and why. */
const withoutRule: Readonly<Record<string, string>> = { streamEvents: 'the kit follows no streams' }
/** Operations that the client does not call, and why. */
const withoutMethod: Readonly<Record<string, string>> = {
  getPet: 'deprecated: the client finds an animal with the filter id',
}

for (const { id, method, path } of operations) {
  const pattern = path.replace(/[{]\w+[}]/g, '[^/`\'"?]+')
  const asks = (text: string) => new RegExp(`[\`'"/]${pattern.slice(1)}(?=[\`'"?])`).test(text)
  const names = (text: string) => new RegExp(`\\b${id}\\b|\`${method} ${path}\``).test(text)
  /**
   * The part of the path after the last parameter. Tests write `/deliveries` after a variable, and rules write
   * `move(id, 'return')`.
   */
  const end = path.split(/[{]\w+[}]/).at(-1)

  test(`The operation ${id} has a rule of the kit, a client method, a line in the changelog and its own test`, () => {
    const missing = [
      !(id in withoutRule) &&
        !((asks(rules) || (end && rules.includes(`'${end.slice(1)}'`))) && rules.includes(`${method}(`)) &&
        `a rule in conform/src/rules that sends ${method} ${path} (conform/README.md says how to write one).`,
      !(id in withoutMethod) &&
        !new RegExp(`^  ${id}: `, 'm').test(client) &&
        `a method in client/src, its name in client/README.md, and a call in the list of test/client/calls.test.ts.`,
      !names(changelog) && `a line in CHANGELOG.md, under "Added for callers", that names ${id}.`,
      !names(tests) &&
        !asks(tests) &&
        !(end && tests.includes(`}${end}`)) &&
        `a test in test/http, or of the store in test/store/suite-*.ts, whose title or text names ${id} or ${path}.`,
    ].filter((what) => what !== false)
    assert.deepEqual(missing, [], `${id} (${method} ${path}) lacks what this list says`)
  })
}
