/**
 * The structure of the program: which file may import which, so that a reader can take them one at a time, and what a
 * file exports.
 */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { projectFile, root } from './support/project.ts'

const architecture = projectFile('docs/architecture.md')

/** The folder of a file, or the file itself where it stands directly in src/. */
const folderOf = (file: string): string => (file.split('/')[0] as string).replace(/\.ts$/, '')

/** Every folder with its place in the line "main → commands → …" of docs/architecture.md. */
const [line = ''] = /^main → .*$/m.exec(architecture) ?? []
const places = new Map(line.split(' → ').flatMap((names, place) => names.split(', ').map((name) => [name, place])))

/** The files and packages that a file imports, statically or not. */
const importsOf = (file: string, text: string): string[] =>
  [...text.matchAll(/\b(?:from\s+|import\s*\(?\s*)'([^']+)'/g)].map(([, path = '']) =>
    path.startsWith('.') ? join(dirname(file), path) : path,
  )

const files = globSync('**/*.{ts,tsx}', { cwd: join(root, 'src') })
const textOf = (file: string): string => projectFile(join('src', file))

/** A file of src/, and a line in it. */
type Line = readonly [file: string, line: string]

interface Rule {
  readonly says: string
  /** The files, the folders (with a slash at the end) and the packages that it is about. */
  readonly names: readonly string[]
  /** Why a file with this text breaks it; types count as well. */
  faultsIn(file: string, text: string): string[]
  /** Lines that break it. */
  readonly planted: readonly [Line, ...Line[]]
}

const isIn = (path: string) => (name: string) => (name.endsWith('/') ? path.startsWith(name) : path === name)

/** Only these files and folders may import what a name stands for. */
const reserve = (name: string, users: readonly string[], planted: Line, except: readonly string[] = []): Rule => ({
  says: `only ${users.join(', ')} import ${[name, ...except].join(' but for ')}`,
  names: [name, ...users, ...except],
  faultsIn: (file, text) =>
    users.some(isIn(file))
      ? []
      : importsOf(file, text)
          .filter((imported) => isIn(imported)(name) && !except.some(isIn(imported)))
          .map((imported) => `${file} imports ${imported}`),
  planted: [planted],
})

