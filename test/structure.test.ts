/** The structure of src/: which folder may import which, so that a reader can take them one at a time. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, test } from 'node:test'
import { projectFile, root } from './support/project.ts'

/** The folder of a file, or the file itself where it stands directly in src/. */
const folderOf = (file: string): string => file.split('/')[0] as string

function importsOf(source: string): string[] {
  return [...source.matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map(([, path]) => path as string)
}

/** Every folder of src/ with the folders it imports, types included. */
function imports(): Map<string, Set<string>> {
  const src = join(root, 'src')
  const found = new Map<string, Set<string>>()
  for (const file of globSync('**/*.ts', { cwd: src })) {
    const from = folderOf(file)
    if (!found.has(from)) found.set(from, new Set())
    for (const path of importsOf(projectFile(join('src', file)))) {
      const to = folderOf(relative(src, join(src, dirname(file), path)))
      if (to !== from) found.get(from)?.add(to)
    }
  }
  return found
}

/** A way from a folder back to itself, where there is one. */
function circleIn(graph: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | undefined {
  const done = new Set<string>()
  function walk(at: string, way: readonly string[]): readonly string[] | undefined {
    if (way.includes(at)) return [...way.slice(way.indexOf(at)), at]
    if (done.has(at)) return undefined
    for (const next of graph.get(at) ?? []) {
      const circle = walk(next, [...way, at])
      if (circle) return circle
    }
    done.add(at)
    return undefined
  }
  for (const folder of graph.keys()) {
    const circle = walk(folder, [])
    if (circle) return circle
  }
  return undefined
}

describe('The folders of src', () => {
  test('import each other in one direction: no cycle, types included', () => {
    assert.equal(circleIn(imports())?.join(' → '), undefined)
  })

  test('a cycle would be detected, also a long one and one of types only', () => {
    const graph = imports()
    graph.get('schema')?.add('app.ts')
    assert.match(circleIn(graph)?.join(' ') ?? '', /schema app\.ts|app\.ts .*schema/)
    assert.deepEqual(importsOf("import type { A } from '../a.ts'\nconst b = await import('./b.ts')"), [
      '../a.ts',
      './b.ts',
    ])
  })

  test('are those that docs/architecture.md lists', () => {
    const listed = [...projectFile('docs/architecture.md').matchAll(/^ {2}([\w/. -]+?) {2,}\S/gm)].flatMap(
      ([, names]) => (names as string).split(' ').map((name) => name.replace(/\/$/, '')),
    )
    assert.deepEqual([...imports().keys()].sort(), listed.sort())
  })
})
