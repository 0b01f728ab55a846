/** What is said of the tools of others; they are run by `npm run test:tools`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { projectFile } from '../support/project.ts'
import { tools, versionOf } from './tools.ts'

test('docs/tools.md lists every tool with the version that is run and what is known about it', () => {
  const rows = tools.map(
    (tool) => `| ${tool.name} | ${versionOf(tool)} | ${tool.isQuick ? 'yes' : ''} | ${tool.note ?? ''} |`,
  )
  const listed = projectFile('docs/tools.md').match(/^\| .+ \|$/gm)
  assert.deepEqual(
    listed?.map((row) => row.replace(/ +/g, ' ')).slice(1),
    rows.map((row) => row.replace(/ +/g, ' ')),
  )
})

test('CI installs what the quick tools need and nothing more, and no lockfile names a registry', () => {
  const { dependencies } = JSON.parse(projectFile('test/tools/package.json'))
  for (const { package: name = '', isQuick = false } of tools) assert.equal(name in dependencies, isQuick, name)
  for (const path of ['test/tools', 'bench', '.'])
    assert.doesNotMatch(projectFile(`${path}/package-lock.json`), /"resolved": "http/)
})
