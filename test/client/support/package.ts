/** The client as a project installs it: packed, in the node_modules of the project, with the scenario beside it. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installPacked, type Packed } from '../../../harness/packed.ts'
import { projectFile, root } from '../../../harness/project.ts'
import type { Surroundings } from './scenario.ts'

const run = promisify(execFile)
const tsc = join(root, 'node_modules/.bin/tsc')

export interface Installed extends Packed {
  /** The folder of the package itself. */
  readonly client: string
}

/** Installs the client in a new folder, with the scenario beside it. */
export async function installClient(): Promise<Installed> {
  const packed = await installPacked('client')
  const { path } = packed
  writeFileSync(join(path, 'run.js'), scenarioProgram)
  const scenario = join(root, 'test/client/support/scenario.ts')
  await compile(path, ['--noCheck', '--noResolve', '--module', 'esnext'], scenario)
  return { ...packed, client: join(path, 'node_modules/petstore-client') }
}

/** Unpacks a released client in the form in which it would be installed in the folder. */
export function unpackClient(archive: string, folder: string): void {
  const client = join(folder, 'node_modules/petstore-client')
  mkdirSync(client, { recursive: true })
  execFileSync('tar', ['-xzf', join(root, 'contracts', archive), '-C', client, '--strip-components=1'])
}

/**
 * Joins the programs of the README into one, checks it with the types of the installed package, and returns the path of
 * the compiled program.
 */
export async function compileReadme({ path }: Installed, { baseUrl, apiKey }: Surroundings): Promise<string> {
  const blocks = [...projectFile('client/README.md').matchAll(/^```ts\n(.*?)^```/gms)].map(([, block]) => block)
  const text = blocks.join('').replace('https://shop.example/v1', baseUrl).replace('pst_…', apiKey)
  const file = join(path, 'readme.ts')
  writeFileSync(file, text)
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noImplicitOverride']
  const withDom = ['--lib', 'es2022,dom', '--types', '']
  const withNode = ['--lib', 'es2022', '--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  await compile(path, [...strict, '--module', 'nodenext', ...withDom], file)
  await compile(path, [...strict, '--module', 'esnext', '--moduleResolution', 'bundler', ...withNode], file)
  return join(path, 'readme.js')
}

/** Makes a program in CommonJS, checks it with every module resolution of TypeScript, and returns its path. */
export async function compileCommonJs({ path }: Installed): Promise<string> {
  const file = join(path, 'common.cts')
  writeFileSync(
    file,
    `import { NotFoundError, PetStore, type Pet } from 'petstore-client'
const store = new PetStore({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'key' })
const pets: Promise<Pet[]> = store.pets.list().toArray({ limit: 0 })
pets.then(({ length }) => console.log(length, NotFoundError.prototype.name))
`,
  )
  const options = ['--strict', '--lib', 'es2022,dom', '--types', '']
  await compile(path, [...options, '--module', 'nodenext'], file)
  await compile(path, [...options, '--module', 'commonjs', '--moduleResolution', 'bundler'], file)
  return join(path, 'common.cjs')
}

async function compile(outDir: string, options: readonly string[], file: string): Promise<void> {
  const args = ['--ignoreConfig', '--target', 'es2022', '--skipLibCheck', 'false', '--outDir', outDir]
  await run(tsc, [...args, ...options, file])
}

/** A program that runs the scenario beside it with the client installed there. */
export const scenarioProgram = `
import * as client from 'petstore-client'
import { scenario } from './scenario.js'
await scenario(client, JSON.parse(process.argv[2]))
`
