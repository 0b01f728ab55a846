/** The client as a project installs it: built, in a node_modules of its own, with the scenario beside it. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '../../support/databases.ts'
import { projectFile, root } from '../../support/project.ts'
import type { Surroundings } from './scenario.ts'

const run = promisify(execFile)
const tsc = join(root, 'node_modules/.bin/tsc')

export interface Installed {
  readonly path: string
  remove(): void
}

export async function installClient(): Promise<Installed> {
  const folder = temporaryFolder()
  const installed = join(folder.path, 'node_modules/petstore-client')
  mkdirSync(installed, { recursive: true })
  cpSync(join(root, 'client/package.json'), join(installed, 'package.json'))
  writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder.path, 'run.js'), program)
  const scenario = join(root, 'test/client/support/scenario.ts')
  const plain = [
    '--ignoreConfig',
    '--noCheck',
    '--noResolve',
    '--target',
    'es2022',
    '--module',
    'esnext',
    '--types',
    '',
  ]
  await Promise.all([
    run(tsc, ['-p', join(root, 'client'), '--outDir', join(installed, 'dist')]),
    run(tsc, [...plain, '--outDir', folder.path, scenario]),
  ])
  return folder
}

/** The README's programs as one, checked against the installed package's types; gives the path of what to run. */
export async function compileReadme({ path }: Installed, { baseUrl, apiKey }: Surroundings): Promise<string> {
  const blocks = [...projectFile('client/README.md').matchAll(/^```ts\n(.*?)^```/gms)].map(([, block]) => block)
  const text = blocks.join('').replace('https://shop.example/v1', baseUrl).replace('pst_…', apiKey)
  writeFileSync(join(path, 'readme.ts'), text)
  const strict = ['--ignoreConfig', '--strict', '--target', 'es2022', '--module', 'nodenext', '--types', '']
  await run(tsc, [...strict, '--lib', 'es2022,dom', '--outDir', path, join(path, 'readme.ts')])
  return join(path, 'readme.js')
}

const program = `
import * as client from 'petstore-client'
import { scenario } from './scenario.js'
await scenario(client, JSON.parse(process.argv[2]))
`
