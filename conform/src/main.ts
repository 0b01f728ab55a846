#!/usr/bin/env node
/** The program `petstore-conform`. */
import { conform } from './command.ts'

const { env, stdout, stderr } = process
// A reader that stops reading, as `head` does.
stdout.on('error', () => process.exit(1))
process.exitCode = await conform(process.argv.slice(2), { program: 'petstore-conform', env, stdout, stderr })
