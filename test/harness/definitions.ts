/**
 * Prints the title of every test that the suite defines, after those of its file and groups: first in the quick scope,
 * on a machine without any program, then in the full scope. No test is run.
 */
import { globSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../../harness/project.ts'
import { definedBy } from '../../harness/recorder.ts'

const folders = ['test/', 'harness/'].map((folder) => pathToFileURL(join(root, folder)).href)
const recorder = pathToFileURL(join(root, 'harness/recorder.ts')).href
const scopes = { quick: '', full: process.env.PATH }
let scope: string

registerHooks({
  resolve(name, context, next) {
    if (name === 'node:test') return { url: recorder, shortCircuit: true }
    const found = next(name, context)
    // The files of the tests are loaded once for each scope.
    const isOfTests = folders.some((folder) => found.url.startsWith(folder)) && found.url !== recorder
    return isOfTests ? { ...found, url: `${found.url}?${scope}` } : found
  },
})

const defined: Record<string, string[]> = {}
for (const [name, path] of Object.entries(scopes)) {
  scope = process.env.TEST_SCOPE = name
  process.env.PATH = path
  const titles: string[] = []
  for (const file of globSync('test/**/*.test.ts', { cwd: root }).toSorted())
    titles.push(...(await definedBy(file, () => import(join(root, file)))))
  defined[name] = titles
}
// Some files start a server when they are loaded.
process.stdout.write(JSON.stringify(defined), () => process.exit())
