/**
 * The tools of others, which `npm run test:tools` runs. Only that run compares and writes the table of docs/tools.md.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { projectFile } from '../harness/project.ts'
import { tools } from '../tools/tools.ts'

test('CI installs exactly the packages of the quick tools', () => {
  const { dependencies } = JSON.parse(projectFile('tools/package.json'))
  for (const { package: name = '', isQuick = false } of tools)
    assert.equal(
      name in dependencies,
      isQuick,
      `tools/package.json: a quick tool is in dependencies, any other in devDependencies: ${name}`,
    )
})
