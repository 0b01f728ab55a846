#!/usr/bin/env node
/** The `petstore` program: runs a command and sets the exit code. */
import { tmpdir } from 'node:os'
import { privateFolder } from './private-folder.ts'

// Node keeps what it compiled, types stripped: the next start takes a third less. That holds for what is imported
// from here on, so the commands are.
const cacheFolder = privateFolder(tmpdir())
if (cacheFolder) process.getBuiltinModule('node:module').enableCompileCache?.(cacheFolder)
const { petstore } = await import('./commands/petstore.ts')

process.exitCode = await petstore(process.argv.slice(2), process)
// The work is done: a connection that a dead network never closes must not keep the process.
setTimeout(() => process.exit(), 1_000).unref()
