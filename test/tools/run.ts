/** `npm run test:tools`: the tools of others on the document and the live service; `-- --quick` is what CI runs. */
import { spawnSync } from 'node:child_process'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { defaultScopes } from '../../src/model/key.ts'
import { Folder, Program } from '../support/process.ts'
import { root } from '../support/project.ts'
import { node } from '../support/runtimes.ts'
import { TestService } from '../support/service.ts'
import { type Tool, tools, versionOf } from './tools.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    'no-install': { type: 'boolean', default: false },
  },
})
const chosen = tools.filter(({ name, isQuick }) => values.only?.includes(name) ?? (isQuick || !values.quick))

const bin = (folder: string): string => join(folder, 'node_modules/.bin')
const env = { PATH: [bin(root), bin(here), process.env.PATH].join(delimiter), CI: 'true', NO_COLOR: '1' }

const minutesMax = 10

/** Runs a command to its end; rejects with what it said if it fails or takes too long. */
async function run(command: string, cwd: string, settings: Record<string, string> = {}): Promise<void> {
  await using program = new Program(['sh', '-c', command], { cwd, env: { ...env, ...settings } })
  const timer = setTimeout(() => program.signal('SIGTERM'), minutesMax * 60_000)
  const { code, signal, stdout, stderr } = await program.ended
  clearTimeout(timer)
  if (code !== 0) throw new Error(`${command} ended with ${code ?? signal}:\n${(stdout + stderr).trim().slice(-4_000)}`)
}

const compilerOptions = {
  target: 'esnext',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['esnext', 'dom', 'dom.iterable'],
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
}

async function tryTool({ files, commands }: Tool): Promise<void> {
  using folder = new Folder()
  const service = await TestService.start(node, { ...folder.env, LOG_LEVEL: 'error' })
  try {
    const at = (file: string) => join(folder.path, file)
    writeFileSync(at('openapi.json'), await (await fetch(`${service.url}/openapi.json`)).text())
    writeFileSync(at('tsconfig.json'), JSON.stringify({ compilerOptions, exclude: ['*.config.ts'] }))
    cpSync(join(here, 'package.json'), at('package.json'))
    symlinkSync(join(here, 'node_modules'), at('node_modules'))
    cpSync(join(here, 'scenario.ts'), at('scenario.ts'))
    for (const file of files) cpSync(join(here, 'clients', file), at(file))
    const settings = {
      PETSTORE_URL: `${service.url}/v1`,
      PETSTORE_KEY: await service.makeKey({ scopes: [...defaultScopes, 'events:read', 'webhooks:write'] }),
      PETSTORE_KEY_WITHOUT_SCOPES: await service.makeKey({ scopes: [] }),
    }
    for (const command of commands) await run(command, folder.path, settings)
  } finally {
    await service.stop()
  }
}

type Result = readonly [name: string, version: string, seconds: string, result: string]

async function resultOf(tool: Tool): Promise<Result> {
  const { name, needs } = tool
  const version = versionOf(tool)
  if (needs && spawnSync('sh', ['-c', needs.command]).status !== 0)
    return [name, version, '', `not run: apt-get install ${needs.debian}`]
  const began = performance.now()
  const failure = await tryTool(tool).catch((error: Error) => error)
  if (failure) process.stderr.write(`${name}: ${failure.message}\n`)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  return [name, version, seconds, failure ? 'FAILED' : 'passed']
}

if (!values['no-install']) {
  process.stderr.write('installing the tools\n')
  await run(`npm ci --no-audit --no-fund ${values.quick ? '--omit=dev' : ''}`, here)
}
const results: Result[] = []
for (const tool of chosen) {
  process.stderr.write(`${tool.name} …\n`)
  results.push(await resultOf(tool))
}
const failed = results.filter(([, , , result]) => result === 'FAILED').length
const skipped = results.filter(([, , , result]) => result.startsWith('not run')).length
const lines = [['tool', 'package', 'seconds', 'result'], ['---', '---', '---', '---'], ...results]
process.stdout.write(`${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\n`)
process.stdout.write(`${results.length - failed - skipped} passed, ${failed} failed, ${skipped} skipped\n`)
process.exitCode = failed > 0 || results.length === 0 ? 1 : 0
