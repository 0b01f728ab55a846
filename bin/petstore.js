#!/usr/bin/env node
/**
 * Starts the program, or says in one line that this Node is too old, in JavaScript, which an old Node can read. The line
 * above is the only one that npm on Windows, BusyBox and all others understand. Node looks for `--env-file` behind the
 * program, too, and says itself if that file is missing; `node -- bin/petstore.js` leaves it to the program.
 */
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { privateFolder } from './compile-cache.js'

const nodeMin = 24

if (Number.parseInt(process.versions.node, 10) < nodeMin) {
  // The Node that npm has installed together with the program, in a checkout or as a package.
  const [beside] = ['../node_modules/.bin/node', '../../.bin/node']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .filter((path) => existsSync(path))
  const advice = beside ? ` Run it with ${beside}.` : ''
  console.error(`petstore: Node ${nodeMin} or newer is needed; ${process.execPath} is ${process.version}.${advice}`)
  process.exitCode = 1
} else {
  // The cached code has its types stripped. The next start takes a third of the time and 30 MB less, if no file that is
  // imported before this needs its types stripped.
  const cache = privateFolder(tmpdir())
  if (cache) process.getBuiltinModule('node:module').enableCompileCache?.(cache)
  // A checkout runs its source, never an older build. The package contains only the build.
  const source = new URL('../src/main.ts', import.meta.url)
  import(existsSync(source) ? source.href : '../dist/src/main.js')
}
