#!/bin/sh
':' //; exec node -- "$0" "$@"
/**
 * Starts the program, or says in one line that this Node is too old; in JavaScript, which an old Node can read. A shell reads
 * the line above, for the "--": without it Node takes --env-file for its own, and ends with 9 where there is no such file.
 */
import { existsSync } from 'node:fs'

const nodeMin = 24

if (!process.versions.bun && Number.parseInt(process.versions.node, 10) < nodeMin) {
  console.error(`petstore: Node ${nodeMin} or newer is needed; ${process.execPath} is ${process.version}.`)
  process.exitCode = 1
} else {
  // A checkout runs its source, never an older build of it; the package has the build only.
  const source = new URL('../src/main.ts', import.meta.url)
  import(existsSync(source) ? source.href : '../dist/main.js')
}
