/**
 * The structure of the program. The linter checks what it can (biome.json, biome.imports.jsonc): cycles, the order of
 * the folders, packages, and the length of functions. These tests prove that its rule is the order of
 * docs/architecture.md, and check what it cannot: the environment, time, and unused exports.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { Folder } from '../harness/process.ts'
import { projectFile, root } from '../harness/project.ts'

const architecture = projectFile('docs/architecture.md')

/** Returns the folder of a file, or the file itself if it is directly in src/. */
const folderOf = (file: string): string => (file.split('/')[0] as string).replace(/\.ts$/, '')

/** Every folder, with its position in the line "main → commands → …" of docs/architecture.md. */
const [line = ''] = /^main → .*$/m.exec(architecture) ?? []
const places = new Map(line.split(' → ').flatMap((names, place) => names.split(', ').map((name) => [name, place])))

const files = globSync('**/*.{ts,tsx}', { cwd: join(root, 'src') })
const folders = [...new Set(files.map(folderOf))].sort()

/** Returns the imports that the linter refuses, as `file: line`, in the files of a project with exactly these texts. */
function refusedIn(texts: ReadonlyMap<string, readonly string[]>): string[] {
  using project = new Folder()
  for (const file of ['biome.json', 'biome.imports.jsonc']) copyFileSync(join(root, file), join(project.path, file))
  for (const [file, lines] of texts) {
    mkdirSync(join(project.path, dirname(file)), { recursive: true })
    writeFileSync(join(project.path, file), lines.join('\n'))
  }
  const options = [
    '--only=style/noRestrictedImports',
    '--vcs-enabled=false',
    '--max-diagnostics=none',
    '--reporter=json',
  ]
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/biome'), ['lint', ...options, '.'], {
    cwd: project.path,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { category: string; location: { path: string; start: { line: number } } }[]
  }
  return diagnostics
    .filter(({ category }) => category === 'lint/style/noRestrictedImports')
    .map(({ location: { path, start } }) => `${path}: ${texts.get(path)?.[start.line - 1]}`)
}

