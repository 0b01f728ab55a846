/**
 * `npm run test:tools` tests the tools of others with the document and a running service. `-- --quick` is what CI runs.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Folder, Program } from '../harness/process.ts'
import { projectFile, root } from '../harness/project.ts'
import { TestService } from '../harness/service.ts'
import { defaultScopes } from '../src/model/key.ts'
import { operationsOf } from './operations.ts'
import { isAsTold, rowOf, rowsIn, type Tool, tools } from './tools.ts'

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

/**
 * Runs a command until it ends, and resolves with its output. Rejects with everything that it said if it fails or takes
 * too long.
 */
async function run(command: string, cwd: string, settings: Record<string, string> = {}): Promise<string> {
  await using program = new Program(['sh', '-c', command], { cwd, env: { ...env, ...settings } })
  const timer = setTimeout(() => program.signal('SIGTERM'), minutesMax * 60_000)
  const { code, signal, stdout, stderr } = await program.ended
  clearTimeout(timer)
  if (code !== 0) throw new Error(`${command} ended with ${code ?? signal}:\n${(stdout + stderr).trim().slice(-4_000)}`)
  return stdout.trim()
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

/** Tests a tool, and resolves with the number of successful steps and of all steps, or with the word that it passed. */
async function tryTool(tool: Tool): Promise<string> {
  using folder = new Folder()
  await using service = await TestService.start({
    ...folder.env,
    LOG_LEVEL: 'error',
    WEBHOOKS_ALLOW: '127.0.0.1',
  })
  const at = (file: string) => join(folder.path, file)
  for (const file of ['openapi.json', 'openapi-3.0.json'])
    writeFileSync(at(file), await (await fetch(`${service.url}/${file}`)).text())
  writeFileSync(at('tsconfig.json'), JSON.stringify({ compilerOptions, exclude: ['*.config.ts'] }))
  cpSync(join(here, 'package.json'), at('package.json'))
  symlinkSync(join(here, 'node_modules'), at('node_modules'))
  for (const file of ['operations.ts', 'scenario.ts']) cpSync(join(here, file), at(file))
  for (const file of tool.files) cpSync(join(here, 'clients', file), at(file))
  const settings = {
    PETSTORE_URL: `${service.url}/v1`,
    PETSTORE_KEY: await service.makeKey({ scopes: [...defaultScopes, 'events:read', 'webhooks:write'] }),
    PETSTORE_KEY_WITHOUT_SCOPES: await service.makeKey({ scopes: [] }),
  }
  let output = ''
  for (const command of tool.commands) output = await run(command, folder.path, settings)
  const counted = /^\d+ of \d+.*$/m.exec(output)?.[0] ?? 'passed'
  if (!isAsTold(tool, counted)) process.stderr.write(`${output}\n`)
  return counted
}

const page = join(root, 'docs/tools.md')

/** Runs a tool, and writes its row of the page. Returns false if it failed. */
async function isGood(tool: Tool): Promise<boolean> {
  const began = performance.now()
  const result = await tryTool(tool).catch((error: Error) => {
    process.stderr.write(`${error.message}\n`)
    return 'FAILED'
  })
  process.stdout.write(`${tool.name}: ${result}, in ${((performance.now() - began) / 1000).toFixed(1)} s\n`)
  const text = readFileSync(page, 'utf8')
  const rows = new Map(rowsIn(text)).set(tool.name, rowOf(tool, result))
  const table = tools.flatMap(({ name }) => rows.get(name) ?? [])
  writeFileSync(
    page,
    text.replace(/(?<=\n\| -.+\n)(\|.+\n)*/, () => `${table.join('\n')}\n`),
  )
  return isAsTold(tool, result)
}

if (!values['no-install']) {
  process.stderr.write('installing the tools\n')
  await run(`npm ci --no-audit --no-fund ${values.quick ? '--omit=dev' : ''}`, here)
}
let [passed, failed, skipped] = [0, 0, 0]
for (const tool of chosen) {
  process.stderr.write(`${tool.name} …\n`)
  if (tool.needs && spawnSync('sh', ['-c', tool.needs.command]).status !== 0) {
    process.stdout.write(`${tool.name}: not run; apt-get install ${tool.needs.debian}\n`)
    skipped++
  } else if (await isGood(tool)) passed++
  else failed++
}
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`)
const scenario = readFileSync(join(here, 'scenario.ts'), 'utf8')
const uncalled = [...operationsOf(JSON.parse(projectFile('openapi.json'))).keys()].filter(
  (id) => !scenario.includes(`client.${id}(`),
)
for (const id of uncalled)
  process.stdout.write(
    `${id} is not called: add it to tools/operations.ts, tools/scenario.ts and, where the compiler asks for it, tools/clients\n`,
  )
// A new operation may wait for the next run of all tools, such as that before a release, because CI runs only the quick
// ones.
const isComplete = values.quick || uncalled.length === 0
process.exitCode = failed > 0 || chosen.length === 0 || !isComplete ? 1 : 0
