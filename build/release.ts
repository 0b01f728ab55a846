/**
 * Makes in a folder what a release publishes, as far as this machine can, and starts a service from each part: `npm run
 * release:dry-run [-- FOLDER]`. The workflow publishes the packages that were made and tested here.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { Folder, node, Program, type Surroundings } from '../harness/process.ts'
import { projectFile, root } from '../harness/project.ts'
import { startOnce } from './start-once.ts'

const { version } = JSON.parse(projectFile('package.json'))
const release = resolve(process.argv[2] ?? join(root, 'release'))
const packages = ['server', 'client', 'conform'].map((name) => `petstore-${name}`)
const tarball = (name: string) => join(release, `${name}-${version}.tgz`)
/** The major versions of Node on which packages are tested. */
const nodes = [22, 24, 26]

const say = (text: string): unknown => process.stdout.write(`${text}\n`)
const run = (file: string, args: readonly string[], cwd = root): string =>
  execFileSync(file, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

function makeAll(): void {
  rmSync(release, { recursive: true, force: true })
  mkdirSync(release)
  run('npm', ['pack', '--pack-destination', release, '.', './client', './conform'])
  for (const name of packages) run('npm', ['publish', '--dry-run', tarball(name)])
  const system = { darwin: 'macos', win32: 'windows' }[process.platform as string] ?? process.platform
  run(node, ['build/binary.ts', join(release, `petstore-${version}-${system}-${process.arch}`)])
  using copy = new Folder()
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(root, file), join(copy.path, file))
  const sbom =
    'npm pkg delete devDependencies && npm install --package-lock-only --ignore-scripts >&2 && npm sbom --package-lock-only --sbom-format=cyclonedx --sbom-type=application'
  writeFileSync(join(release, 'petstore.cdx.json'), run('sh', ['-c', sbom], copy.path))
  writeFileSync(join(release, 'notes.md'), run(node, ['build/release-notes.ts']))
  const sums = readdirSync(release).map((name) => {
    const sum = createHash('sha256')
      .update(readFileSync(join(release, name)))
      .digest('hex')
    return `${sum}  ${name}\n`
  })
  writeFileSync(join(release, 'SHA256SUMS'), sums.join(''))
}

/** Installs the packages like others do, in an empty folder, on a machine whose Node has that version. */
async function tryPackages(major: number): Promise<void> {
  using folder = new Folder()
  const machine = join(folder.path, 'machine')
  const server = join(folder.path, 'server')
  const clients = join(folder.path, 'clients')
  const install = (cwd: string, surroundings: Surroundings, ...what: string[]) => {
    mkdirSync(cwd)
    return new Program(['npm', 'install', '--no-audit', '--no-fund', ...what], { ...surroundings, cwd }).succeeded
  }
  await install(machine, {}, `node-${process.platform}-${process.arch}@${major}`)
  const bin = join(machine, 'node_modules/.bin')
  // The project's own programs are not on the PATH. bash replaces itself with the program that npx runs, so that a
  // signal to npx reaches the service.
  const others = (process.env.PATH ?? '').split(delimiter).filter((path) => !path.includes('node_modules'))
  const env = { PATH: [bin, ...others].join(delimiter), npm_config_script_shell: 'bash' }
  await install(server, { env }, tarball('petstore-server'))
  await install(clients, { env }, tarball('petstore-client'), tarball('petstore-conform'))
  const own = (await new Program(['node', '--version'], { cwd: clients, env }).succeeded).trim()
  if (!own.startsWith(`v${major}.`)) throw new Error(`${own} in place of Node ${major}`)
  const npx = ['npx', '--no-install']
  await startOnce([...npx, 'petstore'], { cwd: server, env }, async ({ url, key }) => {
    const surroundings = { cwd: clients, env: { ...env, PETSTORE_URL: url, PETSTORE_KEY: key } }
    const program = "new (await import('petstore-client')).PetStore().pets.create({ name: 'Rex', categoryId: 1n })"
    const print = `console.log((await ${program}).id)`
    const made = await new Program(['node', '--input-type=module', '--eval', print], surroundings).succeeded
    const passed = await new Program([...npx, 'petstore-conform', url, '--only', 'auth.valid'], surroundings).succeeded
    if (made !== '1n\n' || !passed.includes(' 1 passed, 0 failed,')) throw new Error(made + passed)
  })
  say(`${own}: petstore-server serves, petstore-client adds an animal, petstore-conform checks a rule.`)
}

makeAll()
for (const major of nodes) await tryPackages(major)
const executable = readdirSync(release).find((name) => name.endsWith(`-${process.arch}`)) ?? ''
await startOnce([join(release, executable)])
say(`${executable} serves.`)
say(`\n${release}:\n${readdirSync(release).join('\n')}`)