/**
 * Sockets have timers of their own, main.ts one that ends the process, and pages those of browsers; a test suite starts
 * a sandbox without a command.
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
const timeOfRuntime = new RegExp(
  [
    /\bsystemTime\b/,
    /\bDate\.now\b/,
    /\bnew Date\(\)/,
    /\bperformance\.now\b/,
    /\bhrtime\b/,
    /\bnode:timers\b/,
    /(?<!\.)\b(?:set|clear)(?:Timeout|Interval|Immediate)\b(?! as )/,
    /\bAbortSignal\.timeout\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

const rules: readonly Rule[] = [
  {
    says: 'imports go from left to right in the line of docs/architecture.md',
    names: [...places.keys()].map((name) => (files.includes(`${name}.ts`) ? `${name}.ts` : `${name}/`)),
    faultsIn: (file, text) =>
      importsOf(file, text).flatMap((imported) => {
        const [from, to] = [folderOf(file), folderOf(imported)]
        const [here, there] = [places.get(from), places.get(to)]
        if (from === to || there === undefined || (here !== undefined && here < there)) return []
        return `${file}: ${to} is not to the right of ${from}`
      }),
    planted: [
      ['http/handler.ts', "import type { Hub } from '../events/hub.ts'"],
      ['events/hub.ts', "import { createSender } from '../webhooks/send.ts'"],
      ['store/events.ts', "import { createPaging } from '../http/paging.ts'"],
      ['schema/json.ts', "const { operations } = await import('../app.ts')"],
      ['limits.ts', "export { errors } from './errors.ts'"],
    ],
  },
  {
    says: 'a store does not know what clients are told',
    names: ['store/', 'errors.ts'],
    faultsIn: (file, text) =>
      isIn(file)('store/') && importsOf(file, text).includes('errors.ts') ? [`${file} imports errors.ts`] : [],
    planted: [['store/keys.ts', "import { AppError } from '../errors.ts'"]],
  },
  reserve(
    'store/',
    ['store/', 'commands/', 'sandbox/', 'server/'],
    ['http/auth.ts', "import { openStore } from '../store/open.ts'"],
    ['store', 'event-table', 'key-table', 'webhook-table', 'maintenance'].map((part) => `store/${part}.ts`),
  ),
  reserve(
    'store/open.ts',
    ['commands/', 'sandbox/', 'server/'],
    ['store/keys.ts', "import { openStore } from './open.ts'"],
  ),
  reserve(
    'store/sqlite/',
    ['store/sqlite/', 'store/open.ts', 'commands/'],
    ['store/keys.ts', "const { openSqlite } = await import('./sqlite/sqlite.ts')"],
  ),
  reserve(
    'store/postgres/',
    ['store/postgres/', 'store/open.ts'],
    ['store/sqlite/pets.ts', "import type { Pool } from '../postgres/pool.ts'"],
  ),
  reserve('node:sqlite', ['store/sqlite/'], ['pets/operations.ts', "import { DatabaseSync } from 'node:sqlite'"]),
  reserve(
    'pg-connection-string',
    ['config/'],
    ['store/postgres/pool.ts', "import { parse } from 'pg-connection-string'"],
  ),
  reserve('pg', ['store/postgres/'], ['store/keys.ts', "import { Client } from 'pg'"]),
  reserve(
    'config/config.ts',
    ['commands/', 'sandbox/', 'server/'],
    ['http/auth.ts', "import type { Config } from '../config/config.ts'"],
  ),
  reserve(
    '../conform/',
    ['commands/', 'sandbox/'],
    ['http/auth.ts', "import { rules } from '../../conform/src/rules/rules.ts'"],
  ),
  reserve(
    '../client/',
    ['sandbox/', 'shop/page/', 'reference/docs/'],
    ['commands/serve.ts', "import { PetStore } from '../../client/src/index.ts'"],
  ),
  {
    says: 'only main.ts reads the environment',
    names: ['main.ts'],
    faultsIn: (file, text) =>
      file === 'main.ts'
        ? []
        : // Programs that clients are shown read PETSTORE_KEY.
          [
            ...text.matchAll(/process\??\.env\b(?!\.PETSTORE_KEY)|\benv\b[^=\n]*(?:= process\b|from 'node:process')/g),
          ].map(([found]) => `${file}: ${found}`),
    planted: [
      ['config/config.ts', 'export function loadConfig(environment = process.env): Config {'],
      ['store/open.ts', "import { env } from 'node:process'"],
      ['server/service.ts', 'const { env, stderr } = process'],
    ],
  },
  {
    says: `time is an argument that commands give: only ${ownTime.join(', ')} use that of the runtime [D343]`,
    names: ['commands/', ...ownTime],
    faultsIn: (file, text) =>
      ownTime.some(isIn(file))
        ? []
        : [...text.matchAll(timeOfRuntime)]
            .filter(([found]) => found !== 'systemTime' || !isIn(file)('commands/'))
            .map(([found]) => `${file}: ${found}`),
    planted: [
      ['http/handler.ts', 'const started = performance.now()'],
      ['commands/keys.ts', 'const now = Date.now()'],
      ['observe/log.ts', 'const time = new Date().toISOString()'],
      ['store/sqlite/sqlite.ts', 'export function openSqlite(path: string, time = systemTime): Store {'],
      ['store/sqlite/reader.ts', 'setImmediate(end)'],
      ['store/postgres/migrate.ts', "import { setTimeout as sleep } from 'node:timers/promises'"],
      ['webhooks/send.ts', 'const signal = AbortSignal.timeout(10_000)'],
    ],
  },
]

describe('In src', () => {
  const imported = new Set(files.flatMap((file) => importsOf(file, textOf(file))))

  for (const { says, names, faultsIn, planted } of rules)
    test(says, () => {
      for (const name of names)
        assert.ok(
          [...imported, ...files].some((path) => isIn(path)(name)),
          `${name} is not there any more`,
        )
      for (const [file, line] of planted) {
        assert.ok(files.includes(file), `${file} is not there any more`)
        assert.equal(faultsIn(file, line).length, 1, `not found in ${file}: ${line}`)
      }
      assert.deepEqual(
        files.flatMap((file) => faultsIn(file, textOf(file))),
        [],
      )
    })

  test('the folders are those that docs/architecture.md lists, and have a place in its line', () => {
    const listed = [...architecture.matchAll(/^ {2}([\w/. -]+?) {2,}\S/gm)].flatMap(([, names = '']) =>
      names.split(' ').map((name) => name.replace(/(\/|\.ts)$/, '')),
    )
    const folders = [...new Set(files.map(folderOf))].sort()
    assert.deepEqual(folders, listed.sort())
    assert.deepEqual(folders, [...places.keys()].sort())
  })
})

describe('Circles of imports', () => {
  const sources = new Map(
    globSync('{src,bench,tools,client,conform}/**/*.{ts,tsx}', {
      cwd: root,
      exclude: ['**/node_modules', '*/dist'],
    }).map((file) => [file, projectFile(file)]),
  )

  /** Each circle as a chain of paths. */
  function circlesIn(sources: ReadonlyMap<string, string>): string[] {
    const circles: string[] = []
    const done = new Set<string>()
    function follow(file: string, chain: readonly string[]): void {
      const start = chain.indexOf(file)
      if (start >= 0) circles.push([...chain.slice(start), file].join(' → '))
      else if (!done.has(file)) {
        for (const imported of importsOf(file, sources.get(file) ?? '')) follow(imported, [...chain, file])
        done.add(file)
      }
    }
    for (const file of sources.keys()) follow(file, [])
    return circles
  }

  test('are nowhere in src, bench, tools, client and conform, types included', () => {
    assert.deepEqual(circlesIn(sources), [])
  })

  for (const [file, line] of [
    ['src/store/store.ts', "import { openStore } from './open.ts'"],
    ['client/src/transport.ts', "export type { PetStore } from './petstore.ts'"],
  ] as const)
    test(`one would be found that ${file} closes: ${line}`, () => {
      const text = sources.get(file) ?? assert.fail(`${file} is not there any more`)
      const circles = circlesIn(new Map([...sources, [file, `${text}\n${line}`]]))
      assert.ok(circles.some((circle) => circle.includes(file)))
    })
})

