#!/usr/bin/env node
/** The program `petstore-conform`, or one line that says that this Node is too old. */
const nodeMin = 22

const { env, stdout, stderr } = process
if (Number.parseInt(process.versions.node, 10) < nodeMin) {
  stderr.write(`petstore-conform: Node ${nodeMin} or newer is needed; this is ${process.version}.\n`)
  process.exitCode = 2
} else {
  // A reader that stops reading, as `head` does.
  stdout.on('error', () => process.exit(1))
  // The rules have integers that an old Node cannot write.
  const { conform } = await import('./command.ts')
  process.exitCode = await conform(process.argv.slice(2), { program: 'petstore-conform', env, stdout, stderr })
}
