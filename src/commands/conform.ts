/** `petstore conform` checks any service against the rules of the interface, using the package in conform/. */
import { conform as check, help } from '../../conform/src/command.ts'
import type { Command } from './command.ts'

const program = 'petstore conform'

export const conform: Command = {
  help: help(program),
  run: (args, { env, stdout, stderr }) => check(args, { program, env, stdout, stderr }),
}
