#!/usr/bin/env node
/** The `petstore` program: runs a command and sets the exit code. */
import { petstore } from './commands/petstore.ts'

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // It is no failure if a reader such as `head` has read enough.
  if (code === 'EPIPE') process.exit(0)
  process.stderr.write(`petstore: Cannot write to standard output: ${message}\n`)
  process.exit(1)
})
let written: Promise<unknown> | undefined
const stdout = {
  isTTY: process.stdout.isTTY,
  write(text: string) {
    return (written = new Promise((resolve) => process.stdout.write(text, resolve)))
  },
}
const { env, stdin, stderr } = process
process.exitCode = await petstore(process.argv.slice(2), { env, stdin, stdout, stderr })
// A slow reader, such as a pager, must get the whole output.
await written
// Everything is done. A connection that a dead network never closes must not keep the process alive.
setTimeout(() => process.exit(), 1_000).unref()