describe('The linter', () => {
  test('The linter refuses exactly the imports against the order of docs/architecture.md', () => {
    const isFile = (name: string) => files.includes(`${name}.ts`)
    const fileIn = (name: string) => (isFile(name) ? `src/${name}.ts` : `src/${name}/planted.ts`)
    const importOf = (from: string, to: string) =>
      `import type { X } from '${isFile(from) ? '.' : '..'}/${isFile(to) ? `${to}.ts` : to === 'store' ? 'store/store.ts' : `${to}/other.ts`}'`
    const pairs = [...places].flatMap(([from, here]) =>
      [...places]
        .filter(([to]) => to !== from)
        .map(([to, there]) => ({
          file: fileIn(from),
          text: importOf(from, to),
          // The refusals of a store are data. Another part decides what clients are told.
          isRefused: here >= there || (from === 'store' && to === 'errors'),
        })),
    )
    const texts = new Map([...places.keys()].map((name) => [fileIn(name), [] as string[]]))
    for (const { file, text } of pairs) texts.get(file)?.push(text)
    const refused = new Set(refusedIn(texts))
    const wrong = pairs
      // main.ts imports commands, and some more that the next test covers.
      .filter(({ file, text, isRefused }) => file !== 'src/main.ts' && refused.has(`${file}: ${text}`) !== isRefused)
      .map(({ file, text, isRefused }) => `${file}: ${text} — should be ${isRefused ? 'refused' : 'taken'}`)
    assert.deepEqual(
      wrong,
      [],
      'biome.imports.jsonc and the line "main → …" of docs/architecture.md differ: change one',
    )
  })

  /**
   * Which files may import something, and which may not. The first file of each pair exists, or a folder contains it.
   */
  const imports: readonly (readonly [file: string, line: string, isRefused: boolean])[] = [
    ['src/http/auth.ts', "import { openStore } from '../store/open.ts'", true],
    ['src/commands/serve.ts', "import { openStore } from '../store/open.ts'", false],
    ['src/http/auth.ts', "import type { KeyTable } from '../store/key-table.ts'", false],
    ['src/pets/operations.ts', "import { plain } from '../store/sql.ts'", true],
    ['src/store/keys.ts', "import { openStore } from './open.ts'", true],
    ['src/store/keys.ts', "const { openSqlite } = await import('./sqlite/sqlite.ts')", true],
    ['src/store/open.ts', "const { openSqlite } = await import('./sqlite/sqlite.ts')", false],
    ['src/store/sqlite/pets.ts', "import type { Pool } from '../postgres/pool.ts'", true],
    ['src/store/postgres/pets.ts', "import type { Database } from '../sqlite/sqlite.ts'", true],
    ['src/server/service.ts', "import type { Pool } from '../store/postgres/pool.ts'", true],
    ['src/store/keys.ts', "import { AppError } from '../errors.ts'", true],
    ['src/store/sqlite/keys.ts', "import { AppError } from '../../errors.ts'", true],
    ['src/store/postgres/pool.ts', "import { codeOf } from './errors.ts'", false],
    ['src/pets/operations.ts', "import { DatabaseSync } from 'node:sqlite'", true],
    ['src/store/sqlite/sqlite.ts', "import { DatabaseSync } from 'node:sqlite'", false],
    ['src/store/keys.ts', "import { Client } from 'pg'", true],
    ['src/store/postgres/pool.ts', "import { Client } from 'pg'", false],
    ['src/store/postgres/pool.ts', "import { parse } from 'pg-connection-string'", true],
    ['src/config/database-url.ts', "import { parse } from 'pg-connection-string'", false],
    ['src/http/auth.ts', "import type { Config } from '../config/config.ts'", true],
    ['src/main.ts', "import type { Config } from './config/config.ts'", true],
    ['src/http/auth.ts', "import { rules } from '../../conform/src/rules/rules.ts'", true],
    ['src/commands/conform.ts', "import { rules } from '../../conform/src/rules/rules.ts'", false],
    ['src/commands/serve.ts', "import { PetStore } from '../../client/src/index.ts'", true],
    ['src/shop/page/model.ts', "import { PetStore } from '../../../client/src/index.ts'", false],
    ['src/shop/page/model.ts', "import { createHub } from '../../events/hub.ts'", true],
    ['client/src/transport.ts', "import { limits } from '../../src/limits.ts'", true],
    ['client/src/index.ts', "export type { Pet } from 'pg'", true],
    ['client/src/index.ts', "export type { Pet } from './types.ts'", false],
    ['conform/src/rules/core.ts', "import type { Pet } from '../../../client/src/types.ts'", true],
    ['conform/src/rules/core.ts', "import type { Rule } from '../rule.ts'", false],
    ['conform/src/send.ts', "const { request } = await import('undici')", true],
    ['conform/src/send.ts', "import { setTimeout } from 'node:timers/promises'", false],
  ]

  test('The linter lets only the responsible files open a database, read settings, or use a driver or package [decision 1]', () => {
    const texts = new Map<string, string[]>()
    for (const [file, text] of imports) texts.set(file, [...(texts.get(file) ?? []), text])
    const expected = imports.filter(([, , isRefused]) => isRefused).map(([file, text]) => `${file}: ${text}`)
    assert.deepEqual(refusedIn(texts).sort(), expected.sort(), 'change biome.imports.jsonc, or this list')
  })
})

test('The packages client and conform depend on nothing [decision 1]', () => {
  for (const name of ['client', 'conform'])
    assert.equal(JSON.parse(projectFile(`${name}/package.json`)).dependencies, undefined, `${name}/package.json`)
})

test('docs/architecture.md lists exactly the folders of src, and each is in its line "main → …"', () => {
  const listed = [...architecture.matchAll(/^ {2}([\w/. -]+?) {2,}\S/gm)].flatMap(([, names = '']) =>
    names.split(' ').map((name) => name.replace(/(\/|\.ts)$/, '')),
  )
  assert.deepEqual(listed.sort(), folders, 'the list of folders in docs/architecture.md')
  assert.deepEqual([...places.keys()].sort(), folders, 'the line "main → …" in docs/architecture.md')
})

interface Rule {
  readonly title: string
  readonly advice: string
  readonly exempt: readonly string[]
  readonly pattern: RegExp
  /** Lines that break the rule. */
  readonly planted: readonly string[]
}

/**
 * Sockets have timers, main.ts has one that ends the process, and pages have those of browsers. A test suite starts a
 * sandbox without a command.
 */
const ownTime = [
  'time.ts',
  'main.ts',
  'server/listen.ts',
  'server/bare-response.ts',
  'sandbox/index.ts',
  'shop/page/',
  'reference/docs/',
]

