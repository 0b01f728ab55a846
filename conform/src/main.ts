#!/usr/bin/env node
/** The program `petstore-conform`. On a Node that is too old, it prints one line that says so. */
const nodeMin = 22

const { env, stdout, stderr } = process
if (Number.parseInt(process.versions.node, 10) < nodeMin) {
  stderr.write(`petstore-conform: Node ${nodeMin} or newer is needed; this is ${process.version}.\n`)
  process.exitCode = 2
} else {
  // The output fails if its reader stops reading, as `head` does.
  stdout.on('error', () => process.exit(1))
  // The rules contain integers that an old Node cannot write as JSON, so they are loaded after the check.
  const { conform } = await import('./command.ts')
  process.exitCode = await conform(process.argv.slice(2), { program: 'petstore-conform', env, stdout, stderr })
}
