#!/usr/bin/env node
/** The program `petstore-conform`. */
import { conform } from './command.ts'

const { env, stdout, stderr } = process
process.exitCode = await conform(process.argv.slice(2), { program: 'petstore-conform', env, stdout, stderr })