const rules: readonly Rule[] = [
  {
    // The linter recognizes `process.env`, but none of these.
    title: 'The environment is read by main.ts alone, which hands it to a command',
    advice: 'take a Config, or an argument',
    exempt: ['main.ts'],
    pattern: /\benv\b[^=\n]*(?:= process\b|from 'node:process')/g,
    planted: ["import { env } from 'node:process'", 'const { env, stderr } = process'],
  },
  {
    title: 'The time of the runtime is used by few files; all others take a Time as an argument [decision 24]',
    advice: 'take a Time (src/time.ts) as an argument',
    exempt: ownTime,
    pattern:
      /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bhrtime\b|\bnode:timers\b|(?<!\.)\b(?:set|clear)(?:Timeout|Interval|Immediate)\b(?! as )|\bAbortSignal\.timeout\b/g,
    planted: [
      'const started = performance.now()',
      'const now = Date.now()',
      'const time = new Date().toISOString()',
      'setImmediate(end)',
      "import { setTimeout as sleep } from 'node:timers/promises'",
      'const signal = AbortSignal.timeout(10_000)',
    ],
  },
  {
    title: 'The time of the system is handed out by commands; nothing else takes it as a default [decision 24]',
    advice: 'take a Time (src/time.ts) as an argument, without a default',
    exempt: [...ownTime, 'commands/'],
    pattern: /\bsystemTime\b/g,
    planted: ['export function openSqlite(path: string, time = systemTime): Store {'],
  },
]

const isIn = (path: string) => (name: string) => (name.endsWith('/') ? path.startsWith(name) : path === name)

for (const { title, advice, exempt, pattern, planted } of rules)
  test(title, () => {
    for (const text of planted) assert.equal([...text.matchAll(pattern)].length, 1, `the rule does not see ${text}`)
    for (const name of exempt)
      assert.ok(
        files.some((file) => isIn(file)(name)),
        `src/${name} is not there any more`,
      )
    const faults = files
      .filter((file) => !exempt.some(isIn(file)))
      .flatMap((file) =>
        projectFile(join('src', file))
          .split('\n')
          .flatMap((text, i) => (text.match(pattern) ? [`src/${file}:${i + 1}: ${text.trim()} — ${advice}`] : [])),
      )
    assert.deepEqual(faults, [])
  })

/** Exports that no file of the program imports, and why. */
const forTests = [
  // The types of the client are compared with them.
  'model/event.ts: Event',
  'model/pet.ts: CategoryInventory',
  // Tests use a log that writes into an array, and one whose file is full.
  'observe/log.ts: createLog',
  'observe/log.ts: createSink',
  // The package exports it as petstore-server/sandbox.
  'sandbox/index.ts: startSandbox',
  'sandbox/public.ts: Sandbox',
  // Tests wait for the time that the end of a service may take.
  'server/service.ts: graceMilliseconds',
]

/** Returns what a file imports by name, as `file: name`. The file is a path in src/. */
function namesImportedBy(file: string, source: string): string[] {
  const statements = /\{([^{}]*)\}\s*(?:from|= await import\()\s*'(\.[^']+)'/g
  const named = [...source.matchAll(statements)].flatMap(([, names = '', path = '']) =>
    [...names.matchAll(/(?:type )?(\w+)(?: as \w+|: \w+)?/g)].map(([, name]) => [path, name] as const),
  )
  const members = [...source.matchAll(/await import\('(\.[^']+)'\)\)\.(\w+)/g)].map(([, path = '', name]) => [
    path,
    name,
  ])
  return [...named, ...members].map(
    ([path = '', name]) => `${join(dirname(file), path).replace('../src/', '')}: ${name}`,
  )
}

test('A file of src exports only what another file of the program imports', () => {
  const builders = globSync('../build/*.ts', { cwd: join(root, 'src') })
  const imported = new Set(
    [...files, ...builders].flatMap((file) => namesImportedBy(file, projectFile(join('src', file)))),
  )
  const unused = files
    // The modules of the web pages are a separate program.
    .filter((file) => !/^(?:reference\/docs|shop\/page)\//.test(file))
    .flatMap((file) => {
      const declarations = /^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm
      return [...projectFile(join('src', file)).matchAll(declarations)].map(([, name]) => `${file}: ${name}`)
    })
    .filter((one) => !imported.has(one))
  assert.deepEqual(
    [...new Set(unused)].sort(),
    forTests,
    'remove the word "export" before a name that nothing in src or build imports; one that tests alone need goes into the list forTests above',
  )
})