for (const [name, ...planted] of [
  [
    'client',
    ['transport.ts', "import { limits } from '../../src/limits.ts'"],
    ['index.ts', "export type { Pet } from 'pg'"],
  ],
  [
    'conform',
    ['rules/core.ts', "import type { Pet } from '../../../client/src/types.ts'"],
    ['send.ts', "const { request } = await import('undici')"],
  ],
] as const)
  test(`The package ${name} imports its own files and Node alone, types included [D367]`, () => {
    const files = globSync('**/*.ts', { cwd: join(root, name, 'src') })
    const foreignIn = (file: string, text: string) =>
      importsOf(file, text).filter((path) => !path.startsWith('node:') && !files.includes(path))
    for (const [file, line] of planted) {
      assert.ok(files.includes(file), `${file} is not there any more`)
      assert.equal(foreignIn(file, line).length, 1, `not found in ${file}: ${line}`)
    }
    assert.deepEqual(
      files.flatMap((file) => foreignIn(file, projectFile(join(name, 'src', file)))),
      [],
    )
    assert.equal(JSON.parse(projectFile(`${name}/package.json`)).dependencies, undefined)
  })

/** Exports that no file of the program imports, and why. */
const forTests = [
  // The types of the client are compared with them.
  'model/event.ts: Event',
  'model/pet.ts: CategoryInventory',
  // A log into an array, and one whose file is full.
  'observe/log.ts: createLog',
  'observe/log.ts: createSink',
  // The package hands them out as petstore-server/sandbox.
  'sandbox/index.ts: startSandbox',
  'sandbox/public.ts: Sandbox',
  'sandbox/public.ts: TestShop',
]

/** What a file imports by name, as `file: name`; the file is a path from src/. */
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
  const builders = globSync('../build/*.ts', { cwd: join(import.meta.dirname, '../src') })
  const imported = new Set(
    [...files, ...builders].flatMap((file) => namesImportedBy(file, projectFile(join('src', file)))),
  )
  const unused = files
    // The modules of the web pages are a program of their own.
    .filter((file) => !/^(?:reference\/docs|shop\/page)\//.test(file))
    .flatMap((file) => {
      const declarations = /^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm
      return [...projectFile(join('src', file)).matchAll(declarations)].map(([, name]) => `${file}: ${name}`)
    })
    .filter((one) => !imported.has(one))
  assert.deepEqual([...new Set(unused)].sort(), forTests)
})
