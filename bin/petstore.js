#!/bin/sh
':' //; exec node -- "$0" "$@"
/**
 * Starts the program, or says in one line that this Node is too old, in JavaScript, which an old Node can read. A shell runs the
 * line above for its "--": without it, Node takes --env-file as its own option, and exits with 9 if there is no such file. The
 * shorter `env -S node --` does not exist in BusyBox.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const nodeMin = 24

if (!process.versions.bun && Number.parseInt(process.versions.node, 10) < nodeMin) {
  // The Node that npm has installed with the program, in a checkout or as a package.
  const [beside] = ['../node_modules/.bin/node', '../../.bin/node']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .filter((path) => existsSync(path))
  const advice = beside ? ` Run it with ${beside}.` : ''
  console.error(`petstore: Node ${nodeMin} or newer is needed; ${process.execPath} is ${process.version}.${advice}`)
  process.exitCode = 1
} else {
  // A checkout runs its source, never an older build of it; the package has the build only.
  const source = new URL('../src/main.ts', import.meta.url)
  import(existsSync(source) ? source.href : '../dist/src/main.js')
}
