/** The structure of src/: which folder may import which, so that a reader can take them one at a time, and what a file exports. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { projectFile } from './support/project.ts'

const architecture = projectFile('docs/architecture.md')

/** The folder of a file, or the file itself where it stands directly in src/. */
const folderOf = (file: string): string => (file.split('/')[0] as string).replace(/\.ts$/, '')

/** Every folder with its place in the line "main → commands → …" of docs/architecture.md. */
const [line = ''] = /^main → .*$/m.exec(architecture) ?? []
const places = new Map(line.split(' → ').flatMap((names, place) => names.split(', ').map((name) => [name, place])))

/** What only these folders may import, wherever they stand in the line. */
const reserved: readonly (readonly [what: RegExp, folders: readonly string[]])[] = [
  [/^config\/config\.ts$/, ['commands', 'server']],
  [/^store\/(open\.ts|sqlite\/|postgres\/)/, ['commands', 'server']],
  [/^(node:sqlite|pg)$/, ['store']],
  [/^\.\.\/conform\//, ['commands']],
  [/^\.\.\/client\//, ['shop']],
]

/** Why a file may not import another, both as paths from src/; types count as well. */
function faultOf(file: string, imported: string): string | undefined {
  const [from, to] = [folderOf(file), folderOf(imported)]
  const [, folders] = reserved.find(([what]) => what.test(imported)) ?? []
  const isAllowed = from === to || !folders || folders.includes(from)
  if (!isAllowed) return `${file}: only ${folders.join(' and ')} may import ${imported}`
  if (from === 'store' && to === 'errors') return `${file}: a store does not know what clients are told`
  const [here, there] = [places.get(from), places.get(to)]
  if (from === to || there === undefined || (here !== undefined && here < there)) return undefined
  return `${file}: ${to} is not to the right of ${from}`
}

/** The files and packages that a file imports, statically or not. */
const importsOf = (file: string, source: string): string[] =>
  [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, path = '']) =>
    path.startsWith('.') ? join(dirname(file), path) : path,
  )

const files = globSync('**/*.{ts,tsx}', { cwd: join(import.meta.dirname, '../src') })

describe('The folders of src', () => {
  test('import each other from left to right in the line of docs/architecture.md, types included', () => {
    const faults = files.flatMap((file) =>
      importsOf(file, projectFile(join('src', file))).flatMap((imported) => faultOf(file, imported) ?? []),
    )
    assert.deepEqual(faults, [])
  })

  for (const [file, source] of [
    ['http/handler.ts', "import type { Hub } from '../events/hub.ts'"],
    ['events/hub.ts', "import { createSender } from '../webhooks/send.ts'"],
    ['schema/json.ts', "const { operations } = await import('../app.ts')"],
    ['limits.ts', "import { errors } from './errors.ts'"],
    ['store/pets.ts', "import { AppError } from '../errors.ts'"],
    ['app.ts', "import { openStore } from './store/open.ts'"],
    ['http/auth.ts', "import type { Config } from '../config/config.ts'"],
    ['pets/operations.ts', "import { DatabaseSync } from 'node:sqlite'"],
    ['http/handler.ts', "import { rules } from '../../conform/src/rules/rules.ts'"],
    ['commands/serve.ts', "import { PetStore } from '../../client/src/index.ts'"],
  ] as const)
    test(`an import such as that of ${file} would be found: ${source}`, () => {
      assert.equal(importsOf(file, source).filter((imported) => faultOf(file, imported)).length, 1)
    })

  test('are those that docs/architecture.md lists, and have a place in its line', () => {
    const listed = [...architecture.matchAll(/^ {2}([\w/. -]+?) {2,}\S/gm)].flatMap(([, names = '']) =>
      names.split(' ').map((name) => name.replace(/(\/|\.ts)$/, '')),
    )
    const folders = [...new Set(files.map(folderOf))].sort()
    assert.deepEqual(folders, listed.sort())
    assert.deepEqual(folders, [...places.keys()].sort())
  })
})

for (const part of ['client', 'conform'])
  test(`The package ${part} imports its own files and Node alone [D367]`, () => {
    const cwd = join(import.meta.dirname, '..', part, 'src')
    for (const file of globSync('**/*.ts', { cwd }))
      for (const [, path = ''] of projectFile(join(part, 'src', file)).matchAll(/^(?:import|\}).* from '([^']+)'$/gm))
        assert.ok(
          path.startsWith('node:') || (path.startsWith('.') && !join(dirname(file), path).startsWith('..')),
          path,
        )
    assert.equal(JSON.parse(projectFile(`${part}/package.json`)).dependencies, undefined)
  })

/** Exports that only tests import, and why. */
const forTests = [
  // The types of the client are compared with them.
  'model/event.ts: Event',
  'model/pet.ts: CategoryInventory',
  // A log into an array, and one whose file is full.
  'observe/log.ts: createLog',
  'observe/log.ts: createSink',
  // Timeouts of a minute, without waiting for one.
  'server/listen-bun.ts: serverOptions',
  'server/listen-node.ts: serverOptions',
  // A header that no operation sends.
  'server/listen-node.ts: textOf',
  // The examples in deploy/ must give the service longer than this.
  'server/service.ts: graceMilliseconds',
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
